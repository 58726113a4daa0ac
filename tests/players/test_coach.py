"""The coach suggests other ways to play a turn, and finds the turns that have cost most."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from companion.games.burgundy.rules import GameState
from companion.players.bots import BOTS
from companion.players.coach import Suggestion, can_coach, costly_turns, suggestions
from tests.games.others.pebbles.rules import Pebbles
from tests.support.automa_positions import new_automa_game
from tests.support.positions import RULES, fill_depot, last_round, new_game, on_turn, store

SAMPLES = 4


def position() -> GameState:
    game = on_turn((3, 1))
    fill_depot(game, 3, "castle", "ship")
    fill_depot(game, 1, "livestock/pig_2", "mine")
    store(game, "building/watchtower")
    game.player.workers = 2
    return game


def suggested(game: GameState) -> list[Suggestion]:
    return suggestions(RULES, game, SAMPLES)


def notation(moves: Sequence[Any]) -> list[str]:
    return [str(move) for move in moves]


def test_three_ways_to_play_are_suggested() -> None:
    assert len(suggested(position())) == 3


def test_the_suggestion_that_is_expected_to_lead_most_comes_first() -> None:
    leads = [suggestion.lead for suggestion in suggested(position())]
    assert leads == sorted(leads, reverse=True)


def test_suggestions_have_at_most_half_of_their_moves_in_common() -> None:
    turns = [set(notation(suggestion.moves[:-1])) for suggestion in suggested(position())]
    for turn in turns:
        for other in turns:
            assert turn is other or len(turn & other) <= max(len(turn), len(other)) / 2


def test_equal_positions_get_equal_suggestions() -> None:
    assert suggested(position()) == suggested(position())


def test_the_gains_of_a_suggestion_are_what_its_moves_change() -> None:
    best = suggested(position())[0]
    game = position()
    before = RULES.value_parts(game, "red")
    for move in best.moves[:-1]:
        RULES.play(game, move)
    after = RULES.value_parts(game, "red")
    for part, gain in best.gains.items():
        assert gain == pytest.approx(after[part] - before[part])
    assert best.gains["duchy"] > 0


def test_the_coach_does_not_change_the_position() -> None:
    game = position()
    before = game.state_hash()
    suggested(game)
    assert game.state_hash() == before


def test_nothing_is_suggested_while_nobody_is_in_turn() -> None:
    assert suggestions(RULES, new_game()) == []


def test_a_turn_of_the_last_round_is_suggested_by_its_final_points() -> None:
    game = last_round()
    assert suggested(game)


def test_a_game_that_cannot_be_evaluated_has_no_coach() -> None:
    assert can_coach(RULES) and not can_coach(Pebbles())


def test_a_turn_that_wastes_its_dice_has_cost_more_than_the_best_one() -> None:
    game = position()
    best = suggested(game)[0].moves
    wasted = (RULES.parse_move("end"),)
    costly = costly_turns(RULES, [(game, best), (game, wasted)], SAMPLES)
    assert [turn.index for turn in costly] == [1]
    assert costly[0].cost > 4 and "building/watchtower" in str(notation(costly[0].better.moves))


def test_the_parts_of_an_evaluation_add_up_to_it() -> None:
    game = position()
    assert sum(RULES.value_parts(game, "red").values()) == RULES.evaluate(game, "red")


def test_at_the_end_of_a_game_a_position_is_worth_its_points() -> None:
    game, rng, bot = new_game(), random.Random(1), BOTS["greedy"](1)
    while not RULES.is_over(game):
        RULES.play(game, RULES.sample_chance(game, rng) or bot(RULES, game))
    for player in game.players:
        assert RULES.evaluate(game, player.colour) == player.score


def test_a_chateauma_is_worth_its_points() -> None:
    game = new_automa_game()
    game.seats[-1].score = 12
    assert RULES.evaluate(game, game.seats[-1].colour) == 12
