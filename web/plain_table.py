"""What the common page draws of a game: the players' boards as text, and pieces that are placed freely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.games import capabilities
from companion.games.api import Rules
from companion.games.choices import PlacedPiece

from .game_page import GamePart

MARGIN_MM = 10


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """Pieces that lie free beside each other."""

    name: str
    pieces: Sequence[PlacedPiece]

    @property
    def view_box(self) -> str:
        """Returns the part of the table that the drawing shows, in mm: left, top, width and height."""
        reach = [max(piece.size_mm) / 2 + MARGIN_MM for piece in self.pieces]  # whichever way it is turned
        left, right, top, bottom = (
            limit(getattr(piece, at) + sign * far for piece, far in zip(self.pieces, reach, strict=True))
            for at in ("x_mm", "y_mm")
            for limit, sign in ((min, -1), (max, 1))
        )
        return f"{left:g} {top:g} {right - left:g} {bottom - top:g}"


def plain_table(part: GamePart, rules: Rules, state: Any) -> dict[str, Any]:
    """Returns what the templates draw of a game whose page does not draw it itself.

    ``text_boards`` are the players' boards by colour, ``free_pieces`` the :class:`PieceGroup` s with pieces.
    """
    if not part.is_plain:
        return {"text_boards": {}, "free_pieces": ()}
    placed = capabilities.freely_placed(rules).placed_pieces(state)
    return {
        "text_boards": {colour: rules.text_board(state, colour) for colour in rules.ranking(state)},
        "free_pieces": [PieceGroup(group, pieces) for group, pieces in placed.items() if pieces],
    }
