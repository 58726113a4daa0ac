"""Why no turn fits: which rule forbids what is seen, and the layout as read, for an override."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.api import Move, Reason, Rules
from vision.sighting import EMPTY

from .evidence import Contradiction, is_of


@dataclass(frozen=True, slots=True)
class Breach:
    """A place that no legal turn explains, and the rule that forbids what is seen there, if there is one."""

    contradiction: Contradiction
    move: Move | None = None
    """Move that would explain it."""
    reason: Reason | None = None
    """Why that move is illegal."""


def breaches(
    rules: Rules, state: Any, moves: Sequence[Move], against: Iterable[Contradiction]
) -> list[Breach]:
    """Returns the contradictions *against* the most likely turn *moves*, each with the rule behind it."""
    path = list(_path(rules, state, moves))
    return [_breach(rules, path, contradiction) for contradiction in against]


def _path(rules: Rules, state: Any, moves: Sequence[Move]) -> Iterator[Any]:
    """Yields the positions within a turn."""
    here = state.copy()
    for move in moves:
        yield here.copy()
        if rules.ends_turn(move):
            return
        rules.apply(here, move)
    yield here


def _breach(rules: Rules, path: Sequence[Any], contradiction: Contradiction) -> Breach:
    """Returns the contradiction with the first illegal move in the turn that would explain it."""
    for here in path:
        for move, reason in rules.illegal_moves_at(here, contradiction.place):
            tile = str(getattr(move, "tile", ""))
            if is_of(tile, contradiction.appeared) or is_of(tile, contradiction.disappeared):
                return Breach(contradiction, move, reason)
    return Breach(contradiction)


def layout_as_read(
    visible: Mapping[str, Sequence[str]], against: Sequence[Contradiction]
) -> dict[str, tuple[str, ...]]:
    """Returns the layout of every group in *against* as it was read there; other places are as in *visible*."""
    shown: dict[str, list[str]] = {}
    for contradiction in against:
        group = contradiction.place.rpartition(":")[0]
        labels = shown.setdefault(group, list(visible[group]))
        labels[_slot(labels, visible[group], contradiction)] = _label(contradiction, against)
    return {group: tuple(labels) for group, labels in shown.items()}


def _slot(labels: Sequence[str], before: Sequence[str], contradiction: Contradiction) -> int:
    """Returns the index of the expected label: its own place, or in an unordered group another that still holds it."""
    index = int(contradiction.place.rpartition(":")[2])
    if labels[index] == contradiction.expected == before[index]:
        return index
    return next(i for i, label in enumerate(labels) if label == contradiction.expected)


def _label(contradiction: Contradiction, against: Iterable[Contradiction]) -> str:
    """Returns the label read; if it is only a type, the tile of that type that disappeared elsewhere."""
    if contradiction.appeared is None:
        return EMPTY
    disappeared_labels = [
        other.disappeared
        for other in against
        if other.disappeared is not None and other.place != contradiction.place
    ]
    if contradiction.appeared in disappeared_labels:
        return contradiction.appeared
    return next(
        (label for label in disappeared_labels if label.startswith(f"{contradiction.appeared}/")),
        contradiction.appeared,
    )
