"""``companion bench vision``: accuracy and speed of reading dice and boards, with a simple reader as reference."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import click

from companion.devtools.benchmarks.boards import BoardFigures, ReadFigures, median
from companion.devtools.benchmarks.vision import (
    EVERY,
    THREADS,
    ReaderFigures,
    SetFigures,
    VisionFigures,
    measure,
)
from companion.devtools.games.burgundy.full_table import FullTableFigures
from vision.accuracy.boards import BESIDE, BESIDE_VARIANT

from .errors import warn


class Share(NamedTuple):
    """Represents a figure that counts a part of a total."""

    title: str
    part: str
    """Attribute of DiceAccuracy."""
    total: str
    """Attribute of DiceAccuracy that *part* is a part of."""
    aim: float | None = None
    """Least share that the project aims at, on real photos."""
    blobs: bool = True
    """Whether the reference reader reports it."""


SHARES = (
    Share("dice found", "found", "dice"),
    Share("values correct", "right", "dice"),
    Share("answered (value given)", "answered", "dice", 0.97),
    Share("correct of those answered", "right", "answered", 0.99),
    Share("exact pictures", "exact", "pictures", 0.90),
    Share("no dice found in empty pictures", "empty_clean", "empty_pictures", 1.0),
    Share("colour correct of those found", "colour_right", "found", 0.98, blobs=False),
)
FALSE_DICE_AIM = 0.05
"""Upper limit of false dice per picture that the project aims at."""
COLOUR_AIM = 0.95
"""Least share of correctly read dice of each body colour that the project aims at."""
COMMON = 5
"""Least number of pictures of a frame size for times of its own."""
MEASURES = {
    "occupancy": 0.999,
    "type": 0.998,
    "off-colour type": 0.95,
    "variant": 0.97,
    "exact boards": 0.97,
    "exact boards with variants": None,
    BESIDE: 0.998,
    BESIDE_VARIANT: 0.97,
}
"""Measures of reading boards, and the least share that the project aims at."""
CORNER_AIM_MM = 2.0
FULL_TABLE_AIM = "150"
"""Most milliseconds for all places of a table of four."""
NO_FIGURE = "-"
_JSON_NAMES = {"placed": "laid"}
"""Keys of the JSON that keep the names of earlier releases."""
Row = tuple[str, ...]


@click.command("vision")
@click.argument("pictures", nargs=-1, type=click.Path(path_type=Path, exists=True), metavar="[PICTURES]...")
@click.option("--short", is_flag=True, help=f"Measure on every {EVERY}th picture only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_vision(pictures: tuple[Path, ...], short: bool, as_json: bool) -> None:
    """Measure how dice and boards are read in labelled PICTURES or folders, dice compared with blob detection.

    Without PICTURES, the shared test pictures are used. If a truth file describes a picture completely, it is read a
    second time with a declared dice area: a rectangle with some room around all dice and whatever else is in it.
    Boards are measured in folders of rendered pictures; without PICTURES, a drawn table of four is timed too.
    The exit code is 1 if a picture could not be read.
    """

    figures = measure(pictures, every=EVERY if short else 1)
    click.echo(json.dumps(to_json(figures)) if as_json else "\n".join(to_text(figures)))
    for failure in figures.failures:
        warn(failure)
    sys.exit(1 if figures.failures else 0)


def to_json(figures: VisionFigures) -> dict[str, Any]:
    """Returns all figures; ``companion`` is our reader, ``blobs`` the reference."""
    return {
        "opencv": figures.opencv,
        "threads": THREADS,
        "sets": [
            {
                "set": one.name,
                "dice_areas": one.areas,
                "pictures": one.pictures,
                "companion": _reader_json(one.ours),
                "blobs": _reader_json(one.blobs),
            }
            for one in figures.sets
        ],
        "boards": [_boards_json(one) for one in figures.boards],
        "full_table": asdict(figures.full_table) if figures.full_table else None,
        "failures": len(figures.failures),
    }


def _boards_json(boards: BoardFigures) -> dict[str, Any]:
    finds = boards.finds
    return {
        "set": boards.name,
        "pictures": boards.pictures,
        "reads": {
            way: {
                **{
                    measure: [one.accuracy.correct[measure], one.accuracy.total[measure]]
                    for measure in MEASURES
                },
                "sure_wrong": one.sure_wrong,
                "ms_median": round(median(one.ms), 1),
                "depots_ms_median": round(median(one.depots_ms), 1) if one.depots_ms else None,
            }
            for way, one in boards.reads.items()
        },
        "finds": {
            **{
                name: getattr(finds, name)
                for name in ("boards", "found", "false", "known", "named", "misnamed")
            },
            "corner_mm_median": round(median(finds.corner_mm), 2),
            "corners_under_2_mm": sum(mm < CORNER_AIM_MM for mm in finds.corner_mm),
            "ms_median": round(median(finds.ms), 1),
        },
        "changes": {_JSON_NAMES.get(name, name): figure for name, figure in asdict(boards.changes).items()},
    }


def _reader_json(reader: ReaderFigures) -> dict[str, Any]:
    times = {"ms_median": round(reader.median_ms, 1), "ms_95th": round(reader.slow_ms, 1)}
    return reader.accuracy.to_json() | times


def to_text(figures: VisionFigures) -> Iterator[str]:
    """Tables for each set: both readers, times by frame size, body colours and what a confidence has meant."""
    yield f"OpenCV {figures.opencv} on {THREADS} thread; times are processor time; targets are for real photos."
    for one in figures.sets:
        way = ", with a dice area" if one.areas else ""
        for title, rows in (
            (f"{one.name}{way}", readers_rows(one)),
            ("milliseconds by frame size", sizes_rows(one)),
            ("by body colour", colour_rows(one)),
            ("meaning of the confidence", calibration_rows(one.ours.accuracy.calibration())),
        ):
            if len(rows) > 1:
                yield ""
                yield title
                yield from _columns(rows)
    for boards in figures.boards:
        known = next(iter(boards.reads.items()))
        for title, rows in (
            (f"{boards.name}: boards read, {boards.pictures} pictures", boards_rows(boards)),
            (f"meaning of the confidence, {known[0]}", calibration_rows(known[1].calibration())),
            ("boards found by their print alone, changes and nudges", finds_rows(boards)),
        ):
            yield ""
            yield title
            yield from _columns(rows)
    if (full := figures.full_table) is not None:
        width, height = full.size
        yield ""
        yield f"a drawn table of four, {width}x{height}, read for the first time"
        yield from _columns(full_table_rows(full))


def full_table_rows(full: FullTableFigures) -> list[Row]:
    return [
        ("", "companion", "target"),
        ("places correct, with a gallery", _share(full.right, full.places), ""),
        ("milliseconds, tiles to their types", f"{full.types_ms:.0f}", FULL_TABLE_AIM),
        ("with a gallery and places for goods", f"{full.gallery_ms:.0f}", FULL_TABLE_AIM),
        ("with dice, and a check for nudged boards", f"{full.everything_ms:.0f}", ""),
    ]


def boards_rows(boards: BoardFigures) -> list[Row]:
    """Returns the shares that each way of reading reads correctly."""
    ways = list(boards.reads)
    rows: list[Row] = [("", *ways, "target")]
    for title, aim in MEASURES.items():
        shares = [
            _share(one.accuracy.correct[title], one.accuracy.total[title]) for one in boards.reads.values()
        ]
        rows.append((title, *shares, f"{100 * aim:g} %" if aim else ""))

    def row(title: str, figure: Callable[[ReadFigures], str], aim: str = "") -> Row:
        return (title, *(figure(one) for one in boards.reads.values()), aim)

    rows.append(row("wrong at confidence 0.95 or more", lambda one: str(one.sure_wrong), "0"))
    rows.append(row("milliseconds per picture, median", lambda one: f"{median(one.ms):.1f}", "150"))
    if any(one.depots_ms for one in boards.reads.values()):
        rows.append(row("with depots too, median", lambda one: f"{median(one.depots_ms):.1f}", "150"))
    return rows


def finds_rows(boards: BoardFigures) -> list[Row]:
    finds, changes = boards.finds, boards.changes
    near = sum(mm < CORNER_AIM_MM for mm in finds.corner_mm)
    return [
        ("", "companion", "target"),
        ("boards found, the right way up", _share(finds.found, finds.boards), ""),
        ("false boards", str(finds.false), "0"),
        ("known duchies identified", _share(finds.named, finds.known), "99 %"),
        ("identified wrongly", str(finds.misnamed), "0"),
        (f"worst space within {CORNER_AIM_MM:g} mm", _share(near, finds.found), "100 %"),
        ("error of the worst space in mm, median", f"{median(finds.corner_mm):.2f}", ""),
        ("milliseconds per picture, median", f"{median(finds.ms):.1f}", ""),
        ("placed tiles noticed as changes", _share(changes.found, changes.placed), "99.5 %"),
        ("unchanged spaces mistaken for changed", _share(changes.false, changes.still), "under 0.2 %"),
        ("boards nudged by 5 mm that were noticed", _share(changes.noticed, changes.nudged), "100 %"),
        ("nudges reported where nothing moved", str(changes.false_nudges), "0"),
    ]


def readers_rows(one: SetFigures) -> list[Row]:
    """Returns each figure of our reader, that of the reference, and the aim."""
    ours, blobs = one.ours.accuracy, one.blobs.accuracy
    limit = FALSE_DICE_AIM * one.pictures
    return [
        ("", "companion", "blobs", "target"),
        ("pictures", str(one.pictures), str(one.pictures), ""),
        ("dice", str(ours.dice), str(blobs.dice), ""),
        *(
            (
                share.title,
                _share(getattr(ours, share.part), getattr(ours, share.total)),
                _share(getattr(blobs, share.part), getattr(blobs, share.total)) if share.blobs else NO_FIGURE,
                f"{100 * share.aim:g} %" if share.aim else "",
            )
            for share in SHARES
        ),
        ("false dice", str(ours.false), str(blobs.false), f"under {limit:g}"),
        ("wrong at confidence 0.95 or more", str(ours.sure_wrong), NO_FIGURE, "0"),
        ("milliseconds per picture, median", f"{one.ours.median_ms:.1f}", f"{one.blobs.median_ms:.1f}", ""),
        (
            "milliseconds per picture, 95th percentile",
            f"{one.ours.slow_ms:.1f}",
            f"{one.blobs.slow_ms:.1f}",
            "",
        ),
    ]


def sizes_rows(one: SetFigures) -> list[Row]:
    """Returns our times for each common frame size."""
    common = {size: ms for size, ms in sorted(one.sizes.items()) if len(ms) >= COMMON}
    timed = {size: ReaderFigures(one.ours.accuracy, ms) for size, ms in common.items()}
    return [
        ("", "pictures", "median", "95th percentile"),
        *(
            (f"{width}x{height}", str(len(of.ms)), f"{of.median_ms:.1f}", f"{of.slow_ms:.1f}")
            for (width, height), of in timed.items()
        ),
    ]


def colour_rows(one: SetFigures) -> list[Row]:
    """Returns our figures and the reference's correct values for each body colour, the commonest first."""
    blobs = one.blobs.accuracy.by_colour
    rows = sorted(one.ours.accuracy.by_colour.items(), key=lambda item: -item[1][0])
    return [
        ("", "dice", "found", "values correct", "colour correct", "blobs correct", "target"),
        *(
            (
                colour,
                str(dice),
                str(found),
                _share(right, dice),
                _share(named, found),
                _share(blobs[colour][2], dice),
                f"{100 * COLOUR_AIM:g} %",
            )
            for colour, (dice, found, right, named) in rows
        ),
    ]


def calibration_rows(lines: list[dict[str, float]]) -> list[Row]:
    """Returns, for each bin of confidence, the readings, their mean confidence and the correct share."""
    return [
        ("confidence", "readings", "mean", "correct"),
        *(
            (
                f"{line['from']:g} to {line['to']:g}",
                str(line["readings"]),
                f"{line['confidence']:.3f}",
                f"{100 * line['right']:.1f} %",
            )
            for line in lines
        ),
    ]


def _share(part: int, total: int) -> str:
    return f"{part} of {total} ({100 * part / total:.1f} %)" if total else NO_FIGURE


def _columns(rows: Sequence[Row]) -> Iterator[str]:
    """Yields aligned lines: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        yield f"  {first:<{widths[0]}}  {'  '.join(cells)}".rstrip()
