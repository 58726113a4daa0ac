"""Border posts: flags at the edge of a duchy, and what is missing between them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import hypot
from typing import Any, NamedTuple

from flask import Blueprint, render_template

from companion.games.burgundy.modules.border_posts.links import side_of
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.view import of_board

from ....context import page_context, translator
from .. import drawing
from ..drawing import Board, Space
from ..seats import seat_with
from .page import ModulePage, View

NAME = "border_posts"
OUTWARDS = 15.0
"""From the spaces that a post touches to its flag, in units of the drawing."""
TAPPED = 23.0
"""From there to the middle of what is tapped: so far outside that it takes little from the spaces."""

sheets = Blueprint(NAME, __name__)


class Flag(NamedTuple):
    """A border post to draw."""

    x: float
    y: float
    side: str
    """Where it is: text ``side.SIDE``."""
    is_linked: bool
    """With any other."""
    tapped: tuple[float, float]
    """Middle of what is tapped, from the flag."""


class Pair(NamedTuple):
    """Two border posts."""

    one: Flag
    other: Flag
    is_linked: bool
    missing: int | None
    """Tiles that are missing at least; None if they are linked, or cannot be any more."""


def flags(player: View, board: Board) -> list[Flag]:
    """Returns a player's border posts."""
    return [_flag(board, post["touches"], post["side"], bool(post["linked"])) for post in player[NAME]]


def pairs(player: View, board: Board) -> list[Pair]:
    """Returns the pairs of a player's border posts."""
    posts = list(zip(player[NAME], flags(player, board), strict=True))
    return [
        Pair(flag, other_flag, there in post["linked"], post["missing_to"][there])
        for (_, (post, flag)), (there, (_, other_flag)) in combinations(enumerate(posts), 2)
    ]


def linked_pairs(player: View) -> int:
    """Returns how many pairs of a player's border posts are linked."""
    return sum(len(post["linked"]) for post in player[NAME]) // 2


def _middle(spaces: Sequence[Space]) -> tuple[float, float]:
    return sum(space.x for space in spaces) / len(spaces), sum(space.y for space in spaces) / len(spaces)


def _flag(board: Board, touches: Sequence[int], side: str, is_linked: bool) -> Flag:
    (x, y), (to_x, to_y) = (_outside(board, touches, distance) for distance in (OUTWARDS, TAPPED))
    return Flag(round(x, 2), round(y, 2), side, is_linked, (round(to_x - x, 2), round(to_y - y, 2)))


def _outside(board: Board, touches: Sequence[int], distance: float) -> tuple[float, float]:
    """Returns the point outside a board at a *distance* from the one or two spaces that a post touches."""
    touched = [board.spaces[index] for index in touches]
    (x, y), middle = _middle(touched), _middle(board.spaces)
    across, down = x - middle[0], y - middle[1]
    if len(touched) == 2:  # beside the edge that the two spaces share
        one, other = touched
        along = other.y - one.y, one.x - other.x
        outwards = 1 if along[0] * across + along[1] * down > 0 else -1
        across, down = outwards * along[0], outwards * along[1]
    length = hypot(across, down) or 1.0
    return x + distance * across / length, y + distance * down / length


@sheets.get("/border-posts/<player>")
def border_posts(player: str) -> str:
    """Shows which of a player's border posts are linked, and what is missing between the others."""
    view = page_context().session.snapshot()["view"]
    seat = seat_with(view, player, NAME)
    edition = burgundy().editions[view["edition"]]
    return render_template(
        "burgundy/modules/border_posts/sheet.html",
        t=translator(view),
        player=player,
        pairs=pairs(seat, drawing.board(seat, {})),
        points=edition.phase_points[view["phase"]],
        tiles_left=view[NAME]["tiles_left"],
    )


def print_form(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a duchy with every place where a post can be, and the marked places: the owner's, else the known ones."""
    printed = burgundy().modules[NAME].printed  # type: ignore[attr-defined]  # its own attribute
    places = answers.get(NAME, {}).get("places", printed.spots)
    duchy = next(iter(burgundy().duchies.values()))
    board = drawing.board({"colour": "", **of_board(duchy, [None] * len(duchy.spaces))}, {})
    return {
        "board": board,
        "spots": [
            (list(spot), _flag(board, spot, side_of(duchy, spot), is_linked=False))
            for spot in printed.possible_spots
        ],
        "marked": [list(place) for place in places],
    }


PAGE = ModulePage(draw=sys.modules[__name__], sheets=sheets, print_form=print_form)
