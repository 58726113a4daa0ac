"""Sold goods go on the squares of a route, one by one from the left (S781-783).

What is still to be done is among the effects that wait, so that a bonus with all that follows from it comes first:

* ``trade_goods``: one of the goods that were sold, in turn;
* ``trade_square``: a square that has its goods and has not paid (table rule ``trade_bonus``);
* ``trade_question``: a square of which people have to report what is printed there.

Which goods and which square is in :attr:`.routes.Routes.steps`.
"""

from __future__ import annotations

from ...rules.decisions import Sell
from ...rules.events import Event
from ...rules.moves import Move
from ...rules.state import GameState, Pending, Player
from . import bonuses
from .routes import GOODS_STEP, Step, route_of, routes_of, set_route

TRADE_BONUS = "trade_bonus"
AT_ONCE, AFTER_SALE = "at_once", "after_sale"
"""Table rule: when a bonus is taken (ruling 131), before the next goods are put on the route, or after the last."""
GOODS, SQUARE, QUESTION = STEPS = (GOODS_STEP, "trade_square", "trade_question")


def begin(game: GameState, player: Player, kind: int, count: int) -> None:
    """Puts goods that have just been sold in line for the route."""
    if (TRADE_BONUS, AFTER_SALE) not in game.rules.of_modules:
        for _ in range(count):
            _wait(game, Step(GOODS, kind))
        return
    covered = [square for _ in range(count) if (square := _put_on_route(game, player, kind)) is not None]
    for square in reversed(covered):
        _wait(game, Step(SQUARE, square))


def go_on(game: GameState, events: list[Event]) -> None:
    """Goes on with what waits, up to the next choice or question."""
    while game.pending and (effect := game.pending[-1].effect) in STEPS:
        if effect == QUESTION and not is_known(game, asked_square(game)):
            return
        game.pending.pop()
        about = take_step(game, effect)
        square = _put_on_route(game, game.player, about) if effect == GOODS else about
        if square is not None:
            _pay(game, square, events)


def asked_square(game: GameState) -> int:
    """Returns the index of the square that the open question is about."""
    return last_step(game, QUESTION).of


def is_known(game: GameState, square: int) -> bool:
    """Returns whether it is known what is printed on a square of the current player's route."""
    return route_of(game, game.player).squares[square].is_known


def take_step(game: GameState, effect: str) -> int:
    """Removes the last step of a kind and returns the goods or the square that it is about."""
    state, step = routes_of(game), last_step(game, effect)
    index = len(state.steps) - 1 - state.steps[::-1].index(step)
    state.steps = (*state.steps[:index], *state.steps[index + 1 :])
    return step.of


def last_step(game: GameState, effect: str) -> Step:
    """Returns the last step of a kind that waits; there has to be one."""
    return next(step for step in reversed(routes_of(game).steps) if step.effect == effect)


def unpaid_squares(game: GameState) -> set[int]:
    """Returns the squares of the current player's route that have their goods and may still pay."""
    return routes_of(game).unpaid_squares


def changes_route(game: GameState, move: Move) -> bool:
    """Returns whether a move may put goods on the current player's route: a sale, or one that a sale waits for."""
    return isinstance(move, Sell) or any(step.effect == GOODS for step in routes_of(game).steps)


def _wait(game: GameState, step: Step) -> None:
    routes_of(game).steps += (step,)
    game.pending.append(Pending(step.effect))


def _put_on_route(game: GameState, player: Player, kind: int) -> int | None:
    """Puts goods on the next square and returns it; None if the route is full, so that they go to the pile (S783)."""
    route = route_of(game, player)
    square = route.next_square
    if square is not None:
        set_route(game, player, route.with_goods(square, kind))
    return square


def _pay(game: GameState, square: int, events: list[Event]) -> None:
    """Gives the bonus of a square with goods if it has their number, or asks for it."""
    route = route_of(game, game.player)
    pays = route.pays(square)
    if pays is None:
        _wait(game, Step(QUESTION, square))
    elif pays:
        bonuses.receive(game, game.player, square, route.squares[square].bonus, events)
