"""``companion calibrate light``: fixes the camera's settings for the lamp and the distance of the table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.text.translator import Translator

from .errors import fail
from .options import language_option, needed_camera_option
from .outputs import OutputFile

if TYPE_CHECKING:
    import numpy as np

    from calibration.camera_settings import CameraSettings
    from calibration.light import Light
    from hardware.cameras import Adjustable, Camera

MAINS_HZ = ("50", "60")
BAND_FRAMES = 8
"""Number of frames that are checked for flicker."""


@click.command("light")
@click.argument("table_path", type=OutputFile(), metavar="TABLE")
@needed_camera_option("usb:0 or pi")
@click.option(
    "--mains", type=click.Choice(MAINS_HZ), help="Frequency of the mains, at which lamps flicker; asked once."
)
@language_option
def calibrate_light(table_path: Path, camera_name: str, mains: str | None, language: str) -> None:
    """Fix the camera's exposure, white balance and focus, and save them in the table file TABLE.

    Light the table as you do when you play, and put the white card of './run calibrate sheet' near its middle.
    Nothing is saved if colours cannot be distinguished in that light. TABLE is created if it does not exist.
    """
    from calibration.table_file import load_camera_settings
    from calibration.table_writer import update_table_file

    translator = Translator(language)
    before = load_camera_settings(table_path)
    _ensure_adjustable(camera_name, translator)
    mains_hz = int(mains or (before and before.mains_hz) or _ask_mains(translator))
    with _with_true_colours(camera_name, mains_hz, translator) as camera:
        settings = camera.lock(mains_hz)
        frame = camera.read()
        light = _light(frame, translator)
        if light.problem:
            fail(translator(f"calibrate.light_{light.problem}", white=round(light.white)))
        for line in _remarks(camera, settings):
            click.echo(translator(line))
    size = frame.shape[1], frame.shape[0]
    update_table_file(table_path, size, camera_settings=settings.document())
    click.echo(translator("calibrate.light", white=round(light.white)))
    click.echo(translator("calibrate.kept", file=table_path))


def _ask_mains(translator: Translator) -> str:
    """Asks for the frequency of the mains."""
    return str(click.prompt(translator("calibrate.mains"), type=click.Choice(MAINS_HZ)))


def _ensure_adjustable(camera_name: str, translator: Translator) -> None:
    """Exits if there is no such camera, or it has no settings: before the user is asked anything."""
    from hardware.cameras import Adjustable, open_camera

    with open_camera(camera_name, None) as camera:
        if not isinstance(camera, Adjustable):
            fail(translator("calibrate.no_device"))


@contextmanager
def _with_true_colours(camera_name: str, mains_hz: int, translator: Translator) -> Iterator[Adjustable]:
    """Returns a context with the camera, still automatic, with red and blue in the right order."""
    from calibration.camera_settings import CameraSettings
    from hardware.cameras import Adjustable, kind_of, open_camera, warm_up

    kind = kind_of(camera_name)
    settings: CameraSettings | None = None
    for _ in range(2):
        with open_camera(camera_name, settings) as camera:
            assert isinstance(camera, Adjustable)
            light = _light(warm_up(camera).read(), translator)
            if light.swapped is None:
                fail(translator("calibrate.light_colourless"))
            if not light.swapped:
                yield camera
                return
        click.echo(translator("calibrate.swapped"), err=True)
        settings = CameraSettings(kind, mains_hz, red_blue_swapped=True)
    fail(translator("calibrate.still_swapped"))


def _light(frame: np.ndarray, translator: Translator) -> Light:
    from calibration.light import measure_light
    from calibration.sheet import CARD_ID, DICTIONARY
    from vision.geometry import marker_corners

    card = marker_corners(frame, DICTIONARY).get(CARD_ID)
    light = None if card is None else measure_light(frame, card)
    if light is None:
        fail(translator("calibrate.no_card"))
    return light


def _remarks(camera: Camera, settings: CameraSettings) -> Iterator[str]:
    """Yields keys of texts with advice about a light that is good enough."""
    from calibration.light import MAX_BANDING, banding

    if banding([camera.look().preview for _ in range(BAND_FRAMES)]) > MAX_BANDING:
        yield "calibrate.flickers"
    if settings.exposure_us is None:
        yield "calibrate.exposure_automatic"
    if settings.colour_gains is None and settings.temperature_k is None:
        yield "calibrate.white_balance_automatic"
    if camera.drifted_settings():
        yield "calibrate.not_kept"
