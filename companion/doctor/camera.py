"""Checks of the camera and of its picture of the table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hardware.cameras.camera import CameraBusy, CameraError, CameraLost
from vision.sighting import FrameSizeError

from .finding import Finding, Text, fault, ok, skipped, warning
from .machine import Machine, Shot

if TYPE_CHECKING:
    from calibration.camera_settings import CameraSettings
    from vision.view import TableView

WATCH_S = 2.2
"""How long a live camera is watched: long enough to notice a frozen picture."""
BAND_FRAMES = 8
"""Number of frames that are checked for flicker."""
SOFT_PX, BLURRED_PX = 2.0, 3.5
"""Edge spread from which the picture is soft, and blurred. On the drawn table nothing more is misread up to 2.8 px; at
3.2 px three places of 96 are, at 4 px one die in three."""
DIM_WHITE, DARK_WHITE = 110, 60
"""Without a white card: levels of the brightest parts below which there is little light, or too little."""
MAX_CLIPPED = 0.05
"""Share of a picture that may be overexposed, by lamps reflected beside the boards."""
NAMED = 4
"""How many places with glare are named; the others are counted."""

PictureCheck = Callable[[Machine, Shot], Finding]


def take_shot(spec: str, settings: CameraSettings | None) -> Shot:
    """Returns a picture of the camera *spec*, which is watched long enough to see whether it works.

    :raises CameraError: if it does not; the message says what to do.
    """
    from calibration.light import banding
    from hardware.cameras import is_automatic, open_camera, stable_spec, warm_up
    from hardware.cameras.health import PictureHealth
    from hardware.cameras.supervised import MESSAGES

    with open_camera(spec, settings) as camera:
        warm_up(camera)
        health, previews = PictureHealth(live=camera.live), []
        began = time.monotonic()
        while True:
            look, now = camera.look(), time.monotonic()
            judgement = health.assess(look.preview, now)
            if judgement.fault:
                raise CameraLost(MESSAGES[judgement.fault].format(name=camera.name), judgement.fault)
            previews.append(look.preview)
            if not camera.live or now - began >= WATCH_S:
                break
        return Shot(
            camera.name,
            look.full(),
            camera.live,
            is_automatic(spec, settings),
            camera.drifted_settings(),
            stable_spec(spec),
            banding(previews[-BAND_FRAMES:]) if camera.live else 0.0,
        )


def camera(machine: Machine) -> Finding:
    """Checks whether the camera gives pictures of the table; stores the picture for the checks that need it."""
    from vision.reader import fit_to_table

    if machine.camera is None:
        return skipped("no_camera")
    try:
        shot = machine.camera()
        if shot is None:
            return skipped("nothing_read")
        if machine.table is not None:
            shot = replace(shot, frame=fit_to_table(shot.frame, machine.table))
    except CameraBusy as error:
        if not machine.playing and machine.is_served:
            return skipped("camera_of_companion")
        return _camera_fault(error.code, error.data)
    except CameraError as error:
        return _camera_fault(error.code, error.data)
    except FrameSizeError:
        return _camera_fault("size", {})
    machine.seen = shot
    height, width = shot.frame.shape[:2]
    data = {"camera": shot.name, "width": width, "height": height}
    return ok("camera_by_number", **data, lasting=shot.lasting) if shot.lasting else ok("camera", **data)


def needs_picture(check_picture: PictureCheck) -> Callable[[Machine], Finding]:
    """Returns *check*, which is skipped without a picture."""

    def check(machine: Machine) -> Finding:
        return skipped("no_picture") if machine.seen is None else check_picture(machine, machine.seen)

    return check


def needs_table(check_view: Callable[[Machine, Shot, TableView], Finding]) -> Callable[[Machine], Finding]:
    """Returns *check*, which is skipped without a table file, and gets the view of the table too."""

    def check(machine: Machine, shot: Shot) -> Finding:
        from vision.view import view_of

        if machine.table is None:
            return skipped("no_table_file")
        return check_view(machine, shot, view_of(shot.frame, machine.table))

    return needs_picture(check)


@needs_picture
def settings(machine: Machine, shot: Shot) -> Finding:
    """Checks whether exposure, white balance and focus stay as they were calibrated."""
    if not shot.live:
        return skipped("not_live")
    if shot.drifted_settings:
        return warning("unkept", settings=tuple(Text(f"camera.{name}") for name in shot.drifted_settings))
    return warning("adjusts_itself") if shot.is_automatic else ok("settings")


@needs_picture
def focus(machine: Machine, shot: Shot) -> Finding:
    """Checks whether the table is in focus."""
    from vision.quality import edge_spread

    spread = edge_spread(shot.frame)
    if spread >= BLURRED_PX:
        return fault("blurred", spread=round(spread, 1))
    if spread >= SOFT_PX:
        return warning("soft", spread=round(spread, 1))
    return ok("focus", spread=round(spread, 1))


@needs_picture
def light(machine: Machine, shot: Shot) -> Finding:
    """Checks the light: by the white card if it lies on the table, else by the brightest parts of the picture."""
    from calibration.light import MAX_BANDING, measure_light
    from calibration.sheet import CARD_ID, DICTIONARY
    from vision.geometry import marker_corners
    from vision.quality import exposure

    if shot.bands > MAX_BANDING:
        return warning("flicker")
    card = marker_corners(shot.frame, DICTIONARY).get(CARD_ID)
    on_card = None if card is None else measure_light(shot.frame, card)
    if on_card is not None:
        if on_card.problem:
            return fault(f"card_{on_card.problem}", white=round(on_card.white))
        return (
            fault("red_blue_swapped") if on_card.swapped else ok("light_on_card", white=round(on_card.white))
        )
    seen = exposure(shot.frame)
    if seen.clipped > MAX_CLIPPED:
        return warning("bright", percent=round(100 * seen.clipped))
    if seen.white < DARK_WHITE:
        return fault("dark", white=round(seen.white))
    return (
        warning("dim", white=round(seen.white))
        if seen.white < DIM_WHITE
        else ok("light", white=round(seen.white))
    )


@needs_table
def markers(machine: Machine, shot: Shot, view: TableView) -> Finding:
    """Checks whether the printed markers are visible, which are used to follow a camera that was moved."""
    found = view.markers
    if found is None:
        return skipped("no_markers")
    missing = tuple(map(str, found.missing))
    if found.plane is None:
        return fault("markers_unseen", seen=len(found.seen), missing=missing)
    if missing:
        return warning("marker_covered", seen=len(found.seen), missing=missing)
    return ok("markers", seen=len(found.seen))


@needs_table
def boards(machine: Machine, shot: Shot, view: TableView) -> Finding:
    """Checks whether the boards are where they were calibrated, or are found where they are now."""
    from vision.boards.registration import register

    assert machine.table is not None
    placed = [board for board in machine.table.boards if view.plane_of(board) is not None]
    if not placed:
        return skipped("places_unknown")
    lost = register(shot.frame, machine.table, view).lost
    if lost:
        return fault("boards_lost", whose=tuple(Text("doctor.whose", {"player": player}) for player in lost))
    return ok("boards", count=len(placed))


@needs_table
def glare(machine: Machine, shot: Shot, view: TableView) -> Finding:
    """Checks whether reflections of a lamp make places unreadable."""
    from vision.quality import glare as places_with_glare

    assert machine.table is not None
    if not any(view.plane_of(board) for board in machine.table.boards):
        return skipped("places_unknown")
    found = tuple(places_with_glare(shot.frame, machine.table, view))
    if not found:
        return ok("no_glare")
    named, more = found[:NAMED], len(found) - NAMED
    spots: dict[str, list[int]] = {}
    for place in named:
        group, _, index = place.rpartition(":")
        spots.setdefault(group, []).append(int(index) + 1)
    owners = {board.place_group: board.player for board in machine.table.boards}
    texts = tuple(_spot(group, numbers, owners.get(group)) for group, numbers in spots.items())
    return warning("glare_more", spots=texts, more=more) if more > 0 else warning("glare", spots=texts)


def _spot(group: str, numbers: list[int], owner: str | None) -> Text:
    """Returns the places of a group, which may be the board of *owner*, by their numbers, counted from 1: ``Red's board
    (14 and 20)``."""
    where = (
        Text("doctor.board", {"player": owner}) if owner else Text("doctor.group", {"target_place": group})
    )
    return Text("doctor.spot", {"where": where, "numbers": tuple(map(str, sorted(numbers)))})


def _camera_fault(code: str, data: Mapping[str, Any]) -> Finding:
    return fault("camera_trouble", what=Text(f"camera.{code}", data))
