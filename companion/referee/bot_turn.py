"""A turn that people play for somebody: what of it they have done, what is to do, and what went wrong.

There is nothing to explain, for what will be done is known. Each place is held against how it looked before, how it
will look, and what may lie there on the way; what is none of that is a slip.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from companion.games.api import Move, Rules
from vision.sighting import EMPTY

from .evidence import Contradiction, Evidence, is_of, moved_and_misread
from .turn import contradictions
from .verdict import Explanation, Mismatch, Verdict


def explain_bot_turn(rules: Rules, state: Any, moves: Sequence[Move], evidence: Evidence) -> Verdict:
    """How far the planned turn *moves* has come by what is seen."""
    visible_steps = _ExpectedSteps(rules, state, moves)
    found = sorted(contradictions(rules, evidence, visible_steps.after), key=visible_steps.turn_of)
    to_do = [seen for seen in found if visible_steps.is_on_the_way(seen)]
    moved, _ = moved_and_misread(found)
    odd = [seen for seen in found if seen not in to_do]
    wrong = [seen for seen in odd if seen.place in moved]
    misread = tuple(seen.place for seen in odd if seen not in wrong)
    explanation = Explanation(tuple(moves), 1.0, tuple(seen.place for seen in wrong), misread)
    return Verdict(
        (explanation,), mismatches=tuple(_mismatches(wrong, to_do)), remaining=tuple(_remaining(to_do))
    )


class _ExpectedSteps:
    """Represents the table in the course of a turn."""

    def __init__(self, rules: Rules, state: Any, moves: Sequence[Move]) -> None:
        self._rules = rules
        self._before = rules.visible_layout(state)
        self._lying: dict[str, set[str]] = {}
        """What may lie on a place, or in a group whose things have no order; places that change first come first."""
        here = state.copy()
        for move in moves:
            for visible_change in rules.visible_steps(here, move):
                self._lying.setdefault(visible_change.place, set()).add(visible_change.label)
            rules.apply(here, move)
            self._note(rules.visible_layout(here))
        self._note(self._before)
        self.after = rules.visible_layout(here)
        """What lies on every place once the turn is over."""
        self._order = {where: turn for turn, where in enumerate(self._lying)}

    def _note(self, visible: Mapping[str, Sequence[str]]) -> None:
        for group, labels in visible.items():
            for i, label in enumerate(labels):
                self._lying.setdefault(self._where(f"{group}:{i}"), set()).add(label)

    def _where(self, place: str) -> str:
        """The place, or its group if things have no order there."""
        group = place.rpartition(":")[0]
        return group if self._rules.is_unordered(group) else place

    def turn_of(self, seen: Contradiction) -> int:
        """When in the turn the place has its turn."""
        return self._order[self._where(seen.place)]

    def is_on_the_way(self, seen: Contradiction) -> bool:
        """Whether what is read is how the place looks before the turn is over."""
        group = seen.place.rpartition(":")[0]
        may_lie = self._lying[self._where(seen.place)]
        if not self._rules.is_unordered(group):
            return _may_be(seen.read, may_lie)
        was_there = seen.expected != EMPTY and seen.expected in self._before[group]
        return not was_there and (seen.read == EMPTY or _may_be(seen.read, may_lie))


def _mismatches(wrong: Sequence[Contradiction], to_do: Sequence[Contradiction]) -> Iterator[Mismatch]:
    """What is wrong, and how to put it right: things that lie where they should not, then things that are gone."""
    missing = [seen for seen in (*to_do, *wrong) if seen.disappeared is not None]
    for seen in wrong:
        if seen.appeared is None:
            continue
        home = next((m for m in missing if m.place != seen.place and is_of(m.expected, seen.appeared)), None)
        if home is not None:
            missing.remove(home)
            yield Mismatch("misplaced", seen.place, home.expected, home.place)
        else:
            yield Mismatch(
                "replaced" if seen.disappeared else "stranger",
                seen.place,
                seen.read,
                instead=seen.disappeared or "",
            )
    waiting = [seen for seen in to_do if seen.appeared is not None]
    for seen in wrong:
        if seen.appeared is not None or seen not in missing:
            continue
        alike = (there for there in waiting if _type(there.read) == _type(seen.expected))
        there = next(alike, waiting[0] if waiting else None)
        if there is None:
            yield Mismatch("gone", seen.place, seen.expected)
        else:
            yield Mismatch("taken_instead", seen.place, seen.expected, there.place, there.read)


def _remaining(to_do: Sequence[Contradiction]) -> Iterator[Mismatch]:
    """What is still to do: things that lie where they lay, then those that are in nobody's place."""
    missing = [seen for seen in to_do if seen.disappeared is not None]
    for seen in to_do:
        if seen.appeared is None:
            continue
        home = next((m for m in missing if is_of(m.expected, seen.appeared)), None)
        if home is not None:
            missing.remove(home)
            yield Mismatch("still_there", seen.place, home.expected, home.place)
        else:
            yield Mismatch("still_there", seen.place, seen.read)
    yield from (Mismatch("missing", seen.place, seen.expected) for seen in missing if seen.appeared is None)


def _may_be(read: str, labels: Collection[str]) -> bool:
    """Whether what is read may be one of *labels*."""
    return any(is_of(label, read) for label in labels)


def _type(label: str) -> str:
    return label.partition("/")[0]
