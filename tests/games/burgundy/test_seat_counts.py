"""One to four seats: everything that goes by the number of players, and a module in which one plays alone."""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules import Burgundy, GameState
from companion.games.burgundy.rules.decisions import Roll
from companion.games.burgundy.rules.setup_validation import InvalidSetupError
from companion.games.burgundy.rules.tiles import tile
from tests.support.modules import first_turn, played, setup_of


@pytest.fixture
def alone(box: Burgundy) -> GameState:
    """The first turn of somebody who plays alone."""
    return first_turn(box, "hermit", people=1)


@pytest.mark.parametrize("seed", range(5))
def test_one_plays_to_the_end(box: Burgundy, seed: int) -> None:
    game = played(box, box.new(setup_of(people=1, modules=["hermit"])), 5_000, seed)
    assert box.is_over(game) and box.ranking(game) == ["red"] and box.tie_break(game) is None
    assert len(box.score_history(game)["red"]) == 26


def test_every_turn_is_theirs(box: Burgundy, alone: GameState) -> None:
    assert (box.to_move(alone), alone.order(), alone.round) == ("red", [0], 0)
    box.play(alone, box.parse_move("end"))
    assert alone.stage == "roll" and alone.round == 1


def test_two_dice_and_the_white_one_are_rolled(box: Burgundy, alone: GameState) -> None:
    box.play(alone, box.parse_move("end"))
    assert box.expected_dice(alone) == {"red": 2, "white": 1}
    assert box.roll_move(alone, {"red": [3, 4], "white": [5]}) == Roll((("red", (3, 4)),), 5)


def test_main_board_and_setup_are_those_for_two(box: Burgundy, alone: GameState) -> None:
    assert alone.main_board is alone.edition.main_boards[2]
    steps = [step["step"] for step in box.setup_steps(box.new(setup_of(people=1, modules=["hermit"])))]
    assert steps[0] == "board_two" and steps.count("player") == 1


def test_goods_are_sold_as_by_two(box: Burgundy, alone: GameState) -> None:
    alone.player.goods[3], alone.player.dice = 2, [3]
    box.play(alone, box.parse_move("sell 3 die 3"))
    assert alone.player.points["sales"] == 4


def test_bonus_tiles_bring_as_much_as_for_two(box: Burgundy, alone: GameState) -> None:
    player = alone.player
    *others, last = (s for s in player.duchy.spaces if s.tile_type == "mine")
    for space in others:
        player.put(space.index, tile("mine"))
    neighbour = next(i for i in range(37) if player.duchy.neighbours[last.index] >> i & 1)
    player.put(neighbour, tile("ship"))
    player.storage, player.dice = [tile("mine")], [last.die]
    box.play(alone, box.parse_move(f"place mine {last.index} die {last.die}"))
    assert player.points["bonus_tiles"] == alone.edition.bonus_points[0][2]


@pytest.mark.parametrize(
    ("modules", "people", "why"),
    [
        (["hermit"], 2, "is for 1 players, not for 2"),
        ([], 1, "is for 2, 3 or 4 players, not for 1"),
        (["partners"], 3, "is for 4 players, not for 3"),
        (["hermit", "partners"], 1, "cannot be played with"),
    ],
)
def test_another_number_of_players_is_refused(
    box: Burgundy, modules: list[str], people: int, why: str
) -> None:
    with pytest.raises(InvalidSetupError, match=why):
        box.new(setup_of(people=people, modules=modules))
