"""Positions with border posts on duchy 23, where they are printed: left, right and at the bottom."""

from __future__ import annotations

from typing import Any

from companion.games.burgundy.rules import Event, GameState
from tests.support.module_positions import module_turn
from tests.support.positions import play, store

POSTS = ["border_posts"]
LINE = (4, 5, 6, 7, 8)
"""The monasteries of duchy 23, from the left post to the right one."""
DOWN = (9, 16, 23, 29, 34)
"""Its ships, from the left post to the bottom one."""
FIRST_ONLY = {"border_links": "first_only"}
NOT_COUNTED = {"border_tile_counts": "off"}


def post_turn(dice: tuple[int, int] = (4, 1), **options: Any) -> GameState:
    """Returns red's first turn, as :func:`.module_turn` does; everybody has a castle on space 0."""
    return module_turn(POSTS, dice, **{"duchy": "se-23", "castle": 0, **options})


def place_monastery(game: GameState) -> list[Event]:
    """Places the last tile of the line from left to right."""
    store(game, "monastery/14")
    return play(game, "place monastery/14 8 die 4")


def place_ship(game: GameState) -> list[Event]:
    """Places the last tile of the line from the left post to the bottom one."""
    store(game, "ship")
    return play(game, "place ship 34 die 4")


def links_in(events: list[Event]) -> list[int]:
    """Returns the points of each link among the events."""
    return [event.points for event in events if event.kind == "border_link"]
