"""Border posts: flags at the edge of a duchy, and what is missing between them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import hypot
from typing import Any, NamedTuple

from flask import Blueprint, render_template

from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.view import of_board

from ....context import page_context, translator
from .. import drawing
from ..drawing import Board
from ..seats import seat_with
from .page import ModulePage, View

NAME = "border_posts"
OUTWARDS = 15.0
"""From the spaces that a post touches to its flag, in units of the drawing."""
STRAIGHT = 2.5
"""A post is not at a corner if it is this many times further in one direction than in the other."""

DIRECTIONS = {
    (-1, -1): "top_left",
    (0, -1): "top",
    (1, -1): "top_right",
    (-1, 0): "left",
    (1, 0): "right",
    (-1, 1): "bottom_left",
    (0, 1): "bottom",
    (1, 1): "bottom_right",
}
"""To the right and down, from the middle of a duchy -> the name of the direction."""

sheets = Blueprint(NAME, __name__)


class Flag(NamedTuple):
    """A border post to draw."""

    x: float
    y: float
    at: str
    """Where it is: text ``border_post.AT``."""
    is_linked: bool
    """With any other."""


class Pair(NamedTuple):
    """Two border posts."""

    one: Flag
    other: Flag
    is_linked: bool
    missing: int | None
    """Tiles that are missing at least; None if they are linked, or cannot be any more."""


def flags(player: View, board: Board) -> list[Flag]:
    """Returns a player's border posts."""
    middle = _middle([(space.x, space.y) for space in board.spaces])
    return [
        _flag([(board.spaces[i].x, board.spaces[i].y) for i in post["touches"]], middle, bool(post["linked"]))
        for post in player["border_posts"]
    ]


def pairs(player: View, board: Board) -> list[Pair]:
    """Returns the pairs of a player's border posts."""
    posts = list(zip(player["border_posts"], flags(player, board), strict=True))
    return [
        Pair(flag, other_flag, there in post["linked"], post["missing_to"][there])
        for (_, (post, flag)), (there, (_, other_flag)) in combinations(enumerate(posts), 2)
    ]


def linked_pairs(player: View) -> int:
    """Returns how many pairs of a player's border posts are linked."""
    return sum(len(post["linked"]) for post in player["border_posts"]) // 2


def _middle(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _flag(touched: Sequence[tuple[float, float]], middle: tuple[float, float], is_linked: bool) -> Flag:
    x, y = _middle(touched)
    across, down = x - middle[0], y - middle[1]
    if len(touched) == 2:  # beside the edge that the two spaces share
        (x1, y1), (x2, y2) = touched
        along = y2 - y1, x1 - x2
        outwards = 1 if along[0] * across + along[1] * down > 0 else -1
        direction = outwards * along[0], outwards * along[1]
    else:
        direction = across, down
    length = hypot(*direction) or 1.0
    at = x + OUTWARDS * direction[0] / length, y + OUTWARDS * direction[1] / length
    return Flag(round(at[0], 2), round(at[1], 2), _where(across, down), is_linked)


def _where(across: float, down: float) -> str:
    """Returns the name of a direction from the middle."""
    sideways = 0 if abs(down) > STRAIGHT * abs(across) else 1 if across > 0 else -1
    vertical = 0 if abs(across) > STRAIGHT * abs(down) else 1 if down > 0 else -1
    return DIRECTIONS[sideways, vertical]


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
    middle = _middle([(space.x, space.y) for space in board.spaces])
    return {
        "board": board,
        "spots": [
            (list(spot), _flag([(board.spaces[i].x, board.spaces[i].y) for i in spot], middle, False))
            for spot in printed.possible_spots
        ],
        "marked": [list(place) for place in places],
    }


PAGE = ModulePage(draw=sys.modules[__name__], sheets=sheets, print_form=print_form)
