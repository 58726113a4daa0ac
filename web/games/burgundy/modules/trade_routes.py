"""Trade routes: the strip of squares below a player's board, and what a sale would cover of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from flask import Blueprint, abort, render_template, request

from companion.games.api import Rules
from companion.games.burgundy.rules.tiles import GOODS
from companion.session import TableSession

from ....context import page_context, translator
from ..seats import seat_with
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

Printed = tuple[int, str]
"""Number and bonus of a square."""

sheets = Blueprint(NAME, __name__)


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

    complete: list[int]
    """Those that are shown as they are: that nothing pays, or more than one thing that does."""
    by_square: dict[tuple[int, int], list[tuple[int, Move]]]
    """Those that a square is the first to pay, by the square and the goods there."""


def answers_to(question: Mapping[str, Any], rules: Rules) -> Answers:
    """Returns the answers to a question about squares in the order in which they are shown."""
    complete: list[int] = []
    paying: dict[tuple[int, int], list[tuple[int, Move]]] = {}
    for index, option in enumerate(question["options"]):
        moves = (rules.describe(rules.parse_move(text)) for text in option["value"].split("; "))
        *before, last = moves
        if last["number"] is None or any(move["number"] is not None for move in before):
            complete.append(index)
        else:
            paying.setdefault((last["squares"][0], last["number"]), []).append((index, last))
    return Answers(complete, dict(sorted(paying.items())))


def sale_of(view: View, goods: int | str) -> Sequence[Mapping[str, Any]]:
    """Returns the squares that the current player's sale of a kind would cover."""
    player = next(player for player in view["players"] if player["colour"] == view["to_move"])
    squares: Sequence[Mapping[str, Any]] = player["route_sales"].get(str(goods), ())
    return squares


def tiles_of(route: Sequence[View]) -> list[Sequence[View]]:
    """Returns the squares of a route, tile by tile."""
    return [route[first : first + len(SQUARES)] for first in range(0, len(route), len(SQUARES))]


@sheets.get("/trade-route/<player>/<int:number>")
def tile(player: str, number: int) -> str:
    """Shows a tile of a player's trade route, counted from 1, and asks what is printed there as long as nobody knows.

    ``?chosen=`` has what was tapped so far: number and bonus of each unknown square, from the left.
    """
    session = page_context().session
    view = session.snapshot()["view"]
    tiles = tiles_of(seat_with(view, player, "route")["route"])
    if not 1 <= number <= len(tiles):
        abort(404)
    squares = tiles[number - 1]
    chosen = request.args.getlist("chosen")
    return render_template(
        "burgundy/modules/trade_routes/sheet.html",
        t=translator(view),
        player=player,
        number=number,
        first=(number - 1) * len(SQUARES) + 1,
        squares=squares,
        chosen=chosen,
        filled=_filled(squares, chosen),
        candidates=_candidates(session, view, player, number, squares),
        report=lambda value: _report(player, number, _filled(squares, [*chosen, value])),
        of_page=sys.modules[__name__],
    )


def _filled(squares: Sequence[View], chosen: Sequence[str]) -> list[Printed]:
    """Returns the squares from the left as far as they are known or have been chosen; the last one may have no bonus
    yet. Aborts with 404 if something else was chosen than what is offered."""
    rest, filled = list(chosen), list[Printed]()
    for square in squares:
        if square["known"]:
            filled.append((square["number"], square["bonus"]))
        elif rest:
            value, bonus = rest.pop(0), rest.pop(0) if rest else ""
            if value not in map(str, NUMBERS) or bonus not in ("", *ICONS):
                abort(404)
            filled.append((int(value), bonus))
            if not bonus:
                break
        else:
            break
    if rest:
        abort(404)
    return filled


def _candidates(
    session: TableSession, view: View, player: str, number: int, squares: Sequence[View]
) -> list[tuple[list[Printed], str]]:
    """Returns the known tiles that may lie there, with the notation of the report; none if it is known what does."""
    if all(square["known"] for square in squares):
        return []
    known = [*view[NAME]["tiles"].values(), *view[NAME]["seen"]]
    texts = {_notation(player, number, tile): [tuple(square) for square in tile] for tile in known}

    def possible(session: TableSession) -> list[str]:
        rules, state = session.rules, session.state
        return [text for text in texts if rules.validate(state, rules.parse_move(text)) is None]

    return [(texts[text], text) for text in session.read(possible)]


def _report(player: str, number: int, filled: Sequence[Printed]) -> str | None:
    """Returns the report of a tile; None if something of it is still missing."""
    is_complete = len(filled) == len(SQUARES) and all(bonus for _, bonus in filled)
    return _notation(player, number, filled) if is_complete else None


def _notation(player: str, number: int, printed: Sequence[Sequence[Any]]) -> str:
    return f"route {player} {number} " + ",".join(f"{value}:{bonus}" for value, bonus in printed)


def print_form(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the tiles that the owner has answered, by letter, and the letter of the next one, if there is one."""
    tiles = answers.get(NAME, {})
    return {"tiles": tiles, "next": next((letter for letter in LETTERS if letter not in tiles), None)}


PAGE = ModulePage(
    print_form=print_form,
    draw=sys.modules[__name__],
    sheets=sheets,
    groups={"square": NO_HEADING, "route": "sell"},
    signs={"square": "sold", "route": "sold"},
)
