"""Pages of their own: joined by a code, for one phone each, with what only one player may see and do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games.registry import rules_of
from companion.journal import Journal
from companion.session import TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.other_games import more_games
from tests.support.pages import create_app
from web.commands import TOKEN_HEADER
from web.context import EXTENSION, PageContext
from web.guard import Guard, Limiter, Rate
from web.own_phones import OwnPhones

SETUP = {"game": "matches", "players": [{"colour": "red"}, {"colour": "blue"}]}


class Table:
    """Represents a table at which matches are played, with its page and phones."""

    def __init__(self, **options: Any) -> None:
        self.session = TableSession(rules_of(SETUP), Journal(":memory:"), SETUP)
        self.app: Flask = create_app(self.session, **options)
        self.app.testing = True
        self.context: PageContext = self.app.extensions[EXTENSION]

    def phone(self, player: str | None = None) -> FlaskClient:
        """Returns a phone, which has joined the page of *player*."""
        phone = self.app.test_client()
        if player is not None:
            code = self.context.own_phones.code(player)
            assert phone.post(f"/me/{player}/join", json={"code": code}).status_code == 200
        return phone

    def tap(self, phone: FlaskClient, player: str, text: str) -> Any:
        headers = {TOKEN_HEADER: self.context.token}
        return phone.post(f"/me/{player}/do", json={"do": "tap", "text": text}, headers=headers)


@pytest.fixture
def table() -> Iterator[Table]:
    with more_games():
        yield Table()


def shown(phone: FlaskClient, path: str = "/me/red") -> str:
    return phone.get(f"{path}?lang=en").get_data(as_text=True)


def test_without_the_code_a_phone_is_asked_for_it_and_shows_nothing(table: Table) -> None:
    table.session.tap("deal red even", "red")
    page = shown(table.phone())
    assert 'name="code"' in page and "even number" not in page
    assert table.phone().get("/me/red/table").status_code == 403


def test_with_the_code_it_shows_what_only_that_player_may_see(table: Table) -> None:
    table.session.tap("deal red even", "red")
    table.session.tap("deal blue odd", "blue")
    assert "an even number of matches" in shown(table.phone("red"))
    assert "an even number of matches" not in shown(table.phone("blue"), "/me/blue")
    assert "an even number of matches" not in shown(table.phone(), "/")


def test_a_code_lets_one_phone_in(table: Table) -> None:
    code = table.context.own_phones.code("red")
    table.phone("red")
    assert table.phone().post("/me/red/join", json={"code": code}).status_code == 403


def test_a_wrong_code_is_refused_with_a_sentence(table: Table) -> None:
    table.context.own_phones.code("red")
    for code in ("", "00000", 1234, None, ["1"]):
        answer = table.phone().post("/me/red/join", json={"code": code})
        assert answer.status_code == 403 and answer.get_json()["error"]


def test_codes_cannot_be_guessed_one_after_the_other(table: Table) -> None:
    guarding = Guard(guesses=Limiter(Rate(3, 0)))
    limited = Table(guarding=guarding)
    answers = [limited.phone().post("/me/red/join", json={"code": "x"}).status_code for _ in range(4)]
    assert answers == [403, 403, 403, 429]


def test_the_phone_of_another_player_is_refused(table: Table) -> None:
    phone = table.phone("blue")
    assert phone.get("/me/red").status_code == 403
    assert phone.get("/me/red/table").status_code == phone.get("/me/red/events").status_code == 403
    assert table.tap(phone, "red", "deal red odd").status_code == 403
    assert table.session.entries() == []


def test_a_new_code_shuts_out_the_phone_before(table: Table) -> None:
    first = table.phone("red")
    headers = {TOKEN_HEADER: table.context.token}
    table.phone().post("/do", json={"do": "new_code", "player": "red"}, headers=headers)
    assert first.get("/me/red/table").status_code == 403
    assert table.phone("red").get("/me/red/table").status_code == 200


def test_a_restarted_companion_asks_the_phones_for_codes_again(table: Table) -> None:
    phone = Table(key=b"k" * 32).phone("red")
    cookie = phone.get_cookie("session")
    assert cookie is not None
    again = Table(key=b"k" * 32).phone()
    again.set_cookie("session", cookie.value)
    assert 'name="code"' in shown(again)


def test_secrets_are_entered_by_taps_of_their_owner_alone(table: Table) -> None:
    red = table.phone("red")
    assert table.tap(red, "red", "deal blue odd").status_code == 422
    assert table.tap(red, "red", "deal red odd").status_code == 200
    assert [str(entry.moves[0]) for entry in table.session.entries()] == ["deal red odd"]


def test_why_a_secret_is_refused_is_not_shown_to_everybody(table: Table) -> None:
    answer = table.tap(table.phone("red"), "red", "deal red prime")
    assert answer.status_code == 422 and "no such goal" in answer.get_json()["error"]
    assert table.session.snapshot()["rejection"] is None


def test_nothing_but_moves_can_be_sent_from_a_phone(table: Table) -> None:
    headers = {TOKEN_HEADER: table.context.token}
    phone = table.phone("red")
    assert phone.post("/me/red/do", json={"do": "undo"}, headers=headers).status_code == 400
    assert phone.post("/me/red/do", json={"do": "tap", "text": "deal red odd"}).status_code == 403


def test_a_phone_needs_no_pin_to_enter_what_only_its_player_may(table: Table) -> None:
    guarded = Table(guarding=Guard(pin="2468"))
    assert guarded.tap(guarded.phone("red"), "red", "deal red odd").status_code == 200


def test_guests_do_not_see_the_codes(table: Table) -> None:
    guarded = Table(guarding=Guard(pin="2468"))
    code = guarded.context.own_phones.code("red")
    assert code is not None and code not in shown(guarded.phone(), "/join")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shared_page_says_how_phones_join_and_which_have(table: Table, language: str) -> None:
    table.phone("blue")
    page = table.phone().get(f"/join?lang={language}").get_data(as_text=True)
    t = Translator(language, "matches")
    code = table.context.own_phones.code("red")
    assert t("own_page.invitation", player="red", code=code) in page.replace("&#39;", "'")
    assert t("own_page.joined", player="blue") in page.replace("&#39;", "'")


def test_nobody_has_a_page_of_their_own_in_a_game_without_secrets(table: Table) -> None:
    setup = {"game": "pebbles", "players": [{"colour": "red"}, {"colour": "blue"}]}
    client = create_app(TableSession(rules_of(setup), Journal(":memory:"), setup)).test_client()
    assert client.get("/me/red").status_code == 404
    assert "/me/" not in client.get("/join").get_data(as_text=True)


def test_what_is_possible_at_a_place_and_why_not_is_told_on_a_phone_too(table: Table) -> None:
    for player, goal in (("red", "even"), ("blue", "odd")):
        table.session.tap(f"deal {player} {goal}", player)
    table.session.tap("bid blue 1", "blue")
    table.session.tap("bid red 3", "red")
    red = table.phone("red")
    place = shown(red, "/me/red/place/heap:2")
    assert 'data-text="take 2 3"' in place and "At most 3 matches are taken at a time." in place
    assert 'data-text="take 2 3"' not in shown(table.phone("blue"), "/me/blue/place/heap:2")


def test_a_code_is_replaced_only_when_it_is_renewed() -> None:
    phones = OwnPhones()
    code = phones.code("red")
    assert phones.code("red") == code
    phones.renew("red")
    assert phones.join("red", phones.code("red") or "") is not None
    assert phones.code("red") is None
