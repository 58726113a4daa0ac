"""What a sale would bring on the route, as far as its squares are known: for the page, and for bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...rules.evaluation import OPEN_EFFECT, SILVER, WORKERS
from ...rules.state import GameState, Player
from ...rules.tiles import GOODS
from . import bonuses, selling
from .routes import Route, route_of, routes_of

VALUES: Mapping[str, float] = {
    "silver_2": 2 * SILVER,
    bonuses.POINTS_4: bonuses.POINTS,
    "workers_4": 2 * WORKERS,
}
"""Values of bonuses in points, set by hand; others are worth an open effect."""


def sales(game: GameState, player: Player) -> dict[str, list[dict[str, Any]]]:
    """Returns by kind of the goods that a person may sell the squares on which they would go: ``square`` counted from
    1, its ``bonus``, and whether it ``pays``; None if nobody has reported what is printed there."""
    route = route_of(game, player)
    return {
        str(kind): [
            {"square": square + 1, "bonus": after.squares[square].bonus or None, "pays": after.pays(square)}
            for square, after in _covered(route, [kind] * player.goods[kind])
        ]
        for kind in GOODS
        if player.goods[kind]
    }


def value_of_waiting(game: GameState, player: Player) -> float:
    """Returns what the rest of a sale is worth beyond what any open effect is: the bonuses that are still to come.

    The base game counts every step that waits as an open effect.
    """
    waiting, route = routes_of(game).steps, route_of(game, player)
    in_line = [step.of for step in reversed(waiting) if step.effect == selling.GOODS]
    covered = [step.of for step in waiting if step.effect == selling.SQUARE]
    to_come = [*((square, route) for square in covered), *_covered(route, in_line)]
    value = sum(_value(after.squares[square].bonus) for square, after in to_come if after.pays(square))
    return value - OPEN_EFFECT * len(waiting)


def _covered(route: Route, kinds: list[int]) -> Iterator[tuple[int, Route]]:
    """Yields each square that goods of these *kinds* would cover, one after the other, with the route as it is then."""
    for kind in kinds:
        if (square := route.next_square) is None:
            return
        route = route.with_goods(square, kind)
        yield square, route


def _value(bonus: str) -> float:
    return VALUES.get(bonus, OPEN_EFFECT)
