"""The part that a room of the project has for one game: its package ``ROOM.games.GAME``, found by name."""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType


def part(room: str, game: str) -> ModuleType | None:
    """Returns what the *room* (a package such as ``web``) has for a game; None if it has nothing for it."""
    name = f"{room}.games.{game}"
    try:
        is_there = importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # the room has no part for any game
        is_there = False
    return importlib.import_module(name) if is_there else None
