"""Legibility in a real browser: sizes of text and controls, and outdated content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.text.catalogue import LANGUAGES
from tests.support.browsing import SIZES, Server
from tests.support.sheets import SHEETS
from tests.support.tables import (
    Table,
    asking_for_a_die,
    drafting,
    over,
    unexplained,
    watching,
    with_dice_in_doubt,
    with_proposal,
)
from web.guard import Guard

pytestmark = pytest.mark.browser

LONG_NAMES = {"red": "Maximilienne-Aurélie", "blue": "Christophe-Emmanuel"}
TARGET_PX = 44
"""Minimum side of a control; WCAG 2.2 (2.5.8) requires 24."""
SPACE_PX = {(800, 1280): 38, (1024, 768): 27}
"""Minimum side of a duchy's space on tablets on which four duchies have no room for larger ones."""
SMALL = """([least, selector]) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility() && !one.closest("dialog:not([open])"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, box]) => Math.min(box.width, box.height) < least - 0.5)
  .map(([one, box]) => `${one.className.baseVal ?? one.className} ${one.textContent.trim().slice(0, 20)}: `
    + `${Math.round(box.width)} x ${Math.round(box.height)}`)"""
"""Finds controls that are too small."""
CONTROLS = "a, button, input, select"
CUT = """() => [...document.querySelectorAll(
    "button, h1, h2, .points, .score-events, .card-text p, .card-text li, td, dd b, dt")]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).textOverflow !== "ellipsis" && one.clientWidth > 1)
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline"
    && getComputedStyle(one).overflowX !== "visible")
  .map((one) => `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 30)}`)"""
"""Finds text that is cut off."""
BESIDE = """() => [...document.querySelectorAll("body *")]
  .filter((one) => one.checkVisibility())
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((one) => `${one.tagName}.${one.className.baseVal ?? one.className}`)"""
"""Finds elements that extend beyond the screen."""
OVERLAPPING = """() => {
  const rows = [".score", ".actions", ".corner", ".progress", ".goods-and-more"].map((row) => `${row} > *`);
  const boxes = [...document.querySelectorAll(rows)]
    .filter((one) => one.checkVisibility() && getComputedStyle(one).position !== "absolute")
    .map((one) => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width && box.height);
  return boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
    .filter(([other, b]) => one.parentElement === other.parentElement
      && a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2)
    .map(([other]) => `${one.className} ${one.textContent.trim().slice(0, 20)} / ${other.className}`));
}"""
"""Finds neighbours that overlap."""


def four_at_the_table(state: Callable[[Table], None] = with_proposal) -> Table:
    table = Table(colours=("red", "blue", "green", "black"))
    state(table)
    for colour, name in LONG_NAMES.items():
        table.session.rename_player(colour, name)
    return table


def turned(page: Any, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


@pytest.mark.parametrize("text", [100, 150, 200])
def test_nothing_is_cut_off_or_overlaps_at_any_text_size(
    serve: Callable[..., Server], visit: Callable[..., Any], text: int
) -> None:
    """In French, which has longer words, with long names and four players, at every screen size."""
    page = visit(serve(four_at_the_table().session), f"/?lang=fr&text={text}")
    wrong: dict[tuple[int, int], list[str]] = {}
    for size in SIZES:
        turned(page, size)
        found = page.evaluate(BESIDE) + page.evaluate(CUT) + page.evaluate(OVERLAPPING)
        wrong |= {size: found} if found else {}
    assert wrong == {}
    root = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert root == pytest.approx(16 * text / 100)


@pytest.mark.parametrize("seed", [2, 6])
def test_a_turn_entered_by_taps_fits_on_a_landscape_tablet(
    serve: Callable[..., Server], visit: Callable[..., Any], seed: int
) -> None:
    """In French, with four players, long names and the panel, after each move of eight turns."""
    table = Table(colours=("red", "blue", "green", "black"), seed=seed).set_up()
    table.session.watch(dice=False, boards=False)
    table.play(12)
    names = {**LONG_NAMES, "green": "Bartholomée-Céleste", "black": "Jean-Baptiste-Armand"}
    for colour, name in names.items():
        table.session.rename_player(colour, name)
    page = visit(serve(table.session, panel=lambda button, seconds: None), "/?lang=fr&panel=drawn")
    hidden = []
    for move in (move for _ in range(8) for move in table.turn()):
        if table.state.stage != "turn":
            break
        table.session.tap(str(move))
        page.wait_for_function(
            "v => document.getElementById('state').dataset.version === v", arg=str(table.session.version)
        )
        hidden.append(
            page.evaluate(
                "(text => text.scrollHeight - text.clientHeight)(document.querySelector('.card-text'))"
            )
        )
    assert len(hidden) > 8
    assert max(hidden) == 0


@pytest.mark.parametrize(
    "state",
    [watching, with_proposal, with_dice_in_doubt, asking_for_a_die, unexplained, drafting, over],
)
def test_all_controls_are_large_enough_for_a_finger(
    serve: Callable[..., Server], visit: Callable[..., Any], state: Callable[[Table], None]
) -> None:
    page = visit(serve(four_at_the_table(state).session, panel=lambda button, seconds: None), "/?panel=drawn")
    small: dict[Any, list[str]] = {}
    for size in SIZES:
        turned(page, size)
        found = page.evaluate(SMALL, [TARGET_PX, CONTROLS])
        found += page.evaluate(SMALL, [SPACE_PX.get(size, TARGET_PX), ".space"])
        small |= {size: found} if found else {}
    assert small == {}


def test_the_controls_of_a_sheet_are_large_enough_for_a_finger(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(four_at_the_table().session))
    small: dict[Any, list[str]] = {}
    for opens in SHEETS:
        page.evaluate("path => open(path)", opens)
        page.wait_for_selector("dialog[open] header")
        found = page.evaluate(SMALL, [TARGET_PX, f"dialog :is({CONTROLS})"])
        small |= {opens: found} if found else {}
    assert small == {}


PX_PER_MM = 1280 / 217.5
"""Of a 10.1-inch tablet of 1280 x 800."""
GLYPH = """([one, glyph]) => {
  const pen = document.createElement("canvas").getContext("2d");
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(one);
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const box = pen.measureText(glyph);
  return box.actualBoundingBoxAscent + box.actualBoundingBoxDescent;
}"""
"""Returns the height of a glyph in the font of an element, px."""
CROWDED = """() => [...document.querySelectorAll(".score")].flatMap((card) => {
  const rows = [...card.querySelectorAll(":scope > *")].map((row) => row.getBoundingClientRect());
  const room = card.getBoundingClientRect();
  const beyond = rows.filter((row) => row.bottom > room.bottom || row.right > room.right + 0.5);
  return card.scrollWidth > card.clientWidth || beyond.length ? [card.id] : [];
})"""
"""Finds score cards that hold more than they have room for."""


def with_three_digits() -> Table:
    """Returns a table of four with a leader who is far ahead."""
    table = four_at_the_table()
    for colour, points in {"red": 288, "blue": 176, "green": 188, "black": 177}.items():
        score = next(count.value for count in table.session.counts(colour) if count.what == "score")
        table.session.adjust(colour, {"score": (score, points)}, "agreed")
    table.look()
    return table


def test_a_score_is_legible_from_two_metres(serve: Callable[..., Server], visit: Callable[..., Any]) -> None:
    """A digit is 9 mm high: 15 arc minutes at 2 m, where ISO 9241-303 asks for 16 to read text at length."""
    page = visit(serve(with_three_digits().session))
    heights = [page.evaluate(GLYPH, [points, "8"]) for points in page.query_selector_all(".score .points")]
    assert min(heights) / PX_PER_MM >= 9
    assert page.evaluate(OVERLAPPING) == []


@pytest.mark.parametrize("selector", [".rank", ".score em"])
@pytest.mark.parametrize("size", [(1280, 800), (800, 1280)])
def test_rank_lead_and_who_is_to_move_are_legible_from_across_the_table(
    serve: Callable[..., Server], visit: Callable[..., Any], size: tuple[int, int], selector: str
) -> None:
    """A capital is 4 mm high: 9 arc minutes at 1.5 m, nearly twice what a good eye can just read."""
    page = visit(serve(with_three_digits().session), "/?lang=fr")
    turned(page, size)
    words = page.query_selector_all(selector)
    assert words
    assert min(page.evaluate(GLYPH, [one, "H"]) for one in words) / PX_PER_MM >= (
        4 if size[0] == 1280 else 3.8
    )


def named(*names: str) -> Table:
    table = four_at_the_table()
    for colour, name in zip(("red", "blue", "green", "black"), names, strict=True):
        table.session.rename_player(colour, name)
    return table


def test_a_name_of_eight_letters_is_legible_from_across_the_table(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(named("Wolfgang", "Bertrand", "Léa", "Margaret").session))
    names = page.query_selector_all(".score .name")
    assert min(page.evaluate(GLYPH, [name, "H"]) for name in names) / PX_PER_MM >= 4


def test_usual_names_are_shown_in_full_on_every_screen(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(named("Wolfgang", "Bertrand", "Elisabeth", "Margaret").session))
    cut: dict[Any, list[str]] = {}
    for size in SIZES:
        turned(page, size)
        found = page.evaluate(
            """() => [...document.querySelectorAll(".score .name")]
              .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"""
        )
        cut |= {size: found} if found else {}
    assert cut == {}


@pytest.mark.parametrize("text", [100, 125])
@pytest.mark.parametrize("language", LANGUAGES)
def test_score_cards_have_room_for_all_they_say(
    serve: Callable[..., Server], visit: Callable[..., Any], language: str, text: int
) -> None:
    page = visit(serve(with_three_digits().session), f"/?lang={language}&text={text}")
    wrong: dict[Any, list[str]] = {}
    for size in SIZES:
        turned(page, size)
        wrong |= {size: found} if (found := page.evaluate(CROWDED)) else {}
    assert wrong == {}


def test_score_cards_have_room_for_four_digits(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(with_three_digits().session), "/?text=125")
    page.evaluate(
        """() => document.querySelectorAll(".score .points").forEach((points) => {
          points.textContent = "1288";
          points.classList.replace("digits-3", "digits-4");
        })"""
    )
    wrong: dict[Any, list[str]] = {}
    for size in SIZES:
        turned(page, size)
        wrong |= {size: found} if (found := page.evaluate(CROWDED)) else {}
    assert wrong == {}


@pytest.mark.parametrize("text", [100, 125])
@pytest.mark.parametrize("state", [watching, with_proposal, unexplained, drafting, over])
def test_the_buttons_are_in_sight_on_a_phone_on_its_side(
    serve: Callable[..., Server], visit: Callable[..., Any], state: Callable[[Table], None], text: int
) -> None:
    page = visit(serve(four_at_the_table(state).session), f"/?lang=fr&text={text}")
    turned(page, (844, 390))
    for button in page.locator(".actions > *").locator("visible=true").all():
        box = button.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 390
        assert button.evaluate(
            """(one) => {
              const { left, top, width, height } = one.getBoundingClientRect();
              return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
            }"""
        )


KEYS_OVER_HEADER = """() => {
  const box = (one) => one.getBoundingClientRect();
  const keys = [...document.querySelectorAll(".corner > *")].filter((one) => one.checkVisibility());
  const header = [...document.querySelectorAll(".phases li, .progress > :not(.phases)")]
    .filter((one) => one.checkVisibility());
  return header.filter((one) => keys.some((key) => {
    const [a, b] = [box(one), box(key)];
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  })).map((one) => one.textContent.trim());
}"""
"""Finds what the keys at the top cover."""


@pytest.mark.parametrize("pin", [None, "1234"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keys_at_the_top_cover_nothing(
    serve: Callable[..., Server], visit: Callable[..., Any], language: str, pin: str | None
) -> None:
    """Guests have one more key."""
    page = visit(
        serve(four_at_the_table().session, guarding=Guard(pin=pin), key=b"0" * 32), f"/?lang={language}"
    )
    assert (page.query_selector(".guest") is not None) == (pin is not None)
    covered: dict[Any, list[str]] = {}
    for size in SIZES:
        turned(page, size)
        found = page.evaluate(KEYS_OVER_HEADER)
        covered |= {size: found} if found else {}
    assert covered == {}


# --- in and out of touch ----------------------------------------------------------------------------------


def confirmed_elsewhere(table: Table) -> int:
    """Changes the table like another tablet; returns the version that pages must show then."""
    table.session.confirm()
    return table.session.version


def expect_version(page: Any, version: int, seconds: float) -> None:
    page.wait_for_function(
        "version => document.getElementById('state').dataset.version === String(version)",
        arg=version,
        timeout=1000 * seconds,
    )


@pytest.fixture
def table() -> Table:
    table = Table()
    with_proposal(table)
    return table


def test_a_page_reports_a_lost_network_and_recovers(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(table.session))
    page.wait_for_function("() => stream.readyState === 1")
    page.context.set_offline(True)
    page.click(".actions [data-do=confirm]")
    page.wait_for_selector("#age.lost")
    assert (
        page.locator("#toast").inner_text()
        == "The companion did not answer: check whether it counted, then repeat."
    )
    version = confirmed_elsewhere(table)
    page.context.set_offline(False)
    expect_version(page, version, 3)
    page.wait_for_selector("#age:not(.lost)")


def test_a_hanging_request_is_aborted_and_repeated(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    """As when a network disappears silently: no error and no answer."""
    page = visit(serve(table.session))
    page.wait_for_function("() => stream.readyState === 1")
    page.route("**/table*", lambda route: None)
    page.evaluate("() => { refresh(); }")
    version = confirmed_elsewhere(table)
    page.wait_for_selector("#age.lost")
    page.unroute("**/table*")
    page.evaluate("() => window.dispatchEvent(new Event('online'))")
    expect_version(page, version, 2)


def test_a_waking_tablet_shows_the_current_state_despite_a_dead_stream(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(table.session))
    page.wait_for_function("() => stream.readyState === 1")
    page.evaluate("() => { stream.onmessage = null; }")
    version = confirmed_elsewhere(table)
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect_version(page, version, 3)
    assert page.evaluate("() => stream.onmessage !== null")
