"""Points of the shields themselves at the end (S912-929), with shield 13, which doubles them (S924)."""

from __future__ import annotations

from ...rules.hooks import Hooks
from ...rules.state import GameState, Seat
from .state import held_by, shields

SOURCE = "shields"
"""Line of the score sheet."""
DOUBLES_SHIELDS = 13


def end_points(game: GameState, seat: Seat) -> dict[int, int]:
    """Returns what each shield of a person would bring if the game ended now, by number."""
    numbers, printed = sorted(held_by(game, seat).values()), shields(game).printed.shields
    times = 1 + (DOUBLES_SHIELDS in numbers)
    return {number: times * printed[number].end_points for number in numbers}


class ScoringHooks(Hooks):
    """Shields score at the end."""

    def final_points(self, game: GameState, seat: Seat) -> dict[str, int]:
        points = super().final_points(game, seat)
        own = sum(end_points(game, seat).values())
        return {**points, SOURCE: own} if own else points
