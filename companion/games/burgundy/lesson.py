"""The lesson: two rounds against a bot, which show every kind of action once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.lesson import LESSON, SEED, Lesson, Step

LEARNER, OPPONENT = "red", "blue"
Move = Mapping[str, Any]


def _is(word: str, **fields: Any) -> Callable[[Move], bool]:
    """Returns whether a move is described by *word* and has these *fields*."""
    return lambda move: (
        move["word"] == word and all(move.get(name) == value for name, value in fields.items())
    )


def _costs_workers(move: Move) -> bool:
    return bool(move.get("workers")) and move["word"] in ("take", "place")


BURGUNDY_LESSON = Lesson(
    setup={
        "game": "burgundy",
        "edition": "special",
        "players": [
            {"colour": LEARNER, "duchy": "se-1"},
            {"colour": OPPONENT, "duchy": "se-2", "bot": "greedy"},
        ],
        LESSON: True,
        SEED: "lesson 74",
    },
    learner=LEARNER,
    start=(f"castle {LEARNER} 18", f"castle {OPPONENT} 18"),
    steps=(
        Step("goal"),
        Step("dice"),
        Step("take", _is("take", workers=0)),
        Step("place", _is("place", workers=0)),
        Step("placed"),
        Step("end", _is("end")),
        Step("workers", _is("workers")),
        Step("change_die", _costs_workers),
        Step("end_again", _is("end")),
        Step("sell", _is("sell", workers=0)),
        Step("buy", _is("buy")),
        Step("areas"),
        Step("phases"),
    ),
)
