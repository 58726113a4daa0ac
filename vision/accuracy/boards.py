"""Scores boards (JSON as in :func:`vision.reader.boards_json`) against the truth of a picture.

Rules: a space that is less than half visible is not scored; all spaces of a board that was not read are wrong; a board
is exact when no scored space is wrong in occupancy or type (or variant, if scored).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calibration.board_kind import kind_of

from ..sighting import PlaceReading

VISIBLE = 0.5
"""Visible share of the sample points of a space from which it is scored."""
BESIDE, BESIDE_VARIANT = "type of tiles beside the boards", "variant of tiles beside the boards"
MEASURES = (
    "occupancy",
    "type",
    "off-colour type",
    "variant",
    "exact boards",
    "exact boards with variants",
    BESIDE,
    BESIDE_VARIANT,
)


@dataclass
class BoardAccuracy:
    """Correct and total counts of each measure."""

    correct: Counter[str] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)

    def add(self, measure: str, correct: bool) -> None:
        self.correct[measure] += bool(correct)
        self.total[measure] += 1

    def update(self, other: BoardAccuracy) -> None:
        self.correct.update(other.correct)
        self.total.update(other.total)

    def rate(self, measure: str) -> float:
        """Returns the share that was correct; 1 when the measure was never counted."""
        return self.correct[measure] / self.total[measure] if self.total[measure] else 1.0

    def line(self, measures: Sequence[str] = MEASURES) -> str:
        """Returns ``occupancy 98.1 % (2756/2810), type ...``, omitting measures that were never counted."""
        return ", ".join(
            f"{m} {100 * self.rate(m):.1f} % ({self.correct[m]}/{self.total[m]})"
            for m in measures
            if self.total[m]
        )


def score_boards(
    truth: Mapping[str, Any], boards: Sequence[Mapping[str, Any]], *, variants: bool = False
) -> BoardAccuracy:
    """Compares *boards* (``[{"player", "spaces": [...]}]``) with the truth of their picture, player by player."""
    accuracy = BoardAccuracy()
    read = {board["player"]: board for board in boards}
    for board in truth["boards"]:
        _score_board(board, read.get(board["player"]), variants, accuracy)
    return accuracy


def score_tiles_beside(
    labels: Mapping[str, str], places: Mapping[str, PlaceReading], *, variants: bool = False
) -> BoardAccuracy:
    """Compares the readings *places* with the *labels* of the tiles that lie there."""
    accuracy = BoardAccuracy()
    for name, label in labels.items():
        best = places[name].best
        accuracy.add(BESIDE, kind_of(best) == kind_of(label))
        if variants and "/" in label:
            accuracy.add(BESIDE_VARIANT, best == label)
    return accuracy


def _score_board(
    truth: Mapping[str, Any], read: Mapping[str, Any] | None, variants: bool, accuracy: BoardAccuracy
) -> None:
    tiles = {(s["row"], s["col"]): s["tile"] for s in read["spaces"]} if read else {}
    exact = exact_variants = read is not None
    for space in truth["hexes"]:
        if space.get("visible", 1) < VISIBLE:
            continue
        expected, got = space["tile"], tiles.get((space["row"], space["col"]))
        occupied = read is not None and (expected is None) == (got is None)
        accuracy.add("occupancy", occupied)
        exact, exact_variants = exact and occupied, exact_variants and occupied
        if expected is None:
            continue
        right_type = got is not None and bool(got["type"] == expected["type"])
        accuracy.add("type", right_type)
        if expected.get("rule_violation"):
            accuracy.add("off-colour type", right_type)
        exact, exact_variants = exact and right_type, exact_variants and right_type
        if variants and expected["variant"] is not None:
            right_variant = got is not None and right_type and str(got["variant"]) == str(expected["variant"])
            accuracy.add("variant", right_variant)
            accuracy.add(f"variant:{expected['type']}", right_variant)
            exact_variants &= right_variant
    accuracy.add("exact boards", exact)
    if variants:
        accuracy.add("exact boards with variants", exact_variants)


def space_results(truth: Mapping[str, Any], boards: Sequence[Mapping[str, Any]]) -> list[tuple[float, bool]]:
    """Returns for each scored space that was read: its confidence, and whether occupancy and type are correct."""
    results = []
    read = {board["player"]: board for board in boards}
    for board in truth["boards"]:
        spaces = (
            {(s["row"], s["col"]): s for s in read[board["player"]]["spaces"]}
            if board["player"] in read
            else {}
        )
        for space in board["hexes"]:
            got = spaces.get((space["row"], space["col"]))
            if got is None or space.get("visible", 1) < VISIBLE:
                continue
            expected, tile = space["tile"], got["tile"]
            right = (expected is None) == (tile is None) and (
                expected is None or tile["type"] == expected["type"]
            )
            results.append((got["confidence"], right))
    return results
