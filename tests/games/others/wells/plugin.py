"""The game of wells, for the registry."""

from __future__ import annotations

from pathlib import Path

from companion.games.narration import Narration
from companion.games.registry import GamePlugin

from .rules import Wells

RULES = Wells()
NARRATION = Narration(
    tile=lambda text, label: label,
    the_tile=lambda text, label: label,
    place=lambda text, name: name,
    place_group=lambda text, group: group,
    amount=lambda text, what, count: f"{count} {what}",
    count_name=lambda text, what: what,
    setup_step=lambda text, step, edition: "",
    piece=lambda text, piece: "",
    mismatch=lambda text, mismatch: "",
)
PLUGIN = GamePlugin("wells", lambda: RULES, Path(__file__).with_name("texts"), NARRATION, title="Wells")
