"""Access control: names of the machine, rate limits, the PIN, and the key that signs cookies."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask

from companion.cli.main import main
from companion.network.hostnames import OwnNames, host_name
from companion.network.page_address import local_names
from companion.storage.secrets import PinError, signing_key, table_pin
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.pages import create_app
from tests.support.present import present
from tests.support.setup_forms import setup_form_app
from tests.support.tables import Table, watching
from web.commands import TOKEN_HEADER
from web.context import EXTENSION
from web.guard import MAX_CLIENTS, Guard, Limiter, Rate


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def session() -> Any:
    table = Table()
    watching(table)
    return table.session


def page(session: Any, **options: Any) -> Flask:
    app = create_app(session, **options)
    app.testing = True
    return app


# --- names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8080",
        "127.0.0.1:8080",
        "192.168.1.20",
        "[::1]:8080",
        "[fe80::1]",
        "table.local:8080",
    ],
)
def test_the_machines_own_names_and_addresses_are_answered(session: Any, host: str) -> None:
    app = page(session, guarding=Guard({"table.local"}))
    assert app.test_client().get("/snapshot", headers={"Host": host}).status_code == 200


@pytest.fixture
def own_names(monkeypatch: pytest.MonkeyPatch) -> OwnNames:
    """Returns the names of a machine called ``shelf`` with one additional name."""
    monkeypatch.setattr("socket.gethostname", lambda: "Shelf")
    return OwnNames(["shelf.tail1234.ts.net"])


@pytest.mark.parametrize(
    "host",
    [
        "table",
        "TABLE.local",
        "table.local.",
        "table.local.:8080",
        "table.lan",
        "table.fritz.box:8080",
        "table.home",
        "table.home.arpa",
        "shelf",
        "shelf.lan",
        "shelf.internal.",
        "localhost.",
        "shelf.tail1234.ts.net",
        "Shelf.tail1234.ts.net.:8080",
    ],
)
def test_names_from_the_router_and_listed_names_are_answered(
    session: Any, own_names: OwnNames, host: str
) -> None:
    app = page(session, guarding=Guard(own_names))
    assert app.test_client().get("/snapshot", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "other",
        "other.lan",
        "table.example",
        "table.box",  # anybody can have it
        "fritz.box",
        "lan",
        "table.lan.evil.example",
        "table.evil.lan",
        "evil.table.lan",
        "table..lan",
        "table.lan..",
        ".lan",
        "tail1234.ts.net",
        "other.tail1234.ts.net",
    ],
)
def test_a_name_of_another_machine_is_rejected(session: Any, own_names: OwnNames, host: str) -> None:
    app = page(session, guarding=Guard(own_names))
    assert app.test_client().get("/snapshot", headers={"Host": host}).status_code in (400, 421)


@pytest.mark.parametrize("accepted", ["text/html", "application/json"])
@pytest.mark.parametrize(
    "host", ["..", "", ".", "a..b", f"{'a' * 64}.local", "a" * 300, "[", "[::", "a/b", "a b", "\xff"]
)
def test_what_is_no_name_at_all_is_rejected_with_a_sentence(
    session: Any, own_names: OwnNames, host: str, accepted: str
) -> None:
    for app in (page(session, guarding=Guard(own_names)), setup_form_app()):
        for path in ("/?lang=en", "/static/style.css?lang=en", "/nothing?lang=en"):
            answer = app.test_client().get(
                path, environ_overrides={"HTTP_HOST": host}, headers={"Accept": accepted}
            )
            assert answer.status_code in (400, 421) and "address" in answer.get_data(as_text=True)


@pytest.mark.parametrize("host", ["table.lan", "table", "shelf.tail1234.ts.net"])
def test_pages_before_a_game_are_found_by_the_same_names(own_names: OwnNames, host: str) -> None:
    app = setup_form_app(hosts=["shelf.tail1234.ts.net"])
    assert app.test_client().get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Pi.tail1234.ts.net", "pi.tail1234.ts.net"),
        ("table.lan.", "table.lan"),
        ("château.lan", "xn--chteau-xta.lan"),
    ],
)
def test_a_listed_name_is_normalised_like_a_browsers_host(text: str, name: str) -> None:
    assert host_name(text) == name


@pytest.mark.parametrize("command", [["play"], ["demo"], ["calibrate", "table"], ["calibrate", "chateauma"]])
@pytest.mark.parametrize("name", ["http://pi.lan", "pi.lan:8080", "pi lan", "-pi", "*.lan", "x" * 64])
def test_an_invalid_name_is_rejected_with_the_cure_by_each_serving_command(
    command: list[str], name: str
) -> None:
    result = CliRunner().invoke(main, [*command, "--name", name])
    output = " ".join(result.output.split())
    assert result.exit_code == 2 and "between http:// and the port" in output


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "table.local.evil.example", "127.0.0.1.evil.example"]
)
def test_a_foreign_name_that_points_here_is_rejected(session: Any, host: str) -> None:
    """Otherwise another site could access this page through a browser at the table (DNS rebinding)."""
    app = page(session, guarding=Guard({"table.local"}))
    answer = app.test_client().get("/snapshot", headers={"Host": host})
    assert answer.status_code == 421 and "Join" in answer.get_json()["error"]


def test_the_machine_is_known_by_its_host_name_and_as_table() -> None:
    hostname = socket.gethostname().lower()
    assert {"table.local", hostname, f"{hostname}.local"} <= local_names()


def test_the_machine_is_known_by_its_other_name_when_table_is_taken(session: Any) -> None:
    app = page(session, guarding=Guard(local_names()))
    assert app.test_client().get("/snapshot", headers={"Host": "table-2.local:8080"}).status_code == 200


# --- how often --------------------------------------------------------------------------------------------


def test_a_client_has_a_burst_and_then_a_rate() -> None:
    clock = Clock()
    limiter = Limiter(Rate(3, 2), clock)
    assert [limiter.allows("a") for _ in range(4)] == [True, True, True, False]
    clock.now = 1.0
    assert [limiter.allows("a") for _ in range(3)] == [True, True, False]


def test_clients_are_counted_separately_and_in_limited_number() -> None:
    limiter = Limiter(Rate(1, 0), Clock())
    assert limiter.allows("a") and limiter.allows("b") and not limiter.allows("a")
    for number in range(MAX_CLIENTS):
        limiter.allows(str(number))
    assert limiter.allows("a")  # forgotten


def test_a_client_over_its_limit_is_asked_to_wait(session: Any) -> None:
    client = page(session, guarding=Guard(reads=Limiter(Rate(2, 0)))).test_client()
    answers = [client.get("/snapshot") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].get_json()["error"] == Translator("en")("page.too_many_requests")


# --- the PIN ----------------------------------------------------------------------------------------------


@pytest.fixture
def guarded(session: Any) -> Flask:
    return page(session, guarding=Guard(pin="2468"), key=b"k" * 32)


def undo(client: Any, app: Flask) -> Any:
    headers = {TOKEN_HEADER: app.extensions[EXTENSION].token}
    version = app.extensions[EXTENSION].session.version
    return client.post("/do", json={"do": "undo", "version": version}, headers=headers)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guest_can_look_but_change_nothing(guarded: Flask, language: str) -> None:
    client = guarded.test_client()
    shown = client.get(f"/?lang={language}").get_data(as_text=True)
    assert Translator(language)("page.looking_on") in shown
    before = guarded.extensions[EXTENSION].session.version
    answer = undo(client, guarded)
    assert (answer.status_code, answer.json["code"]) == (403, "pin_needed")
    assert guarded.extensions[EXTENSION].session.version == before


def test_a_client_with_the_pin_can_play(guarded: Flask) -> None:
    client = guarded.test_client()
    assert client.post("/pin", json={"pin": "1111"}).status_code == 403
    assert client.post("/pin", json={"pin": "2468"}).status_code == 200
    assert undo(client, guarded).status_code == 200


def test_a_member_stays_one_after_a_restart_with_the_same_key(session: Any, guarded: Flask) -> None:
    client = guarded.test_client()
    client.post("/pin", json={"pin": "2468"})
    cookie = client.get_cookie("session")
    assert cookie is not None and cookie.http_only and cookie.same_site == "Strict"
    for key, status in ((b"k" * 32, 200), (b"x" * 32, 403)):
        app = page(session, guarding=Guard(pin="2468"), key=key)
        again = app.test_client()
        again.set_cookie("session", cookie.value)
        assert undo(again, app).status_code == status


def test_pin_attempts_are_limited(session: Any) -> None:
    client = page(session, guarding=Guard(pin="2468", guesses=Limiter(Rate(3, 0)))).test_client()
    codes = [client.post("/pin", json={"pin": f"{n:04}"}).status_code for n in range(5)]
    assert codes == [403, 403, 403, 429, 429]


def test_pin_attempts_of_all_addresses_are_limited(session: Any) -> None:
    guarding = Guard(pin="2468", all_guesses=Limiter(Rate(3, 0)))
    client = page(session, guarding=guarding).test_client()
    codes = [
        client.post("/pin", json={"pin": "1"}, environ_base={"REMOTE_ADDR": f"10.0.0.{n}"}).status_code
        for n in range(5)
    ]
    assert codes == [403, 403, 403, 429, 429]


def test_a_new_pin_must_be_entered_again(session: Any, guarded: Flask) -> None:
    client = guarded.test_client()
    client.post("/pin", json={"pin": "2468"})
    cookie = client.get_cookie("session")
    assert cookie is not None
    app = page(session, guarding=Guard(pin="1357"), key=b"k" * 32)
    again = app.test_client()
    again.set_cookie("session", cookie.value)
    assert undo(again, app).status_code == 403


@pytest.mark.parametrize("body", [None, {}, {"pin": 2468}, {"pin": ["2468"]}, {"pin": "2" * 65}, [1]])
def test_a_malformed_pin_admits_nobody(guarded: Flask, body: Any) -> None:
    assert guarded.test_client().post("/pin", json=body).status_code == 403


def test_without_a_pin_everybody_can_play(session: Any) -> None:
    app = page(session)
    assert undo(app.test_client(), app).status_code == 200


# --- where the PIN comes from ---------------------------------------------------------------------------


def test_a_pin_comes_from_an_option_a_file_or_a_systemd_credential(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pin").write_text("2468\nthe second line is none\n")
    assert table_pin(None, None) is None
    assert table_pin("1357", None) == "1357"
    assert table_pin(None, tmp_path / "pin") == "2468"
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    assert table_pin(None, None) == "2468"
    assert table_pin("1357", None) == "1357"


@pytest.mark.parametrize(
    ("option", "file", "message"),
    [
        ("", None, "1 to 64"),
        ("x" * 65, None, "1 to 64"),
        ("1", "pin", "given twice"),
        (None, "missing", "missing .*first line"),
        (None, "empty", "1 to 64"),
        (None, "binary", "it is not text"),
        ("24\udcff68", None, "no text"),
    ],
)
def test_a_pin_that_cannot_be_entered_is_rejected(
    tmp_path: Path, option: str | None, file: str | None, message: str
) -> None:
    for name, content in (("pin", b"2468"), ("empty", b"\n"), ("binary", b"\xff\xfe")):
        (tmp_path / name).write_bytes(content)
    with pytest.raises(PinError, match=message):
        table_pin(option, tmp_path / file if file else None)


def test_an_empty_variable_is_not_taken_for_no_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a script whose own variable is not set: the page would be open to everybody."""
    monkeypatch.setenv("TABLE_COMPANION_PIN", "")
    with pytest.raises(PinError, match="TABLE_COMPANION_PIN is empty"):
        table_pin(None, None)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", ["device", "folder", "pipe"])
def test_a_pin_is_read_from_files_only(tmp_path: Path, kind: str) -> None:
    """A pipe without a writer would be waited for."""
    os.mkfifo(tmp_path / "pipe")
    path = {"device": Path("/dev/zero"), "folder": tmp_path, "pipe": tmp_path / "pipe"}[kind]
    with pytest.raises(PinError, match=f"{path} .*no file.*first line"):
        table_pin(None, path)


# --- the key ----------------------------------------------------------------------------------------------


def test_the_key_is_created_once_and_only_readable_by_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "home" / "page.key"
    key = signing_key(path)
    assert len(key) == 32 and signing_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_truncated_key_is_replaced(tmp_path: Path) -> None:
    """A power cut can truncate it before it is on disk."""
    path = tmp_path / "page.key"
    path.write_bytes(b"short")
    assert len(signing_key(path)) == 32 and signing_key(path) == path.read_bytes()


def test_a_key_replaces_a_pipe_without_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "page.key"
    os.mkfifo(path)
    assert signing_key(path) == path.read_bytes()


# --- joining ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_address_is_shown_as_a_qr_code_and_as_text(session: Any, language: str) -> None:
    app = page(session, addresses=lambda: ["http://192.168.1.20:8080", "http://table.local:8080"])
    shown = app.test_client().get(f"/join?lang={language}").get_data(as_text=True)
    assert "http://table.local:8080</a>" in shown and '<path transform="scale' not in shown.split("<svg")[0]
    assert 'class="qr"' in shown and "style=" not in shown


def test_a_local_page_explains_how_others_could_join(session: Any) -> None:
    assert "--host 0.0.0.0" in page(session).test_client().get("/join").get_data(as_text=True)


@pytest.mark.parametrize("before_a_game", [False, True])
def test_the_page_can_be_installed(session: Any, before_a_game: bool) -> None:
    app = setup_form_app() if before_a_game else page(session)
    client = app.test_client()
    manifest = client.get("/manifest.webmanifest?lang=fr")
    assert manifest.mimetype == "application/manifest+json"
    assert present(manifest.json)["display"] == "standalone"
    for icon in present(manifest.json)["icons"]:
        with client.get(icon["src"]) as answer:
            assert answer.status_code == 200
