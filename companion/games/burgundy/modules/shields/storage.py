"""Shield 4: no limit of key spaces (S915)."""

from __future__ import annotations

from ...rules.hooks import Hooks
from ...rules.state import GameState, Player
from ...rules.storage import OWED, free_spaces, keep_within_storage
from .state import Shields, holds

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


def discard_surplus(game: GameState, state: Shields) -> None:
    """Makes whoever has lost the shield discard what does not fit any more, once it is their turn."""
    if isinstance(game.seat, Player):
        keep_within_storage(game, game.seat)
    state.may_overflow = OWED in game.pending or any(free_spaces(game, player) < 0 for player in game.players)
