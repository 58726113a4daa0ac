"""Dice: what workers make of them is a rule that modules change, and an effect may act with the white die's value."""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules import Burgundy, GameState
from companion.games.burgundy.rules.state import Pending
from companion.games.burgundy.rules.tiles import tile
from companion.text.translator import Translator
from tests.support.modules import first_turn
from tests.support.positions import fill_depot


def acting(box: Burgundy, *effects: str, white: int = 3, workers: int = 1) -> GameState:
    """Returns a turn in which these effects wait, with tiles in depots 1, 3 and 4, and with goods 3 and 6."""
    game = first_turn(box, "dovecotes", "fairs")
    game.pending = list(map(Pending, effects))
    game.white, game.player.workers = white, workers
    for depot in (1, 3, 4):
        fill_depot(game, depot, "mine")
    game.player.goods[3] = game.player.goods[6] = 1
    return game


def legal(box: Burgundy, game: GameState) -> set[str]:
    return set(map(str, box.legal_moves(game)))


def test_an_effect_that_reads_the_white_die_needs_workers_for_other_values(box: Burgundy) -> None:
    assert legal(box, acting(box, "dovecote")) == {
        "take mine 3.0",
        "take mine 4.0 workers 1",
        "sell 3",
        "workers",
        "skip",
    }


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("take mine 4.0", "wrong_payment"),
        ("take mine 3.0 workers 1", "wrong_payment"),
        ("take mine 1.0 workers 2", "not_enough_workers"),
        ("take mine 3.0 die 3", "other_choice_first"),
    ],
)
def test_a_wrong_payment_has_a_reason(box: Burgundy, move: str, code: str) -> None:
    reason = box.validate(acting(box, "dovecote"), box.parse_move(move))
    assert reason is not None and reason.code == code


def test_the_workers_are_spent_and_the_white_die_stays(box: Burgundy) -> None:
    game = acting(box, "dovecote")
    box.play(game, box.parse_move("take mine 4.0 workers 1"))
    assert (game.player.workers, game.white, game.pending) == (0, 3, [])
    assert game.player.storage == [tile("mine")]


def test_a_tile_is_placed_by_the_white_die(box: Burgundy) -> None:
    game = acting(box, "dovecote", workers=0)
    player = game.player
    player.storage = [tile("mine")]
    mines = [space for space in player.duchy.spaces if space.tile_type == "mine"]
    for space in player.duchy.spaces:  # so that every space for a mine is open
        if space.tile_type != "mine" and player.spaces[space.index] is None:
            player.put(space.index, tile("ship"))
    game.white = mines[0].die
    placed = {move for move in legal(box, game) if move.startswith("place")}
    assert placed == {f"place mine {space.index}" for space in mines if space.die == game.white}


@pytest.mark.parametrize("order", [("dovecote", "castle"), ("castle", "dovecote")])
@pytest.mark.parametrize(
    ("move", "left"),
    [
        ("take mine 3.0", "castle"),
        ("take mine 4.0 workers 1", "castle"),
        ("take mine 4.0", "dovecote"),
        ("sell 6", "dovecote"),
    ],
)
def test_beside_an_effect_with_any_value_it_is_used_where_it_is_enough(
    box: Burgundy, order: tuple[str, str], move: str, left: str
) -> None:
    game = acting(box, *order)
    assert move in legal(box, game)
    box.play(game, box.parse_move(move))
    assert [pending.effect for pending in game.pending] == [left]


def test_the_workers_are_written_in_short_notation(box: Burgundy) -> None:
    game = acting(box, "dovecote", "castle")
    short = {str(move): box.short_notation(game, move) for move in box.legal_moves(game)}
    assert short["take mine 4.0 workers 1"] == "take 4 mine workers 1"
    assert {text: str(box.parse_short(game, text)) for text in short.values()} == {
        text: move for move, text in short.items()
    }


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Take the mine from depot 4 with 1 worker"),
        ("fr", "Prendre la mine au dépôt 4 avec 1 ouvrier"),
    ],
)
def test_people_read_how_many_workers_it_takes(box: Burgundy, language: str, sentence: str) -> None:
    move = box.parse_move("take mine 4.0 workers 1")
    assert Translator(language, strict=True).move(box.describe(move)) == sentence


def test_a_module_changes_what_a_die_costs(box: Burgundy) -> None:
    game = first_turn(box, "dovecotes")
    player = game.player
    fill_depot(game, 6, "mine")
    player.dice = [1]
    assert "take mine 6.0 die 1 workers 1" not in legal(box, game)
    player.workers = 1
    assert "take mine 6.0 die 1 workers 1" in legal(box, game)
    player.put(
        next(s.index for s in player.duchy.spaces if s.tile_type == "building"), tile("building/dovecote")
    )
    assert "take mine 6.0 die 1" in legal(box, game)
    assert box.validate(game, box.parse_move("take mine 6.0 die 1")) is None
    assert str(box.parse_short(game, "take 6 mine die 1")) == "take mine 6.0 die 1"


def test_where_a_tile_is_out_of_reach_the_page_says_so_for_the_effect(box: Burgundy) -> None:
    game = acting(box, "dovecote", workers=0)
    ((move, reason),) = box.illegal_moves_at(game, "depot:4:0")
    assert str(move) == "take mine 4.0 workers 1" and reason.code == "not_enough_workers"
