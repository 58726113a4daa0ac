"""The game of matches, for the registry."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.games.narration import Narration
from companion.games.registry import GamePlugin
from companion.games.setup import SEVERAL, Option, SimpleSetup
from companion.games.text import Text

from .rules import GOALS_REPORTED, Matches

RULES = Matches()


def place(text: Text, name: str) -> str:
    return text("place.heap", number=int(name.partition(":")[2]) + 1)


def heap(text: Text, value: Any, data: Mapping[str, Any]) -> str:
    return place(text, f"heap:{data['what']}")


NARRATION = Narration(
    formatters={
        "heap": heap,
        "goal_name": lambda text, value, data: text(f"goal.{data.get('goal') or data['how']}"),
    },
    derived_fields=frozenset({"heap", "goal_name"}),
    tile=lambda text, label: label,
    the_tile=lambda text, label: label,
    place=place,
    place_group=lambda text, group: group,
    amount=lambda text, what, count: f"{count} {what}",
    count_name=lambda text, what: what,
    setup_step=lambda text, step, edition: str(step["step"]),
    piece=lambda text, piece: str(piece["label"]),
    mismatch=lambda text, mismatch: str(mismatch["code"]),
)
PLUGIN = GamePlugin(
    "matches",
    lambda: RULES,
    Path(__file__).with_name("texts"),
    NARRATION,
    title="Matches",
    setup=SimpleSetup(2, 2, [Option("told", [GOALS_REPORTED], [GOALS_REPORTED], kind=SEVERAL)]),
)
