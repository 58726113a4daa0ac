"""``companion doctor``: checks that everything is ready for a game."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.doctor import CHECKS, FAULT, OK, STATES, WARNING, Finding, Machine, examine
from companion.runtime.game_runner import NO_CAMERA
from companion.text.translator import Translator

from .options import CameraName, app_dir, language_option

if TYPE_CHECKING:
    from calibration.table_file import TableFile
    from companion.doctor.machine import Shot

COLOURS = {FAULT: "red", WARNING: "yellow", OK: "green"}


@click.command()
@click.option(
    "--camera",
    "camera_name",
    type=CameraName(),
    default=NO_CAMERA,
    show_default=True,
    help="As for play: usb:0, pi, or a folder of pictures.",
)
@click.option("--table", "table_path", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--panel",
    "panel_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File with the pins of your panel.",
)
@click.option("--host", default="0.0.0.0", show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of check, state, says and cure.")
@language_option
def doctor(
    camera_name: str,
    table_path: Path | None,
    panel_path: Path | None,
    host: str,
    port: int,
    as_json: bool,
    language: str,
) -> None:
    """Check camera, light, panel, power, disk, games, clock, network and versions.

    Prints one line for each check, with the cure if something is wrong. Give camera and table file as for play. The
    exit code is 1 if there is a fault; warnings do not count.
    """
    from calibration.table_file import load
    from companion.doctor.machine import probe_pins
    from hardware.cameras import kind_of, open_camera

    translator = Translator(language)
    if kind_of(camera_name) == "folder":  # a mistyped name, too: only a device can be plugged in
        open_camera(camera_name).close()
    table = load(table_path) if table_path else None
    machine = Machine(
        data=app_dir(),
        host=host,
        port=port,
        table=table,
        camera=None if camera_name == NO_CAMERA else partial(_take_shot, camera_name, table),
        pins=partial(probe_pins, panel_path),
    )
    findings = []
    for finding in examine(machine):
        findings.append(finding)
        if not as_json:
            click.echo(_line(finding, translator))
    if as_json:
        click.echo(json.dumps([one.to_json(translator) for one in findings], ensure_ascii=False, indent=1))
    sys.exit(any(one.state == FAULT for one in findings))


def _take_shot(camera_name: str, table: TableFile | None) -> Shot:
    from companion.doctor.camera import take_shot

    return take_shot(camera_name, table.camera_settings if table else None)


def _line(finding: Finding, translator: Translator) -> str:
    """Returns the line of a finding: state and check in columns, then sentence and cure."""
    widths = (
        max(len(translator(f"doctor.state.{state}")) for state in STATES),
        max(len(translator(f"doctor.check.{check.name}")) for check in CHECKS),
    )
    state = translator(f"doctor.state.{finding.state}").ljust(widths[0])
    name = translator(f"doctor.check.{finding.check}").ljust(widths[1])
    sentences = (
        sentence for sentence in (finding.sentence(translator), finding.cure(translator)) if sentence
    )
    return f"{click.style(state, fg=COLOURS.get(finding.state))}  {name}  {' '.join(sentences)}"
