"""Shields and the Châteauma: it takes them by symbols on its cards, and scores by how many it has (S1249-1261)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...rules.hooks import Hooks
from ...rules.setup_steps import Step
from ...rules.state import GameState, Seat
from ..chateauma import Chateauma
from ..chateauma.context import Turn, clockwise
from ..chateauma.extension import CardSymbol
from .scoring import SOURCE
from .setting_up import GROUP
from .state import shields

NOT_WITH_AUTOMA = 2
"""The shield that leaves the game before set-up (S1251)."""
POINTS = (0, 8, 15, 25, 40)
"""By number of shields; more bring no more than four (S1257-1261)."""
SYMBOL = "shield"
"""What is in the corner of some of its cards."""
ASSUMED_CARDS = (1, 3, 6, 9)
"""Cards that simulated games assume to have the symbol. Made up."""
STEPS = {"looks_for_shield": "S1253", "smallest_shield": "S1254", "no_shield_left": "S1253"}


def take_shield(turn: Turn) -> None:
    """Takes the smallest shield of the first depot that has any, from the white die's on (S1253-1255)."""
    state = shields(turn.game)
    turn.step("looks_for_shield", depot=turn.white)
    for depot in clockwise(turn.white):
        if there := sorted(state.at(depot)):
            number = there[0]
            if len(there) > 1:
                turn.step("smallest_shield", number=number)
            where = f"{GROUP}:{depot}:{state.depots[depot - 1].index(number)}"
            state.take_from(depot, number)
            state.automa += (number,)
            turn.add_event("automa_shield", number=number, depot=depot, place=where, takes="shield")
            return
    turn.step("no_shield_left")
    turn.add_event("no_benefit", effect=SOURCE)


CARD_SYMBOLS = {SYMBOL: CardSymbol(take_shield, ASSUMED_CARDS)}


class AutomaHooks(Hooks):
    """Its shields lie face down beside its board: they do nothing, cost nothing, and score by number."""

    def steps_before_game(self, game: GameState) -> Iterator[Step]:
        yield from super().steps_before_game(game)
        if any(isinstance(seat, Chateauma) for seat in game.seats):
            yield {"step": "shield_out", "number": NOT_WITH_AUTOMA}

    def final_points(self, game: GameState, seat: Seat) -> dict[str, int]:
        points = super().final_points(game, seat)
        if not isinstance(seat, Chateauma):
            return points
        own = POINTS[min(len(shields(game).automa), len(POINTS) - 1)]
        return {**points, SOURCE: own} if own else points

    def view_of(self, game: GameState, seat: Seat) -> dict[str, dict[str, Any]]:
        views = super().view_of(game, seat)
        if not isinstance(seat, Chateauma):
            return views
        return {name: {**view, "shields": len(shields(game).automa)} for name, view in views.items()}
