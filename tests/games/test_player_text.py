"""Players' names and reasons: invisible characters are removed, wherever a text comes from."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import record_of
from companion.games.burgundy.plugin import PLUGIN
from companion.games.player_text import LONGEST_NAME, cleaned
from companion.games.setup import parsed_choice
from companion.journal import Journal
from companion.session import CommandRejectedError, TableSession
from companion.virtual.demo import demo_setup
from tests.archive.test_archive import RULES
from tests.support.pages import create_app
from tests.support.tables import Table, watching

INVISIBLE = {
    "x\x07y": "xy",
    "\u202eevil": "evil",
    "\u200eAnna\u200f": "Anna",
    "\u2066Ida\u2069": "Ida",
    "A\u00adda": "Ada",
    "\ufeffZoé": "Zoé",
    "half \ud800": "half",
    "\ufffeno\uffff": "no",
    "one\x85two\u2028three": "one two three",
    "\x00": "",
    "\u200d": "",
    "\u2800": "",
    "\u3164\u115f\u1160\uffa0": "",
    "\u0301\ufe0f": "",
    "A\u034fda": "Ada",
}


@pytest.mark.parametrize(("name", "shown"), INVISIBLE.items())
def test_control_and_direction_characters_are_removed(name: str, shown: str) -> None:
    assert cleaned(name) == shown


@pytest.mark.parametrize("name", ["Zoé", "O’Brien", "Jean-Luc", "李小龙", "ليلى", "می‌خواهم", "👨‍👩‍👧", "ঋতু"])
def test_a_name_of_any_script_stays(name: str) -> None:
    assert cleaned(name) == name


def test_a_name_is_the_same_however_its_accents_were_typed() -> None:
    assert cleaned("Zoe\u0301") == cleaned("Zo\u00e9") == "Zo\u00e9"


@given(st.text(max_size=30))
def test_any_name_can_stand_in_xml_and_is_clean_for_good(name: str) -> None:
    shown = cleaned(name)
    assert cleaned(shown) == shown
    read = ElementTree.fromstring(f"<p>{escape(shown)}</p>")
    assert (read.text or "") == shown


def session(names: dict[str, str] | None = None) -> TableSession:
    return TableSession(RULES, Journal(":memory:"), {**demo_setup(2, 1), "names": names or {}})


def test_a_name_entered_on_the_page_is_stored_clean() -> None:
    played = session()
    played.rename_player("red", "x\x07y")
    assert played.journal.records()[-1].body == {"names": {"red": "xy"}}


def test_two_names_that_look_alike_are_one() -> None:
    played = session({"blue": "Anna"})
    with pytest.raises(CommandRejectedError) as rejected:
        played.rename_player("red", "An\u200ena")
    assert rejected.value.code == "name_taken"


def test_removed_characters_do_not_count_towards_the_length() -> None:
    played = session()
    played.rename_player("red", "\u202e" * LONGEST_NAME + "Ida")
    assert played.snapshot()["view"]["names"] == {"red": "Ida"}


def test_a_reason_in_players_own_words_is_stored_clean() -> None:
    table = Table()
    watching(table)
    silver = next(count for count in table.session.counts("red") if count.what == "silver")
    table.session.adjust("red", {"silver": (silver.value, silver.value + 1)}, "\u202efound\x07")
    assert table.session.entries()[-1].moves[0].reason == "found"


def test_a_name_chosen_before_the_game_is_stored_clean() -> None:
    people = [
        {"colour": colour, "kind": "person", "duchy": duchy, "name": name}
        for colour, duchy, name in (("red", "se-1", "x\x07y"), ("blue", "se-7", "\u202eevil"))
    ]
    choice = parsed_choice(PLUGIN.setup, {"seats": people})
    assert PLUGIN.setup.setup(choice)["names"] == {
        "red": "xy",
        "blue": "evil",
    }


def test_a_name_in_an_old_journal_is_shown_clean() -> None:
    old = session({"red": "x\x07y", "blue": "\x07"})
    assert old.snapshot()["view"]["names"] == {"red": "xy"}
    assert {seat.name for seat in record_of(RULES, old.journal.records()).seats} == {"xy", None}


@pytest.mark.parametrize("name", ["x\x07y", "\u202eevil", "\ufffe", "<b>&amp;", "]]>"])
def test_the_drawing_of_a_game_is_well_formed_whatever_the_names(name: str) -> None:
    client = create_app(session({"red": name})).test_client()
    drawn = client.get("/games/now/game.svg").get_data(as_text=True)
    text: Any = "".join(ElementTree.fromstring(drawn).itertext())
    assert cleaned(name)[:11] in text
