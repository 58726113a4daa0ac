"""An evaluation function for bots; not part of the rules."""

from __future__ import annotations

from .edition import PHASES
from .scoring import area_points
from .state import OVER, GameState, Player
from .tiles import MINE, MONASTERY

# Values in victory points, set by hand.
WORKERS = 1.3
"""Times the square root of the workers: the first ones matter most."""
SILVER = 1.2
GOODS_TILE = 1.4
STORED_TILE = 0.6
STORED_TILE_THAT_FITS = 2.2
COVERED_SPACE = 3.0
OPEN_EFFECT = 2.0
"""Per effect still to be chosen."""
MINE_PER_PHASE_LEFT = 0.9
MONASTERY_PER_PHASE_LEFT = 0.5
ORDER = 0.4
"""Per place further ahead in the turn order."""
PARTIAL_AREA = 0.7
"""Share of its points that an unfinished area is worth, times the square of how full it is."""


def evaluate(game: GameState, index: int) -> float:
    """Returns the estimated value of the position for a seat, from what is visible now, in points."""
    return sum(value_parts(game, index).values())


def value_parts(game: GameState, index: int) -> dict[str, float]:
    """Returns what that value consists of, by name: texts ``coach.part.NAME``.

    A seat that a module adds, which has nothing to choose, is worth its points; and so is everybody once all is scored.
    """
    seat = game.seats[index]
    if game.stage == OVER or not isinstance(seat, Player):
        return {"points": float(seat.score)}
    player, phases_left = seat, len(PHASES) - game.phase
    root_of_workers: float = player.workers**0.5
    return {
        "points": float(player.score + sum(game.hooks.monastery_points(game, player).values())),
        "supplies": WORKERS * root_of_workers + SILVER * player.silver + GOODS_TILE * sum(player.goods),
        "storage": sum(
            STORED_TILE_THAT_FITS if _fits(game, player, t.type) else STORED_TILE for t in player.storage
        ),
        "duchy": COVERED_SPACE * player.occupied.bit_count() + _unfinished_areas(game, player),
        "mines": MINE_PER_PHASE_LEFT * phases_left * len(player.placed(MINE)),
        "monasteries": MONASTERY_PER_PHASE_LEFT * phases_left * len(player.placed(MONASTERY)),
        "effects": OPEN_EFFECT * len(game.pending) if index == game.turn else 0.0,
        "expansions": game.hooks.evaluate(game, player),
        "order": -ORDER * game.order().index(index),
    }


def _unfinished_areas(game: GameState, player: Player) -> float:
    value = 0.0
    for area in player.duchy.areas:
        full = (area.spaces & player.occupied).bit_count() / area.size
        if full < 1:
            value += PARTIAL_AREA * full * full * area_points(game, game.hooks.area_size(game, player, area))
    return value


def _fits(game: GameState, player: Player, tile_type: str) -> bool:
    """Returns whether a space for such a tile is open now."""
    return bool(player.frontier & game.ruleset.spaces_for(player, tile_type))
