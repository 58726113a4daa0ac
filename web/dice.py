"""How the page draws dice, and which of them can be corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.session import TableSession, roll_doubt
from companion.session.snapshot import DieView, QuestionView

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Positions of the pips relative to the centre of a die, in thirds of its width."""


def rolled_dice(session: TableSession) -> list[str]:
    """Returns the names of the dice of the last roll (``red:0``, ``white:0``)."""
    return [die.name for die in roll_doubt.rolled_dice(session.rules, session.entries())]


def on_table(rolled: Sequence[DieView], colour: str, values: Sequence[int]) -> list[DieView | None]:
    """Returns for each of the *values* of the dice of a colour that are not used yet, in the order in which they were
    *rolled*, the die; None if it was not rolled."""
    left = [die for die in rolled if die["name"].partition(":")[0] == colour]
    found: list[DieView | None] = []
    for value in values:
        found.append(next((die for die in left if die["value"] == value), None))
        left = [die for die in left if die is not found[-1]]
    return found


def die_colour(question: QuestionView) -> str:
    """Returns the colour of the die or dice in *question*."""
    return question["about"].split(":")[1]


def die_asked_about(question: QuestionView, sighting: Mapping[str, Any]) -> str:
    """Returns where the die in *question* lies relative to the other die of its colour in the camera picture: ``left``,
    ``right``, ``upper`` or ``lower``; ``alone`` if no other is seen."""
    assert question["box"] is not None
    colour, box = die_colour(question), list(question["box"])
    other = next((d["box"] for d in sighting["dice"] if d["colour"] == colour and d["box"] != box), None)
    if other is None:
        return "alone"
    across, down = box[0] - other[0], box[1] - other[1]
    if abs(across) >= abs(down):
        return "left" if across < 0 else "right"
    return "upper" if down < 0 else "lower"
