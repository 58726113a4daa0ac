"""``companion read boards``: reads the tiles on the duchies in pictures."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration.counting import counted
from calibration.errors import CompanionError
from companion.cli.errors import warn
from companion.cli.read_dice import named_pictures

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import TableFile

LIKE_ONE = "a board that is not a duchy I know: is it one? If so, name a table file with --table FILE"
TABLE_SUFFIX = ".table.json"
SYMBOLS = {
    "castle": "Ca",
    "mine": "Mi",
    "ship": "Sh",
    "livestock": "Li",
    "building": "Bu",
    "monastery": "Mo",
}
"""Two letters for each tile; an empty space is a dot, a hidden one a question mark."""


@click.command("boards")
@click.argument("images", nargs=-1, type=click.Path(path_type=Path), metavar="IMAGE...")
@click.option(
    "--table",
    "table_path",
    type=click.Path(path_type=Path),
    help="Table file, or a folder with NAME.table.json for each picture.",
)
@click.option(
    "--gallery",
    "gallery_path",
    type=click.Path(path_type=Path),
    help="Gallery of your tiles, to tell them apart.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of drawings.")
def read_boards(
    images: tuple[Path, ...], table_path: Path | None, gallery_path: Path | None, as_json: bool
) -> None:
    """Show which tiles are on the duchies in pictures.

    If a picture has NAME.truth.json beside it, no table file is needed, because that file gives the positions of the
    boards. A line with the accuracy then follows.
    """
    from calibration.table_file import TableFileError
    from vision.accuracy.boards import BoardAccuracy, score_boards
    from vision.accuracy.truth import TruthError, load_truth
    from vision.gallery import Gallery
    from vision.pictures import PictureError, load_image
    from vision.reader import read_boards as read_frame
    from vision.sighting import FrameSizeError

    pictures = named_pictures(images)
    if not pictures:
        raise click.UsageError("there is no picture to read: name at least one, for example photos/*.jpg")
    gallery = Gallery.load(gallery_path) if gallery_path else None

    results, accuracy, failed = [], BoardAccuracy(), False
    for path in pictures:
        try:
            frame = load_image(path)
            table = _table_for(path, frame, table_path)
            read = read_frame(frame, table, gallery)
            truth = load_truth(path)
        except (PictureError, TableFileError, FrameSizeError, TruthError, _NoTableError) as error:
            warn(error if path.stem in str(error) else f"{path}: {error}")
            failed = True
            continue
        for board, plan in zip(read["boards"], table.boards, strict=True):
            board["duchy"] = plan.printed_id
        results.append({"image": str(path), **read})
        if not as_json:
            click.echo(drawing(results[-1]))
        if truth:
            accuracy.update(score_boards(truth, read["boards"], variants=gallery is not None))
    if as_json:
        click.echo(json.dumps(results))
    if accuracy.total:
        click.echo(f"accuracy: {accuracy.line()}", err=as_json)
    if failed:
        sys.exit(1)


class _NoTableError(CompanionError, ValueError):
    """The positions of the boards in a picture are not known."""


def _table_for(picture: Path, frame: np.ndarray, table_path: Path | None) -> TableFile:
    """Returns the named table file, or one from the truth beside *picture*, or from the boards that are found."""
    from calibration.table_file import load
    from vision.accuracy.truth import load_truth
    from vision.games.burgundy.accuracy.tables import table_of

    if table_path is None:
        truth = load_truth(picture)
        return _found_table(picture, frame) if truth is None else table_of(truth)
    if not table_path.is_dir():
        return load(table_path)
    return load(table_path / (picture.stem + TABLE_SUFFIX))


def _found_table(picture: Path, frame: np.ndarray) -> TableFile:
    """Returns the table of the duchies that are found in *frame*; warns of any that may be something else."""
    from companion.calibrate.games.burgundy import TABLE
    from companion.calibrate.table import detected_table

    found, doubtful = detected_table(frame, TABLE)
    if not found.boards:
        raise _NoTableError(
            f"no duchy was found in it, only {LIKE_ONE}"
            if doubtful
            else "no duchy was found in it; name a table file with --table FILE"
        )
    if doubtful:
        warn(f"{picture}: there is {LIKE_ONE}")
    for board in found.boards:
        if board.printed_id is None:
            warn(f"{picture}: {board.player}'s duchy is not one I know")
    return found


def drawing(result: Mapping[str, Any]) -> str:
    """Returns the boards of one picture as text, row by row as printed."""
    lines = [f"{result['image']} ({result['ms']:.0f} ms)" + ("" if result["boards"] else ": no boards")]
    for board in result["boards"]:
        spaces = board["spaces"]
        duchy = f"{board['duchy']}, " if board.get("duchy") else ""
        lines.append(
            f"  {board['player']}: {duchy}{counted(sum(s['tile'] is not None for s in spaces), 'tile')}"
        )
        lines += _rows(spaces)
        lines += [
            f"    {_place(s)} {s['tile']['type']} {s['tile']['variant']}" for s in spaces if _has_variant(s)
        ]
    if result["dice"]:
        lines.append("  dice: " + ", ".join(f"{d['colour']} {d['value'] or '?'}" for d in result["dice"]))
    return "\n".join(lines)


def _rows(spaces: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yields the spaces row by row, or in one line with their names if they are not named after rows."""
    if "name" in spaces[0]:
        yield "    " + "  ".join(f"{space['name']} {_cell(space)}" for space in spaces)
        return
    rows = [[_cell(space) for space in row] for _, row in groupby(spaces, key=itemgetter("row"))]
    for cells in rows:
        yield "   " + "  " * (max(map(len, rows)) - len(cells)) + "".join(f"{cell:^4}" for cell in cells)


def _cell(space: Mapping[str, Any]) -> str:
    if space["hidden"]:
        return "?"
    return SYMBOLS[space["tile"]["type"]] if space["tile"] else "."


def _has_variant(space: Mapping[str, Any]) -> bool:
    return space["tile"] is not None and space["tile"]["variant"] is not None


def _place(space: Mapping[str, Any]) -> str:
    return f"space {space['name']}:" if "name" in space else f"row {space['row']}, space {space['col']}:"
