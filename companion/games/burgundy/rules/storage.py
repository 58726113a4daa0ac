"""The key spaces, on which tiles wait to be placed (S338)."""

from __future__ import annotations

from collections.abc import Iterable

from .state import DISCARD, GameState, Pending, Player
from .tiles import Tile, tile


def is_full(game: GameState, player: Player, incoming: Tile | None = None) -> bool:
    """Returns whether a player has no key space left: for *incoming*, or for a tile that needs one."""
    spaces = game.hooks.storage_spaces(game, player)
    if game.ruleset.tiles_are_of_one_size:  # asked for every tile that is taken
        return len(player.storage) >= spaces
    size = game.hooks.storage_size
    return sum(map(size, player.storage)) + (1 if incoming is None else size(incoming)) > spaces


def receive(game: GameState, incoming: Tile) -> None:
    """Puts a tile into the current player's storage; if that is full the player has to discard one first (S338)."""
    if is_full(game, game.player, incoming):
        game.pending.append(Pending(DISCARD, incoming.label))
    else:
        game.player.store(incoming)


def remove(player: Player, label: str) -> Tile:
    """Removes a tile from a player's storage and returns it. Raises ``ValueError`` if it is not there."""
    removed = tile(label)
    player.storage.remove(removed)
    return removed


def distinct(tiles: Iterable[Tile]) -> Iterable[Tile]:
    """Returns one of each kind of tile."""
    return {t.label: t for t in tiles}.values()
