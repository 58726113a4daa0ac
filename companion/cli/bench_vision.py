"""``companion bench vision``: accuracy and speed of reading dice and boards, with a simple reader as reference."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from companion.devtools.benchmarks.columns import NO_FIGURE, Row, calibration_rows, columns, share
from companion.devtools.benchmarks.vision import (
    EVERY,
    THREADS,
    ReaderFigures,
    SetFigures,
    VisionFigures,
    measure,
)

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


@click.command("vision")
@click.argument("pictures", nargs=-1, type=click.Path(path_type=Path, exists=True), metavar="[PICTURES]...")
@click.option("--short", is_flag=True, help=f"Measure on every {EVERY}th picture only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_vision(pictures: tuple[Path, ...], short: bool, as_json: bool) -> None:
    """Measure how dice and boards are read in labelled PICTURES or folders, dice compared with blob detection.

    Without PICTURES, the shared test pictures are used. If a truth file describes a picture completely, it is read a
    second time with a declared dice area: a rectangle with some room around all dice and whatever else is in it.
    The boards of games are measured in folders of rendered pictures; without PICTURES, a drawn table is timed too.
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
        **{name: figure for one in figures.tables for name, figure in one.to_json().items()},
        "failures": len(figures.failures),
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
                yield from columns(rows)
    for tables in figures.tables:
        for title, rows in tables.to_text():
            yield ""
            yield title
            yield from columns(rows)


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
                figure.title,
                share(getattr(ours, figure.part), getattr(ours, figure.total)),
                share(getattr(blobs, figure.part), getattr(blobs, figure.total))
                if figure.blobs
                else NO_FIGURE,
                f"{100 * figure.aim:g} %" if figure.aim else "",
            )
            for figure in SHARES
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
                share(right, dice),
                share(named, found),
                share(blobs[colour][2], dice),
                f"{100 * COLOUR_AIM:g} %",
            )
            for colour, (dice, found, right, named) in rows
        ),
    ]
