"""The command line. ``./run X`` is ``companion X`` in the project's own environment."""

from __future__ import annotations

import click

from .commands.bench import bench
from .commands.calibrate_camera import calibrate_camera
from .commands.calibrate_card import calibrate_card
from .commands.calibrate_chateauma import calibrate_chateauma
from .commands.calibrate_dice import calibrate_dice
from .commands.calibrate_duchy import calibrate_duchy
from .commands.calibrate_light import calibrate_light
from .commands.calibrate_sheet import calibrate_sheet
from .commands.calibrate_table import calibrate_table
from .commands.calibrate_tiles import calibrate_tiles
from .commands.demo import demo
from .commands.panel import panel
from .commands.play import play
from .commands.read_boards import read_boards
from .commands.read_dice import read_dice
from .commands.replay import replay
from .commands.rules import rules
from .commands.screens import screens
from .commands.simulate import simulate


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="install, update and uninstall make it a part of this machine: see './run install --help'.",
)
def main() -> None:
    """A companion for The Castles of Burgundy on a real table."""


@main.group()
def read() -> None:
    """Say what is seen in pictures."""


@main.group()
def calibrate() -> None:
    """Measure this table, once, before play."""


calibrate.add_command(calibrate_sheet)
calibrate.add_command(calibrate_light)
calibrate.add_command(calibrate_camera)
calibrate.add_command(calibrate_table)
calibrate.add_command(calibrate_duchy)
calibrate.add_command(calibrate_tiles)
calibrate.add_command(calibrate_card)
calibrate.add_command(calibrate_chateauma)
calibrate.add_command(calibrate_dice)
read.add_command(read_dice, "dice")
read.add_command(read_boards, "boards")
for command in (demo, play, panel, simulate, replay, rules, bench, screens):
    main.add_command(command)
