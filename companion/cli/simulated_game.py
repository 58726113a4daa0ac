"""How simulated games begin; a game with options of its own derives from this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.registry import GamePlugin


class SimulatedGame:
    """Represents what is simulated, and what the result says about it."""

    usual_bot = "random"

    def __init__(self, game: GamePlugin) -> None:
        self.game = game

    @property
    def usual_players(self) -> int:
        return self.game.player_counts[-1]

    def setup(self, players: int, seed: int, modules: Sequence[str]) -> Mapping[str, Any]:
        """Returns the set-up of a game; the same *seed* gives the same one.

        :raises CompanionError: if there is no such game.
        """
        return self.game.new_setup(players, seed, modules)

    def figures(self, players: int, modules: Sequence[str]) -> dict[str, Any]:
        """Returns what the result of games with these modules contains besides the usual figures."""
        return {}

    def describe(self, result: Mapping[str, Any]) -> str:
        """Returns what follows the sentence about the usual figures."""
        return ""
