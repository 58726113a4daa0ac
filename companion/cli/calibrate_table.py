"""``companion calibrate table``: finds the boards with the camera; the user corrects them on the page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration.errors import UNNAMED, CompanionError
from companion.calibrate.game_table import game_table
from companion.calibrate.table_layout import LayoutError, LayoutFormError
from companion.runtime.single_page import serve_until
from companion.text.translator import Translator

from .errors import fail, warn
from .game_command import game_option, modules_option
from .options import hosts_option, language_option, needed_camera_option
from .outputs import OutputFile

if TYPE_CHECKING:
    import numpy as np

    from calibration.camera_settings import CameraSettings
    from companion.calibrate.table import TableCalibration


@click.command("table")
@click.argument("table_path", type=OutputFile(), metavar="TABLE")
@needed_camera_option("usb:0, pi, or a picture, folder or video to play back")
@click.option(
    "--players",
    metavar="COLOUR,...",
    help="The boards' players, row by row from the top left of the picture.",
)
@click.option("--page/--no-page", default=True, help="Show the result on a page, and wait until it is saved.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other devices join.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
@hosts_option
@language_option
@game_option
@modules_option
def calibrate_table(
    table_path: Path,
    camera_name: str,
    players: str | None,
    page: bool,
    host: str,
    port: int,
    hosts: tuple[str, ...],
    language: str,
    game: str,
    modules: tuple[str, ...],
) -> None:
    """Find the boards on the table, and save their positions in the table file TABLE.

    Open the page at the printed address, drag the corners of outlines that do not match the print, and save the table.
    Visible printed markers are saved too, so that a camera that is moved can be followed. TABLE is created if it does
    not exist; its lens and dice colours are kept. With --modules, places of these expansions can be added to it.
    """
    from calibration.table_file import load_camera_settings
    from companion.calibrate.table import TableCalibration

    translator, on_table = Translator(language), game_table(game).with_modules(modules)
    frame = _frame(camera_name, load_camera_settings(table_path))
    calibration = TableCalibration(table_path, frame, _parse_players(players, on_table.players), on_table)
    click.echo("\n".join(calibration.summary(translator)))
    boards = calibration.layout["boards"]
    if page:
        _serve(calibration, host, port, hosts, translator)
    elif not boards:
        fail(translator("calibrate.nothing_found"))
    elif all(board["doubtful"] for board in boards):
        fail(translator("calibrate.only_doubtful"))
    else:
        try:
            calibration.save_as_found()
        except LayoutError as error:
            fail(translator(f"calibration.refused.{error.code}", **error.data))
    click.echo(translator("calibrate.kept", file=table_path))
    for player in calibration.unread_players:
        click.echo(translator("calibration.unread", player=player, code=player, file=table_path))


def _parse_players(players: str | None, colours: tuple[str, ...]) -> tuple[str, ...]:
    names = tuple(name.strip() for name in players.split(",")) if players else ()
    for name in names:
        if name not in colours:
            raise click.BadParameter(
                f"{name!r} is not a player's colour; choose among {', '.join(colours)}",
                param_hint="'--players'",
            )
    return (*names, *(colour for colour in colours if colour not in names))


def _frame(camera_name: str, settings: CameraSettings | None) -> np.ndarray:
    from hardware.cameras import open_camera, warm_up

    with open_camera(camera_name, settings) as camera:
        return warm_up(camera).read()


def _save(calibration: TableCalibration, layout: Mapping[str, Any]) -> list[str]:
    """Saves *layout*; what the page can only say in general is also said in the terminal."""
    try:
        return calibration.save(layout)
    except CompanionError as error:
        if error.problem is UNNAMED and not isinstance(error, LayoutError | LayoutFormError):
            warn(error)
        raise


def _serve(
    calibration: TableCalibration,
    host: str,
    port: int,
    hosts: tuple[str, ...],
    translator: Translator,
) -> None:
    """Serves the page until the table is saved."""
    import cv2

    from companion.runtime.server import PageSettings
    from web.calibration import create_calibration_app

    picture = cv2.imencode(".jpg", calibration.frame, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
    app = create_calibration_app(
        picture,
        calibration.layout,
        calibration.game,
        save=partial(_save, calibration),
        file=str(calibration.path),
        page_language=translator.language,
        hosts=hosts,
    )
    try:
        serve_until(
            calibration.saved,
            app,
            PageSettings(host, port, hosts),
            announce=lambda address: click.echo(translator("calibrate.open", address=address)),
        )
    except KeyboardInterrupt:
        fail(translator("calibrate.nothing_kept"))
