"""How well and how fast tables of the game are read, for ``companion bench vision``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.devtools.benchmarks.columns import Row, calibration_rows, share
from vision.accuracy.boards import BESIDE, BESIDE_VARIANT

from .boards import CLEAR, BoardFigures, LearntFigures, ReadFigures, measure_boards, median
from .expansion_tables import ExpansionFigures, measure_expansions
from .full_table import FullTableFigures, measure_full_table

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
_JSON_NAMES = {"placed": "laid"}
"""Keys of the JSON that keep the names of earlier releases."""


@dataclass(frozen=True)
class TableFigures:
    """Boards in rendered pictures, and a drawn table."""

    boards: tuple[BoardFigures, ...]
    full_table: FullTableFigures | None
    """None if it was not asked for."""
    expansions: ExpansionFigures | None
    """Likewise."""

    def to_json(self) -> dict[str, Any]:
        return {
            "boards": [_boards_json(one) for one in self.boards],
            "full_table": asdict(self.full_table) if self.full_table else None,
            "expansions": _expansions_json(self.expansions) if self.expansions else None,
        }

    def to_text(self) -> Iterator[tuple[str, list[Row]]]:
        """Yields titles and rows."""
        for boards in self.boards:
            way, known = next(iter(boards.reads.items()))
            yield f"{boards.name}: boards read, {boards.pictures} pictures", boards_rows(boards)
            yield f"meaning of the confidence, {way}", calibration_rows(known.calibration())
            if boards.learnt.learnt.readings:
                yield "later pictures of sequences", learnt_rows(boards.learnt)
            yield "boards found by their print alone, changes and nudges", finds_rows(boards)
        if (full := self.full_table) is not None:
            width, height = full.size
            title = f"a drawn table of four, {width}x{height}, read for the first time"
            yield title, full_table_rows(full)
        if (expansions := self.expansions) is not None:
            yield f"{expansions.tables} drawn tables with every expansion", expansion_rows(expansions)
            yield "meaning of the confidence", calibration_rows(expansions.calibration())


def measure_tables(folders: Sequence[Path], every: int, *, drawn: bool) -> TableFigures:
    """Measures on one in *every* rendered picture in *folders*, and on a *drawn* table."""
    measured = (measure_boards(folder, every) for folder in folders)
    boards = tuple(one for one in measured if one is not None)
    if not drawn:
        return TableFigures(boards, None, None)
    return TableFigures(boards, measure_full_table(), measure_expansions())


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
        "learnt": {
            way: {
                "spaces": len(one.readings),
                "wrong": sum(not right for _, right in one.readings),
                "doubtful": one.doubtful,
            }
            for way, one in (("print alone", boards.learnt.print_alone), ("learnt", boards.learnt.learnt))
        },
        "changes": {_JSON_NAMES.get(name, name): figure for name, figure in asdict(boards.changes).items()},
    }


def full_table_rows(full: FullTableFigures) -> list[Row]:
    return [
        ("", "companion", "target"),
        ("places correct, with a gallery", share(full.right, full.places), ""),
        ("milliseconds, tiles to their types", f"{full.types_ms:.0f}", FULL_TABLE_AIM),
        ("with a gallery and places for goods", f"{full.gallery_ms:.0f}", FULL_TABLE_AIM),
        ("with dice, and a check for nudged boards", f"{full.everything_ms:.0f}", ""),
    ]


def expansion_rows(figures: ExpansionFigures) -> list[Row]:
    """Returns what was read of each kind of thing."""
    rows: list[Row] = [("", "places", "right", "asked", "wrong")]
    for kind, counts in sorted(figures.kinds.items()):
        rows.append((kind, *map(str, (counts.total, counts.right, counts.asked, counts.wrong))))
    return rows


def _expansions_json(figures: ExpansionFigures) -> dict[str, Any]:
    return {
        "tables": figures.tables,
        "kinds": {
            kind: {"right": counts.right, "asked": counts.asked, "wrong": counts.wrong}
            for kind, counts in sorted(figures.kinds.items())
        },
        "calibration": figures.calibration(),
    }


def boards_rows(boards: BoardFigures) -> list[Row]:
    """Returns the shares that each way of reading reads correctly."""
    ways = list(boards.reads)
    rows: list[Row] = [("", *ways, "target")]
    for title, aim in MEASURES.items():
        shares = [
            share(one.accuracy.correct[title], one.accuracy.total[title]) for one in boards.reads.values()
        ]
        rows.append((title, *shares, f"{100 * aim:g} %" if aim else ""))

    def row(title: str, figure: Callable[[ReadFigures], str], aim: str = "") -> Row:
        return (title, *(figure(one) for one in boards.reads.values()), aim)

    rows.append(row("wrong at confidence 0.95 or more", lambda one: str(one.sure_wrong), "0"))
    rows.append(row("milliseconds per picture, median", lambda one: f"{median(one.ms):.1f}", "150"))
    if any(one.depots_ms for one in boards.reads.values()):
        rows.append(row("with depots too, median", lambda one: f"{median(one.depots_ms):.1f}", "150"))
    return rows


def learnt_rows(figures: LearntFigures) -> list[Row]:
    """Returns what the looks of empty spaces bring that were learnt from the pictures before."""
    ways = (figures.print_alone, figures.learnt)
    wrong = [sum(not right for _, right in way.readings) for way in ways]
    return [
        ("", "by the print alone", "with learnt looks"),
        ("spaces", *(str(len(way.readings)) for way in ways)),
        ("wrong", *map(str, wrong)),
        (f"below {CLEAR:g}", *(str(way.doubtful) for way in ways)),
    ]


def finds_rows(boards: BoardFigures) -> list[Row]:
    finds, changes = boards.finds, boards.changes
    near = sum(mm < CORNER_AIM_MM for mm in finds.corner_mm)
    return [
        ("", "companion", "target"),
        ("boards found, the right way up", share(finds.found, finds.boards), ""),
        ("false boards", str(finds.false), "0"),
        ("known duchies identified", share(finds.named, finds.known), "99 %"),
        ("identified wrongly", str(finds.misnamed), "0"),
        (f"worst space within {CORNER_AIM_MM:g} mm", share(near, finds.found), "100 %"),
        ("error of the worst space in mm, median", f"{median(finds.corner_mm):.2f}", ""),
        ("milliseconds per picture, median", f"{median(finds.ms):.1f}", ""),
        ("placed tiles noticed as changes", share(changes.found, changes.placed), "99.5 %"),
        ("unchanged spaces mistaken for changed", share(changes.false, changes.still), "under 0.2 %"),
        ("boards nudged by 5 mm that were noticed", share(changes.noticed, changes.nudged), "100 %"),
        ("nudges reported where nothing moved", str(changes.false_nudges), "0"),
    ]
