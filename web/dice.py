"""How the page draws dice, and which of them can be corrected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games import capabilities
from companion.journal import Entry
from companion.session import TableSession
from companion.session.snapshot import QuestionView

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
    rolls = (_dice_in(session, entry) for entry in reversed(session.entries()))
    return next(filter(None, rolls), [])


def fresh_dice(session: TableSession) -> list[str]:
    """Returns the names of the dice that were rolled last of all, and can still be corrected."""
    entries = session.entries()
    return _dice_in(session, entries[-1]) if entries else []


def _dice_in(session: TableSession, entry: Entry) -> list[str]:
    dice = capabilities.dice(session.rules).dice_of(entry.moves[0])
    return [f"{colour}:{i}" for colour, values in dice.items() for i in range(len(values))]


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
