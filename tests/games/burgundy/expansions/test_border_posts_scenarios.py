"""Positions with border posts that were computed by hand from the rule text; the posts are where they are printed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.games.burgundy.modules.border_posts.state import links_of
from companion.games.burgundy.rules import GameState
from tests.support.border_posts import (
    DOWN,
    FIRST_ONLY,
    LINE,
    NOT_COUNTED,
    place_monastery,
    place_ship,
    post_turn,
)
from tests.support.positions import USUAL, build, cover, final_sheet


def linked_left_and_right(rules: Mapping[str, str] = USUAL) -> GameState:
    """Four players, phase A: monasteries on 4 to 7, and now on 8."""
    game = post_turn(players=4, rules=rules)
    cover(game.player, *LINE[:-1])
    place_monastery(game)
    return game


def ships_in_phase_c(game: GameState) -> int:
    """Lays the last ship, first to link all three; returns what it brings."""
    game.phase = 2
    game.player.dice = [4, 1]
    cover(game.player, *DOWN[:-1])
    before = game.player.score
    place_ship(game)
    return game.player.score - before


def test_e24_the_line_from_left_to_right_is_an_area_and_a_link() -> None:
    """S751: 15 + 10 + 10."""
    assert linked_left_and_right().player.score == 35


@pytest.mark.parametrize(("rules", "points"), [(USUAL, 40), (FIRST_ONLY, 28)])
def test_e25_the_third_post_is_linked_with_both_others(rules: Mapping[str, str], points: int) -> None:
    """Area 15 + 6, links 6 + 6, tile 7."""
    assert ships_in_phase_c(linked_left_and_right(rules)) == points


@pytest.mark.parametrize(("left", "points"), [(1, 37), (0, 33)])
def test_e26_the_tile_is_worth_less_for_the_second_and_gone_for_the_third(left: int, points: int) -> None:
    """S753."""
    game = linked_left_and_right()
    links_of(game).tiles_left = left
    assert ships_in_phase_c(game) == points


@pytest.mark.parametrize(("rules", "points"), [(USUAL, 9), (NOT_COUNTED, 6)])
def test_e28_monastery_26_counts_the_border_tile(rules: Mapping[str, str], points: int) -> None:
    """S689."""
    game = post_turn(rules=rules)
    game.phase, game.round = 4, 4
    build(game.player, s30="monastery/26")
    game.player.bonus_tiles = ["mine", "ship", "border"]
    assert final_sheet(game)["monastery_26"] == points
