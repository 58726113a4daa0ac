"""What the moves that fetch a tile from a depot have in common."""

from __future__ import annotations

from collections.abc import Sequence

from ..moves import BLACK_DEPOT, parse_number
from ..notation import BLACK
from ..observation import VisibleChange
from ..reason import Reason
from ..state import GameState
from ..tiles import EMPTY, Tile


def tiles_in(game: GameState, depot: int) -> Sequence[Tile | None]:
    """Returns the slots of a numbered depot, or of the black one with what modules put beside it."""
    return game.hooks.black_depot(game) if depot == BLACK_DEPOT else game.depots[depot - 1]


def take_out(game: GameState, depot: int, slot: int) -> Tile:
    """Takes a tile out of a depot."""
    if depot == BLACK_DEPOT:
        return game.hooks.take_from_black_depot(game, slot)
    slots = game.depots[depot - 1]
    taken = slots[slot]
    assert taken is not None
    slots[slot] = None
    return taken


def removal(game: GameState, depot: int, slot: int) -> VisibleChange:
    """Returns the visible effect of taking a tile out of a depot."""
    if depot == BLACK_DEPOT:
        return game.hooks.removal_from_black_depot(game, slot)
    return VisibleChange(f"depot:{depot}:{slot}", EMPTY)


def validate_tile_at(game: GameState, label: str, depot: int, slot: int) -> Reason | None:
    """Checks that the tile is there."""
    slots = tiles_in(game, depot)
    there = slots[slot] if 0 <= slot < len(slots) else None
    if there is None or there.label != label:
        return Reason("tile_not_there", {"tile": label, "depot": depot, "number": slot + 1})
    return None


def depot_text(game: GameState, label: str, depot: int, slot: int) -> str:
    """Returns a depot for a short notation, with the slot if the depot holds the same tile twice."""
    name = BLACK if depot == BLACK_DEPOT else str(depot)
    several = sum(t is not None and t.label == label for t in tiles_in(game, depot)) > 1
    return f"{name}.{slot + 1}" if several else name


def parse_source(game: GameState, where: str, word: str) -> tuple[str, int, int]:
    """Returns label, depot and slot; without a slot, the first that holds the tile.

    Raises ``ValueError`` or ``LookupError`` if there is no such depot or tile.
    """
    name, _, slot = where.partition(".")
    depot = BLACK_DEPOT if name == BLACK else parse_number(name)
    label = game.ruleset.label_of_word[word]
    if slot:
        return label, depot, parse_number(slot) - 1
    slots = enumerate(tiles_in(game, depot))
    return label, depot, next((i for i, t in slots if t is not None and t.label == label), 0)
