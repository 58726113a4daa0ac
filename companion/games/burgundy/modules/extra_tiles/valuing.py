"""What bots think of the extra tiles, and what people forget of monastery 28."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ...rules.abilities import has
from ...rules.board import bits
from ...rules.decisions import Place
from ...rules.evaluation import SILVER, WORKERS
from ...rules.legality import legal_moves
from ...rules.reminders import Reminder
from ...rules.scoring import herd_points, livestock_in
from ...rules.state import GameState, Player
from ...rules.tiles import LIVESTOCK, tile
from . import crane, geese, hire

# Values in victory points, set by hand.
STORED_CRANE = 1.5
"""More than another stored building: it has the best effect of all."""
STORED_GEESE = 0.5
"""Share of the points that stored geese would bring now."""
PLACED_GEESE = 0.8
"""Per empty space of their pasture, each of which may bring two points more."""
HIRING = 0.5
"""Share of what exchanging silver for workers would gain."""


def value(game: GameState, player: Player) -> float:
    """Returns the value of a player's extra tiles."""
    return _cranes(player) + _stored_geese(game, player) + _placed_geese(game, player) + _hiring(player)


def _cranes(player: Player) -> float:
    return STORED_CRANE * player.storage.count(tile(crane.LABEL))


def _stored_geese(game: GameState, player: Player) -> float:
    if tile(geese.LABEL) not in player.storage:
        return 0.0
    pastures = {
        game.hooks.pasture(game, player, space)
        for space in bits(game.hooks.open_spaces(game, player, LIVESTOCK))
    }
    herds = [geese.best_herd(player, livestock_in(player, pasture)) for pasture in pastures]
    return STORED_GEESE * max((herd_points(player, herd) for herd in herds), default=0)


def _placed_geese(game: GameState, player: Player) -> float:
    for space in bits(player.occupied):
        placed = player.spaces[space]
        if placed is not None and placed.animal == geese.GEESE:
            return PLACED_GEESE * (game.hooks.pasture(game, player, space) & ~player.occupied).bit_count()
    return 0.0


def _hiring(player: Player) -> float:
    if not has(player.monasteries, hire.NUMBER):
        return 0.0
    root = player.workers**0.5
    gains = (
        WORKERS * ((player.workers + hire.WORKERS * times) ** 0.5 - root) - SILVER * hire.PRICE * times
        for times in range(player.silver // hire.PRICE + 1)
    )
    return float(HIRING * max(gains))


def reminders(game: GameState) -> Iterator[Reminder]:
    """Yields each unused die that can place nothing now, but could with workers bought by monastery 28."""
    dice = {die for die in game.player.dice if not _placings(game, die)}
    after = game.copy()
    for times in count(1):
        if not dice or after.ruleset.decisions[hire.Hire].validate(after, hire.Hire()):
            return
        after.ruleset.decisions[hire.Hire].apply(after, hire.Hire())
        for die in sorted(dice):
            if placings := _placings(after, die):
                data = {"tile": placings[0].tile, "space": placings[0].space, "silver": hire.PRICE * times}
                yield Reminder("hire_to_place", {"die": die, **data})
                dice.remove(die)


def _placings(game: GameState, die: int) -> list[Place]:
    return [move for move in legal_moves(game) if isinstance(move, Place) and move.die == die]
