"""The roll on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games import capabilities
from companion.games.api import Rules
from vision.sighting import DieReading

from .verdict import OPTIONS, Explanation, Option, Question, Verdict

DIE_CLEAR = 0.8
"""A die read with at least this confidence is taken as read."""


def explain_roll(
    rules: Rules, state: Any, dice: Sequence[DieReading], answers: Mapping[str, str] | None = None
) -> Verdict:
    """Returns the roll on the table. *answers* holds values that players have entered, by what was asked
    (:func:`about_die`)."""
    answers = answers or {}
    values: dict[str, list[int]] = {}
    probability = 1.0
    for colour, count in capabilities.dice(rules).expected_dice(state).items():
        extra = f"extra:{colour}"
        found = [die for die in dice if die.colour == colour and _spot(die) != answers.get(extra)]
        if len(found) > count:
            return Verdict(
                (), _extra_question(extra, found), "dice_extra", {"colour": colour, "expected": count}
            )
        for i in range(count):
            about = about_die(colour, i)
            die = found[i] if i < len(found) else None
            if about in answers:
                values.setdefault(colour, []).append(int(answers[about]))
            elif die is None:
                return Verdict((), _die_question(about, None), "dice_missing", {"colour": colour})
            elif die.value is None or die.confidence < DIE_CLEAR:
                return Verdict(question=_die_question(about, die))
            else:
                values.setdefault(colour, []).append(die.value)
                probability *= die.confidence
    return Verdict((Explanation((capabilities.dice(rules).roll_move(state, values),), probability),))


def about_die(colour: str, index: int) -> str:
    """Returns the ``about`` of a question about a die: not its name alone, which may be a place's (``black:0``)."""
    return f"die:{colour}:{index}"


def _die_question(about: str, die: DieReading | None) -> Question:
    seen = die.value if die is not None and die.value is not None else None
    confidence = die.confidence if die is not None and seen is not None else 1 / 6
    options = [Option(str(v), confidence if v == seen else (1 - confidence) / 5) for v in range(1, 7)]
    options.sort(key=lambda option: -option.probability)
    if die is None:
        return Question("die", about, tuple(options), reason="missing", seen=False)
    return Question("die", about, tuple(options), die.box, die.reason or "doubtful", seen=seen is not None)


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
