"""Accessibility: axe checks every view against WCAG 2.2 AA, in both languages and both colour schemes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.archive import Archive, played_turns
from companion.doctor import Machine
from companion.doctor.health import Health
from companion.games.burgundy.owner_print import OwnersPrint
from companion.games.burgundy.plugin import chateauma_module
from companion.games.registry import rules_of
from companion.journal import Journal
from companion.players.coach import costly_turns
from companion.privacy.erasure import DataPaths
from companion.privacy.picture_retention import PictureRetention
from companion.runtime.server import AppServer
from companion.session import TableSession
from companion.storage.picture_store import PictureStore
from tests.archive.test_archive import play
from tests.session.test_bot_turn import NOTHING, at_the_bank, table_at
from tests.session.test_lesson_guide import Learner
from tests.support.browsing import TABLET, Server
from tests.support.other_games import more_games
from tests.support.setup_forms import ANNA, AUTOMA, setup_form_app
from tests.support.tables import RULES, STATUSES, Table, watching, with_proposal
from web.games.burgundy.print_form import create_print_form_app
from web.own_phones import OwnPhones

pytestmark = pytest.mark.browser

OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations"],  # reporting only one element per passed rule halves the time
}
SHEETS = (
    "[data-open='/menu']",
    "[data-open='/help']",
    ".score .points",
    "g.space.taken",
    ".player h2 .plain",
    ".player .amount",
    ".why",
    "[data-open='/moves']",
)
"""What opens each sheet."""


@pytest.fixture(params=[("en", "light"), ("fr", "dark")])
def look(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., list[str]]]:
    """Returns a function that opens a page, joins by a code, taps *tapped*, opens all *opened*, and returns axe's
    violations."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    language, scheme = request.param
    context = chromium.new_context(viewport=TABLET, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(10_000)

    def check(
        server: Server | AppServer,
        path: str = "/",
        tapped: str | None = None,
        opened: str | None = None,
        joined: str | None = None,
    ) -> list[str]:
        page.goto(f"{server.address}{path}{'' if path.endswith('&') else '?'}lang={language}")
        if joined:
            page.locator("[name=code]").fill(joined)
            page.locator("[type=submit]").click()
            page.locator("#own-now").wait_for()
        if tapped:
            page.locator(tapped).first.click()
            page.locator("dialog[open] header").wait_for()
        for summary in page.locator(f"{opened} > summary").all() if opened else ():
            summary.click()
        if opened:
            page.evaluate("scrollTo(0, document.body.scrollHeight)")  # nothing below the bar at the bottom
        found = axe.run(page, options=OPTIONS).response
        assert len(found["passes"]) > 10  # it has really looked
        return [f"{v['id']}: {v['nodes'][0]['target']}" for v in found["violations"]]

    yield check
    context.close()


@pytest.mark.parametrize("status", STATUSES)
def test_the_table_is_accessible_in_every_status(
    look: Callable[..., list[str]], serve: Callable[..., Server], status: str
) -> None:
    table = Table()
    STATUSES[status](table)
    assert look(serve(table.session)) == []


@pytest.mark.parametrize("status", ["set-up", "proposal", "over"])
def test_the_view_for_a_television_is_accessible(
    look: Callable[..., list[str]], serve: Callable[..., Server], status: str
) -> None:
    table = Table()
    STATUSES[status](table)
    assert look(serve(table.session), "/watch") == []


def test_every_sheet_is_accessible(look: Callable[..., list[str]], serve: Callable[..., Server]) -> None:
    table = Table()
    with_proposal(table)
    server = serve(table.session)
    assert {tapped: found for tapped in SHEETS if (found := look(server, tapped=tapped))} == {}


def test_every_sheet_is_labelled_by_its_heading(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    """Screen readers read the name of a dialog when it opens."""
    table = Table()
    with_proposal(table)
    server = serve(table.session)
    page = visit(server)
    for tapped in SHEETS:
        page.locator(tapped).first.click()
        heading = page.locator("dialog[open] header h2").inner_text().strip().splitlines()[-1].strip()
        assert heading in page.get_by_role("dialog").aria_snapshot().splitlines()[0]
        page.locator("dialog[open] [data-close]").first.click()


def test_the_confirmation_before_leaving_a_game_is_accessible(
    look: Callable[..., list[str]], serve: Callable[..., Server]
) -> None:
    table = Table()
    STATUSES["over"](table)
    server = serve(table.session, next_game=lambda next_game: None)
    for path in ("/", "/games/now"):
        assert look(server, path, tapped="[data-open='/leave/new_game']") == []
        assert look(server, path, tapped="[data-open='/leave/again']") == []


def test_the_turn_clock_is_accessible(look: Callable[..., list[str]], serve: Callable[..., Server]) -> None:
    table = Table()
    watching(table)
    server = serve(table.session)
    look(server, "/?clock=on&")
    assert look(server) == []


@pytest.mark.parametrize("step", ["goal", "take"])
def test_a_lesson_is_accessible(
    look: Callable[..., list[str]], serve: Callable[..., Server], step: str
) -> None:
    learner = Learner()
    learner.until(step)
    assert look(serve(learner.session, guide=learner.guide)) == []


def test_the_coach_is_accessible(look: Callable[..., list[str]], serve: Callable[..., Server]) -> None:
    table = Table()
    table.session.watch_nothing()
    table.set_up().play(10)
    assert look(serve(table.session), "/?coach=on&", tapped="button.coach") == []


def test_the_turns_that_cost_most_are_accessible(
    look: Callable[..., list[str]], serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.coach.played_turns", lambda rules, records: played_turns(rules, records)[:8])
    monkeypatch.setattr("web.coach.costly_turns", partial(costly_turns, samples=1))
    table = Table()
    STATUSES["over"](table)
    assert look(serve(table.session), "/games/now", tapped=".coach-section button") == []


def test_the_chateaumas_turn_is_accessible(
    look: Callable[..., list[str]], serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_at(at_the_bank(), monkeypatch)
    server = serve(table.session)
    assert look(server) == [] and look(server, tapped=".why") == []
    table.look(table.before, wrong={"depot:3:0": NOTHING})
    assert look(server) == []


def test_the_instructions_for_an_opponent_are_accessible(
    look: Callable[..., list[str]], serve: Callable[..., Server]
) -> None:
    table = Table(bots={"blue": "greedy"}).set_up().play(12)
    while not table.session.bot_turn:
        table.play(1)
    table.look()
    assert look(serve(table.session)) == []
    takes = [
        m for m in RULES.legal_moves(table.state) if m.word == "take" and m not in table.session.bot_turn
    ]
    RULES.apply(table.state, takes[0])
    table.look()
    table.session.confirm()
    assert table.session.status == "asking" and look(serve(table.session)) == []


def test_the_page_for_guests_is_accessible(
    look: Callable[..., list[str]], serve: Callable[..., Server]
) -> None:
    from web.guard import Guard

    table = Table()
    watching(table)
    server = serve(table.session, guarding=Guard(pin="1234"), addresses=lambda: ["http://192.168.1.20:8080"])
    assert look(server, tapped=".guest") == []


def test_setup_by_taps_is_accessible(look: Callable[..., list[str]], serve: Callable[..., Server]) -> None:
    table = Table(colours=("red", "blue", "green"))
    table.session.watch(dice=False, boards=False)
    server = serve(table.session)
    table.session.tap("castle red 18")
    assert look(server) == []
    table = Table()
    table.session.watch(dice=False, boards=False)
    table.set_up()
    table.session.correct("depot:1:0", "building/bank")
    assert look(serve(table.session)) == []


def test_the_pages_before_a_game_are_accessible(look: Callable[..., list[str]]) -> None:
    for pin in (None, "2468"):
        app = setup_form_app([ANNA, AUTOMA], pin=pin, go_back=lambda: None)
        server = AppServer(app, host="127.0.0.1", port=0)
        try:
            assert look(server, opened=".house-rules") == []
        finally:
            server.close()


def test_pages_about_games_are_accessible(
    look: Callable[..., list[str]], serve: Callable[..., Server], tmp_path: Path
) -> None:
    play(tmp_path / "past.journal", 2, names={"red": "Anna"}, chateauma="hard")
    session = TableSession(RULES, Journal(":memory:"), {"edition": "special", "players": PLAYERS})
    picture_store = PictureStore(tmp_path / "now.journal.album")
    with (
        closing(picture_store),
        PictureRetention(DataPaths(tmp_path), picture_store, tmp_path / "settings.json") as pictures,
    ):
        server = serve(
            session, archive=Archive(tmp_path), pictures=pictures, next_game=lambda next_game: None
        )
        assert look(server, "/privacy", opened="details") == []
    paths = (
        "/games",
        "/games/past",
        "/games/past/delete",
        "/games/past/replay/40",
        "/games/none",
        "/players",
    )
    assert {path: found for path in paths if (found := look(server, path))} == {}


def test_the_health_page_is_accessible(
    look: Callable[..., list[str]], serve: Callable[..., Server], tmp_path: Path
) -> None:
    """A fault, a warning, an OK and a skipped check; and the warnings shown during the game."""
    flags = tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled"
    flags.parent.mkdir(parents=True)
    flags.write_text("50005")
    (tmp_path / "settings.json").write_text('{"backup": "/gone"}')
    machine = Machine(tmp_path, root=tmp_path, announce=lambda port: None, playing=True)
    server = serve(Table().session, health=Health(lambda: machine))
    assert {path: problems for path in ("/health", "/") if (problems := look(server, path))} == {}


def test_the_print_form_is_accessible(look: Callable[..., list[str]], tmp_path: Path) -> None:
    own = OwnersPrint(tmp_path / "print.json", chateauma_module().print_of("special"))
    own.save({"cards": {"8": [None, None, "castle", None]}})
    server = AppServer(create_print_form_app(own, "ABCD", lambda: None), host="127.0.0.1", port=0)
    try:
        assert look(server) == []
        assert look(server, tapped="[id='card:8'] .spot") == []
    finally:
        server.close()


PLAYERS = [{"colour": "red", "duchy": "se-1"}, {"colour": "blue", "duchy": "se-2"}]


def test_pages_of_ones_own_are_accessible(
    look: Callable[..., list[str]], serve: Callable[..., Server]
) -> None:
    phones = OwnPhones()
    setup = {"game": "matches", "players": [{"colour": "red"}, {"colour": "blue"}]}
    with more_games():
        session = TableSession(rules_of(setup), Journal(":memory:"), setup)
        server = serve(session, own_phones=phones, addresses=lambda: ["http://table.local/"])
        assert look(server, tapped=".actions [data-open='/join']") == []
        assert look(server, "/me/red") == []
        assert look(server, "/me/red", joined=phones.code("red")) == []
        session.tap("deal red odd", "red")
        session.tap("deal blue odd", "blue")
        assert look(server, "/me/red") == []
