"""What is believed of the table: the latest sighting, what players have said against it, and what follows from both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion import referee
from companion.games.api import ExpectedLayout, Move, Rules
from companion.referee import (
    DIE_CLEAR,
    LIKELIER_THAN_NOT,
    Contradiction,
    Evidence,
    Explanation,
    Option,
    PlaceStatus,
    Question,
    Verdict,
)
from vision.sighting import DieReading, Sighting

WATCHABLE = DICE_SEEN, BOARDS_SEEN = ("dice", "boards")
"""What can be read from the table, or left to taps."""
REPORT = "report"
"""What a question about such events is about."""
DIE_AWAITED = "die_awaited"
"""Notice that a die lies as it did, so that nobody can tell whether it was rolled; a press says that it was."""
MOVED = 0.25
"""A die has been rolled when it lies further than this share of its width from where a die of its colour lay."""
MIN_SHARE_MOVED = 0.5
"""Share of the dice that must have been rolled for a roll to be a new one."""


Visible = Mapping[str, Sequence[str]]
"""What lies on every place, by group (``Rules.visible_layout``)."""


class Belief:
    """Represents what one session believes. It decides nothing: it tells what explains the table best."""

    def __init__(self, rules: Rules) -> None:
        self.sighting: Sighting | None = None
        """What was seen last, of what is watched."""
        self.watched = frozenset(WATCHABLE)
        """What is read from the table, of WATCHABLE."""
        self.answers: dict[str, str] = {}
        """What players have said since the last confirmation, by place, die, or what was asked; the latest last."""
        self._rules = rules
        self._misread: dict[str, str] = {}
        """Place -> what it was read as when a player said that something else lies there."""

    def set_sighting(self, sighting: Sighting) -> None:
        dice = sighting.dice if DICE_SEEN in self.watched else ()
        places = sighting.places if BOARDS_SEEN in self.watched else {}
        self.sighting = replace(sighting, dice=dice, places=places)

    def watch(self, **parts: bool | None) -> None:
        """Switches parts of what is watched on or off; None leaves one as it is."""
        awaited = {part: part in self.watched if on is None else on for part, on in parts.items()}
        self.watched = frozenset(part for part in WATCHABLE if awaited.get(part, part in self.watched))
        if self.sighting is not None:
            self.set_sighting(self.sighting)

    def verdict(self, state: Any, lying: Sequence[DieReading], bot_turn: Sequence[Move] = ()) -> Verdict:
        """How the table can have come about from *state*.

        *lying* is where the dice of the last roll lay; *bot_turn* is the turn that people were told to play, if any.
        """
        if self._rules.expected_dice(state):
            return self._roll(state, lying)
        if self._rules.expected_layouts(state):
            if self.sighting is None and BOARDS_SEEN in self.watched:
                return Verdict()
            return referee.explain_layout(self._rules, state, self.evidence(), self.answers)
        if reports := self._rules.unobserved_chance_moves(state):
            return self._reported([str(move) for move in reports])
        if BOARDS_SEEN not in self.watched and not bot_turn:
            return Verdict(notice="boards_by_hand")
        if BOARDS_SEEN in self.watched and self.sighting is None:
            return Verdict()
        return self.explain_turn(state, bot_turn)

    def _reported(self, notations: Sequence[str]) -> Verdict:
        """What chance has brought that no camera sees: somebody has to say it."""
        if (said := self.answers.get(REPORT)) in notations:
            return Verdict((Explanation((self._rules.parse_move(str(said)),), 1.0),))
        share = 1 / len(notations)
        options = tuple(Option(text, share) for text in notations)
        return Verdict(question=Question("moves", REPORT, options, seen=False))

    def _roll(self, state: Any, lying: Sequence[DieReading]) -> Verdict:
        """The roll that lies on the table; when the dice are not read, they are asked for one by one."""
        if DICE_SEEN not in self.watched or not self._rules.rolls_on_table(state):
            asked = referee.explain_roll(self._rules, state, (), self.answers)
            return replace(asked, question=asked.question and replace(asked.question, reason=""), notice="")
        if self.sighting is None:
            return Verdict()
        awaited = self._rules.expected_dice(state)
        said = any(f"{colour}:{i}" in self.answers for colour, count in awaited.items() for i in range(count))
        if not said and not is_new_roll(self.sighting.dice, lying, awaited):
            return _awaited(awaited)
        return self.explain_roll(state, self.sighting.dice)

    def explain_roll(self, state: Any, dice: Sequence[DieReading]) -> Verdict:
        """The roll that *dice* show."""
        return referee.explain_roll(self._rules, state, dice, self.answers)

    def explain_turn(self, state: Any, bot_turn: Sequence[Move] = ()) -> Verdict:
        """The turns that explain the table from *state*, or how far the *bot_turn* one has come.

        Where something else was done, and there is a choice, that is explained as any turn.
        """
        evidence = self.evidence()
        if bot_turn:
            told = referee.explain_bot_turn(self._rules, state, bot_turn, evidence)
            if not told.mismatches or self._rules.automatic_turn(state) is not None:
                return told
        found = referee.explain_turn(self._rules, state, evidence, self.answers.get("turn"))
        if not bot_turn:
            return found
        is_explained = found.explanations and not found.explanations[0].unexplained
        return replace(found, mismatches=told.mismatches) if is_explained else told

    def shows_change(self, was: Visible, now: Visible) -> bool:
        """Whether what looks otherwise in *now* than in *was* is seen to do so.

        Things that lie in no order count only where nothing else changes: what was taken into storage may have gone on.
        """
        evidence = self.evidence()
        changed = {group: labels for group, labels in now.items() if labels != was[group]}
        places = [
            (f"{group}:{i}", label)
            for group, labels in changed.items()
            if not self._rules.is_unordered(group)
            for i, label in enumerate(labels)
            if label not in was[group][i : i + 1]
        ]
        if places:
            readings = [(evidence.reading(place), label) for place, label in places]
            return all(
                found is not None and found.probability(label) > LIKELIER_THAN_NOT
                for found, label in readings
            )
        is_watched = bool(changed) and all(map(evidence.watches, changed))
        return is_watched and not referee.contradictions(self._rules, evidence, changed)

    def evidence(self) -> Evidence:
        return Evidence(self.sighting or Sighting(), self.answers, self._known_misreadings())

    def contradictions(self, after: Any, explanation: Explanation) -> list[Contradiction]:
        """What is read at the places that *explanation*, which leads to *after*, leaves unexplained."""
        found = referee.contradictions(self._rules, self.evidence(), self._rules.visible_layout(after))
        return [seen for seen in found if seen.place in explanation.unexplained]

    def assume(self, after: Any) -> None:
        """Takes it that the table lies as in *after*, as people say, whatever is read."""
        for seen in referee.contradictions(self._rules, self.evidence(), self._rules.visible_layout(after)):
            self.answers[seen.place] = seen.expected

    def record_answer(self, about: str, value: str) -> None:
        """Notes what a player says of a place, a die, or what was asked; the latest comes last."""
        self.answers.pop(about, None)
        self.answers[about] = value

    def retract_answers(self, *, whole: bool = False) -> bool:
        """Forgets what was said last, or all that was said if *whole*; False when nothing was."""
        if not self.answers:
            return False
        if whole:
            self.answers = {}
        else:
            self.answers.popitem()
        return True

    def layout_progress(self, state: Any) -> list[tuple[ExpectedLayout, list[PlaceStatus]]]:
        """Each part of the layout that is awaited, and how far its places are known."""
        evidence = self.evidence()
        return [
            (part, referee.place_statuses(evidence, part)) for part in self._rules.expected_layouts(state)
        ]

    def choices(self, state: Any, place: str) -> tuple[str, ...]:
        """What may lie on a *place* of the layout that is awaited; nothing where it has no such place."""
        evidence = self.evidence()
        parts = (part for part in self._rules.expected_layouts(state) if place in dict(part.places))
        return next((referee.choices(evidence, part, place) for part in parts), ())

    def clear_answers(self) -> None:
        """Drops what was said about a turn that is over; what was misread is remembered.

        So nobody has to say it every turn.
        """
        for place, label in self.answers.items():
            read = self._read_as(place)
            if read is not None and read != label:
                self._misread[place] = read
        self.answers = {}

    def _known_misreadings(self) -> frozenset[str]:
        """Places that are read as wrongly as when a player said what lies there.

        Such a reading tells nothing: what was said may still lie there, or not any more.
        """
        return frozenset(place for place, read in self._misread.items() if self._read_as(place) == read)

    def _read_as(self, place: str) -> str | None:
        """What the latest sighting says lies there, None when it says nothing."""
        reading = self.sighting.places.get(place) if self.sighting else None
        return None if reading is None or reading.hidden else reading.best


def is_new_roll(dice: Sequence[DieReading], lying: Sequence[DieReading], awaited: Mapping[str, int]) -> bool:
    """Whether *dice* of the colours *awaited* have been thrown since they lay as *lying*, at the last roll.

    A die that is rolled alone is put back in its place, where only another value tells that it was.
    """
    if not lying:
        return True
    alone = _is_one(awaited)
    rolled = [die for die in dice if die.colour in awaited]
    moved = [
        all(_apart(die, old) or (alone and _differ(die, old)) for old in lying if old.colour == die.colour)
        for die in rolled
    ]
    return bool(moved) and sum(moved) >= MIN_SHARE_MOVED * len(moved)


def _awaited(awaited: Mapping[str, int]) -> Verdict:
    """Nobody seems to have rolled yet."""
    if _is_one(awaited):
        return Verdict(notice=DIE_AWAITED, notice_data={"player": next(iter(awaited))})
    return Verdict(notice="roll_awaited")


def _is_one(awaited: Mapping[str, int]) -> bool:
    return sum(awaited.values()) == 1


def _differ(die: DieReading, other: DieReading) -> bool:
    """Whether two dice clearly show different values."""
    clear = min(die.confidence, other.confidence) >= DIE_CLEAR
    return clear and None not in (die.value, other.value) and die.value != other.value


def _apart(die: DieReading, other: DieReading) -> bool:
    (x, y, w, h), (ox, oy, ow, oh) = die.box, other.box
    distance = max(abs(x + w / 2 - ox - ow / 2), abs(y + h / 2 - oy - oh / 2))
    return distance > MOVED * max(w, h)
