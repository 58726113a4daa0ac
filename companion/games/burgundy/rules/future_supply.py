"""What the phases to come draw from the supply, so that nothing decided or put right by hand uses it up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain

from .edition import PHASES, ROUNDS
from .reason import Reason
from .state import FILL, SETUP, GameState
from .tiles import BLACK_BACK, Tile


def pile_of(drawn: Tile) -> str:
    """From which pile of the supply a tile is drawn: that of its type, or :data:`.tiles.BLACK_BACK`."""
    return BLACK_BACK if drawn.black else drawn.type


def piles(supply: Mapping[Tile, int]) -> Counter[str]:
    """How many tiles of a supply lie in each of its piles."""
    counts: Counter[str] = Counter()
    for t, count in supply.items():
        counts[pile_of(t)] += count
    return counts


def _phases(game: GameState) -> str:
    """Letters of the phases that have yet to be laid out."""
    return PHASES[game.phase + (game.stage not in (SETUP, FILL)) :]


def goods_needed(game: GameState) -> int:
    """Goods that the phases to come lay on the round spaces (S271)."""
    return ROUNDS * len(_phases(game))


def tiles_needed(game: GameState) -> Counter[str]:
    """Tiles of each pile that the phases to come lay on the main board (S266-270), or that lie elsewhere unseen."""
    slots = chain(*game.main_board.depots)
    needed = Counter(slot.type_in(phase) for slot in slots for phase in _phases(game))
    needed[BLACK_BACK] += len(game.black) * len(_phases(game)) + game.unseen_tiles
    return needed


def goods_left(game: GameState, taken: int) -> Reason | None:
    """Why so many goods cannot be *taken* out of the supply: the phases to come need those that would be left."""
    spare = max(0, sum(game.goods_supply) - goods_needed(game))
    if taken <= 0 or taken <= spare:
        return None
    return Reason("goods_needed", {"left": spare, "given": taken})
