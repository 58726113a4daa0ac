"""The game of matches, for the registry."""

from __future__ import annotations

from pathlib import Path

from companion.games.narration import Narration
from companion.games.registry import GamePlugin

from .rules import Matches

RULES = Matches()
NARRATION = Narration(
    tile=lambda text, label: label,
    the_tile=lambda text, label: label,
    place=lambda text, place: place,
    place_group=lambda text, group: group,
    amount=lambda text, what, count: f"{count} {what}",
    count_name=lambda text, what: what,
    setup_step=lambda text, step, edition: str(step["step"]),
    piece=lambda text, piece: str(piece["label"]),
    mismatch=lambda text, mismatch: str(mismatch["code"]),
)
PLUGIN = GamePlugin("matches", lambda: RULES, Path(__file__).with_name("texts"), NARRATION)
