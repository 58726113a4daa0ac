"""Shield 4: no limit of key spaces (S915)."""

from __future__ import annotations

from ...rules.hooks import Hooks
from ...rules.state import GameState, Player
from ...rules.storage import OWED, keep_within_storage
from .state import holds

UNLIMITED = 4


class StorageHooks(Hooks):
    """There is always room for one more tile."""

    def storage_spaces(self, game: GameState, player: Player) -> int:
        spaces = super().storage_spaces(game, player)
        if not holds(game, player, UNLIMITED):
            return spaces
        largest = (
            1 if game.ruleset.tiles_are_of_one_size else max(map(self.storage_size, game.ruleset.supply))
        )
        return max(spaces, sum(map(self.storage_size, player.storage)) + largest)


def discard_surplus(game: GameState) -> None:
    """Makes whoever has lost the shield discard what does not fit any more."""
    seat = game.seat
    always_fit = game.edition.storage_spaces if game.ruleset.tiles_are_of_one_size else 1
    if isinstance(seat, Player) and (len(seat.storage) > always_fit or OWED in game.pending):
        keep_within_storage(game, seat)
