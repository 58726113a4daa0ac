"""The key spaces, on which tiles wait to be placed (S338)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from .state import DISCARD, GameState, Pending, Player
from .tiles import Tile, tile

OWED = Pending(DISCARD)
"""Choice of a tile to discard because there are more than fit."""


def is_full(game: GameState, player: Player, incoming: Tile | None = None) -> bool:
    """Returns whether a player has no key space left: for *incoming*, or for a tile that needs one."""
    if game.ruleset.tiles_are_of_one_size:  # asked for every tile that is taken; modules only add key spaces
        used = len(player.storage)
        return used >= game.edition.storage_spaces and used >= game.hooks.storage_spaces(game, player)
    return free_spaces(game, player) < (1 if incoming is None else game.hooks.storage_size(incoming))


def free_spaces(game: GameState, player: Player) -> int:
    """Returns how many key spaces of a player are free."""
    one_size = game.ruleset.tiles_are_of_one_size
    used = len(player.storage) if one_size else sum(map(game.hooks.storage_size, player.storage))
    return game.hooks.storage_spaces(game, player) - used


def labels_by_space(game: GameState, stored: Iterable[Tile]) -> list[str]:
    """Returns the label on each key space that *stored* tiles cover."""
    size = game.hooks.storage_size
    return [t.label for t in stored for _ in range(size(t))]


def labels_by_tile(game: GameState, seen: Iterable[str]) -> Iterator[str]:
    """Yields the label of each tile, given the labels *seen* on the key spaces; a tile may be seen in part."""
    for label, spaces in Counter(seen).items():
        yield from [label] * -(-spaces // game.hooks.storage_size(tile(label)))


def receive(game: GameState, incoming: Tile) -> None:
    """Puts a tile into the current player's storage; if that is full the player has to discard one first (S338)."""
    if is_full(game, game.player, incoming):
        game.pending.append(Pending(DISCARD, incoming.label))
    else:
        game.player.store(incoming)


def keep_within_storage(game: GameState, player: Player) -> None:
    """Opens the choice of a tile to discard while the current player has more than fit on the key spaces."""
    is_over = free_spaces(game, player) < 0
    if is_over and OWED not in game.pending:
        game.pending.append(OWED)
    elif not is_over and OWED in game.pending:
        game.pending.remove(OWED)


def discardable(game: GameState, incoming: Tile | None) -> Iterable[Tile]:
    """Returns the tiles of which the current player may discard one to make room for another (S338), or to have no
    more than fit.

    Where one is not enough, no set is discarded with a tile that is not needed (S984-986). One is discarded even if an
    override of an earlier release has made room.
    """
    player, size = game.player, game.hooks.storage_size
    if game.ruleset.tiles_are_of_one_size:
        return distinct(player.storage)
    lacking = max(1, (size(incoming) if incoming else 0) - free_spaces(game, player))
    chosen = set[Tile]()
    for count in range(1, len(player.storage) + 1):
        for tiles in combinations(player.storage, count):
            spaces = sum(map(size, tiles))
            if spaces - min(map(size, tiles)) < lacking <= spaces:
                chosen.update(tiles)
    return distinct(t for t in player.storage if t in chosen)


def remove(player: Player, label: str) -> Tile:
    """Removes a tile from a player's storage and returns it. Raises ``ValueError`` if it is not there."""
    removed = tile(label)
    player.storage.remove(removed)
    return removed


def distinct(tiles: Iterable[Tile]) -> Iterable[Tile]:
    """Returns one of each kind of tile."""
    return dict.fromkeys(tiles)  # there is one object of each kind
