"""A whole game in a real browser: setup form, all moves by taps, and its result."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.archive import Archive
from companion.games.burgundy.plugin import PLUGIN
from companion.journal import Journal
from companion.players.bots import greedy_bot
from companion.runtime.server import AppServer
from companion.service.power import PowerSwitch
from companion.session import DRAFTING, TableSession
from companion.session.next_game import NextGame
from tests.archive.test_archive import play
from tests.support.browsing import Server
from tests.support.setup_forms import setup_form_app
from tests.support.tables import RULES, Table, watching
from web.guard import Guard

pytestmark = pytest.mark.browser

SHOWS_NEWER = "v => Number(document.getElementById('state').dataset.version) > v"


@pytest.fixture
def power_request(tmp_path: Path) -> Path:
    """Returns the file that makes systemd switch the machine off."""
    return tmp_path / "power-off"


@pytest.fixture
def setup_form(chromium: Any, power_request: Path) -> Iterator[tuple[Any, list[dict[str, Any]]]]:
    """Returns the setup form, and the setups with which games have begun."""
    begun: list[dict[str, Any]] = []
    app = setup_form_app(
        begin=lambda game, choice: begun.append(PLUGIN.setup.setup(choice)),
        power=PowerSwitch(power_request),
    )
    server = AppServer(app, host="127.0.0.1", port=0)
    page = chromium.new_page()
    page.set_default_timeout(10_000)
    page.goto(f"{server.address}/?lang=en")
    yield page, begun
    page.close()
    server.close()


def test_a_game_of_three_with_the_chateauma_is_set_up_by_taps(setup_form: Any) -> None:
    page, begun = setup_form
    page.locator("[data-more]").click()
    third = page.locator(".seat").nth(2)
    third.wait_for()
    third.locator("[name=kind]").select_option("automa")
    third.locator("[name=level]").select_option("hard")
    third.get_by_text("extra turns").click()
    page.locator(".seat").nth(1).locator("[data-up]").click()
    page.locator(".seat").nth(0).locator("[name=name][value=Yves]").wait_for()
    page.locator("[type=submit]").click()
    page.locator("#toast.shown").wait_for()
    (setup,) = begun
    assert [player["colour"] for player in setup["players"]] == ["blue", "red"]
    assert setup["chateauma"] == {"colour": "green", "level": "hard", "modifiers": ["D"], "pieces": "table"}


def test_the_setup_form_survives_a_reload(setup_form: Any) -> None:
    """It also survives a change of language, which reloads the page."""
    page, _ = setup_form
    page.locator("[data-more]").click()
    page.locator(".seat").nth(2).locator("[name=name]").fill("Zoé")
    page.reload()
    page.wait_for_function("() => document.querySelectorAll('.seat').length === 3")
    assert page.locator(".seat").nth(2).locator("[name=name]").input_value() == "Zoé"
    page.locator("a[lang=fr]").click()
    page.wait_for_function("() => document.querySelectorAll('.seat').length === 3")
    assert page.locator(".seat").nth(2).locator("[name=name]").input_value() == "Zoé"


def test_the_draft_is_dropped_once_the_game_has_begun(setup_form: Any) -> None:
    page, _ = setup_form
    page.locator("[name=name]").nth(0).fill("Zoé")
    assert "Zoé" in page.evaluate("sessionStorage.getItem('setup_form')")
    page.route("**/seating", lambda route: route.fulfill(status=404))  # the game has this address now
    page.wait_for_function("() => sessionStorage.getItem('setup_form') === null")


def test_the_draft_of_one_game_is_not_proposed_for_the_next(setup_form: Any) -> None:
    page, _ = setup_form
    page.evaluate("""() => sessionStorage.setItem("setup_form",
      JSON.stringify({ token: "another", choice: { edition: "special", seats: [] } }))""")
    page.reload()
    page.wait_for_function("() => sessionStorage.getItem('setup_form') === null")
    assert page.locator(".seat").count() == 2


def test_an_invalid_choice_shows_a_message(setup_form: Any) -> None:
    page, begun = setup_form
    page.locator(".seat").nth(1).locator("[name=name]").fill("Anna")
    page.locator("[type=submit]").click()
    page.get_by_text("Two players are called Anna").wait_for()
    assert begun == []


def test_before_a_game_the_machine_is_switched_off_by_two_taps(setup_form: Any, power_request: Path) -> None:
    page, _ = setup_form
    page.locator("#switch-off").click()
    page.locator("#switch-off-dialog [data-close]").click()
    page.locator("#switch-off").click()
    page.locator("#switch-off-dialog [data-do]").click()
    page.get_by_text("you can unplug it").and_(page.get_by_text("Switching off.")).wait_for()
    assert power_request.exists() and page.locator("#switch-off-dialog [data-do]").count() == 0


def test_a_whole_game_is_played_by_taps_alone(
    serve: Callable[..., Server], visit: Callable[..., Any], tmp_path: Path
) -> None:
    """All moves are tapped on sheets; dice, layouts and castles are entered as without a camera."""
    setup = {
        "edition": "special",
        "players": [{"colour": c, "duchy": d} for c, d in (("red", "se-1"), ("blue", "se-2"))],
    }
    session = TableSession(RULES, Journal(tmp_path / "game.journal"), setup)
    session.watch(dice=False, boards=False)
    server = serve(session, archive=Archive(tmp_path))
    page = visit(server, "/?lang=en")
    truth: Any = RULES.new(setup)
    rng, bot = random.Random(1), greedy_bot(1)
    tapped = 0
    while not RULES.is_over(truth):
        chance = RULES.sample_chance(truth, rng)
        move = chance or bot(RULES, truth)
        if chance is not None:
            session.tap(str(move))  # the pieces on the table are no choice of the players
        else:
            begun = truth.stage != "setup"  # before, castles are tapped in the duchies
            if begun and not page.locator("dialog[open]").count():
                page.locator("[data-open='/moves']").click()
            version = session.version
            page.locator(
                f'{"dialog" if begun else ".player-setup"} [data-do=tap][data-text="{move}"]'
            ).first.click()
            page.wait_for_function(SHOWS_NEWER, arg=version)
            still_open = session.status == DRAFTING  # the sheet comes again until the turn is complete
            page.locator("dialog[open]").wait_for(state="visible" if still_open else "hidden")
            tapped += 1
        RULES.apply(truth, move)
    page.locator(".card-over").wait_for()
    assert session.state.state_hash() == truth.state_hash() and tapped > 100
    points = max(sum(sources.values()) for sources in RULES.score_sheet(truth).values())
    page.locator(".actions a[href='/games/now']").click()
    page.locator(".podium li").first.get_by_text(str(points)).wait_for()


@pytest.mark.parametrize("opened", ["/leave/new_game", "/leave/reseat", "/switch-off"])
def test_a_double_tap_neither_leaves_a_game_nor_switches_off(
    serve: Callable[..., Server], visit: Callable[..., Any], power_request: Path, opened: str
) -> None:
    """The second tap hits the sheet that the first one has opened."""
    next_games: list[NextGame] = []
    table = Table().set_up()
    server = serve(table.session, next_game=next_games.append, power=PowerSwitch(power_request))
    page = visit(server, "/?lang=en")
    page.evaluate(f"open('{opened}')")
    sure = page.locator("dialog [data-ignore-double-tap]")
    sure.click(force=True)
    assert sure.is_disabled() and next_games == [] and not power_request.exists()
    sure.click()
    page.locator("dialog[open]").wait_for(state="detached")
    assert len(next_games) + power_request.exists() == 1


def test_a_game_is_left_for_another_one_by_a_second_tap_only(
    serve: Callable[..., Server], visit: Callable[..., Any], tmp_path: Path
) -> None:
    next_games: list[NextGame] = []
    Table(tmp_path / "other.journal").set_up().session.journal.close()
    server = serve(playing(), archive=Archive(tmp_path), next_game=next_games.append)
    page = visit(server, "/games/other?lang=en")
    page.get_by_text("Continue this game").dblclick()
    assert next_games == []
    page.get_by_text("Continue this game").click()
    page.get_by_text("The game of Red and Blue, which is on the table now, stays as it is").wait_for()
    page.locator("[data-do=go_on]").click()
    page.wait_for_url("**/")
    assert next_games == [NextGame("other")]


def test_the_setup_form_leads_back_to_the_previous_game(chromium: Any, tmp_path: Path) -> None:
    table = Table(tmp_path / "left.journal").set_up()
    table.session.rename_player("red", "Anna")
    table.session.journal.close()
    previous = Archive(tmp_path).game("left").record
    returned: list[bool] = []
    app = setup_form_app(previous=previous, go_back=lambda: returned.append(True))
    server = AppServer(app, host="127.0.0.1", port=0)
    page = chromium.new_page()
    page.set_default_timeout(10_000)
    page.goto(f"{server.address}/?lang=fr")
    page.get_by_role("button", name="Retour à la partie (Anna et Bleu)").click()
    page.locator("#toast.shown").get_by_text("Retour à la partie.").wait_for()
    assert returned == [True]
    page.close()
    server.close()


@pytest.fixture
def past(tmp_path: Path) -> Archive:
    play(tmp_path / "past.journal", 1, names={"red": "Anna"})
    return Archive(tmp_path)


def playing() -> TableSession:
    table = Table()
    watching(table)
    return table.session


def test_a_result_is_saved_as_a_picture(
    serve: Callable[..., Server], visit: Callable[..., Any], past: Archive, tmp_path: Path
) -> None:
    import cv2

    page = visit(serve(playing(), archive=past), "/games/past?lang=en")
    with page.expect_download() as download:
        page.locator("#png").click()
    download.value.save_as(tmp_path / "result.png")
    picture: Any = cv2.imread(str(tmp_path / "result.png"))
    assert picture.shape[1] == 1440 and picture.std() > 10


def test_a_guest_plays_after_entering_the_pin(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    session = playing()
    page = visit(serve(session, guarding=Guard(pin="2468")), "/?lang=en")
    page.locator(".undo").click()
    page.locator("#toast.shown").get_by_text("You are watching").wait_for()
    before = len(session.entries())
    page.locator(".guest").click()
    page.locator("dialog input[name=pin]").fill("2468")
    page.locator("dialog [type=submit]").click()
    page.locator(".guest").wait_for(state="detached")
    version = session.version
    page.locator(".undo").click()
    page.wait_for_function(SHOWS_NEWER, arg=version)
    assert len(session.entries()) < before


def test_a_player_is_renamed_with_the_keyboard(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(playing()), "/?lang=en")
    page.locator("#player-red h2 .plain").press("Enter")
    page.locator("dialog input[name=name]").click()
    page.locator("dialog input[name=name]").fill("Anna")
    page.locator("dialog input[name=name]").press("Enter")
    page.locator("#player-red h2").get_by_text("Anna").wait_for()


def test_a_duchy_and_the_first_player_are_chosen_by_a_tap(setup_form: Any) -> None:
    """The players to the left of the first player come next."""
    page, begun = setup_form
    page.locator("[data-more]").click()
    third = page.locator(".seat").nth(2)
    third.locator("[data-pictures=duchy]").click()
    page.locator("dialog [data-value=se-5]").click()
    third.locator(".who img[src='/duchy/se-5.svg']").wait_for()
    page.locator(".seat").nth(1).locator("[data-first]").click()
    page.locator(".seat").nth(0).locator("[name=name][value=Yves]").wait_for()
    page.locator("[type=submit]").click()
    page.locator("#toast.shown").wait_for()
    players = [(player["colour"], player["duchy"]) for player in begun[0]["players"]]
    assert players == [("blue", "se-2"), ("green", "se-5"), ("red", "se-1")]


@pytest.mark.parametrize("width", [1280, 320])
def test_pictures_of_thirty_duchies_open_at_the_chosen_one_and_side_by_side(
    setup_form: Any, width: int
) -> None:
    page, _ = setup_form
    page.set_viewport_size({"width": width, "height": 700})
    first = page.locator(".seat").first
    first.locator("[name=duchy]").select_option("se-29")
    first.locator(".who img[src='/duchy/se-29.svg']").wait_for()
    first.locator("[data-pictures=duchy]").click()
    page.locator("dialog[open] :focus[data-value=se-29]").wait_for()
    sheet, chosen, beside = (
        page.locator(part).bounding_box()
        for part in ("dialog[open]", "dialog [data-value=se-29]", "dialog [data-value=se-30]")
    )
    assert sheet["y"] <= chosen["y"] and chosen["y"] + chosen["height"] <= sheet["y"] + sheet["height"]
    assert (
        beside["y"] < chosen["y"] + chosen["height"]
        and beside["x"] + beside["width"] <= sheet["x"] + sheet["width"]
    )


def test_counts_are_corrected_undone_and_redone_by_taps(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    session = playing()
    held = {c.what: c.value for c in session.counts("red")}
    page = visit(serve(session), "/?lang=en")
    page.locator("#player-red .amount").first.click()
    workers = page.locator("dialog .stepper", has=page.locator("[name=workers]"))
    usual = page.get_by_role("button", name="We forgot something")
    usual.click()
    page.locator("dialog [data-message]").get_by_text("Nothing has been changed yet.").wait_for()
    for _ in range(2):
        workers.locator("[data-step='1']").click()
    assert workers.locator("input.changed").input_value() == str(held["workers"] + 2)
    usual.click()
    page.locator("dialog[open]").wait_for(state="detached")
    page.locator("#player-red .amount", has_text=str(held["workers"] + 2)).wait_for()
    assert str(session.entries()[-1].moves[0]) == "adjust red workers+2 because forgotten"
    page.locator(".undo").click()
    page.locator(".moving-back").get_by_text(f"now has {held['workers']}").wait_for()
    page.locator(".redo").click()
    page.locator(".redo").wait_for(state="detached")
    assert {c.what: c.value for c in session.counts("red")} == {**held, "workers": held["workers"] + 2}
