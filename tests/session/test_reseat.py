"""Players that were entered wrongly are corrected: earlier entries are carried over as far as they are legal."""

from __future__ import annotations

import pytest

from companion.journal import Journal
from companion.session import TableSession
from companion.session.next_game import NextGame
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.tables import RULES, Table, over
from tests.web.test_page import page_of
from vision.sighting import Sighting


def game(*players: tuple[str, str], names: dict[str, str] | None = None) -> TableSession:
    seats = [{"colour": colour, "duchy": duchy} for colour, duchy in players]
    setup = {"edition": "special", "players": seats, "names": names or {}}
    return TableSession(RULES, Journal(":memory:"), setup)


@pytest.fixture
def first() -> Table:
    """Red and blue have set up, the first phase's tiles are on the board, and the first dice are rolled."""
    table = Table()
    table.set_up()
    table.session.tap(str(table.deal()))
    table.session.tap(str(table.deal()))
    return table


def dice(session: TableSession) -> dict[str, list[int]]:
    return {player.colour: player.dice for player in session.state.players}


def castles(session: TableSession) -> dict[str, int]:
    return {player.colour: player.occupied.bit_length() - 1 for player in session.state.players}


def test_a_new_order_keeps_castles_goods_tiles_and_dice(first: Table) -> None:
    corrected = game(("blue", "se-2"), ("red", "se-1"))
    corrected.carry_over(first.session)
    assert corrected.state.player.colour == "blue"
    assert dice(corrected) == dice(first.session) and castles(corrected) == castles(first.session)
    assert corrected.state.depots == first.session.state.depots
    assert [player.workers for player in corrected.state.players] == [1, 2]


def test_a_new_colour_gets_the_entries_of_the_old_one(first: Table) -> None:
    corrected = game(("red", "se-1"), ("green", "se-2"))
    corrected.carry_over(first.session)
    was, is_ = first.session.state.players, corrected.state.players
    assert is_[1].dice == was[1].dice and is_[1].goods == was[1].goods


def test_players_are_matched_by_name_before_colour() -> None:
    before = game(("red", "se-1"), ("blue", "se-1"), names={"red": "Anna", "blue": "Yves"})
    before.tap("castle red 18")
    before.tap("start-goods blue 4")
    corrected = game(("red", "se-1"), ("blue", "se-1"), names={"red": "Yves", "blue": "Anna"})
    corrected.carry_over(before)
    red, blue = corrected.state.players
    assert blue.occupied and not red.occupied and red.goods[4] == 1


def test_a_castle_that_is_illegal_on_the_new_duchy_is_asked_again_and_goods_stay(first: Table) -> None:
    space = castles(first.session)["red"]
    other = next(
        duchy
        for duchy in RULES.duchies.values()
        if duchy.name.startswith("se-") and duchy.spaces[space].tile_type != "castle"
    )
    corrected = game(("red", other.name), ("blue", "se-2"))
    corrected.carry_over(first.session)
    red, blue = corrected.state.players
    assert not red.occupied and blue.occupied and red.goods == first.session.state.players[0].goods
    assert corrected.status == "layout"


def test_turns_are_carried_over_until_one_is_out_of_order(first: Table) -> None:
    first.play(1)
    same, other = game(("red", "se-1"), ("blue", "se-2")), game(("blue", "se-2"), ("red", "se-1"))
    for session in (same, other):
        session.carry_over(first.session)
    assert same.state.state_hash() == first.session.state.state_hash()
    assert other.state.player.colour == "blue" and len(other.entries()) == len(first.session.entries()) - 1


def test_reasons_stay_as_written_when_colours_change() -> None:
    before = game(("red", "se-1"), ("blue", "se-1"), names={"red": "Anna", "blue": "Yves"})
    for text in ("castle red 18", "castle blue 18", "start-goods red 1,2,3", "start-goods blue 1,2,3"):
        before.tap(text)
    before.adjust("red", {"silver": (1, 3)}, "the red cup fell over")
    corrected = game(("red", "se-1"), ("blue", "se-1"), names={"red": "Yves", "blue": "Anna"})
    corrected.carry_over(before)
    (adjusted,) = corrected.entries()[-1].moves
    assert str(adjusted) == "adjust blue silver+2 because the red cup fell over"
    assert [player.silver for player in corrected.state.players] == [1, 3]


OTHERS = {"red": "blue", "blue": "black", "black": "red"}


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("castle red 18", "castle blue 18"),
        ("start-goods black 1,1,2", "start-goods red 1,1,2"),
        ("own-roll black=3", "own-roll red=3"),
        ("roll red=1,2 blue=3,4 green=5,6 white=6", "roll blue=1,2 black=3,4 green=5,6 white=6"),
        ("adjust blue score+1 because red first blue", "adjust black score+1 because red first blue"),
        (
            "ruling duchy:red:6=mine storage:blue=- goods:black=1 black:1=empty depot:3:0=mine score:red=9",
            "ruling duchy:blue:6=mine storage:black=- goods:red=1 black:1=empty depot:3:0=mine score:blue=9",
        ),
        ("take mine 3.0 die 3", "take mine 3.0 die 3"),
    ],
)
def test_players_are_renamed_in_every_kind_of_move(text: str, now: str) -> None:
    assert str(RULES.with_players(RULES.parse_move(text), OTHERS)) == now


def test_dice_on_the_table_are_not_taken_for_the_next_roll() -> None:
    table = Table().set_up()
    table.session.tap(str(table.deal()))
    table.deal()
    table.look()
    corrected = game(("red", "se-1"), ("blue", "se-2"))
    corrected.carry_over(table.session)
    for _ in range(2):
        corrected.tap("end")
    corrected.observe(Sighting({}, table.dice))
    assert corrected.status == "dice"


# --- the page ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menu_offers_it_in_the_first_round_only(first: Table, language: str) -> None:
    next_games: list[NextGame] = []
    browser = page_of(first.session, next_game=next_games.append)
    offer = Translator(language)("page.reseat")
    assert offer in browser.text(f"/menu?lang={language}")
    assert browser.do("reseat").status_code == 200 and next_games == [NextGame(reseats=True)]
    first.play(2)
    assert offer not in browser.text(f"/menu?lang={language}")
    assert browser.do("reseat").status_code == 400


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["new_game", "reseat"])
def test_leaving_the_game_is_asked_first(first: Table, command: str, language: str) -> None:
    first.session.rename_player("red", "Anna")
    browser = page_of(first.session, next_game=lambda next_game: None)
    menu = browser.text(f"/menu?lang={language}")
    assert f'data-open="/leave/{command}"' in menu and f'data-do="{command}"' not in menu
    asked = browser.text(f"/leave/{command}?lang={language}")
    assert "Anna" in asked and f'data-do="{command}" data-ignore-double-tap' in asked
    assert Translator(language)("leave.stay") in asked


def test_the_end_of_a_game_asks_before_the_next_one_too() -> None:
    table = Table()
    over(table)
    browser = page_of(table.session, next_game=lambda next_game: None)
    assert 'data-do="new_game"' not in browser.text("/table")
    assert "is over and its result is kept" in browser.text("/leave/new_game?lang=en")


@pytest.mark.parametrize("path", ["/leave/new_game", "/leave/reseat", "/leave/undo"])
def test_leaving_is_not_offered_where_there_is_only_this_game(first: Table, path: str) -> None:
    assert page_of(first.session).client.get(path).status_code == 404


def test_reseating_is_not_offered_where_there_is_only_this_game(first: Table) -> None:
    browser = page_of(first.session)
    assert "reseat" not in browser.text("/menu") and browser.do("reseat").status_code == 400
