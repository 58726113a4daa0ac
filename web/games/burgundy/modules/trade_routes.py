"""Trade routes: the strip of squares below a player's board, and what a sale would cover of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games.api import Rules
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


def none_of(legal: Iterable[Move]) -> Move | None:
    """Returns the answer that no square in question pays; None if nothing is asked."""
    return next((move for move in legal if move["word"] == "square" and move["number"] is None), None)


def by_square(legal: Iterable[Move]) -> dict[tuple[int, int], list[Move]]:
    """Returns the answers that a square pays, by the square and the goods there."""
    paying = (move for move in legal if move["word"] == "square" and move["number"] is not None)
    found: dict[tuple[int, int], list[Move]] = {}
    for move in paying:
        found.setdefault((move["squares"][0], move["number"]), []).append(move)
    return found


class Answers(NamedTuple):
    """The answers to a question about squares: each the index of an option, and its last move."""

    whole: list[int]
    """Those that are shown as they are: that nothing pays, or more than one thing that does."""
    by_square: dict[tuple[int, int], list[tuple[int, Move]]]
    """Those that a square is the first to pay, by the square and the goods there."""


def answers_to(question: Mapping[str, Any], rules: Rules) -> Answers:
    """Returns the answers to a question about squares in the order in which they are shown."""
    whole: list[int] = []
    paying: dict[tuple[int, int], list[tuple[int, Move]]] = {}
    for index, option in enumerate(question["options"]):
        moves = (rules.describe(rules.parse_move(text)) for text in option["value"].split("; "))
        *before, last = moves
        if last["number"] is None or any(move["number"] is not None for move in before):
            whole.append(index)
        else:
            paying.setdefault((last["squares"][0], last["number"]), []).append((index, last))
    return Answers(whole, dict(sorted(paying.items())))


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
