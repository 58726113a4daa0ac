"""Drawing tiles and goods from the supply."""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

from .decision import Rng
from .reason import Reason
from .state import GameState
from .tiles import GOODS

T = TypeVar("T")


def goods_in_bag(game: GameState) -> list[int]:
    """Returns the kinds of all goods that are face down in the supply."""
    return [kind for kind in GOODS for _ in range(game.goods_supply[kind])]


def take_from(bag: list[T], rng: Rng) -> T:
    """Draws one thing from a bag."""
    drawn = rng.choice(bag)
    bag.remove(drawn)
    return drawn


def validate_goods_drawn(game: GameState, goods: tuple[int, ...]) -> Reason | None:
    """Checks that the supply has these goods."""
    for kind, count in Counter(goods).items():
        left = game.goods_supply[kind] if kind in GOODS else 0
        if count > left:
            return Reason("goods_not_in_supply", {"goods": kind, "given": count, "left": left})
    return None
