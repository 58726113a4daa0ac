"""The game of wells, for the registry."""

from __future__ import annotations

from pathlib import Path

from companion.games.registry import GamePlugin
from tests.games.others.plain import NARRATION

from .rules import Wells

RULES = Wells()
PLUGIN = GamePlugin("wells", lambda: RULES, Path(__file__).with_name("texts"), NARRATION, title="Wells")
