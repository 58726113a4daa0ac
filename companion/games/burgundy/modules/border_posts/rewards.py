"""What linked border posts bring: the points of the phase, and the bonus tiles of the main board."""

from __future__ import annotations

from ...rules.events import Event
from ...rules.gains import BONUS_TILE
from ...rules.scoring import award
from ...rules.state import GameState, Player, Seat
from ...rules.table_rules import OFF
from .links import PAIRS, Pair, linked, side_of
from .state import BORDER, TILES, links_of

LINKS, TILE_COUNTS = "border_links", "border_tile_counts"
"""Table rules: which links pay, and whether the tile is a bonus tile for monastery 26 and shield 7."""
EACH_PAIR, FIRST_ONLY = "each_pair", "first_only"
LINK_POINTS, TILE_POINTS = "border_links", "border_bonus"
"""Where the points come from."""


def reward_links(game: GameState, player: Player, space: int, events: list[Event]) -> None:
    """Pays for the posts that the tile just laid on *space* has linked (S751-753)."""
    spots = links_of(game).spots
    now = linked(player.duchy, player.occupied, spots)
    if not now:  # as for most of a game
        return
    before = linked(player.duchy, player.occupied & ~(1 << space), spots)
    for pair in sorted(now - before):
        if _pays(game, player, pair):
            _pay(game, player, pair, events)
    if now != before and len(now) == len(PAIRS) and BORDER not in player.bonus_tiles:
        take_border_tile(game, player, events)


def counts_as_bonus_tile(game: GameState) -> bool:
    """Returns whether the border tile is a bonus tile for everything that asks for bonus tiles."""
    return not game.rules.plays(TILE_COUNTS, OFF)


def border_tile_points(game: GameState, seat: Seat) -> int:
    """Returns the points of a seat's border tile if it took one now; 0 if both are gone."""
    links = links_of(game)
    if not links.tiles_left:
        return 0
    printed = links.bonus_points[TILES - links.tiles_left][game.played_as]
    return game.hooks.bonus_tile_points(game, seat, printed) if counts_as_bonus_tile(game) else printed


def take_border_tile(game: GameState, seat: Seat, events: list[Event]) -> None:
    """Gives a seat the first or the second border tile, if one is left (S753)."""
    links = links_of(game)
    if not links.tiles_left:
        return
    points = border_tile_points(game, seat)
    data = {"first": links.tiles_left == TILES, "takes": "border_tile"}
    events.append(Event(TILE_POINTS, seat.colour, points, data))
    links.tiles_left -= 1
    seat.bonus_tiles.append(BORDER)
    award(game, seat, TILE_POINTS, points, events)
    if counts_as_bonus_tile(game):
        game.hooks.gained(game, seat, BONUS_TILE, 1, events)


def can_pay(game: GameState, colour: str) -> bool:
    """Returns whether a link that has not paid yet still pays: by a table rule only the first one does."""
    return not (game.rules.plays(LINKS, FIRST_ONLY) and links_of(game).paid.get(colour))


def _pays(game: GameState, player: Player, pair: Pair) -> bool:
    return can_pay(game, player.colour) and pair not in links_of(game).paid.get(player.colour, ())


def _pay(game: GameState, player: Player, pair: Pair, events: list[Event]) -> None:
    links = links_of(game)
    points = game.edition.phase_points[game.phase_letter]
    sides = [side_of(player.duchy, links.spots[post]) for post in pair]
    links.pay(player.colour, pair)
    events.append(Event("border_link", player.colour, points, {"sides": sides}))
    award(game, player, LINK_POINTS, points, events)
