"""Shield 4: no limit of key spaces (S915)."""

from __future__ import annotations

from ...rules.events import Event
from ...rules.hooks import Hooks
from ...rules.state import OVER, SETUP, GameState, Player
from ...rules.storage import keep_within_storage
from .state import holds

UNLIMITED = 4


class StorageHooks(Hooks):
    """Whoever loses the shield discards what does not fit any more."""

    def storage_spaces(self, game: GameState, player: Player) -> int:
        spaces = super().storage_spaces(game, player)
        if not holds(game, player, UNLIMITED):
            return spaces
        largest = (
            1 if game.ruleset.tiles_are_of_one_size else max(map(self.storage_size, game.ruleset.supply))
        )
        return max(spaces, sum(map(self.storage_size, player.storage)) + largest)

    def settle(self, game: GameState, events: list[Event]) -> None:
        super().settle(game, events)
        if game.stage not in (SETUP, OVER) and isinstance(game.seat, Player):
            keep_within_storage(game, game.player)
