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

    seen: Contradiction
    move: Move | None = None
    """Move that would explain it."""
    reason: Reason | None = None
    """Why that move is illegal."""


def breaches(
    rules: Rules, state: Any, moves: Sequence[Move], against: Iterable[Contradiction]
) -> list[Breach]:
    """Returns the contradictions *against* the most likely turn *moves*, each with the rule behind it."""
    path = list(_path(rules, state, moves))
    return [_breach(rules, path, seen) for seen in against]


def _path(rules: Rules, state: Any, moves: Sequence[Move]) -> Iterator[Any]:
    """Yields the positions within a turn."""
    here = state.copy()
    for move in moves:
        yield here.copy()
        if rules.ends_turn(move):
            return
        rules.apply(here, move)
    yield here


def _breach(rules: Rules, path: Sequence[Any], seen: Contradiction) -> Breach:
    """Returns the contradiction with the first illegal move in the turn that would explain it."""
    for here in path:
        for move, reason in rules.illegal_moves_at(here, seen.place):
            tile = str(getattr(move, "tile", ""))
            if is_of(tile, seen.appeared) or is_of(tile, seen.disappeared):
                return Breach(seen, move, reason)
    return Breach(seen)


def layout_as_read(
    visible: Mapping[str, Sequence[str]], against: Sequence[Contradiction]
) -> dict[str, tuple[str, ...]]:
    """Returns the layout of every group in *against* as it was read there; other places are as in *visible*."""
    shown: dict[str, list[str]] = {}
    for seen in against:
        group = seen.place.rpartition(":")[0]
        labels = shown.setdefault(group, list(visible[group]))
        labels[_slot(labels, visible[group], seen)] = _label(seen, against)
    return {group: tuple(labels) for group, labels in shown.items()}


def _slot(labels: Sequence[str], before: Sequence[str], seen: Contradiction) -> int:
    """Returns the index of what *seen* expects: its own place, or in an unordered group another that still holds it."""
    index = int(seen.place.rpartition(":")[2])
    if labels[index] == seen.expected == before[index]:
        return index
    return next(i for i, label in enumerate(labels) if label == seen.expected)


def _label(seen: Contradiction, against: Iterable[Contradiction]) -> str:
    """Returns the label read; if it is only a type, the tile of that type that disappeared elsewhere."""
    if seen.appeared is None:
        return EMPTY
    gone = [
        other.disappeared for other in against if other.disappeared is not None and other.place != seen.place
    ]
    if seen.appeared in gone:
        return seen.appeared
    return next((went for went in gone if went.startswith(f"{seen.appeared}/")), seen.appeared)
