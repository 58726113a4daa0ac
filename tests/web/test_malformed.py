"""Malformed requests: each route answers with a sentence, and the table stays unchanged."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask

from companion.archive import Archive
from companion.calibrate.games.burgundy import TABLE
from companion.calibrate.table import TableCalibration
from companion.games.burgundy.owner_print import OwnersPrint
from companion.games.burgundy.plugin import (
    PLUGIN,
    boards_of,
    chateauma_module,
)
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS
from tests.support.pages import create_app
from tests.support.setup_forms import choice_of, setup_form_app
from tests.support.tables import RULES, Table, asking_for_a_die
from web.calibration import create_calibration_app
from web.commands import COMMANDS, TOKEN_HEADER
from web.context import EXTENSION
from web.games.burgundy.print_form import create_print_form_app
from web.guard import Guard
from web.single_page import TOKEN_HEADER as ONE_PAGE_TOKEN

SURROGATE = "\ud800"
"""A lone surrogate (RFC 8259, section 8.2), which cannot be encoded as UTF-8."""


def nested(value: Any, times: int) -> Any:
    for _ in range(times):
        value = [value]
    return value


DEEP = "[" * 1000 + "]" * 1000
JUNK = {
    "null": "null",
    "bool": "true",
    "zero": "0",
    "negative": "-1",
    "fraction": "1.5",
    "huge": "1" + "0" * 400,
    "too huge": "9" * 5000,
    "infinite": "1e999",
    "NaN": "NaN",
    "empty": '""',
    "text": '"pink"',
    "long": json.dumps("x" * 3000),
    "half": json.dumps(SURROGATE),
    "half within": json.dumps(f"Anna{SURROGATE}"),
    "raw half": SURROGATE,
    "zero byte": json.dumps("\0"),
    "list": "[]",
    "dict": "{}",
    "list of lists": "[[]]",
    "dict of dicts": '{"a": {"b": []}}',
    "nested": json.dumps(nested(1, 200)),
    "deep": DEEP,
}
"""Name -> JSON, or what looks like it."""
REJECTIONS = (400, 403, 404, 409, 413, 422, 429)


def spoilt(value: Any) -> Iterator[str]:
    """Yields *value* as JSON with junk in place of each of its parts in turn, including the whole value."""
    for junk in JUNK.values():
        yield junk
        yield from (_text(body, junk) for body in _holes(value))


HOLE = "<hole>"


def _holes(value: Any) -> Iterator[Any]:
    """Yields *value* with each of its parts replaced by HOLE in turn, and with HOLE as an additional key."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield {**value, key: HOLE}
            yield from ({**value, key: inner} for inner in _holes(part))
    if isinstance(value, list):
        for index, part in enumerate(value):
            yield [*value[:index], HOLE, *value[index + 1 :]]
            yield from ([*value[:index], inner, *value[index + 1 :]] for inner in _holes(part))


def _text(body: Any, junk: str) -> str:
    return json.dumps(body).replace(json.dumps(HOLE), junk)


class Page:
    """Represents an app that receives malformed requests."""

    def __init__(self, app: Flask, header: str, token: str) -> None:
        app.testing = False  # as it is served: what goes wrong is an answer, too
        self._app, self._header, self._token = app, header, token

    def send(self, path: str, body: str) -> Any:
        return self._app.test_client().post(
            path,
            data=body.encode("utf-8", "surrogatepass"),
            content_type="application/json",
            headers={self._header: self._token},
        )

    def is_shown(self) -> bool:
        """Returns whether the page can be shown in each language."""
        client = self._app.test_client()
        return all(client.get(f"/?lang={one}").status_code == 200 for one in ("en", "fr"))

    def problem_with(self, path: str, body: str, state: Callable[[], Any]) -> str | None:
        """Returns what is wrong with the answer, None if nothing is. A rejected request must not change *state*."""
        before = state()
        answer = self.send(path, body)
        if answer.status_code == 200:
            return None
        error = None if not answer.is_json else answer.get_json().get("error")
        if answer.status_code in REJECTIONS and error and state() == before:
            return None
        return f"{path} {body[:200]}: {answer.status_code} {error}"


# --- a game ---------------------------------------------------------------------------------------------------


def command(do: str, **fields: Any) -> dict[str, Any]:
    return {"do": do, "version": 0, **fields}


UNDERSTOOD = (
    command("answer", about="die:red:0", value="3"),
    command("correct", place="depot:1:0", label="bank"),
    command("correct_die", die="red:0", value=3),
    command("tap", text="end"),
    command("press", button="help", ms=0),
    command("adjust", player="red", silver=1, reason="forgot"),
    command("adjust", player="red", **{"silver.was": 1, "silver": 1, "silver.again": "on", "own": "x"}),
    command("enter_again", seq=1),
    command("watch", part="dice", on=1),
    command("mute", on=1),
    command("go_on", game="no-such-game"),
    command("keep_pictures", days=7),
    command("call", player="red", name=""),
)
OTHERS = tuple(
    command(do, game="no-such-game") for do in COMMANDS if do not in {body["do"] for body in UNDERSTOOD}
)
"""All other commands, with all fields together; each command ignores the fields of others."""


class Stub:
    """A buzzer that can be muted."""

    muted = False

    def mute(self, muted: bool) -> None:
        self.muted = muted


@pytest.fixture
def table() -> Table:
    table = Table()
    asking_for_a_die(table)
    return table


@pytest.fixture
def game(table: Table, tmp_path: Path) -> Iterator[Page]:
    with ExitStack() as open_:
        games = Archive(tmp_path / "games")
        open_.callback(games.close)
        app = create_app(
            table.session,
            panel=lambda button, seconds: None,
            buzzer=Stub(),
            archive=games,
            next_game=lambda next_game: None,
        )
        yield Page(app, TOKEN_HEADER, app.extensions[EXTENSION].token)


@pytest.mark.slow
def test_no_malformed_command_causes_a_server_error(game: Page, table: Table) -> None:
    def state() -> Any:
        return table.session.state.state_hash(), len(table.session.journal.records())

    found = [
        problem
        for body in (*UNDERSTOOD, *OTHERS)
        for text in spoilt(dict(body, version=table.session.version))
        if (problem := game.problem_with("/do", text, state))
    ]
    assert not found
    assert game.is_shown()


@pytest.mark.parametrize("field", ["text", "token", "do", "further"])
def test_a_lone_surrogate_is_rejected_in_every_field(game: Page, table: Table, field: str) -> None:
    version = table.session.version
    answer = game.send("/do", json.dumps({"do": "tap", "text": "end", field: SURROGATE}))
    assert answer.status_code == 400 and "not understood" in answer.get_json()["error"]
    assert table.session.version == version and game.is_shown()


def test_a_lone_surrogate_as_a_key_is_rejected(game: Page) -> None:
    assert game.send("/do", json.dumps({"do": "tap", "text": "end", SURROGATE: "x"})).status_code == 400


def test_a_surrogate_pair_is_a_character(game: Page, table: Table) -> None:
    body = r'{"do": "call", "player": "red", "name": "\ud83c\udff0"}'
    assert game.send("/do", body).status_code == 200
    assert table.session.snapshot()["view"]["names"]["red"] == "\U0001f3f0"


@pytest.mark.parametrize("pin", [SURROGATE, f"2468{SURROGATE}", ["2468"], {"pin": "2468"}, 10**400])
def test_a_malformed_pin_causes_no_server_error(table: Table, pin: Any) -> None:
    client = create_app(table.session, guarding=Guard(pin="2468")).test_client()
    assert (
        client.post("/pin", data=json.dumps({"pin": pin}), content_type="application/json").status_code == 403
    )


BYTES = ("\xff", "\xed\xa0\x80", "\xc3", "\x80\x81", "%ED%A0%80", "%FF", "%00")
"""Lone surrogates and other bytes that are not UTF-8, as in headers."""


@pytest.mark.parametrize("bytes_", BYTES)
@pytest.mark.parametrize(
    "sent",
    ["Cookie", "Accept-Language", "Accept", "X-Companion-Token", "Content-Type", "query", "path", "form"],
)
def test_invalid_bytes_cause_no_server_error(game: Page, sent: str, bytes_: str) -> None:
    client = game._app.test_client()
    values = {
        "Cookie": f"session={bytes_}; language={bytes_}",
        "Content-Type": f"application/json; charset={bytes_}",
    }
    headers = {} if sent in ("query", "path", "form") else {sent: values.get(sent, bytes_)}
    query = f"lang={bytes_}&shown={bytes_}&text={bytes_}" if sent == "query" else ""
    form = f"do=tap&text={bytes_}&token={bytes_}".encode("latin-1") if sent == "form" else b"{}"
    for rule in game._app.url_map.iter_rules():
        if rule.endpoint == "live.events":
            continue
        path = "/".join(bytes_ if part.startswith("<") else part for part in rule.rule.split("/"))
        environ = {"QUERY_STRING": query, "PATH_INFO": path if sent == "path" else rule.rule}
        for method in (rule.methods or set()) & {"GET", "POST"}:
            answer = client.open(
                rule.rule,
                method=method,
                headers=headers,
                environ_overrides=environ,
                data=form,
                content_type="application/x-www-form-urlencoded" if sent == "form" else None,
            )
            assert answer.status_code < 500, (rule.rule, answer.status_code)
    assert game.is_shown()


@pytest.mark.parametrize("held", [None, 0])
def test_a_held_key_of_the_panel_blocks_only_other_held_keys(table: Table, held: int | None) -> None:
    """Otherwise a few held keys would occupy every thread of the server."""
    holding, released = threading.Event(), threading.Event()

    def press(button: str, seconds: float | None) -> None:
        if seconds:
            holding.set()
            released.wait(10)

    app = create_app(table.session, panel=press)
    page = Page(app, TOKEN_HEADER, app.extensions[EXTENSION].token)
    body = {"do": "press", "button": "help"}
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(page.send, "/do", json.dumps({**body, "ms": 6000}))
        assert holding.wait(10)
        second = page.send("/do", json.dumps(body if held is None else {**body, "ms": held}))
        released.set()
    assert first.result().status_code == 200
    assert second.status_code == (200 if held is None else 429)
    assert page.send("/do", json.dumps({**body, "ms": 0})).status_code == 200


# --- before a game --------------------------------------------------------------------------------------------


SEATS: list[dict[str, Any]] = [
    {"colour": "red", "kind": "person", "duchy": "se-1", "name": "Anna"},
    {"colour": "blue", "kind": "bot", "duchy": "se-2", "name": ""},
    {"colour": "black", "kind": "automa", "level": "hard", "modifiers": ["A"], "pieces": "virtual"},
]


@pytest.fixture
def begun() -> list[Any]:
    return []


@pytest.fixture
def setup_form(begun: list[Any]) -> Page:
    def begin(game: str, choice: Mapping[str, Any]) -> None:
        begun.append(PLUGIN.setup.setup(choice))

    app = setup_form_app(SEATS[:2], begin)
    return Page(app, ONE_PAGE_TOKEN, token_of(app))


def token_of(app: Flask) -> str:
    return app.test_client().get("/").get_data(as_text=True).split('data-token="')[1].split('"')[0]


@pytest.mark.parametrize("path", ["/seats", "/seats?more=1", "/begin", "/switch-off", "/pin"])
def test_no_malformed_seats_cause_a_server_error(setup_form: Page, begun: list[Any], path: str) -> None:
    found = [
        problem
        for text in spoilt(choice_of(*SEATS))
        if (problem := setup_form.problem_with(path, text, lambda: len(begun)))
    ]
    assert not found and setup_form.is_shown()
    for setup in begun:  # with something in it that can be left out, as a name
        RULES.new({key: value for key, value in setup.items() if key != "chateauma"})


@pytest.mark.parametrize("edition", [[], {}, None, 1, True, "third"])
def test_an_invalid_edition_is_rejected_with_a_sentence(
    setup_form: Page, begun: list[Any], edition: Any
) -> None:
    answer = setup_form.send("/begin", json.dumps(choice_of(*SEATS, edition=edition)))
    assert answer.status_code == 400 and "not understood" in answer.get_json()["error"]
    assert begun == []


@pytest.mark.parametrize("colours", [PLAYER_COLOURS, ("red",) * 4])
def test_a_seat_can_be_added_to_any_seats(setup_form: Page, colours: tuple[str, ...]) -> None:
    duchies = [board.name for board in boards_of("2011")]
    seats = [
        {"colour": colour, "kind": "person", "duchy": duchy, "name": ""}
        for colour, duchy in zip(colours, duchies, strict=False)
    ]
    for count in range(5):
        body = json.dumps(choice_of(*seats[:count], edition="2011"))
        assert setup_form.problem_with("/seats?more=1", body, list) is None


@pytest.fixture
def own(tmp_path: Path) -> OwnersPrint:
    return OwnersPrint(tmp_path / "print.json", chateauma_module().print_of("special"))


@pytest.fixture
def printing(own: OwnersPrint) -> Page:
    app = create_print_form_app(own, "ABCD", lambda: None)
    return Page(app, ONE_PAGE_TOKEN, token_of(app))


PRINT_ANSWERS = {
    "cards": {"8": [None, None, {"colour": "livestock", "sell_goods": False}, None]},
    "inventory_order": ["castle", "mine"],
    "marks": {"A": {"castle": [1]}},
}


@pytest.mark.parametrize("kind", [*PRINT_ANSWERS, None])
def test_no_malformed_print_answer_causes_a_server_error(
    printing: Page, own: OwnersPrint, kind: str | None
) -> None:
    answers = PRINT_ANSWERS if kind is None else {kind: PRINT_ANSWERS[kind]}
    found = [
        problem
        for text in spoilt(answers)
        if (problem := printing.problem_with("/answers", text, lambda: own.answers))
    ]
    assert not found and printing.is_shown()
    if own.path.exists():
        assert OwnersPrint(own.path, own.known).answers == own.answers


LAYOUT = {
    "boards": [{"player": "red", "printed": "se-1", "anchors": [[10, 10], [60, 10], [60, 90], [10, 90]]}],
    "places": [{"name": "depot:1", "points": [[100, 100]]}],
    "goods_width": 0.7,
    "dice": [{"owner": None, "corners": [[1, 1], [9, 1], [9, 9]]}],
    "cards": [{"name": "left", "corners": [[1, 1], [9, 1], [9, 9], [1, 9]]}],
}


@pytest.fixture(scope="module")
def found_nothing(tmp_path_factory: pytest.TempPathFactory) -> TableCalibration:
    folder: Path = tmp_path_factory.mktemp("calibration")
    return TableCalibration(folder / "table.json", np.zeros((120, 160, 3), np.uint8), TABLE.players, TABLE)


@pytest.fixture
def calibrating(found_nothing: TableCalibration) -> Page:
    app = create_calibration_app(
        cv2.imencode(".jpg", found_nothing.frame)[1].tobytes(),
        found_nothing.layout,
        TABLE,
        save=found_nothing.save,
    )
    return Page(app, ONE_PAGE_TOKEN, token_of(app))


@pytest.mark.slow
def test_no_malformed_layout_causes_a_server_error(calibrating: Page) -> None:
    found = [
        problem for text in spoilt(LAYOUT) if (problem := calibrating.problem_with("/layout", text, list))
    ]
    assert not found and calibrating.is_shown()
