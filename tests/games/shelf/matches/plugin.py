"""The game of matches, for the registry."""

from __future__ import annotations

from companion.games.registry import GamePlugin

from .rules import Matches


RULES = Matches()
PLUGIN = GamePlugin("matches", lambda: RULES)
