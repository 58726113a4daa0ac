"""What bots and reminders make of shields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...rules.edition import PHASES, ROUNDS
from ...rules.hooks import Hooks
from ...rules.moves import Move
from ...rules.reminders import Reminder
from ...rules.state import GameState, Player
from .scoring import end_points
from .state import held_by, holds
from .upkeep import PAID_IN_WORKERS

# Values in victory points, set by hand.
UPKEEP = 1.0
"""Per phase that is not over."""
EFFECT: Mapping[int, float] = {
    1: 1.5,
    2: 2.0,
    3: 0.8,
    4: 0.5,
    5: 1.5,
    6: 1.5,
    7: 1.0,
    8: 2.0,
    9: 1.5,
    11: 0.5,
    12: 2.0,
    14: 4.0,
    15: 4.0,
    16: 2.0,
    17: 1.0,
    18: 0.5,
}
"""Shield -> what it brings in a phase; the others score only at the end."""


class AdviceHooks(Hooks):
    """A shield is worth its points and its effect until the end, less its upkeep."""

    def evaluate(self, game: GameState, player: Player) -> float:
        phases_left = len(PHASES) - game.phase
        return super().evaluate(game, player) + sum(
            points + (EFFECT.get(number, 0.0) - UPKEEP) * phases_left
            for number, points in end_points(game, player).items()
        )

    def reminders(self, game: GameState, moves: Sequence[Move]) -> Iterator[Reminder]:
        """Yields that shields will be lost for want of silver, in the last round of a phase."""
        yield from super().reminders(game, moves)
        player = game.player
        due = len(held_by(game, player))
        pays_in_workers = holds(game, player, PAID_IN_WORKERS)
        means = player.silver + player.workers * pays_in_workers
        if game.round == ROUNDS - 1 and due > means:
            data = {"price": due, "silver": player.silver, "workers": player.workers, "lost": due - means}
            yield Reminder("upkeep_short_with_workers" if pays_in_workers else "upkeep_short", data)
