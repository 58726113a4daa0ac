"""The page's part of the game of matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from web.game_page import GamePage


def moves_at(
    place: str, view: Mapping[str, Any], legal: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Returns the moves that take matches from a heap (``heap:1``)."""
    return [move for move in legal if move["word"] == "take" and place == f"heap:{move['what']}"]


PAGE = GamePage(moves_at=moves_at, reported_by_moves=("take",))
