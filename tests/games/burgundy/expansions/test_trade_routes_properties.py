"""What holds in every game with trade routes, known or reported square by square."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.devtools.games.burgundy.components import components
from companion.games.burgundy.modules.trade_routes.bonuses import POINTS
from companion.games.burgundy.modules.trade_routes.routes import routes_of
from companion.games.burgundy.plugin import random_setup, with_assumed_print
from companion.games.burgundy.rules import GameState
from companion.players.bots import lively_bot
from tests.support.positions import RULES

RULE = [{}, {"trade_bonus": "after_sale"}]


def setup(seed: int, *, known: bool) -> dict[str, Any]:
    modules = ["trade_routes"]
    people, rules = 2 + seed % 3, RULE[seed % 2]
    made = {**random_setup(people, seed, modules), "modules": modules, "rules": rules}
    return with_assumed_print(made, seed) if known else made


def check(before: GameState, after: GameState) -> None:
    for player in after.players:
        squares, goods = routes_of(after).routes[player.colour]
        earlier = routes_of(before).routes[player.colour].goods
        count = len(goods) - goods.count(0)
        assert 0 not in goods[:count], "goods go on the squares from the left"
        assert goods[: len(earlier) - earlier.count(0)] == earlier[: len(earlier) - earlier.count(0)]
        assert all(goods.count(kind) <= player.sold[kind] for kind in range(1, 7))
        paid = sum(
            printed.number == kind and printed.bonus == "points_4"
            for printed, kind in zip(squares, goods, strict=True)
        )
        assert player.points.get("trade_route", 0) <= POINTS * paid
        if not after.pending:
            assert player.points.get("trade_route", 0) == POINTS * paid
            assert count == min(len(goods), sum(player.sold))


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_goods_fill_the_route_in_order_and_every_match_pays_once(seed: int, known: bool) -> None:
    game, rng, bot = RULES.new(setup(seed, known=known)), random.Random(seed), lively_bot(seed)
    there = components(game)
    while not RULES.is_over(game):
        before = game.copy()
        move = RULES.sample_chance(game, rng) or bot(RULES, game)
        RULES.play(game, move)
        assert components(game) == there
        check(before, game)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_whose_tiles_are_known_asks_nothing(seed: int) -> None:
    game, rng, bot = RULES.new(setup(seed, known=True)), random.Random(seed), lively_bot(seed)
    while not RULES.is_over(game):
        assert RULES.stage(game).is_chance or not RULES.unobserved_chance_moves(game)
        RULES.play(game, RULES.sample_chance(game, rng) or bot(RULES, game))


def test_assumed_tiles_are_twelve_and_dealt_once() -> None:
    part = setup(1, known=True)["trade_routes"]
    dealt = [letter for row in part["rows"].values() for letter in row]
    assert len(part["tiles"]) == 12 and len(dealt) == len(set(dealt)) == 12
    assert with_assumed_print(setup(1, known=False), 1) == setup(1, known=True)
