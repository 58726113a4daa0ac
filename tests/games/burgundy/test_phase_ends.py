"""The end of a phase: stages that modules add after the fifth round, before mines pay and the game is scored."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.burgundy.rules import Burgundy, GameState
from companion.games.burgundy.rules.tiles import tile
from tests.support.modules import first_turn, setup_of
from tests.support.positions import fill_depot


def at_stage(box: Burgundy, game: GameState, stage: str) -> GameState:
    """Ends turns until the game is at this stage."""
    rng = random.Random(1)
    while game.stage != stage:
        move: Any = box.sample_chance(game, rng) or box.legal_moves(game)[-1]
        box.play(game, move)
    return game


def tithes(box: Burgundy, *modules: str, people: int = 3) -> GameState:
    """Returns the first decision at the end of phase A; everybody has a silver."""
    return at_stage(box, first_turn_with_silver(box, *modules, people=people), "tithes")


def first_turn_with_silver(box: Burgundy, *modules: str, people: int) -> GameState:
    game = first_turn(box, "tithes", *modules, people=people)
    for player in game.players:
        player.silver = 1
    return game


def decisions(box: Burgundy, game: GameState, stage: str) -> Iterator[str | None]:
    """Yields who decides at a stage, which everybody ends at once."""
    while game.stage == stage:
        yield box.to_move(game)
        box.play(game, box.legal_moves(game)[0 if stage == "tithes" else -1])


def test_everybody_decides_in_turn_order(box: Burgundy) -> None:
    game = tithes(box)
    order = [game.seats[index].colour for index in game.order()]
    assert list(decisions(box, game, "tithes")) == order


def test_a_marker_that_has_advanced_goes_first(box: Burgundy) -> None:
    game = first_turn_with_silver(box, people=3)
    for space in game.track:
        if 2 in space:
            space.remove(2)
    game.track[3].append(2)
    at_stage(box, game, "tithes")
    assert list(decisions(box, game, "tithes")) == ["green", "red", "blue"]


def test_whoever_has_nothing_to_decide_is_left_out(box: Burgundy) -> None:
    game = first_turn_with_silver(box, people=3)
    game.players[0].silver = 0
    at_stage(box, game, "tithes")
    assert list(decisions(box, game, "tithes")) == ["blue", "green"]


def test_a_stage_is_left_out_where_nobody_decides(box: Burgundy) -> None:
    game = first_turn(box, "tithes")
    assert at_stage(box, game, "fill").phase_letter == "B" and game.white is None


def test_the_white_die_and_the_phase_last_until_it_is_over(box: Burgundy) -> None:
    game = tithes(box)
    white = game.white
    assert white is not None and game.phase_letter == "A" and game.round == 5
    box.play(game, box.parse_move("tithe 1"))
    assert game.seats[0].points["tithes"] == white
    list(decisions(box, game, "tithes"))
    assert game.white is None and game.phase_letter == "B" and game.round == 0


def test_mines_pay_after_it(box: Burgundy) -> None:
    game = tithes(box)
    red = game.players[0]
    red.put(next(s.index for s in red.duchy.spaces if s.tile_type == "mine"), tile("mine"))
    box.play(game, box.parse_move("tithe 1"))
    assert red.silver == 0
    list(decisions(box, game, "tithes"))
    assert red.silver == 1


def test_the_game_is_scored_after_it(box: Burgundy) -> None:
    game = first_turn_with_silver(box, people=2)
    game.phase = 4
    at_stage(box, game, "tithes")
    box.play(game, box.parse_move("tithe 1"))
    assert not box.is_over(game)
    list(decisions(box, game, "tithes"))
    assert box.is_over(game)
    assert [player.points.get("silver_left") for player in game.players] == [None, 1]


def test_the_next_round_begins_with_the_first_in_order(box: Burgundy) -> None:
    game = tithes(box)
    list(decisions(box, game, "tithes"))
    assert game.stage == "fill" and game.turn == game.first_player and game.acted == 0


def test_stages_of_two_modules_follow_each_other(box: Burgundy) -> None:
    game = tithes(box, "twilight")
    assert len(list(decisions(box, game, "tithes"))) == 3
    assert game.stage == "twilight"
    assert len(list(decisions(box, game, "twilight"))) == 3
    assert game.stage == "fill"


def test_a_game_with_two_stages_has_both_in_each_phase(box: Burgundy) -> None:
    game = box.new(setup_of(modules=["tithes", "twilight"]))
    seen, rng = [], random.Random(3)
    while not box.is_over(game):
        box.play(game, box.sample_chance(game, rng) or rng.choice(box.legal_moves(game)))
        if game.stage in ("tithes", "twilight") and (game.stage, game.phase_letter) not in seen:
            seen.append((game.stage, game.phase_letter))
    assert [letter for stage, letter in seen if stage == "twilight"] == list("ABCDE")


def twilight(box: Burgundy, label: str) -> GameState:
    """Returns red's decision at the end of a phase with a tile in storage, and a ship and goods on the main board."""
    game = at_stage(box, first_turn(box, "twilight"), "twilight")
    game.player.storage = [tile(label)]
    fill_depot(game, 2, "ship")
    game.depot_goods = [[0] * 7 for _ in game.depot_goods]
    game.depot_goods[4][3] = 1
    player = game.player
    for space in player.duchy.spaces:
        if player.spaces[space.index] is None and space.tile_type == "mine":
            player.put(space.index, tile("mine"))
    return game


def place_late(box: Burgundy, game: GameState) -> None:
    box.play(game, next(move for move in box.legal_moves(game) if str(move).startswith("late ")))


@pytest.mark.parametrize(
    ("label", "choices"),
    [
        ("castle", {"take ship 2.0", "workers", "skip"}),
        ("building/market", {"take ship 2.0", "skip"}),
        ("ship", {"goods 5 3"}),
    ],
)
def test_tiles_have_their_effects_there(box: Burgundy, label: str, choices: set[str]) -> None:
    game = twilight(box, label)
    place_late(box, game)
    assert {str(move) for move in box.legal_moves(game) if not str(move).startswith("sell")} >= choices
    assert all(box.validate(game, move) is None for move in box.legal_moves(game))
    assert box.to_move(game) == game.player.colour


def test_an_effect_is_used_there(box: Burgundy) -> None:
    game = twilight(box, "building/market")
    place_late(box, game)
    box.play(game, box.parse_move("take ship 2.0"))
    assert [stored.label for stored in game.player.storage] == ["ship"] and game.stage == "twilight"


def test_nothing_is_bought_and_no_die_is_used_there(box: Burgundy) -> None:
    game = twilight(box, "building/market")
    game.player.silver = 2
    fill_depot(game, 0, "mine")
    for move in ("buy mine 0.0", "take ship 2.0 die 2", "take ship 2.0"):
        reason = box.validate(game, box.parse_move(move))
        assert reason is not None and reason.code == "wrong_stage"
    place_late(box, game)
    reason = box.validate(game, box.parse_move("buy mine 0.0"))
    assert reason is not None and reason.code == "wrong_stage"
    assert not any(str(move).startswith("buy") for move in box.legal_moves(game))


def test_a_decision_is_ended_once_no_effect_waits(box: Burgundy) -> None:
    game = twilight(box, "castle")
    place_late(box, game)
    reason = box.validate(game, box.parse_move("rest"))
    assert reason is not None and reason.code == "other_choice_first"
    box.play(game, box.parse_move("skip"))
    box.play(game, box.parse_move("rest"))
    assert box.to_move(game) == "blue"


def test_a_ship_laid_there_counts_for_the_next_round(box: Burgundy) -> None:
    game = twilight(box, "ship")
    first = game.first_player
    game.turn = next(index for index in range(2) if index != first)
    game.player.storage = [tile("ship")]
    mines = [space.index for space in game.player.duchy.spaces if space.tile_type == "mine"]
    for space in mines:
        if game.player.spaces[space] is None:
            game.player.put(space, tile("mine"))
    place_late(box, game)
    assert game.first_player == game.turn != first
