"""``companion calibrate dice``: measures the colours of the owner's dice in pictures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import click

from companion.text.translator import Translator

from .errors import fail
from .options import language_option
from .outputs import OutputFile
from .read_dice import load_frame, load_table

if TYPE_CHECKING:
    from calibration.table_file import Colour, TableFile


@click.command("dice")
@click.argument("table_path", type=OutputFile(), metavar="TABLE")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="IMAGE...")
@click.option(
    "--colours",
    metavar="NAME,...",
    help="Colour of each die in each IMAGE, row by row from the top left: red,red,white.",
)
@language_option
def calibrate_dice(table_path: Path, images: tuple[Path, ...], colours: str | None, language: str) -> None:
    """Measure the colours of your dice in each IMAGE, and save them in the table file TABLE.

    Without --colours, every die must lie in the dice area of its colour. From then on every die is read as the nearest
    of these colours, in any light.
    """
    from calibration.table_file import read_table_document
    from calibration.table_writer import write_table

    translator, table = Translator(language), load_table(table_path)
    names = [name.strip() for name in colours.split(",")] if colours else None
    seen: dict[str, list[Colour]] = defaultdict(list)
    for image in images:
        for name, body in _measured(image, table, names):
            seen[name].append(body)
    bodies = {name: _middle(dice) for name, dice in sorted(seen.items())}
    document = read_table_document(table_path)
    document["dice_colours"] = bodies
    write_table(table_path, document)
    click.echo("\n".join(_describe(bodies, seen, translator)))
    click.echo(translator("calibrate.kept", file=table_path))


def _measured(image: Path, table: TableFile, names: Sequence[str] | None) -> Iterator[tuple[str, Colour]]:
    """Returns name and body colour of each die in *image*; exits with one sentence if a die has no name."""
    from vision.table_dice import measure_dice_on
    from vision.view import view_of

    frame = load_frame(image, table)
    dice = measure_dice_on(frame, table, view_of(frame, table))
    owners: Sequence[str | None] = names or [owner for owner, _ in dice]
    if len(owners) != len(dice):
        fail(
            f"{image}: dice seen: {len(dice)}, colours given: {len(owners)}; './run read dice {image}' "
            "lists the dice that are seen"
        )
    if not dice or None in owners:
        what = "no die is seen" if not dice else "a die lies outside the areas of the colours"
        fail(f"{image}: {what}; put each die in the area of its colour, or name the colours with --colours")
    return ((str(owner), body) for owner, (_, body) in zip(owners, dice, strict=True))


def _middle(bodies: Sequence[Colour]) -> Colour:
    """Returns the median of each channel."""
    blue, green, red = (median(channel) for channel in zip(*bodies, strict=True))
    return blue, green, red


def _describe(
    bodies: Mapping[str, Colour], seen: Mapping[str, Sequence[Colour]], translator: Translator
) -> Iterator[str]:
    """Yields a line for each colour, as a web colour, with the number of dice that it was measured on."""
    for name, (blue, green, red) in bodies.items():
        code = f"#{round(red):02x}{round(green):02x}{round(blue):02x}"
        yield translator("calibrate.dice", player=name, code=code, measured=len(seen[name]))
