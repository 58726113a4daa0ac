"""What the owner's copy prints, in one file: saved for later games, and never anything that no copy can print."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from companion.games.burgundy.modules.chateauma import AnswerError
from companion.games.burgundy.owner_print import OwnersPrint, PrintFile, PrintFileError, print_kinds
from companion.games.burgundy.plugin import burgundy, chateauma_module
from companion.games.burgundy.rules.tiles import TYPES
from companion.runtime.games.burgundy.owner_print import OWNER_PRINT
from tests.support.automa_positions import ANSWERS, automa_of, setup_with
from tests.support.modules import setup_of

PRINTED = chateauma_module().print_of("special")
CASTLE = {"colour": "castle", "sell_goods": False}
TILE = [[2, "take_building"], [4, "take_castle_mine_monastery"], [1, "workers_4"]]
OTHER = [[6, "points_4"], [3, "silver_2"], [4, "take_building"]]
TRADE: dict[str, Any] = {"modules": ["trade_routes"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "print.json"


def test_without_a_file_unknown_print_is_missing(path: Path) -> None:
    assert [unknown.what for unknown in OwnersPrint(path, PRINTED).missing("AD")] == [
        "card:8",
        "inventory_order",
        "marks:A",
        "marks:D",
    ]
    assert not path.exists()


def test_an_answer_is_there_at_the_next_start(path: Path) -> None:
    OwnersPrint(path, PRINTED).save(ANSWERS)
    again = OwnersPrint(path, PRINTED)
    assert again.missing("ABCD") == []
    assert again.print.inventory_order == ANSWERS["inventory_order"]
    assert again.print.marks == PRINTED.with_answers(ANSWERS).marks


def test_a_game_is_set_up_from_the_file(path: Path) -> None:
    OwnersPrint(path, PRINTED).save(ANSWERS)
    setup = setup_with(modifiers="ABD")
    seat = {name: setup["chateauma"][name] for name in ("colour", "level", "modifiers")}
    game = burgundy().new({**setup, "chateauma": {**seat, **OwnersPrint(path, PRINTED).answers}})
    assert game.state_hash() == burgundy().new(setup).state_hash()


def test_the_folder_is_made_with_the_first_answer(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "print.json"
    OwnersPrint(path, PRINTED).save({"inventory_order": list(TYPES)})
    assert json.loads(path.read_text()) == {"inventory_order": list(TYPES)}


def test_only_the_answers_are_in_the_file(path: Path) -> None:
    OwnersPrint(path, PRINTED).save({"cards": {"8": [None, None, CASTLE, None]}})
    assert json.loads(path.read_text()) == {"cards": {"8": [None, None, CASTLE, None]}}


def test_one_space_of_a_card_leaves_the_others_as_they_are_known(path: Path) -> None:
    own = OwnersPrint(path, PRINTED)
    own.save({"cards": {"8": [None, None, CASTLE, None]}})
    known, now = PRINTED.cards[8].spaces, own.print.cards[8].spaces
    assert [space.tile_type for space in now] == ["castle", "mine", "castle", "ship"]
    assert [space.symbol for space in now] == [space.symbol for space in known]


def test_answers_come_beside_those_that_were_there(path: Path) -> None:
    own = OwnersPrint(path, PRINTED)
    for answer in (
        {"cards": {"8": [None, None, CASTLE, None]}},
        {"cards": {"8": [CASTLE, None, None, None], "1": [CASTLE, None, None]}},
        {"marks": {"D": {"ship": [2]}}},
        {"marks": {"A": ANSWERS["marks"]["A"]}},
    ):
        own.save(answer)
    assert json.loads(path.read_text()) == {
        "cards": {"8": [CASTLE, None, CASTLE, None], "1": [CASTLE, None, None]},
        "marks": {"D": {"ship": [2]}, "A": ANSWERS["marks"]["A"]},
    }


def test_a_later_answer_has_the_last_word(path: Path) -> None:
    own = OwnersPrint(path, PRINTED)
    own.save({"cards": {"8": ["castle", "mine", "castle", "ship"]}})
    own.save({"cards": {"8": [None, None, "livestock", None]}})
    assert own.print.cards[8].spaces[2].tile_type == "livestock"


def test_two_companions_do_not_overwrite_each_others_answers(path: Path) -> None:
    one, other = OwnersPrint(path, PRINTED), OwnersPrint(path, PRINTED)
    one.save({"inventory_order": list(TYPES)})
    other.save({"cards": {"8": [None, None, CASTLE, None]}})
    assert OwnersPrint(path, PRINTED).missing("") == []


def test_answers_from_several_tablets_at_once_are_all_saved(path: Path) -> None:
    own = OwnersPrint(path, PRINTED)
    cards = [{"cards": {str(n): [CASTLE] + [None] * (len(c.spaces) - 1)}} for n, c in PRINTED.cards.items()]
    tablets = [threading.Thread(target=own.save, args=(answer,)) for answer in cards]
    for tablet in tablets:
        tablet.start()
    for tablet in tablets:
        tablet.join(timeout=20)
    assert set(OwnersPrint(path, PRINTED).answers["cards"]) == {str(number) for number in PRINTED.cards}


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ({"cards": {"10": ["mine"]}}, "no_card"),
        ({"cards": {"eight": ["mine"]}}, "no_card"),
        ({"cards": {"8": ["mine"]}}, "other_size"),
        ({"cards": {"8": [None, None, "palace", None]}}, "no_type"),
        ({"inventory_order": ["mine"] * 6}, "no_order"),
        ({"inventory_order": list(TYPES[:5])}, "no_order"),
        ({"marks": {"C": {"ship": [1]}}}, "no_marks"),
        ({"marks": {"D": {"mine": [4]}}}, "no_space"),
        ({"marks": {"D": {}}}, "nothing_marked"),
        ({"marks": {"D": {"ship": []}}}, "nothing_marked"),
        ({"marks": {"A": {"building": [1], "livestock": [1], "ship": [1], "monastery": [1]}}}, "other_count"),
        ({"marks": {"B": {**ANSWERS["marks"]["B"], "ship": [1]}}}, "other_count"),
    ],
)
def test_what_no_copy_prints_is_refused_and_nothing_is_changed(
    path: Path, answers: dict[str, Any], code: str
) -> None:
    own = OwnersPrint(path, PRINTED)
    own.save({"inventory_order": list(TYPES)})
    before = path.read_text()
    with pytest.raises(AnswerError) as caught:
        own.save(answers)
    assert caught.value.code == code
    assert path.read_text() == before and own.answers == {"inventory_order": list(TYPES)}


@pytest.mark.parametrize(
    "answers",
    [
        None,
        [],
        "mine",
        {"colour": "red"},
        {"cards": ["mine"]},
        {"cards": {"8": 3}},
        {"cards": {"8": [{"colour": "mine"}] * 4}},
        {"cards": {"8": [{"colour": "mine", "sell_goods": 1}] * 4}},
        {"inventory_order": [1, 2, 3, 4, 5, 6]},
        {"marks": {"D": [1]}},
        {"marks": {"D": {"ship": ["one"]}}},
        {"marks": {"D": {"ship": [True]}}},
    ],
)
def test_an_invalid_answer_is_rejected(path: Path, answers: Any) -> None:
    with pytest.raises(ValueError, match="the answer"):
        OwnersPrint(path, PRINTED).save(answers)
    assert not path.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("notes", "not what a copy prints"),
        ("[]", "should be a table"),
        ('{"card": {}}', "did you mean 'cards'?"),
        ('{"cards": {"8": ["mine"]}}', "county card 8 has 4 spaces, not 1"),
        ('{"marks": {"D": {"ship": "4"}}}', "marks.D.ship: should be a list"),
        (b"\xff\xfe", "not what a copy prints"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_and_left_alone(
    path: Path, content: str | bytes, message: str
) -> None:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = path.read_bytes()
    with pytest.raises(PrintFileError) as caught:
        OwnersPrint(path, PRINTED)
    assert str(path) in str(caught.value) and message in str(caught.value)
    assert "repair it" in str(caught.value) or "correct it there" in str(caught.value)
    assert path.read_bytes() == before


def test_a_power_cut_while_writing_leaves_the_old_answers(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = OwnersPrint(path, PRINTED)
    own.save({"inventory_order": list(TYPES)})

    def cut(file: int) -> None:
        raise OSError("power cut")

    monkeypatch.setattr(os, "fsync", cut)
    with pytest.raises(OSError, match="power cut"):
        own.save({"cards": {"8": [None, None, CASTLE, None]}})
    assert OwnersPrint(path, PRINTED).answers == {"inventory_order": list(TYPES)}


# --- what modules ask and games teach ---------------------------------------------------------------------


def reported(squares: list[list[Any]]) -> Any:
    """Returns a game in which people have reported the second tile of red's trade route."""
    game = burgundy().new(setup_of(**TRADE))
    text = ",".join(f"{number}:{bonus}" for number, bonus in squares)
    burgundy().play(game, burgundy().parse_move(f"route red 2 {text}"))
    return game


def test_each_kind_of_answers_belongs_to_the_main_board_or_to_one_module() -> None:
    kinds = [kind.name for module in burgundy().modules.values() for kind in module.print_kinds]
    assert len(kinds) == len(set(kinds))
    assert {"cards", "inventory_order", "marks", "symbols", "border_posts", "trade_routes"} == set(kinds)
    assert set(print_kinds()) == {*kinds, "black_slots"}


def test_a_tile_that_was_reported_is_there_in_the_next_game(path: Path) -> None:
    PrintFile(path).learn(reported(TILE))
    assert json.loads(path.read_text()) == {"trade_routes": {"a": TILE}}
    setup = PrintFile(path).complete(setup_of(**TRADE))
    assert setup["trade_routes"] == {"tiles": {"a": TILE}}
    assert burgundy().view(burgundy().new(setup))["trade_routes"]["tiles"] == {"a": TILE}


def test_a_tile_is_learnt_once_and_others_beside_it(path: Path) -> None:
    own = PrintFile(path)
    for squares in (TILE, OTHER, TILE):
        own.learn(reported(squares))
    assert own.answers == {"trade_routes": {"a": TILE, "b": OTHER}}


def test_a_tile_of_which_a_square_is_unknown_is_not_learnt(path: Path) -> None:
    PrintFile(path).learn(burgundy().new(setup_of(**TRADE)))
    assert not path.exists()


def test_a_box_with_twelve_tiles_learns_no_further_one(path: Path) -> None:
    own = PrintFile(path)
    tiles = {
        letter: [[1, "silver_2"], [1, "silver_2"], [i % 6 + 1, bonus]]
        for i, (letter, bonus) in enumerate(
            zip("abcdefghijkl", ["silver_2"] * 6 + ["points_4"] * 6, strict=True)
        )
    }
    own.save({"trade_routes": tiles})
    own.learn(reported(TILE))
    assert own.answers == {"trade_routes": tiles}


def test_a_tile_is_corrected_or_forgotten(path: Path) -> None:
    own = PrintFile(path)
    own.save({"trade_routes": {"a": TILE, "b": OTHER}})
    own.save({"trade_routes": {"a": None, "c": TILE}})
    assert own.answers == {"trade_routes": {"b": OTHER, "c": TILE}}


def test_answers_of_other_modules_stay_beside_what_is_learnt(path: Path) -> None:
    OwnersPrint(path, PRINTED).save(ANSWERS)
    PrintFile(path).learn(reported(TILE))
    assert OwnersPrint(path, PRINTED).missing("ABCD") == []
    assert "trade_routes" not in PrintFile(path).complete(setup_with())["chateauma"]


def test_a_game_without_a_module_gets_none_of_its_answers(path: Path) -> None:
    own = PrintFile(path)
    own.save({"trade_routes": {"a": TILE}})
    assert own.complete(setup_of()) == setup_of()


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"m": TILE}, "no_trade_tile"),
        ({"a": TILE, "b": TILE}, "trade_tile_twice"),
        ({"a": [[1, "gold"], *TILE[:2]]}, "no_trade_square"),
    ],
)
def test_tiles_that_no_box_has_are_refused(path: Path, answer: dict[str, Any], code: str) -> None:
    with pytest.raises(AnswerError) as caught:
        PrintFile(path).save({"trade_routes": answer})
    assert caught.value.code == code and not path.exists()


def test_a_game_is_set_up_with_the_places_of_the_owners_posts(path: Path) -> None:
    places = {"places": [[3], [15], [34, 35]]}
    own = PrintFile(path)
    own.save({"border_posts": places})
    setup = own.complete(setup_of(modules=["border_posts"]))
    assert setup["border_posts"] == places
    assert burgundy().new(setup).module_states["border_posts"].to_json()["places"] == places["places"]


def test_a_game_with_border_posts_waits_for_their_places_and_the_next_one_does_not(path: Path) -> None:
    setup = setup_of(modules=["border_posts"])
    missing = [OWNER_PRINT.missing(setup, path)]
    PrintFile(path).save({"border_posts": {"places": [[3], [15], [34, 35]]}})
    assert [*missing, OWNER_PRINT.missing(setup, path)] == [1, 0]


@pytest.mark.parametrize(
    "setup",
    [
        setup_of(),
        setup_of(modules=["trade_routes"]),
        setup_of(modules=["border_posts"]) | {"border_posts": {"places": [[3], [15], [34, 35]]}},
    ],
    ids=["no expansion", "another expansion", "the set-up says them"],
)
def test_places_of_border_posts_are_not_asked_for_in_another_game(path: Path, setup: dict[str, Any]) -> None:
    assert OWNER_PRINT.missing(setup, path) == 0 and OWNER_PRINT.complete(setup, path) == setup


def test_a_set_up_of_an_older_journal_has_the_posts_where_they_are_taken_to_stand() -> None:
    game = burgundy().new(setup_of(modules=["border_posts"]))
    assert game.module_states["border_posts"].to_json()["places"] == [[4, 9], [8, 14], [34, 35]]


@pytest.mark.parametrize("places", [[[3], [15]], [[3], [3], [15]], [[17], [3], [15]]])
def test_posts_stand_in_three_places_at_the_edge(path: Path, places: list[list[int]]) -> None:
    with pytest.raises(AnswerError) as caught:
        PrintFile(path).save({"border_posts": {"places": places}})
    assert caught.value.code == "no_post_places" and not path.exists()


def test_the_symbols_of_a_card_that_was_completed_are_there_in_the_next_game(path: Path) -> None:
    setup = {**setup_with(), "modules": ["border_posts"]}
    game, own = burgundy().new(setup), PrintFile(path)
    own.save({"symbols": {"4": {"shield": True}}})
    automa_of(game).report_symbols(4, {"border": True})
    automa_of(game).report_symbols(2, {"border": False})
    own.learn(game)
    known = {"4": {"shield": True, "border": True}, "2": {"border": False}}
    assert own.answers == {"symbols": known}
    again = burgundy().new(own.complete(setup))
    assert automa_of(again).has_symbol(4, "border") and automa_of(again).has_symbol(2, "border") is False


def test_a_game_that_teaches_nothing_new_leaves_the_file_alone(path: Path) -> None:
    game, own = burgundy().new({**setup_with(), "modules": ["border_posts"]}), PrintFile(path)
    own.learn(game)
    assert not path.exists()
