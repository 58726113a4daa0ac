"""The search finds the best way to play the rest of a turn."""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules import GameState
from companion.players.search import plans
from tests.support.positions import RULES, fill_depot, new_game, on_turn, store

EVERY_PLAN = 10_000


def best_by_brute_force(position: GameState, player: str) -> float:
    """Returns the best evaluation after any sequence of moves that ends the turn."""
    best = float("-inf")
    for move in RULES.legal_moves(position):
        if RULES.ends_turn(move):
            best = max(best, RULES.evaluate(position, player))
            continue
        after = position.copy()
        RULES.play(after, move)
        best = max(best, best_by_brute_force(after, player))
    return best


def position() -> GameState:
    game = on_turn((3, 1))
    fill_depot(game, 3, "castle", "ship")
    fill_depot(game, 1, "livestock/pig_2")
    return game


def test_the_best_plan_is_as_good_as_the_best_of_all_turns() -> None:
    game = position()
    assert plans(RULES, game, EVERY_PLAN)[0].value == pytest.approx(best_by_brute_force(game, "red"))


def test_every_plan_can_be_played_and_ends_the_turn() -> None:
    for plan in plans(RULES, position()):
        game = position()
        for move in plan.moves:
            assert RULES.validate(game, move) is None
            RULES.play(game, move)
        assert RULES.to_move(game) != "red"


def test_plans_are_sorted_by_the_value_of_their_position() -> None:
    found = plans(RULES, position())
    values = [RULES.evaluate(plan.position, "red") for plan in found]
    assert values == sorted(values, reverse=True) == [plan.value for plan in found]


def test_no_two_plans_lead_to_the_same_position() -> None:
    found = plans(RULES, position())
    assert len({RULES.end_of_turn_key(plan.position) for plan in found}) == len(found)


def test_a_narrow_search_keeps_the_best_unfinished_turns() -> None:
    narrow, wide = (plans(RULES, position(), width) for width in (1, 30))
    assert len(narrow) < len(wide) and narrow[0].value <= wide[0].value


def test_nobody_plans_while_nobody_is_in_turn() -> None:
    assert plans(RULES, new_game()) == []


def test_a_plan_uses_what_a_tile_brings_at_once() -> None:
    game = on_turn((3, 1))
    store(game, "building/watchtower")
    assert any(str(move).startswith("place building/watchtower") for move in plans(RULES, game)[0].moves)
