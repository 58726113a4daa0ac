"""The game of pebbles, for the registry: what another game needs to be written in its own words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.games.narration import Narration
from companion.games.registry import GamePlugin
from companion.games.text import Text

from .rules import Pebbles


def place(text: Text, name: str) -> str:
    return text("place.heap", nth=int(name.partition(":")[2]))


def mismatch(text: Text, found: Mapping[str, Any]) -> str:
    return place(text, found["place"])


def plain(text: Text, name: str) -> str:
    return name


NARRATION = Narration(
    formatters={"heap": lambda text, value, data: place(text, f"heap:{value}")},
    tile=lambda text, label: text(f"tile.{label}"),
    the_tile=plain,
    place=place,
    place_group=lambda text, name: text(f"group.{name}"),
    amount=lambda text, what, count: str(count),
    count_name=plain,
    setup_step=lambda text, step, edition: place(text, step["place"]),
    piece=mismatch,
    mismatch=mismatch,
)

RULES = Pebbles()
PLUGIN = GamePlugin("pebbles", lambda: RULES, Path(__file__).with_name("texts"), NARRATION, is_default=True)
