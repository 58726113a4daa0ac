"""Why nothing fits: which rule speaks against what is seen, and the table as it is seen, for a house ruling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.api import Move, Reason, Rules
from vision.sighting import EMPTY

from .evidence import Contradiction, is_of


@dataclass(frozen=True, slots=True)
class Breach:
    """A place that no legal turn explains, and why not, if the rules have something to say about it."""

    seen: Contradiction
    move: Move | None = None
    """What would explain it ..."""
    reason: Reason | None = None
    """... and what speaks against that."""


def breaches(
    rules: Rules, state: Any, moves: Sequence[Move], against: Iterable[Contradiction]
) -> list[Breach]:
    """What speaks *against* the turn *moves*, which comes nearest to what is seen, each with the rule behind it."""
    path = list(_path(rules, state, moves))
    return [_breach(rules, path, seen) for seen in against]


def _path(rules: Rules, state: Any, moves: Sequence[Move]) -> Iterator[Any]:
    """The positions within a turn."""
    here = state.copy()
    for move in moves:
        yield here.copy()
        if rules.ends_turn(move):
            return
        rules.apply(here, move)
    yield here


def _breach(rules: Rules, path: Sequence[Any], seen: Contradiction) -> Breach:
    """The first time in the turn at which something could have been wanted there that the rules forbid."""
    for here in path:
        for move, reason in rules.illegal_moves_at(here, seen.place):
            tile = str(getattr(move, "tile", ""))
            if is_of(tile, seen.appeared) or is_of(tile, seen.disappeared):
                return Breach(seen, move, reason)
    return Breach(seen)


def layout_as_read(
    visible: Mapping[str, Sequence[str]], against: Sequence[Contradiction]
) -> dict[str, tuple[str, ...]]:
    """How the groups look that *against* names, if all that was read there is true, the rest being as in *visible*."""
    shown: dict[str, list[str]] = {}
    for seen in against:
        group = seen.place.rpartition(":")[0]
        labels = shown.setdefault(group, list(visible[group]))
        labels[_slot(labels, visible[group], seen)] = _label(seen, against)
    return {group: tuple(labels) for group, labels in shown.items()}


def _slot(labels: Sequence[str], before: Sequence[str], seen: Contradiction) -> int:
    """Index of what *seen* expects: its own place, or where the group has no order another that still holds it."""
    index = int(seen.place.rpartition(":")[2])
    if labels[index] == seen.expected == before[index]:
        return index
    return next(i for i, label in enumerate(labels) if label == seen.expected)


def _label(seen: Contradiction, against: Iterable[Contradiction]) -> str:
    """The label read; where it is only a type, the tile of it that has gone from elsewhere."""
    if seen.appeared is None:
        return EMPTY
    gone = [
        other.disappeared for other in against if other.disappeared is not None and other.place != seen.place
    ]
    if seen.appeared in gone:
        return seen.appeared
    return next((went for went in gone if went.startswith(f"{seen.appeared}/")), seen.appeared)
