"""Effects that wait for a choice: the last one opened is next, unless a module lets people choose among them."""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules import Burgundy, GameState
from companion.games.burgundy.rules.state import Pending
from companion.games.burgundy.rules.tiles import tile
from companion.text.translator import Translator
from tests.support.modules import first_turn
from tests.support.positions import fill_depot

WAITING = ("castle", "market", "church")


def waiting(box: Burgundy, *effects: str, **rules: str) -> GameState:
    """Returns a turn in which these effects wait, in any order; there is a ship in depot 2, and a mine in depot 3."""
    game = first_turn(box, "fairs", rules=rules)
    game.pending = list(map(Pending, effects))
    fill_depot(game, 2, "ship")
    fill_depot(game, 3, "mine")
    return game


def legal(box: Burgundy, game: GameState) -> set[str]:
    return set(map(str, box.legal_moves(game)))


def effects(game: GameState) -> list[str]:
    return [pending.effect for pending in game.pending]


def test_what_every_open_effect_allows_is_legal(box: Burgundy) -> None:
    assert legal(box, waiting(box, "market", "church")) == {
        "take ship 2.0",
        "take mine 3.0",
        "skip market",
        "skip church",
    }


def test_only_the_last_one_opened_is_open_in_other_games(box: Burgundy) -> None:
    game = first_turn(box)
    game.pending = [Pending("market"), Pending("church")]
    fill_depot(game, 2, "ship")
    fill_depot(game, 3, "mine")
    assert legal(box, game) == {"take mine 3.0", "skip"}
    reason = box.validate(game, box.parse_move("take ship 2.0"))
    assert reason is not None and reason.code == "not_for_this_building" and reason.data["effect"] == "church"


@pytest.mark.parametrize(
    ("move", "left"),
    [("take ship 2.0", ["church"]), ("take mine 3.0", ["market"]), ("skip market", ["church"])],
)
def test_a_move_uses_the_effect_that_allows_it(box: Burgundy, move: str, left: list[str]) -> None:
    game = waiting(box, "market", "church")
    box.play(game, box.parse_move(move))
    assert effects(game) == left


@pytest.mark.parametrize("order", [("castle", "market"), ("market", "castle")])
def test_of_two_that_allow_a_move_the_one_is_used_that_allows_less(
    box: Burgundy, order: tuple[str, ...]
) -> None:
    game = waiting(box, *order)
    assert len(box.legal_moves(game)) == len(legal(box, game))
    box.play(game, box.parse_move("take ship 2.0"))
    assert effects(game) == ["castle"]


def test_an_effect_that_is_lost_leaves_the_move_to_another(box: Burgundy) -> None:
    game = waiting(box, "market", "castle", full_storage_effect="lose")
    game.player.storage = [tile("mine")] * 3
    assert "take ship 2.0" in legal(box, game)
    box.play(game, box.parse_move("take ship 2.0"))
    assert effects(game) == ["market", "discard"]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("skip", "skip_which"),
        ("skip castle", "skip_which"),
        ("take mine 3.0 die 3", "other_choice_first"),
        ("sell 1", "other_choice_first"),
        ("end", "other_choice_first"),
        ("take castle 4.0", "not_for_this_building"),
    ],
)
def test_what_no_open_effect_allows_has_a_reason(box: Burgundy, move: str, code: str) -> None:
    game = waiting(box, "market")
    game.pending.append(Pending("market" if code == "not_for_this_building" else "church"))
    fill_depot(game, 4, "castle")
    reason = box.validate(game, box.parse_move(move))
    assert reason is not None and reason.code == code


def test_an_effect_is_named_only_where_several_wait(box: Burgundy) -> None:
    game = waiting(box, "market")
    assert "skip" in legal(box, game)
    reason = box.validate(game, box.parse_move("skip market"))
    assert reason is not None and reason.code == "skip_which"


def test_a_tile_that_waits_for_a_key_space_comes_before_the_rest(box: Burgundy) -> None:
    game = waiting(box, "church", "market")
    game.player.storage = [tile("castle")] * 3
    box.play(game, box.parse_move("take ship 2.0"))
    assert legal(box, game) == {"discard castle"}
    box.play(game, box.parse_move("discard castle"))
    assert effects(game) == ["church"]


def test_moves_are_read_back_from_their_short_notation(box: Burgundy) -> None:
    game = waiting(box, *WAITING)
    for move in box.legal_moves(game):
        assert box.parse_short(game, box.short_notation(game, move)) == move


def test_the_page_is_told_of_all_that_wait(box: Burgundy) -> None:
    assert box.view(waiting(box, *WAITING))["pending"] == list(WAITING)


def test_a_camera_sees_what_each_of_them_takes(box: Burgundy) -> None:
    game = waiting(box, "market", "church")
    seen = {
        str(move): [change.place for change in box.visible_changes(game, move)]
        for move in box.legal_moves(game)
    }
    assert seen["take ship 2.0"] == ["depot:2:0"] and seen["take mine 3.0"] == ["depot:3:0"]
    assert seen["skip market"] == []


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Decline the market"), ("fr", "Ne pas utiliser le marché")]
)
def test_people_read_which_effect_they_decline(box: Burgundy, language: str, sentence: str) -> None:
    game = waiting(box, "market", "church")
    translator = Translator(language, strict=True, view=box.view(game))
    assert translator.move(box.describe(box.parse_move("skip market"))) == sentence
