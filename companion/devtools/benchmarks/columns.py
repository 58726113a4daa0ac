"""Figures as aligned columns of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

Row: TypeAlias = tuple[str, ...]
NO_FIGURE = "-"


def calibration_rows(lines: Sequence[Mapping[str, float]]) -> list[Row]:
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


def share(part: int, total: int) -> str:
    """Returns ``3 of 4 (75.0 %)``, NO_FIGURE of nothing."""
    return f"{part} of {total} ({100 * part / total:.1f} %)" if total else NO_FIGURE


def columns(rows: Sequence[Row]) -> Iterator[str]:
    """Yields aligned lines: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        yield f"  {first:<{widths[0]}}  {'  '.join(cells)}".rstrip()
