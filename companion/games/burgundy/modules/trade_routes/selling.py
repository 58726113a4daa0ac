"""Sold goods go on the squares of a route, one by one from the left (S781-783).

What is still to be done is among the effects that wait, so that a bonus with all that follows from it comes first:

* ``trade_goods``: one of the goods that were sold, in turn;
* ``trade_square``: a square that has its goods and has not paid (table rule ``trade_bonus``);
* ``trade_question``: a square of which people have to report what is printed there.

Which goods and which square is in :attr:`.routes.Routes.steps`. One question is about all squares on which goods of the
sale lie, or will lie next, as most of them pay nothing (:func:`open_squares`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

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
        if effect == QUESTION and not _is_known(game, routes_of(game).steps[-1].of):
            return
        square = _take_step(game)
        if square is not None:
            _pay(game, square, events)


def open_squares(game: GameState) -> Iterator[tuple[int, int]]:
    """Yields the squares that the open question is about, in the order in which they may pay, with the goods on them.

    Nobody has reported what is printed there. Those behind a square that is known to pay are asked about later, as its
    bonus may put other goods on them.
    """
    route, steps = route_of(game, game.player), reversed(routes_of(game).steps)
    for _ in takewhile(lambda pending: pending.effect in STEPS, reversed(game.pending)):
        step = next(steps)
        square = route.next_square if step.effect == GOODS else step.of
        if square is None:
            return
        if step.effect == GOODS:
            route = route.with_goods(square, step.of)
        pays = route.pays(square)
        if pays:
            return
        if pays is None:
            yield square, route.goods[square]


def pass_up_to(game: GameState, square: int) -> None:
    """Puts the goods on one of the :func:`open_squares` and on those before it, without any bonus."""
    while _take_step(game) != square:
        pass


def _is_known(game: GameState, square: int) -> bool:
    """Returns whether it is known what is printed on a square of the current player's route."""
    return route_of(game, game.player).squares[square].is_known


def _take_step(game: GameState) -> int | None:
    """Removes what waits first and returns the square that it is about, with its goods; None if the route is full."""
    state, step = routes_of(game), routes_of(game).steps[-1]
    game.pending.pop()
    state.steps = state.steps[:-1]
    return _put_on_route(game, game.player, step.of) if step.effect == GOODS else step.of


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
