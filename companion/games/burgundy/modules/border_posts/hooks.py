"""What border posts change in the base rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...rules.events import Event
from ...rules.hooks import Hooks
from ...rules.setup_steps import Step
from ...rules.state import OVER, GameState, Player, Seat
from ...rules.tiles import Tile
from .links import PAIRS, Pair, linked, missing, side_of
from .rewards import border_tile_points, can_pay, counts_as_bonus_tile, reward_links
from .state import BORDER, MODULE, links_of

MONASTERY = "monastery_26"
"""The monastery that counts bonus tiles, as a source of points."""


class BorderPostHooks(Hooks):
    """The rules of games with border posts."""

    def steps_before_game(self, game: GameState) -> Iterator[Step]:
        yield from super().steps_before_game(game)
        yield {"step": "border_tiles"}

    def after_placing(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        super().after_placing(game, player, placed, space, events)
        reward_links(game, player, space, events)

    def monastery_points(self, game: GameState, player: Player) -> dict[str, int]:
        """Leaves the border tile out where the group does not count it as a bonus tile."""
        points = super().monastery_points(game, player)
        if MONASTERY in points and not counts_as_bonus_tile(game):
            points[MONASTERY] -= game.edition.points_per_bonus_tile * player.bonus_tiles.count(BORDER)
        return {source: value for source, value in points.items() if value}

    def evaluate(self, game: GameState, player: Player) -> float:
        """Adds what links would bring, each divided by the tiles that are missing and one."""
        return super().evaluate(game, player) + _expected_points(game, player)

    def view_of(self, game: GameState, seat: Seat) -> dict[str, dict[str, Any]]:
        view = super().view_of(game, seat)
        if isinstance(seat, Player):
            view["players"][MODULE] = list(_posts(game, seat))
        return view

    def view_of_board(self, game: GameState) -> dict[str, Any]:
        return {**super().view_of_board(game), MODULE: {"tiles_left": links_of(game).tiles_left}}


def _expected_points(game: GameState, player: Player) -> float:
    """Returns what a bot expects of the posts that a person has not linked."""
    if game.stage == OVER:
        return 0.0
    spots, paid = links_of(game).spots, links_of(game).paid.get(player.colour, frozenset())
    left = {pair: missing(player.duchy, player.occupied, spots, pair) for pair in PAIRS}
    phase_points = game.edition.phase_points[game.phase_letter] if can_pay(game, player.colour) else 0
    value = sum(phase_points / (tiles + 1) for pair, tiles in left.items() if tiles and pair not in paid)
    if BORDER not in player.bonus_tiles and any(left.values()) and None not in left.values():
        value += border_tile_points(game, player) / (sum(filter(None, left.values())) + 1)
    return value


def _posts(game: GameState, player: Player) -> Iterator[dict[str, Any]]:
    """Yields each post as plain data: what it touches, where it stands, and how it is linked.

    ``missing_to`` has for every post the tiles missing to it, ``missing`` the fewest to one to which it is not linked;
    None where nothing is missing, or nothing joins them.
    """
    spots, occupied = links_of(game).spots, player.occupied
    pairs = linked(player.duchy, occupied, spots)
    for post, spot in enumerate(spots):
        to = [
            None if other == post else missing(player.duchy, occupied, spots, _pair(post, other)) or None
            for other in range(len(spots))
        ]
        yield {
            "touches": list(spot),
            "side": side_of(player.duchy, spot),
            "linked": [other for other in range(len(spots)) if _pair(post, other) in pairs],
            "missing": min(filter(None, to), default=None),
            "missing_to": to,
        }


def _pair(one: int, other: int) -> Pair:
    return min(one, other), max(one, other)
