"""A known turn that people carry out for a bot: what is done, what remains, and what is wrong.

Each place is compared with how it looked before the turn, how it will look after it, and what may be there in between.
Anything else is a mismatch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from calibration.board_kind import kind_of
from companion.games import capabilities
from companion.games.api import Move, Rules
from vision.sighting import EMPTY

from .evidence import Contradiction, Evidence, is_of, moved_and_misread
from .turn import contradictions
from .verdict import Explanation, Mismatch, Verdict


def explain_bot_turn(rules: Rules, state: Any, moves: Sequence[Move], evidence: Evidence) -> Verdict:
    """Returns how much of the turn *moves* has been carried out, as far as it is visible."""
    visible_steps = _ExpectedSteps(rules, state, moves)
    found = sorted(contradictions(rules, evidence, visible_steps.after), key=visible_steps.turn_of)
    to_do = [seen for seen in found if visible_steps.is_on_the_way(seen)]
    moved, _ = moved_and_misread(found)
    unexpected = [seen for seen in found if seen not in to_do]
    wrong = [seen for seen in unexpected if seen.place in moved]
    misread = tuple(seen.place for seen in unexpected if seen not in wrong)
    explanation = Explanation(tuple(moves), 1.0, tuple(seen.place for seen in wrong), misread)
    return Verdict(
        (explanation,), mismatches=tuple(_mismatches(wrong, to_do)), remaining=tuple(_remaining(to_do))
    )


class _ExpectedSteps:
    """Represents how the table may look during a turn."""

    def __init__(self, rules: Rules, state: Any, moves: Sequence[Move]) -> None:
        self._observable = capabilities.observable(rules)
        self._before = self._observable.visible_layout(state)
        self._possible: dict[str, set[str]] = {}
        """Labels possible on a place, or in an unordered group; places that change first come first."""
        here = state.copy()
        for move in moves:
            for visible_change in self._observable.visible_steps(here, move):
                self._possible.setdefault(visible_change.place, set()).add(visible_change.label)
            rules.apply(here, move)
            self._note(self._observable.visible_layout(here))
        self._note(self._before)
        self.after = self._observable.visible_layout(here)
        """Labels of every place after the turn."""
        self._order = {where: turn for turn, where in enumerate(self._possible)}

    def _note(self, visible: Mapping[str, Sequence[str]]) -> None:
        for group, labels in visible.items():
            for i, label in enumerate(labels):
                self._possible.setdefault(self._where(f"{group}:{i}"), set()).add(label)

    def _where(self, place: str) -> str:
        """Returns the place, or its group if that is unordered."""
        group = place.rpartition(":")[0]
        return group if self._observable.is_unordered(group) else place

    def turn_of(self, seen: Contradiction) -> int:
        """Returns the position of the place in the order of changes."""
        return self._order[self._where(seen.place)]

    def is_on_the_way(self, seen: Contradiction) -> bool:
        """Returns whether the reading is one that the place may have before the turn is over."""
        group = seen.place.rpartition(":")[0]
        possible = self._possible[self._where(seen.place)]
        if not self._observable.is_unordered(group):
            return _may_be(seen.read, possible)
        was_there = seen.expected != EMPTY and seen.expected in self._before[group]
        return not was_there and (seen.read == EMPTY or _may_be(seen.read, possible))


def _mismatches(wrong: Sequence[Contradiction], to_do: Sequence[Contradiction]) -> Iterator[Mismatch]:
    """Yields what is wrong and how to correct it: things in the wrong place, then things that have disappeared."""
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
        alike = (there for there in waiting if kind_of(there.read) == kind_of(seen.expected))
        there = next(alike, waiting[0] if waiting else None)
        if there is None:
            yield Mismatch("gone", seen.place, seen.expected)
        else:
            yield Mismatch("taken_instead", seen.place, seen.expected, there.place, there.read)


def _remaining(to_do: Sequence[Contradiction]) -> Iterator[Mismatch]:
    """Yields what remains to be done: things still in their old place, then things that are nowhere."""
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
    """Returns whether the reading may be one of *labels*."""
    return any(is_of(label, read) for label in labels)
