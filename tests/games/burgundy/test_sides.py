"""Seats and sides: two seats may share a duchy, goods, silver, workers and points, but not dice and key spaces."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.games.burgundy.rules import Burgundy, GameState
from companion.games.burgundy.rules.decisions import Adjust, Place, Take
from companion.games.burgundy.rules.scoring import change_score
from companion.games.burgundy.rules.tiles import tile
from tests.support.modules import first_turn, played, setup_of
from tests.support.positions import fill_depot

PARTNER = {"red": "green", "blue": "black"}


@pytest.fixture
def game(box: Burgundy) -> GameState:
    """Red's first turn; red and green play together, and so do blue and black."""
    return first_turn(box, "partners", people=4)


def new(box: Burgundy) -> GameState:
    return box.new(setup_of(people=4, modules=["partners"]))


def test_there_are_two_sides_of_four_seats(game: GameState) -> None:
    assert [seat.colour for seat in game.seats] == ["red", "blue", "green", "black"]
    assert [side.colour for side in game.sides] == ["red", "blue"]


def test_what_one_gets_the_other_has(box: Burgundy, game: GameState) -> None:
    box.play(game, box.parse_move(f"workers die {game.player.dice[0]}"))
    red, blue, green, _ = game.players
    assert (red.workers, green.workers, blue.workers) == (2, 2, 0)


def test_a_tile_that_one_places_lies_in_the_duchy_of_both(box: Burgundy, game: GameState) -> None:
    red, blue, green, _ = game.players
    space = next(i for i in range(37) if red.frontier >> i & 1)
    label = {"livestock": "livestock/cow_3", "building": "building/bank", "monastery": "monastery/3"}
    stored = tile(label.get(tile_type := red.duchy.spaces[space].tile_type, tile_type))
    red.storage, red.dice = [stored], [red.duchy.spaces[space].die]
    box.play(game, Place(stored.label, space, red.dice[0]))
    assert green.spaces[space] is stored and blue.spaces[space] is None


def test_dice_and_key_spaces_are_their_own(box: Burgundy, game: GameState) -> None:
    red, _, green, _ = game.players
    fill_depot(game, 1, "mine")
    red.dice, green.dice = [1, 2], [3, 4]
    box.play(game, Take("mine", 1, 0, 1))
    assert (red.storage, green.storage) == ([tile("mine")], [])
    assert (red.dice, green.dice) == ([2], [3, 4])


def test_a_random_game_touches_only_the_storage_of_the_seat_in_turn(box: Burgundy) -> None:
    game, rng, takers = new(box), random.Random(3), set()
    while not box.is_over(game):
        move: Any = box.sample_chance(game, rng) or rng.choice(box.legal_moves(game))
        before = [list(seat.storage) for seat in game.players if seat is not game.seat]
        takers |= {game.seat.colour} if isinstance(move, Take) else set()
        others = [seat for seat in game.players if seat is not game.seat]
        box.play(game, move)
        assert [list(seat.storage) for seat in others] == before
    assert takers == {"red", "blue", "green", "black"}


def test_every_seat_has_a_marker_of_turn_order(game: GameState) -> None:
    assert sorted(game.order()) == [0, 1, 2, 3]


def test_mines_and_the_end_of_the_game_are_counted_once_for_both(box: Burgundy) -> None:
    game, rng = new(box), random.Random(4)
    paid, final = [], []
    while not box.is_over(game):
        move: Any = box.sample_chance(game, rng) or rng.choice(box.legal_moves(game))
        events = box.play(game, move)
        paid += [event.player for event in events if event.kind == "mines"]
        final += [(event.player, event.data["source"]) for event in events if event.kind == "final"]
    assert set(paid) <= {"red", "blue"}
    assert len(final) == len(set(final)) and {player for player, _ in final} == {"red", "blue"}


def test_starting_castles_and_goods_are_set_up_once_for_both(box: Burgundy) -> None:
    game = new(box)
    box.play(game, box.parse_move("castle red 18"))
    reason = box.validate(game, box.parse_move("castle green 18"))
    assert reason is not None and reason.code == "castle_already_placed"
    assert [layout.player for layout in box.expected_layouts(game)] == ["red", "blue"]


def test_a_copy_shares_sides_of_its_own(box: Burgundy, game: GameState) -> None:
    copy = game.copy()
    assert copy.state_hash() == game.state_hash()
    copy.players[0].silver += 3
    assert copy.players[2].silver == game.players[2].silver + 3


def test_seats_share_a_side_again_once_they_are_read(box: Burgundy, game: GameState) -> None:
    game.players[0].storage = [tile("mine")]
    again = box.from_json(game.to_json())
    assert again.state_hash() == game.state_hash()
    again.players[0].silver += 3
    assert again.players[2].silver == game.players[2].silver + 3
    assert [len(player.storage) for player in again.players] == [1, 0, 0, 0]


def test_a_camera_sees_one_board_and_one_row_of_goods_for_both(box: Burgundy, game: GameState) -> None:
    groups = box.visible_layout(game)
    assert {name for name in groups if name.startswith(("duchy", "goods"))} == {
        "duchy:red",
        "duchy:blue",
        "goods:red",
        "goods:blue",
    }
    assert {name for name in groups if name.startswith("storage")} == {
        f"storage:{seat.colour}" for seat in game.seats
    }


def test_what_the_partner_places_is_seen_on_the_board_of_both(box: Burgundy, game: GameState) -> None:
    game.turn = 2
    (change,) = box.visible_changes(game, Place("mine", 3, 1))
    assert change.place == "duchy:red:3"


def test_the_page_is_told_whose_side_a_seat_plays(box: Burgundy, game: GameState) -> None:
    assert [player["side"] for player in box.view(game)["players"]] == ["red", "blue", "red", "blue"]


def test_why_a_space_takes_no_tile_is_asked_on_the_board_of_both(box: Burgundy, game: GameState) -> None:
    game.turn = 2
    game.player.storage = [tile("mine")]
    assert box.illegal_moves_at(game, "duchy:red:0") and not box.illegal_moves_at(game, "duchy:green:0")


def test_sides_are_ranked_and_partners_follow_each_other(box: Burgundy, game: GameState) -> None:
    change_score(game, game.players[3], "sales", 9, [])
    assert box.ranking(game) == ["blue", "black", "red", "green"]


def test_partners_do_not_tie_with_each_other(box: Burgundy, game: GameState) -> None:
    change_score(game, game.players[0], "sales", 9, [])
    assert box.tie_break(game) is None


def test_sides_with_as_many_points_are_told_apart_like_players(box: Burgundy, game: GameState) -> None:
    game.players[1].put(0, tile("livestock/cow_3"))
    tie = box.tie_break(game)
    assert tie is not None and tie["by"] == "spaces"
    assert (tie["player"], tie["players"]) == ("blue", ["red", "green"])


def test_score_sheet_and_history_are_those_of_the_side(box: Burgundy) -> None:
    game = played(box, new(box), 5_000)
    sheet, history = box.score_sheet(game), box.score_history(game)
    for colour, partner in PARTNER.items():
        assert sheet[colour] == sheet[partner] and sum(sheet[colour].values()) == history[colour][-1]
        assert history[colour] == history[partner]


def test_statistics_are_those_of_the_seat(box: Burgundy, game: GameState) -> None:
    game.turn = 2
    game.players[2].dice = [1]
    fill_depot(game, 0, "mine")
    game.player.silver = 2
    move = box.parse_move("buy mine 0.0")
    events = box.play(game, move)
    assert list(box.statistics_of("green", move, events)) == [("green", "tiles_bought", 1)]


@pytest.mark.parametrize("colour", ["red", "green"])
def test_a_correction_of_either_corrects_the_side(box: Burgundy, game: GameState, colour: str) -> None:
    box.play(game, Adjust(colour, (("workers", 2), ("score", 3), ("goods:1", 1)), "forgotten"))
    assert {(p.workers, p.score, p.goods[1]) for p in (game.players[0], game.players[2])} == {(2, 3, 1)}


def test_a_marker_is_corrected_for_one_seat(box: Burgundy, game: GameState) -> None:
    box.play(game, Adjust("green", (("track", 2),), "forgotten"))
    assert game.track[2] == [2]


def test_a_ruling_names_the_board_by_its_side_and_storage_by_the_seat(box: Burgundy, game: GameState) -> None:
    game.box = {tile("mine"): 1, tile("livestock/cow_3"): 1}
    box.play(game, box.parse_move("ruling duchy:red:0=livestock/cow_3 storage:green=mine goods:red=1"))
    red, _, green, _ = game.players
    assert green.spaces[0] == tile("livestock/cow_3") and green.goods[1] == 1
    assert (red.storage, green.storage) == ([], [tile("mine")])
    reason = box.validate(game, box.parse_move("ruling duchy:green:1=empty"))
    assert reason is not None and reason.code == "ruling_unknown"


def test_moves_follow_players_to_other_colours(box: Burgundy) -> None:
    colours = {"red": "yellow", "green": "red"}
    moves = {
        "castle red 18": "castle yellow 18",
        "adjust green workers+1 because the red cup fell over": "adjust red workers+1 because the red cup fell over",
        "ruling duchy:red:0=mine storage:green=mine": "ruling duchy:yellow:0=mine storage:red=mine",
    }
    assert {text: str(box.with_players(box.parse_move(text), colours)) for text in moves} == moves


def test_bots_rate_the_side(box: Burgundy, game: GameState) -> None:
    before = box.evaluate(game, "green")
    game.players[0].silver += 5
    assert box.evaluate(game, "green") > before
