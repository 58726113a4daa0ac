"""The page in a real browser: it updates automatically, and taps reach the session."""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.calibrate.games.burgundy import TABLE
from companion.calibrate.table_layout import OWN_BOARD, validated_layout
from companion.runtime.server import AppServer
from companion.session import CommandRejectedError, TableSession
from companion.text.translator import Translator
from hardware.panel import Panel, SimulatedFinger, open_panel
from tests.support.browsing import TABLET, Server
from tests.support.tables import Table, asking_for_a_die, unexplained, watching, with_proposal
from web.calibration import create_calibration_app

pytestmark = pytest.mark.browser

CONFIRM_ON_PAGE = ".actions [data-do=confirm]"


@pytest.fixture
def table() -> Table:
    return Table()


def follow(panel: Panel, session: TableSession, stop: threading.Event) -> None:
    """Runs the commands of the panel's buttons, like the table's loop."""
    commands: dict[str, Callable[[], object]] = {
        "confirm": session.confirm,
        "undo": session.undo,
        "next_alternative": session.next_alternative,
    }
    while not stop.is_set():
        try:
            commands[panel.presses.get(timeout=0.05).button]()
        except (queue.Empty, CommandRejectedError):
            continue


@pytest.fixture
def finger(table: Table) -> Iterator[SimulatedFinger]:
    """A finger that presses the keys of a simulated panel at the table."""
    stop = threading.Event()
    with open_panel(simulate=True) as panel:
        loop = threading.Thread(target=follow, args=(panel, table.session, stop))
        loop.start()
        yield SimulatedFinger(panel)
        stop.set()
        loop.join()


def scoring_turn(table: Table) -> tuple[str, int]:
    """Plays until the unconfirmed turn on the table scores; returns the player and the new score."""
    watching(table)
    while True:
        player = table.state.player
        before = player.score
        moves = table.turn()
        if player.score > before:
            table.look()
            return player.colour, player.score
        for move in moves:
            table.session.tap(str(move))
        table.play(0)


def rolled_alike() -> Table:
    """Returns a table without a camera, before a turn with two equal dice."""
    for seed in range(100):
        table = Table(seed=seed)
        table.session.watch(dice=False, boards=False)
        table.set_up().play(0)
        if len(set(table.state.player.dice)) == 1:
            return table
    raise AssertionError("no such roll")


def expect_text(page: Any, selector: str, text: str) -> None:
    page.wait_for_function(
        "([s, t]) => document.querySelector(s)?.textContent.includes(t)", arg=[selector, text]
    )


def test_a_press_on_the_panel_changes_the_score_on_the_page(
    table: Table, finger: SimulatedFinger, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    """The press goes through the pins, and the page is not reloaded."""
    colour, score = scoring_turn(table)
    page = visit(serve(table.session, panel=finger.press), "/?panel=drawn")
    page.evaluate("window.loadedOnce = true")
    turns = len(table.session.entries())
    finger.press("confirm")
    expect_text(page, f"#score-{colour} .points", str(score))
    assert len(table.session.entries()) == turns + 1
    assert page.evaluate("window.loadedOnce")


def test_the_drawn_panel_presses_the_same_pins(
    table: Table, finger: SimulatedFinger, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    colour, score = scoring_turn(table)
    page = visit(serve(table.session, panel=finger.press), "/?panel=drawn")
    page.click("[data-do=press][data-button=confirm]")
    expect_text(page, f"#score-{colour} .points", str(score))


def test_the_panel_is_not_drawn_until_it_is_asked_for(
    table: Table, finger: SimulatedFinger, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    watching(table)
    page = visit(serve(table.session, panel=finger.press))
    assert page.locator("[data-do=press]").first.is_hidden()
    page.click("[data-open='/menu']")
    page.click("dialog [href='?panel=drawn']")
    page.locator("[data-do=press]").first.wait_for()


def test_a_choice_for_a_turn_that_is_over_closes_itself(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    """Another tablet has confirmed the turn in the meantime."""
    scoring_turn(table)
    page = visit(serve(table.session))
    page.wait_for_function("() => stream.readyState === 1")
    page.click("[data-open='/moves']")
    page.locator("dialog[open] header").wait_for()
    table.session.confirm()
    page.locator("dialog[open]").wait_for(state="hidden")
    assert page.locator("#toast").inner_text() == "The game has moved on: what was open here is over."


def test_a_sheet_that_is_about_no_turn_stays_open(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    scoring_turn(table)
    page = visit(serve(table.session))
    page.wait_for_function("() => stream.readyState === 1")
    page.click("[data-open='/menu']")
    page.locator("dialog[open] header").wait_for()
    table.session.confirm()
    page.wait_for_function(
        "version => document.getElementById('state').dataset.version === version",
        arg=str(table.session.version),
    )
    assert page.locator("dialog[open]").is_visible()


def press_drawn_key(page: Any, button: str, seconds: float) -> None:
    page.hover(f"[data-do=press][data-button='{button}']")
    page.mouse.down()
    page.wait_for_timeout(1000 * seconds)
    page.mouse.up()


@pytest.mark.parametrize(("seconds", "held"), [(0.05, False), (1.0, True)])
def test_a_drawn_key_is_held_at_the_pin_for_as_long_as_on_the_page(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any], seconds: float, held: bool
) -> None:
    watching(table)
    with open_panel(simulate=True) as panel:
        page = visit(serve(table.session, panel=SimulatedFinger(panel).press), "/?panel=drawn")
        press_drawn_key(page, "undo", seconds)
        press = panel.presses.get(timeout=10)
        assert (press.button, press.held) == ("undo", held)
        page.wait_for_timeout(200)
        assert panel.presses.empty()


def test_the_drawn_panel_is_pressed_by_keyboard(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    watching(table)
    with open_panel(simulate=True) as panel:
        page = visit(serve(table.session, panel=SimulatedFinger(panel).press), "/?panel=drawn")
        page.focus("[data-do=press][data-button=confirm]")
        page.keyboard.press("Enter")
        assert panel.presses.get(timeout=10).button == "confirm"


def test_the_buzzer_is_muted_by_a_tap(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    with open_panel(simulate=True) as panel:
        page = visit(serve(table.session, buzzer=panel))
        page.click("[data-open='/menu']")
        page.click("[data-do=mute]")
        page.wait_for_selector("dialog:not([open])", state="attached")
        assert panel.muted


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_stays_in_the_chosen_language_when_it_updates(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any], language: str
) -> None:
    watching(table)
    page = visit(serve(table.session), f"/?lang={language}")
    player = table.state.player.colour
    expect_text(page, ".card h1", Translator(language)("status.watching.title", player=player))
    table.turn()
    table.look()
    expect_text(page, ".card h1", Translator(language)("status.proposal.title", player=player))


def test_confirm_and_undo_by_taps(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    with_proposal(table)
    page = visit(serve(table.session))
    before = len(table.session.entries())
    page.click(CONFIRM_ON_PAGE)
    page.wait_for_selector(".state:not([data-status=proposal])")
    assert len(table.session.entries()) == before + 1
    page.click("[data-do=undo]")
    page.wait_for_selector(".state[data-status=proposal]")
    assert len(table.session.entries()) == before


def test_a_question_is_answered_by_one_tap(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    asking_for_a_die(table)
    page = visit(serve(table.session))
    page.click("[data-do=answer] >> nth=0")
    page.wait_for_selector(".state[data-status=watching]")
    assert table.session.question is None


def test_a_misread_space_is_corrected_by_two_taps(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    unexplained(table)
    page = visit(serve(table.session))
    page.click(".space.doubt")
    page.click("#sheet [data-do=correct][data-label=empty]")
    page.wait_for_selector(".state[data-status=watching]")
    page.wait_for_selector("#sheet", state="hidden")


def test_a_whole_turn_is_entered_by_hand(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    watching(table)
    page = visit(serve(table.session))
    before = len(table.session.entries())
    page.click("[data-open='/moves']")
    for move in table.turn():
        page.click(f'#sheet [data-text="{move}"]')
    page.wait_for_selector("#sheet", state="hidden")
    assert len(table.session.entries()) > before


SLOW_MOVES = """{
    const asked = window.fetch;
    window.fetch = async (path, options) => {
        if (path.startsWith("/moves")) await new Promise((go) => setTimeout(go, 300));
        return asked(path, options);
    };
}"""


def test_on_a_slow_network_a_reloaded_sheet_loses_no_tap(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    watching(table)
    page = visit(serve(table.session), before=SLOW_MOVES)
    before = len(table.session.entries())
    page.click("[data-open='/moves']")
    for move in table.turn():
        # The sheet would be reloaded while the finger is on the screen.
        page.locator(f'#sheet [data-text="{move}"]').click(delay=400)
    page.wait_for_selector("#sheet", state="hidden")
    assert len(table.session.entries()) > before


def test_a_move_that_is_tapped_twice_counts_once(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    """With two equal dice it would be legal twice."""
    table = rolled_alike()
    page = visit(serve(table.session))
    page.click("[data-open='/moves']")
    page.locator("#sheet [data-text^=workers]").dblclick()
    page.evaluate("() => sending")
    assert [move["word"] for move in table.session.snapshot()["draft"]] == ["workers"]


def test_an_unanswered_tap_shows_a_message_and_can_be_repeated(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    """As when a network disappears silently."""
    table = rolled_alike()
    page = visit(serve(table.session))
    page.clock.install()
    page.route("**/do*", lambda route: None)
    page.click("[data-open='/moves']")
    page.locator("#sheet [data-text^=workers]").click()
    page.wait_for_selector("#sheet > [inert]")
    page.clock.fast_forward(10_000)
    expect_text(page, "#toast.shown", "check whether it counted")
    page.wait_for_selector("#sheet", state="hidden")
    page.unroute("**/do*")
    page.click("[data-open='/moves']")
    page.locator("#sheet [data-text^=workers]").click()
    page.wait_for_selector("[data-status=drafting]")


def test_two_pages_that_confirm_at_once_confirm_once(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    with_proposal(table)
    server = serve(table.session)
    pages = [visit(server), visit(server)]
    before = len(table.session.entries())
    for page in pages:
        page.evaluate("selector => document.querySelector(selector).click()", CONFIRM_ON_PAGE)
    for page in pages:
        page.wait_for_selector(".state:not([data-status=proposal])")
    assert len(table.session.entries()) == before + 1


def test_the_page_comes_back_after_the_companion_was_restarted(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    """Its old token is invalid; it must use the new one."""
    with_proposal(table)
    server = serve(table.session)
    page = visit(server)
    page.wait_for_selector("#state")
    token = page.get_attribute("#state", "data-token")
    server.stop()
    server.start()
    page.wait_for_function(
        "t => document.getElementById('state').dataset.token !== t", arg=token, timeout=25_000
    )
    before = len(table.session.entries())
    page.click(CONFIRM_ON_PAGE)
    page.wait_for_selector(".state:not([data-status=proposal])")
    assert len(table.session.entries()) == before + 1


SHOWS_FULL_PAGE = """async () => {
  await refreshing;
  const full = await (await fetch(`/table?lang=${document.documentElement.lang}`)).text();
  const fresh = new DOMParser().parseFromString(full, "text/html").getElementById("state");
  return fresh.isEqualNode(document.getElementById("state"));
}"""


def test_partial_updates_look_like_a_full_page(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    table.set_up().play(4)
    page = visit(serve(table.session))

    def expect_full_page() -> None:
        now = str(table.session.version)
        page.wait_for_function("v => state().version === v", arg=now)
        assert page.evaluate(SHOWS_FULL_PAGE)

    old = page.evaluate("async () => (await fetch('/table')).text()")
    for _ in range(8):
        table.play(1)
        table.look()
        expect_full_page()
    page.evaluate("html => show(html)", old)  # an answer that has been overtaken
    expect_full_page()
    page.evaluate("""() => {
      document.getElementById("scores").textContent = "";
      state().parts = state().parts.replace(/scores:[0-9a-f]+/, "scores:0");
    }""")
    table.session.ask_help()  # of which the stream brings the card alone
    expect_full_page()


def test_the_badge_shows_the_age_of_the_content(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    watching(table)
    page = visit(serve(table.session), "/?lang=en")
    page.wait_for_function("() => /updated \\d+ s ago/.test(document.getElementById('age').textContent)")
    page.route("**/table*", lambda route: route.abort())
    page.evaluate("async () => { await refreshing; shownAt -= 60; }")  # what was on its way has come
    page.wait_for_selector("#age.lost")
    assert re.search(r"no contact for \d+ s", page.text_content("#age"))


@pytest.mark.parametrize(
    "size", [(1280, 800), (800, 1280), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}"
)
def test_nothing_is_wider_than_the_screen(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any], size: tuple[int, int]
) -> None:
    with_proposal(table)
    page = visit(serve(table.session))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_landscape_tablet_shows_everything_without_scrolling(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    with_proposal(table)
    page = visit(serve(table.session))
    assert page.evaluate("document.documentElement.scrollHeight") <= TABLET["height"]
    for selector in (".scores", CONFIRM_ON_PAGE, "[data-do=undo]", "#player-red", "#player-blue", ".depots"):
        box = page.locator(selector).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= TABLET["height"]


def test_the_page_works_by_keyboard(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    watching(table)
    page = visit(serve(table.session))
    page.focus(".space >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_selector("#sheet[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("#sheet", state="hidden")


# --- the page's voice -----------------------------------------------------------------------------------------

RECORDING = """
window.spoken = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
const synthesis = { speak: (saying) => spoken.push([saying.lang, saying.text]), cancel: () => spoken.push("cancel") };
Object.defineProperty(window, "speechSynthesis", { value: synthesis });
"""
"""Replaces the browser's speech and records what it would say."""
REFUSING = """
const synthesis = { speak: (saying) => saying.onerror({ error: "not-allowed" }), cancel: () => {} };
Object.defineProperty(window, "speechSynthesis", { value: synthesis });
"""


def expect_spoken(page: Any, count: int) -> list[Any]:
    """Returns all speech of the page and its cancellations, once there are *count* entries."""
    page.wait_for_function("count => spoken.length >= count", arg=count)
    spoken: list[Any] = page.evaluate("spoken")
    return spoken


@pytest.mark.parametrize(
    ("language", "turn", "done"), [("en", "Blue's turn.", "Blue "), ("fr", "Au tour de Bleu.", "Bleu ")]
)
def test_the_voice_announces_confirmed_turns(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any], language: str, turn: str, done: str
) -> None:
    """It says the latest announcement at once, as a test, and cancels older ones."""
    with_proposal(table)
    page = visit(serve(table.session), f"/?lang={language}", RECORDING)
    page.click("#voice")
    assert expect_spoken(page, 2) == ["cancel", [language, turn]]
    page.click(CONFIRM_ON_PAGE)
    called_off, (spoken, text) = expect_spoken(page, 4)[2:]
    assert (called_off, spoken) == ("cancel", language)
    assert text.startswith(done)


def test_the_voice_is_off_until_it_is_turned_on(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    with_proposal(table)
    page = visit(serve(table.session), before=RECORDING)
    assert page.get_by_role("button", name="Voice", exact=True, pressed=False).is_visible()
    page.click(CONFIRM_ON_PAGE)
    page.wait_for_selector(".state:not([data-status=proposal])")
    assert page.evaluate("spoken") == []


def test_the_voice_stops_when_it_is_turned_off(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    with_proposal(table)
    page = visit(serve(table.session), before=RECORDING)
    page.click("#voice")
    page.click("#voice")
    page.click(CONFIRM_ON_PAGE)
    page.wait_for_selector(".state:not([data-status=proposal])")
    assert page.evaluate("spoken.slice(2)") == ["cancel"]


def test_the_voice_is_remembered_and_does_not_repeat_itself(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    with_proposal(table)
    page = visit(serve(table.session), "/?lang=fr", RECORDING)
    page.click("#voice")
    page.reload()
    assert page.get_by_role("button", name="Voix", exact=True, pressed=True).is_visible()
    page.evaluate("refresh()")
    assert page.evaluate("spoken") == []
    page.click(CONFIRM_ON_PAGE)
    assert len(expect_spoken(page, 2)) == 2


def test_a_reconnected_page_speaks_only_the_latest_announcement(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    with_proposal(table)
    server = serve(table.session)
    page, other = visit(server, "/?lang=en", RECORDING), visit(server)
    page.click("#voice")
    page.evaluate("tabs.close()")  # the other one has the stream
    page.route("**/table*", lambda route: route.abort())
    other.click(CONFIRM_ON_PAGE)
    other.wait_for_selector(".state:not([data-status=proposal])")
    other.click("[data-do=undo]")
    other.wait_for_selector(".state[data-status=proposal]")
    page.unroute("**/table*")
    page.evaluate("refresh()")
    assert expect_spoken(page, 4)[2:] == ["cancel", ["en", "Blue's turn is taken back."]]


def test_screen_readers_do_not_repeat_the_voice(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    with_proposal(table)
    page = visit(serve(table.session), before=RECORDING)
    assert page.get_attribute("#card", "aria-live") == "polite"
    page.click("#voice")
    page.click(CONFIRM_ON_PAGE)
    page.wait_for_selector(".state:not([data-status=proposal])")
    assert page.get_attribute("#card", "aria-live") == "off"
    page.click("#voice")
    assert page.get_attribute("#card", "aria-live") == "polite"


def test_a_browser_that_blocks_speech_shows_the_cure(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    watching(table)
    page = visit(serve(table.session), "/?lang=en", REFUSING)
    page.click("#voice")
    expect_text(page, "#toast", "Tap the screen once")


def test_a_browser_without_speech_shows_no_voice_button(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    watching(table)
    page = visit(serve(table.session), before="delete window.speechSynthesis")
    page.evaluate("refresh()")
    assert page.locator("#voice").is_hidden()


# --- the page on which a table is calibrated ------------------------------------------------------------------

SMALL_TABLE = replace(
    TABLE,
    players=("red", "blue"),
    groups={
        name: TABLE.groups[name]
        for name in ("storage:red", "storage:blue", "depot:1", "depot:2", "goods:red", "goods:blue")
    },
    dice_owners=("red", "blue", "white"),
    board_names=lambda: {"special": ["se-1"]},
)
CORNERS = [[200.0, 100.0], [320.0, 100.0], [320.0, 300.0], [200.0, 300.0]]


@pytest.fixture
def calibration(chromium: Any) -> Iterator[tuple[Any, list[dict[str, Any]], list[str]]]:
    """Returns the page with one duchy and one depot, the layouts that it has saved, and its script errors."""
    layout = {
        "image_size": [640, 400],
        "markers": [],
        "boards": [{"player": "red", "printed": "se-1", "anchors": CORNERS, "seen": 37}],
        "places": [{"name": "depot:1", "points": [[400.0, 200.0], [440.0, 200.0]]}],
        "goods_width": 0.7,
        "dice": [],
        "cards": [],
    }
    saved: list[dict[str, Any]] = []

    def save(layout: Any) -> list[str]:
        validated_layout(layout, SMALL_TABLE)
        saved.append(layout)
        return [board["player"] for board in layout["boards"] if board["printed"] == OWN_BOARD]

    picture = cv2.imencode(".jpg", np.full((400, 640, 3), 120, np.uint8))[1].tobytes()
    app = create_calibration_app(
        picture,
        layout,
        SMALL_TABLE,
        save=save,
        file="table.json",
    )
    app.testing = True
    server = AppServer(app, host="127.0.0.1", port=0)
    page = chromium.new_page(viewport=TABLET)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.set_default_timeout(10_000)
    page.goto(f"{server.address}/?lang=en")
    yield page, saved, errors
    page.close()
    server.close()


def save(page: Any) -> None:
    """Saves the table; in tests, the page can do so more than once."""
    page.evaluate("document.getElementById('save').disabled = false")
    with page.expect_response(lambda answer: "/layout" in answer.url):
        page.locator("#save").click()
    page.locator("#toast.shown").get_by_text("The table is saved").wait_for()


def test_a_corner_is_dragged_and_saved(calibration: Any) -> None:
    page, saved, errors = calibration
    handle = page.get_by_role("button", name="Duchy 1, corner 2").bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y - 20, steps=4)
    assert page.locator("#loupe").is_visible()
    page.mouse.up()
    assert page.locator("#loupe").is_hidden()
    save(page)
    (right, up) = saved[0]["boards"][0]["anchors"][1]
    assert right > CORNERS[1][0] + 5 and up < CORNERS[1][1] - 2
    assert saved[0]["boards"][0]["anchors"][0] == CORNERS[0]
    assert errors == []


def test_a_corner_is_moved_with_the_arrow_keys(calibration: Any) -> None:
    page, saved, _ = calibration
    page.get_by_role("button", name="Duchy 1, corner 1").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    save(page)
    assert saved[0]["boards"][0]["anchors"][0] == [CORNERS[0][0] + 1, CORNERS[0][1] + 10]


def test_player_duchy_and_places_are_corrected(calibration: Any) -> None:
    page, saved, errors = calibration
    page.locator(".board select[data-field=player]").select_option("blue")
    page.locator(".board select[data-field=printed]").select_option("se-1")
    page.locator(".group select").select_option("depot:2")
    page.locator(".group [data-do=more]").click()
    save(page)
    board, places = saved[0]["boards"][0], saved[0]["places"][0]
    assert (board["player"], board["printed"]) == ("blue", "se-1")
    assert (places["name"], len(places["points"])) == ("depot:2", 3)
    assert errors == []


def test_goods_are_added_and_fitted_to_the_print(calibration: Any) -> None:
    page, saved, errors = calibration
    assert page.locator("#goods-width").is_hidden()
    page.locator("#add-places").click()
    page.locator("#places select").nth(1).select_option("goods:red")
    page.locator("#goods-width input").fill("0.55")
    save(page)
    assert [group["name"] for group in saved[0]["places"]] == ["depot:1", "goods:red"]
    assert saved[0]["goods_width"] == 0.55
    assert errors == []


def test_the_place_touched_last_is_removed(calibration: Any) -> None:
    page, saved, _ = calibration
    page.locator(".group [data-do=more]").click()
    first = page.get_by_role("button", name="Depot 1 1", exact=True)
    first.click()
    assert page.locator(".touched").count() == 1
    page.locator(".group [data-do=fewer]").click()
    save(page)
    assert saved[0]["places"][0]["points"] == [[440, 200], [480, 200]]


def test_a_new_row_moves_with_its_first_place_and_stretches_with_its_last(calibration: Any) -> None:
    page, saved, _ = calibration
    page.locator("#add-places").click()
    page.locator("#places select").nth(1).select_option("goods:red")
    name = page.locator("#places select").nth(1).locator("option:checked").inner_text()

    def nudge(place: int, *keys: str) -> None:
        page.get_by_role("button", name=f"{name} {place}", exact=True).focus()
        for key in keys:
            page.keyboard.press(key)

    save(page)
    before = np.array(saved[-1]["places"][1]["points"])
    nudge(1, "Shift+ArrowDown")
    nudge(3, "Shift+ArrowRight", "Shift+ArrowRight")
    nudge(2, "ArrowUp")
    save(page)
    assert np.allclose(saved[-1]["places"][1]["points"], before + np.array([(0, 10), (10, 9), (20, 10)]))


def test_a_dice_area_is_dragged_as_a_whole(calibration: Any) -> None:
    page, saved, _ = calibration
    page.locator("#add-dice").click()
    save(page)
    before = np.array(saved[-1]["dice"][0]["corners"])
    box = page.locator(".area .body").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 10, steps=3)
    page.mouse.up()
    save(page)
    moved = np.array(saved[-1]["dice"][0]["corners"]) - before
    assert np.allclose(moved, moved[0])
    assert moved[0][0] > 5 and moved[0][1] < -1


def test_a_dice_area_is_added_assigned_to_a_player_and_moved(calibration: Any) -> None:
    page, saved, errors = calibration
    page.locator("#add-dice").click()
    page.locator("#dice select").select_option("white")
    page.get_by_role("button", name="White die 3").focus()
    page.keyboard.press("Shift+ArrowRight")
    save(page)
    (area,) = saved[0]["dice"]
    assert area["owner"] == "white"
    left, _, right, _ = area["corners"]
    assert right[0] - left[0] == pytest.approx(right[1] - left[1] + 10)
    assert errors == []


def test_a_dice_area_is_removed(calibration: Any) -> None:
    page, saved, _ = calibration
    page.locator("#add-dice").click()
    page.locator("#dice [data-do=remove]").click()
    save(page)
    assert saved[0]["dice"] == []


def test_both_county_cards_get_an_area_and_no_third(calibration: Any) -> None:
    page, saved, errors = calibration
    for _ in range(2):
        page.locator("#add-card").click()
    assert page.locator("#add-card").is_disabled()
    save(page)
    assert [area["name"] for area in saved[0]["cards"]] == ["left", "right"]
    assert errors == []


def test_a_county_card_is_turned_until_its_top_is_right(calibration: Any) -> None:
    page, saved, _ = calibration
    page.locator("#add-card").click()
    save(page)
    for _ in range(2):
        page.locator("#cards [data-do=turn]").click()
    save(page)
    before, after = (layout["cards"][0]["corners"] for layout in saved)
    assert after == [*before[2:], *before[:2]]


def test_the_whole_picture_can_be_shown(calibration: Any) -> None:
    page, _, _ = calibration
    assert page.locator("#picture").get_attribute("viewBox") != "0 0 640 400"
    page.locator("#show-all").click()
    assert page.locator("#picture").get_attribute("viewBox") == "0 0 640 400"


def test_an_upside_down_board_is_rotated_in_three_steps(calibration: Any) -> None:
    page, saved, _ = calibration
    for _ in range(3):
        page.locator(".board [data-do=turn]").click()
    save(page)
    turned = saved[0]["boards"][0]["anchors"]
    assert np.allclose(turned, [*CORNERS[2:], *CORNERS[:2]], atol=0.01)


def test_a_board_is_added_and_removed(calibration: Any) -> None:
    page, saved, _ = calibration
    page.locator("#add").click()
    assert page.locator(".board").count() == 2
    page.locator(".board [data-do=remove]").first.click()
    name_duchy(page, 0, "se-1")
    save(page)
    assert [board["player"] for board in saved[0]["boards"]] == ["blue"]


def name_duchy(page: Any, board: int, duchy: str) -> None:
    page.locator(".board select[data-field=printed]").nth(board).select_option(duchy)


def show_layout(page: Any, **parts: Any) -> None:
    """Makes the page show other boards, places or areas, as if a camera had found them."""
    page.evaluate("parts => { Object.assign(layout, parts); show(); }", parts)


FAR_CORNERS = [[x + 260.0, y] for x, y in CORNERS]
BESIDE, FAR = [[340.0, 120.0], [360.0, 120.0]], [[600.0, 120.0], [620.0, 120.0]]
TWO_BOARDS = [
    {"player": "red", "printed": "se-1", "anchors": CORNERS, "seen": 37},
    {"player": "blue", "printed": "se-1", "anchors": FAR_CORNERS, "seen": 37},
]


def test_a_board_without_a_duchy_is_not_saved(calibration: Any) -> None:
    page, saved, _ = calibration
    name_duchy(page, 0, "")
    page.locator("#save").click()
    page.locator("#toast.shown").get_by_text("which duchy does Red play?").wait_for()
    assert saved == []
    name_duchy(page, 0, "se-1")
    save(page)


def test_a_doubtful_board_is_asked_about_until_it_is_named(calibration: Any) -> None:
    page, _, errors = calibration
    show_layout(page, boards=[TWO_BOARDS[0], {**TWO_BOARDS[1], "printed": None, "doubtful": True}])
    question = page.locator(".board .wrong:visible")
    assert question.all_inner_texts() == [
        "Not a duchy I know: is it one? If so, choose it, or your own; if not, remove it."
    ]
    name_duchy(page, 1, "own")
    assert question.count() == 0 and errors == []


def test_a_custom_board_is_saved_with_the_next_step(calibration: Any) -> None:
    page, saved, _ = calibration
    name_duchy(page, 0, "own")
    save(page)
    toast = page.locator("#toast.shown").inner_text()
    assert "./run calibrate duchy table.json PICTURE --player red" in toast
    assert saved[0]["boards"][0]["printed"] == "own"


def test_everything_beside_a_board_is_reassigned_with_it(calibration: Any) -> None:
    page, saved, errors = calibration
    show_layout(
        page,
        boards=TWO_BOARDS,
        places=[
            {"name": "storage:red", "points": BESIDE},
            {"name": "storage:blue", "points": FAR},
            {"name": "goods:red", "points": BESIDE},
            {"name": "depot:1", "points": FAR},
        ],
        dice=[{"owner": "red", "corners": CORNERS[:3]}, {"owner": "white", "corners": CORNERS[:3]}],
    )
    page.locator(".board select[data-field=player]").first.select_option("blue")
    save(page)
    assert [board["player"] for board in saved[0]["boards"]] == ["blue", "red"]
    names = [group["name"] for group in saved[0]["places"]]
    assert names == ["storage:blue", "storage:red", "goods:blue", "depot:1"]
    assert [area["owner"] for area in saved[0]["dice"]] == ["blue", "white"]
    assert errors == []


def test_goods_beside_the_right_board_keep_their_name(calibration: Any) -> None:
    """They come from an earlier calibration, after which boards are found again and assigned in order."""
    page, saved, _ = calibration
    show_layout(page, boards=TWO_BOARDS, places=[{"name": "goods:blue", "points": BESIDE}])
    page.locator(".board select[data-field=player]").first.select_option("blue")
    save(page)
    assert [group["name"] for group in saved[0]["places"]] == ["goods:blue"]


def test_a_board_is_removed_with_its_storage(calibration: Any) -> None:
    page, saved, _ = calibration
    places = [{"name": "storage:red", "points": BESIDE}, {"name": "storage:blue", "points": FAR}]
    show_layout(page, boards=TWO_BOARDS, places=places)
    page.locator(".board [data-do=remove]").first.click()
    save(page)
    assert [group["name"] for group in saved[0]["places"]] == ["storage:blue"]


def test_there_are_no_more_boards_than_players(calibration: Any) -> None:
    page, _, _ = calibration
    page.locator("#add").click()
    assert page.locator("#add").is_disabled()


def test_the_calibration_page_reports_a_companion_that_has_ended(calibration: Any) -> None:
    page, _, _ = calibration
    page.route("**/layout*", lambda route: route.abort())
    page.locator("#save").click()
    page.locator("#toast.shown").get_by_text("does not answer").wait_for()


def test_a_tile_is_found_by_its_name_in_another_edition(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    """Capitals and accents do not matter."""
    table = Table()
    watching(table)
    page = visit(serve(table.session), "/?lang=fr")
    page.locator("[data-open='/menu']").click()
    page.locator("dialog [data-open='/tiles']").click()
    found = page.locator(".tile-list li:visible")
    for text, name in (("CONNAISSANCES 7", "Monastère 7"), ("pepite", "Argent"), ("domaine", "Duché")):
        page.locator("dialog [data-search]").fill(text)
        found.first.locator("b").get_by_text(name).wait_for()
    assert found.count() == 1
