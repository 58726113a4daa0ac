"""Trade routes: the strip of squares below a player's board, and what a sale would cover of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.games.burgundy.rules.tiles import GOODS

from .page import NO_HEADING, ModulePage, Move, View

ICONS = {
    "silver_2": ("silver", "2"),
    "points_4": ("bonus", "4"),
    "workers_4": ("worker", "4"),
    "take_building": ("building", ""),
    "take_castle_mine_monastery": ("castle", ""),
    "take_ship_or_livestock": ("ship", ""),
    "take_any_hex": ("duchy", ""),
    "sell_goods": ("sold", ""),
    "place_tile": ("carpenter", ""),
    "extra_action": ("action", ""),
}
"""Bonus -> the icon and the number that stand for it."""
NAME = "trade_routes"
LETTERS = "abcdefghijkl"
"""What the twelve tiles of a box are called, as none is printed on them."""
NUMBERS = GOODS
SQUARES = range(3)


def next_square(route: Sequence[Mapping[str, Any]]) -> int | None:
    """Returns the index of the first square without goods; None on a full route."""
    return next((index for index, square in enumerate(route) if square["goods"] is None), None)


def answers(legal: Iterable[Move]) -> list[Move]:
    """Returns the answers to what is printed on a square, the one without a bonus first; none if nothing is asked."""
    return sorted(
        (move for move in legal if move["word"] == "square"), key=lambda move: move["number"] is not None
    )


def sale_of(view: View, goods: int | str) -> Sequence[Mapping[str, Any]]:
    """Returns the squares that the current player's sale of a kind would cover."""
    player = next(player for player in view["players"] if player["colour"] == view["to_move"])
    squares: Sequence[Mapping[str, Any]] = player["route_sales"].get(str(goods), ())
    return squares


def print_form(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the tiles that the owner has answered, by letter, and the letter of the next one, if there is one."""
    tiles = answers.get(NAME, {})
    return {"tiles": tiles, "next": next((letter for letter in LETTERS if letter not in tiles), None)}


PAGE = ModulePage(
    print_form=print_form,
    draw=sys.modules[__name__],
    groups={"square": NO_HEADING, "route": "sell"},
    signs={"square": "sold", "route": "sold"},
)
