"""The game of pips, for the registry."""

from __future__ import annotations

from pathlib import Path

from companion.games.registry import GamePlugin
from tests.games.others.plain import NARRATION

from .rules import Pips

RULES = Pips()
PLUGIN = GamePlugin("pips", lambda: RULES, Path(__file__).with_name("texts"), NARRATION, title="Pips")
