"""Gains: each passes once through one hook, whoever receives it and however."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from companion.games.burgundy.rules import Burgundy, Event, GameState, Move
from companion.games.burgundy.rules.decisions import Adjust, Buy, Override
from companion.games.burgundy.rules.gains import (
    BONUS_TILE,
    GAINS,
    GOODS_LOADED,
    GOODS_SOLD,
    POINTS,
    SILVER,
    WORKERS,
)
from companion.games.burgundy.rules.moves import BLACK_DEPOT
from companion.games.burgundy.rules.state import TURN, Seat
from companion.games.burgundy.rules.tiles import tile
from tests.games.burgundy.modules.tolls import TollModule
from tests.support.automa_positions import setup_with
from tests.support.modules import first_turn, setup_of

SETUPS: dict[str, dict[str, Any]] = {
    "people": setup_of(people=3, modules=["tolls"]),
    "linked castles": setup_of("se-11", modules=["tolls", "linked_castles"]),
    "extra tiles and white castles": setup_of(people=4, modules=["tolls", "extra_tiles", "white_castles"]),
    "automa": {**setup_with(2), "modules": ["tolls"]},
}


def passed(game: GameState) -> Counter[str]:
    """Returns what has passed the toll gate so far."""
    return Counter(game.module_states[TollModule.id].to_json())


def owned(seat: Seat) -> Counter[str]:
    """Returns how much a seat has of whatever can be gained; goods that it has sold count as loaded."""
    return Counter(
        {
            WORKERS: getattr(seat, "workers", 0),
            SILVER: seat.silver,
            GOODS_LOADED: sum(seat.goods) + sum(seat.sold),
            GOODS_SOLD: sum(seat.sold),
            POINTS: seat.score,
            BONUS_TILE: len(seat.bonus_tiles),
        }
    )


def paid(game: GameState, move: Move, events: list[Event]) -> Counter[str]:
    """Returns what a move has paid, whoever made it."""
    costs = Counter({WORKERS: getattr(move, "workers", 0)})
    if isinstance(move, Buy):
        costs[SILVER if move.depot == BLACK_DEPOT else WORKERS] += 2
    for event in events:
        costs[SILVER] += event.data.get("price", 0)
        costs[POINTS] -= event.points if event.kind == "pay_points" else 0
    return costs


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_whatever_a_seat_has_more_of_has_passed_the_hook_once(box: Burgundy, setup: dict[str, Any]) -> None:
    seen = set[str]()
    for seed in range(12):
        rng, game = random.Random(seed), box.new(setup)
        while not box.is_over(game):
            move: Any = box.sample_chance(game, rng) or rng.choice(box.legal_moves(game))
            in_play, turn = game.stage not in ("setup", "fill"), game.turn
            before, gate = [owned(seat) for seat in game.seats], passed(game)
            events = box.play(game, move)
            gained = passed(game) - gate
            if not in_play:
                assert not gained
                continue
            for index, seat in enumerate(game.seats):
                costs = paid(game, move, events) if index == turn else Counter[str]()
                now, was = owned(seat), before[index]
                for what in GAINS:
                    amount = gained[f"{seat.colour} {what}"]
                    assert amount == now[what] - was[what] + costs[what], (str(move), seat.colour, what)
                    seen |= {what} if amount else set()
    assert seen == set(GAINS)


def test_an_override_is_no_gain(box: Burgundy) -> None:
    game = first_turn(box, "tolls")
    box.play(
        game, Override((("score:red", "7"), ("silver:red", "3"), ("workers:red", "2"), ("goods:red", "1,1")))
    )
    assert game.player.score == 7 and not passed(game)


def test_an_adjustment_is_no_gain(box: Burgundy) -> None:
    game = first_turn(box, "tolls")
    box.play(game, Adjust("red", (("score", 5), ("silver", 1), ("workers", 1), ("goods:1", 1)), "forgotten"))
    assert game.player.score == 5 and not passed(game)


def test_a_tile_that_pays_twice_is_two_gains(box: Burgundy) -> None:
    game = first_turn(box, "tolls")
    assert game.stage == TURN
    game.player.monasteries = 1 << 13  # a silver with the workers
    box.play(game, box.parse_move(f"workers die {game.player.dice[0]}"))
    assert passed(game) == {"red workers": 2, "red silver": 1}


def test_loaded_goods_are_a_gain_of_as_many_as_there_are(box: Burgundy) -> None:
    game = first_turn(box, "tolls")
    game.depot_goods[2] = [0, 2, 0, 0, 1, 0, 0]
    player = game.player
    space = next(s for s in player.duchy.spaces if s.tile_type == "ship" and player.spaces[s.index] is None)
    player.put(next(i for i in range(37) if player.duchy.neighbours[space.index] >> i & 1), tile("mine"))
    player.storage, player.dice = [tile("ship")], [space.die]
    box.play(game, box.parse_move(f"place ship {space.index} die {space.die}"))
    box.play(game, box.parse_move("goods 3 1,4"))
    assert passed(game)["red goods_loaded"] == 3
