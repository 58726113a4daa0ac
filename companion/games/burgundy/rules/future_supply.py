"""What later phases draw from the supply, so that no override or correction uses it up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain

from .edition import PHASES, ROUNDS
from .reason import Reason
from .state import FILL, SETUP, GameState
from .tiles import BLACK_BACK, Tile


def pile_of(drawn: Tile) -> str:
    """Returns the pile of the supply that a tile is drawn from: that of its type, or :data:`.tiles.BLACK_BACK`."""
    return BLACK_BACK if drawn.black else drawn.type


def piles(supply: Mapping[Tile, int]) -> Counter[str]:
    """Returns how many tiles of a supply are in each pile."""
    counts: Counter[str] = Counter()
    for t, count in supply.items():
        counts[pile_of(t)] += count
    return counts


def _phases(game: GameState) -> str:
    """Returns the letters of the phases that have not been set up."""
    return PHASES[game.phase + (game.stage not in (SETUP, FILL)) :]


def goods_needed(game: GameState) -> int:
    """Returns how many goods later phases put on the round spaces (S271)."""
    return ROUNDS * len(_phases(game))


def tiles_needed(game: GameState) -> Counter[str]:
    """Returns the tiles of each pile that later phases need (S266-270), or that are elsewhere unseen."""
    slots = chain(*game.main_board.depots)
    needed = Counter(slot.type_in(phase) for slot in slots for phase in _phases(game))
    needed[BLACK_BACK] += len(game.black) * len(_phases(game)) + game.hidden_tiles
    for pile, count in game.hooks.tiles_beside_depots(game).items():
        needed[pile] += count * len(_phases(game))
    return needed


def goods_shortage(game: GameState, taken: int) -> Reason | None:
    """Returns why so many goods cannot be *taken* from the supply: later phases need them; None if they can."""
    spare = max(0, sum(game.goods_supply) - goods_needed(game))
    if taken <= 0 or taken <= spare:
        return None
    return Reason("goods_needed", {"left": spare, "given": taken})
