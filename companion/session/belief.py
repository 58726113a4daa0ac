"""The belief about the table: the last sighting, people's answers that outrank it, and what follows from both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion import referee
from companion.games import capabilities
from companion.games.api import ExpectedLayout, Move, Rules
from companion.referee import (
    DIE_CLEAR,
    LIKELIER_THAN_NOT,
    REPORT,
    Contradiction,
    Evidence,
    Explanation,
    Option,
    PlaceStatus,
    Question,
    Verdict,
)
from vision.sighting import DieReading, Sighting

from .roll_doubt import RollDoubt

LOOKS = 3
"""Number of looks at a table at rest before anything is asked: they differ in noise, and dice may still come."""
DICE_SEEN = "dice"
"""The part of the table that dice are; the game names the others (``Observable.parts``)."""
HIDDEN = "_hidden"
"""What the notices end with that something of a layout is hidden."""
DIE_AWAITED = "die_awaited"
"""Notice that a die has not moved, so that it may not have been rolled; a press confirms that it was."""
MOVED = 0.25
"""A die was rolled if it is further than this share of its width from the old place of any die of its colour."""
MIN_SHARE_MOVED = 0.5
"""Share of the dice that must have been rolled for a roll to be a new one."""

Visible = Mapping[str, Sequence[str]]
"""The label on every place, by group (``Rules.visible_layout``)."""


class Belief:
    """Represents what one session believes about the table. It decides nothing: it returns the best explanations."""

    def __init__(self, rules: Rules) -> None:
        self.sighting: Sighting | None = None
        """The last sighting, reduced to what is watched."""
        self.looks = LOOKS
        """Number of looks that the sighting combines."""
        self.looks_again = False
        """Whether something is not asked before the table has been looked at once more."""
        self.watchable = _watchable(rules)
        """The parts of the table that the camera can read, or people enter by taps instead."""
        self.watched = frozenset(self.watchable)
        """What the camera reads, of :attr:`watchable`."""
        self.answers: dict[str, str] = {}
        """Answers since the last record, by place or ``about`` of a question; the latest last."""
        self._rules = rules
        self._automatic = capabilities.automatic(rules)
        self._chance = capabilities.chance(rules)
        self._dice = capabilities.dice(rules)
        self._observable = capabilities.observable(rules)
        self._secrets = capabilities.secrets(rules)
        self._has_secrets = isinstance(rules, capabilities.Secrets)
        self._groups = frozenset[str]()
        """The groups of places that the camera reads."""
        self._misread: dict[str, str] = {}
        """Place -> the label that was read when a player said that another one is there."""

    def set_sighting(self, sighting: Sighting, looks: int = LOOKS) -> None:
        self.looks = looks
        dice = sighting.dice if DICE_SEEN in self.watched else ()
        places = {
            place: reading
            for place, reading in sighting.places.items()
            if self._observable.part_of(place.rpartition(":")[0]) in self.watched
        }
        self.sighting = replace(sighting, dice=dice, places=places)
        self._groups = frozenset(place.rpartition(":")[0] for place in places)

    @property
    def reads_table(self) -> bool:
        """Whether the camera reads anything but dice."""
        return bool(self.watched - {DICE_SEEN})

    def watch(self, **parts: bool | None) -> None:
        """Switches parts of what is watched on or off; ``None`` leaves a part unchanged."""
        switched = {part: on for part, on in parts.items() if on is not None}
        self.watched = frozenset(part for part in self.watchable if switched.get(part, part in self.watched))
        if self.sighting is not None:
            self.set_sighting(self.sighting, self.looks)

    def verdict(
        self,
        state: Any,
        last_roll: Sequence[DieReading],
        roll_doubt: RollDoubt,
        bot_turn: Sequence[Move] = (),
    ) -> Verdict:
        """Explains how the table can follow from *state*.

        *last_roll* are the readings of the dice of the last roll, *roll_doubt* is what may be wrong about them;
        *bot_turn* is the turn that people play for a bot. What would be asked or contradicted waits until the table has
        been looked at :data:`LOOKS` times.
        """
        self.looks_again = False
        found = self._explained(state, last_roll, roll_doubt, bot_turn)
        if self.looks >= LOOKS or self.answers:
            return found
        if found.notice.endswith(HIDDEN):
            self.looks_again = True
        elif _may_be_noise(found):
            self.looks_again = True
            awaited = self.awaited_dice(state)
            return _awaited(awaited) if awaited else Verdict()
        return found

    def _explained(
        self, state: Any, last_roll: Sequence[DieReading], roll_doubt: RollDoubt, bot_turn: Sequence[Move]
    ) -> Verdict:
        if self._dice.expected_dice(state):
            return self._roll(state, last_roll)
        if self._observable.expected_layouts(state):
            if self.sighting is None and self.reads_table:
                return Verdict()
            return referee.explain_layout(self._rules, state, self.evidence(), self.answers)
        reports = self._chance.unobserved_chance_moves(state)
        if owners := self._owners_of_awaited_secrets(state, reports):
            return Verdict(notice="secrets_awaited", notice_data={"players": owners})
        if reports:
            return self._reported([str(move) for move in reports])
        if not self.reads_table and not bot_turn:
            return Verdict(notice="boards_by_hand" if self._observable.parts else "entered_by_hand")
        if self.reads_table and self.sighting is None:
            return Verdict()
        is_determined = bool(bot_turn) or self._automatic.automatic_turn(state) is not None
        if is_determined and (asked := roll_doubt.question()):
            return Verdict(question=asked)
        found = self.explain_turn(state, bot_turn, roll_doubt.as_doubt())
        if found.question is not None and found.question.kind == "die":
            return replace(found, question=replace(found.question, box=roll_doubt.box(found.question.about)))
        return found

    def _owners_of_awaited_secrets(self, state: Any, reports: Sequence[Move]) -> list[str]:
        """Returns the players of whom each has to enter a secret on their own page before the game can go on: one of
        the *reports* of chance, or a decision that several make at once."""
        if not self._has_secrets or (not reports and self._rules.to_move(state) is not None):
            return []
        awaited = reports or self._rules.legal_moves(state)
        owners = {self._secrets.owner_of(move) for move in awaited}
        return (
            []
            if None in owners
            else [player for player in self._rules.stage(state).order if player in owners]
        )

    def _reported(self, notations: Sequence[str]) -> Verdict:
        """Asks for a chance outcome that no camera sees, or uses the answer."""
        if answered := [text for text in self._reports if text in notations]:
            return Verdict((Explanation((self._rules.parse_move(answered[0]),), 1.0),))
        share = 1 / len(notations)
        options = tuple(Option(text, share) for text in notations)
        return Verdict(question=Question("moves", REPORT, options, seen=False))

    def _roll(self, state: Any, last_roll: Sequence[DieReading]) -> Verdict:
        """Explains the roll on the table; if the dice are not read, asks for them one by one."""
        if DICE_SEEN not in self.watched or not self._dice.rolls_on_table(state):
            asked = referee.explain_roll(self._rules, state, (), self.answers)
            return replace(asked, question=asked.question and replace(asked.question, reason=""), notice="")
        if self.sighting is None:
            return Verdict()
        awaited = self._dice.expected_dice(state)
        is_answered = any(
            referee.about_die(colour, i) in self.answers
            for colour, count in awaited.items()
            for i in range(count)
        )
        if not is_answered:
            is_new = is_new_roll(self.sighting.dice, last_roll, awaited)
            self.looks_again = is_new and not self.is_rolled(self.sighting.dice, last_roll, awaited)
            if self.looks_again or not is_new:
                return _awaited(awaited)
        return self.explain_roll(state, self.sighting.dice)

    def is_rolled(
        self, dice: Sequence[DieReading], last_roll: Sequence[DieReading], awaited: Mapping[str, int]
    ) -> bool:
        """Whether *dice* are a roll after *last_roll* that another look at the table would not show better."""
        if self.looks >= LOOKS:
            return is_new_roll(dice, last_roll, awaited)
        is_doubtful = any(referee.is_doubtful(die) for die in dice if die.colour in awaited)
        return not is_doubtful and is_complete_roll(dice, last_roll, awaited)

    def awaited_dice(self, state: Any) -> Mapping[str, int]:
        """Returns how many dice of each colour the camera should see rolled; empty if none, or players enter them."""
        is_seen = DICE_SEEN in self.watched and self._dice.rolls_on_table(state)
        return self._dice.expected_dice(state) if is_seen else {}

    def explain_roll(self, state: Any, dice: Sequence[DieReading]) -> Verdict:
        """Explains which roll *dice* show. A doubtful one goes on if the turn that follows is seen completely."""
        redundant = capabilities.partly_redundant(self._rules).is_redundant
        shown = self._observable.visible_layout(state)
        goes_on = self.reads_table and all(
            group in self._groups or redundant(group) for group, labels in shown.items() if labels
        )
        return referee.explain_roll(self._rules, state, dice, self.answers, goes_on=goes_on)

    def readings_of_roll(self, state: Any, dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
        """Returns the readings to record with the roll that *dice* show."""
        return referee.readings_of_roll(self._rules, state, dice, self.answers)

    def explain_turn(
        self, state: Any, bot_turn: Sequence[Move] = (), doubt: referee.Doubt = referee.NO_DOUBT
    ) -> Verdict:
        """Explains the table by turns from *state*, or says how much of *bot_turn* is done.

        If something else was done, and the player had a choice, explains that as any other turn. *doubt* is about the
        last roll.
        """
        evidence = self.evidence()
        if bot_turn:
            progress = referee.explain_bot_turn(self._rules, state, bot_turn, evidence)
            if not progress.mismatches or self._automatic.automatic_turn(state) is not None:
                return progress
        turn = self.answers.get("turn")
        found = referee.explain_turn(self._rules, state, evidence, turn, doubt, self._reports)
        if not bot_turn:
            return found
        is_explained = found.explanations and not found.explanations[0].unexplained
        return replace(found, mismatches=progress.mismatches) if is_explained else progress

    def shows_change(self, was: Visible, now: Visible) -> bool:
        """Whether the camera sees the differences between *was* and *now*.

        Groups without an order count only if nothing else changes: what went into storage may have left it again.
        """
        evidence = self.evidence()
        changed = {group: labels for group, labels in now.items() if labels != was[group]}
        places = [
            (f"{group}:{i}", label)
            for group, labels in changed.items()
            if not self._observable.is_unordered(group)
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
        """Returns the readings that *explanation*, which leads to *after*, leaves unexplained."""
        found = referee.contradictions(self._rules, self.evidence(), self._observable.visible_layout(after))
        return [seen for seen in found if seen.place in explanation.unexplained]

    def assume(self, after: Any) -> None:
        """Assumes that the table is as in *after*, whatever is read: people say so."""
        for seen in referee.contradictions(
            self._rules, self.evidence(), self._observable.visible_layout(after)
        ):
            self.answers[seen.place] = seen.expected

    def record_answer(self, about: str, value: str) -> None:
        """Records a player's answer about a place, a die or a question."""
        key = f"{REPORT}:{value}" if about == REPORT else about  # a turn may ask for several reports
        self.answers.pop(key, None)  # so that the latest answer is the last one
        self.answers[key] = value

    @property
    def _reports(self) -> list[str]:
        """What people have reported (:data:`.REPORT`), each move in notation."""
        answered = (value for about, value in self.answers.items() if about.startswith(f"{REPORT}:"))
        return [move for value in answered for move in value.split("; ")]

    def retract_answers(self, *, everything: bool = False) -> bool:
        """Forgets the last answer, or all with *everything*; returns False if there is none."""
        if not self.answers:
            return False
        if everything:
            self.answers = {}
        else:
            self.answers.popitem()
        return True

    def layout_progress(self, state: Any) -> list[tuple[ExpectedLayout, list[PlaceStatus]]]:
        """Returns each part of the layout that is awaited, and what is known of its places."""
        evidence = self.evidence()
        return [
            (part, referee.place_statuses(evidence, part))
            for part in self._observable.expected_layouts(state)
        ]

    def choices(self, state: Any, place: str) -> tuple[str, ...]:
        """Returns the labels that may be on *place* of the awaited layout; empty if it has no such place."""
        evidence = self.evidence()
        parts = (part for part in self._observable.expected_layouts(state) if place in dict(part.places))
        return next((referee.choices(evidence, part, place) for part in parts), ())

    def clear_answers(self, state: Any) -> None:
        """Forgets the answers about a turn that is over, but not those about a layout that *state* still awaits.

        Remembers the misreadings that they corrected, so that nobody has to correct them every turn.
        """
        awaited = {place for part in self._observable.expected_layouts(state) for place, _ in part.places}
        for place, label in self.answers.items():
            read = self._read_as(place)
            if read is not None and read != label:
                self._misread[place] = read
        self.answers = {place: label for place, label in self.answers.items() if place in awaited}

    def _known_misreadings(self) -> frozenset[str]:
        """Returns the places that still have the reading that a player corrected.

        Such a reading is no evidence: what the player saw may still be there, or not.
        """
        return frozenset(place for place, read in self._misread.items() if self._read_as(place) == read)

    def _read_as(self, place: str) -> str | None:
        """Returns the best label of the place in the last sighting; ``None`` if it was not read."""
        reading = self.sighting.places.get(place) if self.sighting else None
        return None if reading is None or reading.hidden else reading.best


def _watchable(rules: Rules) -> tuple[str, ...]:
    has_dice = isinstance(rules, capabilities.Dice)
    return (*((DICE_SEEN,) if has_dice else ()), *capabilities.observable(rules).parts)


def _may_be_noise(verdict: Verdict) -> bool:
    """Whether a verdict asks about what was seen, or contradicts it."""
    is_asked = verdict.question is not None and verdict.question.seen
    return is_asked or any(best.unexplained for best in verdict.explanations[:1])


def is_new_roll(
    dice: Sequence[DieReading], last_roll: Sequence[DieReading], awaited: Mapping[str, int]
) -> bool:
    """Whether most *dice* of the colours *awaited* were rolled since *last_roll*: one may come to lie as before."""
    moved = _rolled(dice, last_roll, awaited)
    return bool(moved) and sum(moved) >= MIN_SHARE_MOVED * len(moved)


def is_complete_roll(
    dice: Sequence[DieReading], last_roll: Sequence[DieReading], awaited: Mapping[str, int]
) -> bool:
    """Whether all dice *awaited* are among *dice*, and none lies and shows as before in *last_roll*.

    In a small tray many a die comes to rest where one has been, but seldom with the same value.
    """
    seen = [die for die in dice if die.colour in awaited]
    is_waited_for = any(
        old.colour == die.colour and not _apart(die, old) and not _differ(die, old)
        for die in seen
        for old in last_roll
    )
    return Counter(die.colour for die in seen) == Counter(awaited) and not is_waited_for


def _rolled(
    dice: Sequence[DieReading], last_roll: Sequence[DieReading], awaited: Mapping[str, int]
) -> list[bool]:
    """Returns for each of *dice* of the colours *awaited* whether it was rolled since *last_roll*.

    A die that is rolled alone is put back in its place, where only a different value shows it.
    """
    alone = _is_single_die(awaited)
    return [
        all(
            _apart(die, old) or (alone and _differ(die, old)) for old in last_roll if old.colour == die.colour
        )
        for die in dice
        if die.colour in awaited
    ]


def _awaited(awaited: Mapping[str, int]) -> Verdict:
    """Returns the verdict while nobody seems to have rolled."""
    if _is_single_die(awaited):
        return Verdict(notice=DIE_AWAITED, notice_data={"player": next(iter(awaited))})
    return Verdict(notice="roll_awaited")


def _is_single_die(awaited: Mapping[str, int]) -> bool:
    return sum(awaited.values()) == 1


def _differ(die: DieReading, other: DieReading) -> bool:
    """Whether two dice clearly show different values."""
    clear = min(die.confidence, other.confidence) >= DIE_CLEAR
    return clear and None not in (die.value, other.value) and die.value != other.value


def _apart(die: DieReading, other: DieReading) -> bool:
    (x, y, w, h), (ox, oy, ow, oh) = die.box, other.box
    distance = max(abs(x + w / 2 - ox - ow / 2), abs(y + h / 2 - oy - oh / 2))
    return distance > MOVED * max(w, h)
