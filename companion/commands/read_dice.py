"""``companion read dice``: the dice in photos."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from calibration.table_file import TableFile
    from vision.sighting import DieReading

BESIDE_PICTURES = frozenset({".json", ".md", ".txt", ".csv"})
"""Suffixes of files that lie beside pictures and come along with a shell's ``*``."""


@click.command(name="dice")
@click.argument("images", nargs=-1, type=click.Path(path_type=Path), metavar="IMAGE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of lines for people.")
@click.option(
    "--table",
    "table_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Table file whose dice areas and dice colours are to be used.",
)
def read_dice(images: tuple[Path, ...], as_json: bool, table_path: Path | None) -> None:
    """Tell the dice seen in each IMAGE: value, colour, box and confidence.

    Folders and files such as labels.json are passed over, so that a folder's * can be given. Where labels or a
    truth file lie beside the pictures, the accuracy is told at the end.
    """
    pictures = list(only_pictures(images))
    if not pictures:
        raise click.UsageError("no picture to read; name JPEG or PNG files, such as photos/*.jpg")
    table = _load_table(table_path) if table_path else None
    readings: dict[Path, tuple[DieReading, ...]] = {}
    documents: list[dict[str, Any]] = []
    for picture, dice, ms in _read_all(pictures, table):
        readings[picture] = dice
        documents.append({"image": str(picture), "ms": round(ms, 1), "dice": [die.to_json() for die in dice]})
        if not as_json:
            click.echo("\n".join(describe(picture, dice, ms)))
    if as_json:
        click.echo(json.dumps(documents))
    if line := _accuracy(readings):
        click.echo(line, err=as_json)
    if len(readings) < len(pictures):
        sys.exit(1)


def only_pictures(paths: Iterable[Path]) -> Iterator[Path]:
    """The *paths* that are meant as pictures: no folders, and no notes and data that lie beside pictures."""
    return (path for path in paths if not path.is_dir() and path.suffix.lower() not in BESIDE_PICTURES)


def describe(picture: Path, dice: Sequence[DieReading], ms: float) -> Iterator[str]:
    """Lines for people: the picture, then each die."""
    count = {0: "no dice", 1: "1 die"}.get(len(dice), f"{len(dice)} dice")
    yield f"{picture}: {count} ({ms:.0f} ms)"
    for die in dice:
        value = f"? ({die.reason})" if die.value is None else str(die.value)
        x, y, width, height = die.box
        yield f"  {value} {die.colour} at {x},{y} {width}x{height}, {100 * die.confidence:.0f} % sure"


def _read_all(
    pictures: Sequence[Path], table: TableFile | None
) -> Iterator[tuple[Path, tuple[DieReading, ...], float]]:
    """Reads each picture that can be read, and says on stderr which cannot and why."""
    from vision.dice import read_dice
    from vision.pictures import PictureError, load_image

    areas = table.dice_areas or None if table else None
    colours = sorted(table.dice_areas_mm) or None if table else None
    for picture in pictures:
        try:
            frame = load_image(picture)
        except PictureError as error:
            click.echo(f"Error: {error}", err=True)
            continue
        begin = time.perf_counter()
        dice = read_dice(frame, areas=areas, colours=colours)
        yield picture, dice, 1000 * (time.perf_counter() - begin)


def _load_table(path: Path) -> TableFile:
    from calibration.table_file import TableFileError, load

    try:
        return load(path)
    except TableFileError as error:
        raise click.ClickException(str(error)) from error


def _accuracy(readings: dict[Path, tuple[DieReading, ...]]) -> str | None:
    """One line on how much was read right, when the truth of any picture lies beside it."""
    from vision.accuracy.dice import score, truth_beside

    truth = truth_beside(readings)
    return f"accuracy: {score(truth, readings).sentence()}" if truth else None
