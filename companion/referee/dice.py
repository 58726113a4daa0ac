"""The roll on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games import capabilities
from companion.games.api import Rules
from vision.sighting import DieReading

from .verdict import OPTIONS, Explanation, Option, Question, Verdict

DIE_CLEAR = 0.8
"""A die read with at least this confidence is taken as read."""
LEAST_TO_GO_ON = 0.25
"""Least probability of the value with which a roll goes on."""
UNCLEAR = "unclear"
"""Reason of a reading that has seen a face and cannot tell its value from another."""
VALUES = range(1, 7)


def explain_roll(
    rules: Rules,
    state: Any,
    dice: Sequence[DieReading],
    answers: Mapping[str, str] | None = None,
    *,
    goes_on: bool = False,
) -> Verdict:
    """Returns the roll on the table. *answers* holds values that players have entered, by what was asked
    (:func:`about_die`).

    With *goes_on*, a doubtful die is taken for what it most likely shows: the turn that follows is explained from every
    position that the roll may have led to (see :mod:`.premise`). Otherwise the die is asked about.
    """
    answers = answers or {}
    values: dict[str, list[int]] = {}
    probability = 1.0
    for colour, count in capabilities.dice(rules).expected_dice(state).items():
        found = _found(dice, colour, answers)
        if len(found) > count:
            extra = about_extra(colour)
            return Verdict(
                (), _extra_question(extra, found), "dice_extra", {"colour": colour, "expected": count}
            )
        for i in range(count):
            about = about_die(colour, i)
            die = found[i] if i < len(found) else None
            if about in answers:
                values.setdefault(colour, []).append(int(answers[about]))
            elif die is None:
                return Verdict((), die_question(about, None), "dice_missing", {"colour": colour})
            elif (value := _value_to_go_on_with(die) if goes_on else _clear_value(die)) is None:
                return Verdict(question=die_question(about, die))
            else:
                values.setdefault(colour, []).append(value)
                probability *= die.value_probabilities[value - 1]
    return Verdict((Explanation((capabilities.dice(rules).roll_move(state, values),), probability),))


def readings_of_roll(
    rules: Rules, state: Any, dice: Sequence[DieReading], answers: Mapping[str, str]
) -> tuple[DieReading, ...]:
    """Returns the readings of a roll that :func:`explain_roll` has explained, those of each colour in the order of its
    values, and then those of anything else. What people said of a die is certain."""
    of_roll: list[DieReading] = []
    for colour, count in capabilities.dice(rules).expected_dice(state).items():
        for i, die in enumerate(_found(dice, colour, answers)[:count]):
            answered = answers.get(about_die(colour, i))
            of_roll.append(die if answered is None else certain(die, int(answered)))
    boxes = [die.box for die in of_roll]
    return (*of_roll, *(die for die in dice if die.box not in boxes))


def _clear_value(die: DieReading) -> int | None:
    return die.value if die.confidence >= DIE_CLEAR else None


def _value_to_go_on_with(die: DieReading) -> int | None:
    """Returns the likeliest value of a die whose face is seen; None if it is not, or shows nothing."""
    if die.value is not None or die.reason != UNCLEAR:
        return die.value
    probabilities = die.value_probabilities
    best = max(probabilities)
    return 1 + probabilities.index(best) if best >= LEAST_TO_GO_ON else None


def certain(die: DieReading, value: int) -> DieReading:
    """Returns the reading of a die of which people have said what it shows."""
    shown = tuple(float(v == value) for v in VALUES)
    return replace(die, value=value, confidence=1.0, reason=None, probabilities=shown)


def is_doubtful(die: DieReading) -> bool:
    """Returns whether the value of a die was read with doubt."""
    return max(die.value_probabilities) < DIE_CLEAR


def about_die(colour: str, index: int) -> str:
    """Returns the ``about`` of a question about a die: not its name alone, which may be a place's (``black:0``)."""
    return f"die:{colour}:{index}"


def about_extra(colour: str) -> str:
    """Returns the ``about`` of the question which die of a colour was not rolled."""
    return f"extra:{colour}"


def die_question(about: str, die: DieReading | None) -> Question:
    """Returns the question what a die shows, given its reading; None if it is missing."""
    if die is None:
        equal = tuple(Option(str(value), 1 / 6) for value in VALUES)
        return Question("die", about, equal, reason="missing", seen=False)
    probabilities = zip(VALUES, die.value_probabilities, strict=True)
    options = sorted((Option(str(v), p) for v, p in probabilities), key=lambda option: -option.probability)
    is_seen = die.value is not None
    return Question("die", about, tuple(options), die.box, die.reason or "doubtful", seen=is_seen)


def _found(dice: Sequence[DieReading], colour: str, answers: Mapping[str, str]) -> list[DieReading]:
    """Returns the dice of a colour without the one of which people said that it was not rolled."""
    extra = answers.get(about_extra(colour))
    return [die for die in dice if die.colour == colour and _spot(die) != extra]


def _extra_question(about: str, found: Sequence[DieReading]) -> Question:
    """Asks which of the dice was not rolled, or is no die: the least certain readings come first.

    No answer is more likely than another if all are clearly dice.
    """
    doubt = [1 - die.confidence for die in found]
    options = [Option(_spot(die), d / max(sum(doubt), 1e-9)) for die, d in zip(found, doubt, strict=True)]
    ranked = tuple(sorted(options, key=lambda o: -o.probability))[:OPTIONS]
    return Question("extra", about, ranked, seen=any(die.confidence < DIE_CLEAR for die in found))


def _spot(die: DieReading) -> str:
    return ",".join(map(str, die.box))
