"""``companion read dice``: reads the dice in photos."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .errors import fail, warn

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import TableFile
    from vision.sighting import DieReading

COMPANION_SUFFIXES = frozenset({".json", ".md", ".txt", ".csv"})
"""Suffixes of the notes and data beside pictures, which a shell's ``*`` includes."""
NOT_HIDDEN = "[!.]*"
"""Pattern for the files that a shell's ``*`` includes."""


@click.command(name="dice")
@click.argument("images", nargs=-1, type=click.Path(path_type=Path), metavar="IMAGE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
@click.option(
    "--table",
    "table_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Table file with the dice areas and dice colours to use.",
)
def read_dice(images: tuple[Path, ...], as_json: bool, table_path: Path | None) -> None:
    """Read the dice in each IMAGE: value, colour, box and confidence.

    IMAGE can be a folder of pictures. Folders and files such as labels.json among the pictures are skipped, so you can
    pass FOLDER/*. If labels or a truth file are beside the pictures, the accuracy is printed at the end, one line for
    each folder. The exit code is 1 if anything could not be read.
    """
    pictures = named_pictures(images)
    if not pictures:
        where = f" in {images[0]}" if images else ""
        raise click.UsageError(f"no picture to read{where}; name JPEG or PNG files, such as photos/*.jpg")
    table = load_table(table_path) if table_path else None
    readings: dict[Path, tuple[DieReading, ...]] = {}
    documents: list[dict[str, Any]] = []
    for picture, dice, ms in _read_all(pictures, table):
        readings[picture] = dice
        documents.append({"image": str(picture), "ms": round(ms, 1), "dice": [die.to_json() for die in dice]})
        if not as_json:
            click.echo("\n".join(describe(picture, dice, ms)))
    if as_json:
        click.echo(json.dumps(documents))
    accuracy_printed = _print_accuracy(readings, as_json)
    if len(readings) < len(pictures) or not accuracy_printed:
        sys.exit(1)


def named_pictures(paths: Sequence[Path]) -> list[Path]:
    """Returns the pictures among *paths*, each once; if all are folders, the pictures in them."""
    if all(path.is_dir() for path in paths):
        paths = [path for folder in paths for path in sorted(folder.glob(NOT_HIDDEN))]
    return list(dict.fromkeys(only_pictures(paths)))


def only_pictures(paths: Iterable[Path]) -> Iterator[Path]:
    """Returns the *paths* of pictures, without folders, notes and data."""
    return (path for path in paths if not path.is_dir() and path.suffix.lower() not in COMPANION_SUFFIXES)


def describe(picture: Path, dice: Sequence[DieReading], ms: float) -> Iterator[str]:
    """Yields lines for people: the picture, then each die."""
    count = {0: "no dice", 1: "1 die"}.get(len(dice), f"{len(dice)} dice")
    yield f"{picture}: {count} ({ms:.0f} ms)"
    for die in dice:
        value = f"? ({die.reason})" if die.value is None else str(die.value)
        x, y, width, height = die.box
        yield f"  {value} {die.colour} at {x},{y} {width}x{height}, {100 * die.confidence:.0f} % sure"


def _read_all(
    pictures: Sequence[Path], table: TableFile | None
) -> Iterator[tuple[Path, tuple[DieReading, ...], float]]:
    """Yields the dice in each readable picture; prints why the others cannot be read."""
    from vision.dice import read_dice
    from vision.pictures import PictureError, load_image
    from vision.reader import fit_to_table
    from vision.sighting import FrameSizeError
    from vision.table_dice import dice_on, space_centres_at
    from vision.view import view_of

    for picture in pictures:
        try:
            frame = load_image(picture)
            begin = time.perf_counter()
            if table is None:
                dice = read_dice(frame)
            else:
                frame = fit_to_table(frame, table)
                colours = sorted(table.dice_areas_mm) or None
                view = view_of(frame, table)
                found = dice_on(frame, table, view, colours)
                dice = tuple(die for die in found if not space_centres_at(die, table, view))
        except (PictureError, FrameSizeError) as error:
            warn(error if picture.name in str(error) else f"{picture}: {error}")
            continue
        yield picture, dice, 1000 * (time.perf_counter() - begin)


def load_table(path: Path) -> TableFile:
    """Returns the table file at *path*."""
    from calibration.table_file import load

    return load(path)


def load_frame(image: Path, table: TableFile) -> np.ndarray:
    """Returns the picture *image* at the size of *table*, (H, W, 3) uint8 BGR."""
    from vision.pictures import PictureError, load_image
    from vision.reader import fit_to_table
    from vision.sighting import FrameSizeError

    try:
        return fit_to_table(load_image(image), table)
    except (PictureError, FrameSizeError) as error:
        fail(error if image.name in str(error) else f"{image}: {error}")


def _print_accuracy(readings: Mapping[Path, tuple[DieReading, ...]], as_json: bool) -> bool:
    """Prints the accuracy for each folder with a truth; returns False if a truth cannot be used."""
    from vision.accuracy.dice import score, truth_beside
    from vision.accuracy.truth import TruthError

    try:
        truth = truth_beside(readings)
    except TruthError as error:
        warn(error)
        return False
    folders = sorted({picture.parent for picture in truth})
    for folder in folders:
        within = {picture: known for picture, known in truth.items() if picture.parent == folder}
        where = f" in {folder}" if len(folders) > 1 else ""
        click.echo(f"accuracy{where}: {score(within, readings).sentence()}", err=as_json)
    return True
