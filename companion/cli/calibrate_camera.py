"""``companion calibrate camera``: measures the distortion of the lens with the printed board."""

from __future__ import annotations

import time
from collections.abc import Iterator
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
    from calibration.lens import BoardView
    from hardware.cameras import Camera

TIMEOUT_S = 180.0
"""Seconds for which a live camera is read."""


@click.command("camera")
@click.argument("table_path", type=OutputFile(), metavar="TABLE")
@needed_camera_option("usb:0, pi, or a folder or video to play back")
@language_option
def calibrate_camera(table_path: Path, camera_name: str, language: str) -> None:
    """Measure the camera's lens on pictures of the printed board, and save it in the table file TABLE.

    Move the second page of './run calibrate sheet' around in front of the camera: near and far, tilted to every
    side, into the corners of the picture. TABLE is created if it does not exist.
    """
    from calibration.lens import GOOD_ERROR, OUTER, measure_lens
    from calibration.table_file import load_camera_settings
    from calibration.table_writer import update_table_file

    translator = Translator(language)
    views, size = _views(camera_name, load_camera_settings(table_path), translator)
    lens = measure_lens(views, size)
    camera = lens.camera
    update_table_file(table_path, size, camera={"matrix": camera.matrix, "distortion": camera.distortion})
    click.echo(translator("calibrate.lens", error=f"{lens.error_px:.2f}", views=lens.views))
    if lens.excluded:
        click.echo(translator("calibrate.left_out", pictures=lens.excluded))
    if lens.error_px > GOOD_ERROR:
        click.echo(translator("calibrate.much_error", limit=GOOD_ERROR))
    if lens.reach <= OUTER:
        click.echo(translator("calibrate.outer"))
    click.echo(translator("calibrate.kept", file=table_path))


def _views(
    camera_name: str, settings: CameraSettings | None, translator: Translator
) -> tuple[list[BoardView], tuple[int, int]]:
    """Returns different views of the board, and width and height of the pictures."""
    from calibration.lens import ENOUGH_VIEWS, detect_board, is_new_view
    from hardware.cameras import CameraEnded, open_camera

    views: list[BoardView] = []
    size: tuple[int, int] = (0, 0)
    with open_camera(camera_name, settings) as camera:
        for frame in _frames_of(camera, CameraEnded):
            if size != (0, 0) and size != (frame.shape[1], frame.shape[0]):
                fail(f"the pictures of {camera.name} differ in size; give those of one camera")
            size = frame.shape[1], frame.shape[0]
            view = detect_board(frame)
            if view is not None and is_new_view(view, views, size[0]):
                views.append(view)
                message = translator(
                    "calibrate.view", number=len(views), total=ENOUGH_VIEWS, corners=len(view.ids)
                )
                click.echo(message, err=True)
            if len(views) == ENOUGH_VIEWS:
                break
    return views, size


def _frames_of(camera: Camera, ended: type[Exception]) -> Iterator[np.ndarray]:
    """Yields the frames of *camera*, for at most TIMEOUT_S seconds."""
    end = time.monotonic() + TIMEOUT_S
    while time.monotonic() < end:
        try:
            yield camera.read()
        except ended:
            return
