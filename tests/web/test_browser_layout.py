"""Layout in a real browser, late in a game of four with long names: everything fits on every screen."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.archive import Archive
from companion.games.player_text import LONGEST_NAME
from companion.journal import Journal
from companion.privacy.erasure import DataPaths
from companion.privacy.picture_retention import PictureRetention
from companion.session import TableSession
from companion.storage.picture_store import PictureStore
from companion.text.catalogue import LANGUAGES
from tests.archive.test_archive import play
from tests.support.browsing import SIZES, TABLET, Server, enlarge
from tests.support.tables import RULES, Table
from web.preferences import TEXT_SIZES

pytestmark = pytest.mark.browser

COLOURS = ("red", "blue", "green", "black")
NAMES = ("Maximilienne-Sophie", "Wolfgang-Amadeus WWW", "Bartholomäus Grünwld", "Guillaume-Frédéric M")
"""Names of the maximum length."""
TOO_WIDE = """() => [...document.querySelectorAll(".score")].flatMap((card) => {
  const room = card.getBoundingClientRect();
  const digits = document.createRange();
  digits.selectNodeContents(card.querySelector(".points"));
  const parts = [...card.querySelectorAll(".points, .rank, .about *")]
    .map((part) => part.getBoundingClientRect());
  const right = Math.max(digits.getBoundingClientRect().right, ...parts.map((part) => part.right));
  return card.scrollWidth > card.clientWidth || right > room.right ? [`${card.id}: ${right} > ${room.right}`] : [];
})"""
COUNTS_BESIDE_BOARD = """() => [...document.querySelectorAll(".player .amount b")].filter((count) => {
  const digits = document.createRange();
  digits.selectNodeContents(count);
  return digits.getBoundingClientRect().right > count.closest(".player").getBoundingClientRect().right;
}).length"""
BROKEN_SCORES = """() => [...document.querySelectorAll(".who b, .podium b")].filter((score) => {
  const digits = document.createRange();
  digits.selectNodeContents(score);
  return digits.getClientRects().length > 1;
}).length"""
BROKEN_WORDS = """() => [...document.querySelectorAll(".podium span")].flatMap((name) =>
  [...name.textContent.matchAll(/\\p{L}+/gu)].filter((word) => {
    const range = document.createRange();
    range.setStart(name.firstChild, word.index);
    range.setEnd(name.firstChild, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).map(String))"""
FULL_INVENTORY = """() => {
  const stacks = document.querySelector(".player.automa .storage dd");
  const stack = document.querySelector(".player.automa .stock .stack").outerHTML;
  stacks.innerHTML = stack.repeat(6);
}"""
SCROLLED_AUTOMA = """() => {
  const panel = document.querySelector(".player.automa");
  return [panel.scrollHeight - panel.clientHeight, panel.scrollWidth - panel.clientWidth];
}"""
SHADOW_OF_AUTOMA = """() =>
  getComputedStyle(document.querySelector(".player.automa")).backgroundImage.includes("gradient")"""
HALF_SHOWN_AREAS = """() => [...document.querySelectorAll(".player")].flatMap((player) => {
  const room = player.querySelector(".areas").getBoundingClientRect();
  const boxes = [...player.querySelectorAll(".nearest .row")].map((row) => {
    const text = document.createRange();
    text.selectNodeContents(row);
    return text.getBoundingClientRect();
  }).filter((box) => box.width && box.left < room.right && box.top < room.bottom);
  const cut = boxes.filter((box) => box.bottom > room.bottom + 0.5 || box.right > room.right + 0.5);
  return boxes.length === 0 || cut.length ? [`${player.id}: ${cut.length} of ${boxes.length}`] : [];
})"""
MOST_GOODS_AND_BONUS_TILES = """() => {
  const fill = (row, copied, count) =>
    row.replaceChildren(...Array.from({ length: count }, () => copied.cloneNode(true)));
  const stack = document.querySelector(".stack").cloneNode(true);
  const bonus = document.querySelector(".bonus").cloneNode(true);
  fill(bonus.querySelector("dd"), bonus.querySelector("dd span"), 6);
  for (const beside of document.querySelectorAll(".goods-and-more")) {
    fill(beside.querySelector(".stock dd"), stack, 3);
    beside.querySelector(".bonus")?.remove();
    beside.append(bonus.cloneNode(true));
  }
}"""
"""Gives everybody three kinds of goods and six bonus tiles."""
BEYOND_THE_CARD = """() => [...document.querySelectorAll(".player")].flatMap((player) => {
  const floor = player.getBoundingClientRect().bottom;
  const beyond = [...player.querySelectorAll(".goods-and-more :is(.tile, b)")].filter(
    (part) => !part.closest(".nearest") && part.getBoundingClientRect().bottom > floor);
  return beyond.length ? [`${player.id}: ${beyond.length}`] : [];
})"""
"""What lies beside a duchy and ends below its card; areas move out of the way."""
CUT_STARTS = """() => [...document.querySelectorAll(".player-setup")].flatMap((card) => {
  const room = card.getBoundingClientRect();
  const name = card.querySelector("h2 .plain").getBoundingClientRect();
  const cut = [...card.querySelectorAll("h2 > *, .dealt > *")].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.bottom > room.bottom || box.right > room.right;
  });
  const badge = card.querySelector("h2 .badge").getBoundingClientRect();
  return cut.length || name.top > badge.bottom ? [`${card.id}: ${cut.length}`] : [];
})"""
SHEETS = (
    *("/menu", "/join", "/tiles", "/rules", "/story", "/moves", "/leave/new_game", "/place/depot:1:0"),
    *(f"/{what}/red" for what in ("player", "score", "areas", "adjust")),
)
SIDEWAYS = """async (path) => {
  await open(path);
  return sheet.scrollWidth - sheet.clientWidth;
}"""
ROOM_FOR_COUNTS = """async () => {
  await open("/adjust/red");
  const box = (part) => sheet.querySelector(part).getBoundingClientRect();
  const isSticky = getComputedStyle(sheet.querySelector(".reasons")).position === "sticky";
  const floor = isSticky ? box(".reasons").top : sheet.getBoundingClientRect().bottom;
  return floor - box("header").bottom;
}"""
"""px between the heading and what covers the counts below."""
COVERED_SPACES = """() => [...document.querySelectorAll(".player .storage button")].flatMap((button) => {
  const tile = button.getBoundingClientRect();
  return [...button.closest(".player").querySelectorAll(".duchy .space polygon")].filter((space) => {
    const box = space.getBoundingClientRect();
    const isBeside = box.right <= tile.left + 1 || box.left >= tile.right - 1;
    const slope = box.height / 4;
    return !isBeside && box.bottom - slope > tile.top + 1 && box.top + slope < tile.bottom - 1;
  });
}).length"""
"""Spaces of which a tile covers more than the corners that hexagons do not have."""
HIDDEN_MOVES = """() => {
  const floor = document.querySelector(".card-text").getBoundingClientRect().bottom + 1;
  const moves = [...document.querySelectorAll(".card-text .moves li")];
  return [moves.length, moves.filter((move) => move.getBoundingClientRect().bottom > floor).length];
}"""


def late(turns: int, seed: int = 5) -> Table:
    """Returns a game of four after a number of turns."""
    table = Table(colours=COLOURS, seed=seed).set_up().play(turns)
    for colour, name in zip(COLOURS, NAMES, strict=True):
        table.session.rename_player(colour, name)
    return table


@pytest.fixture(scope="module")
def with_three_digits() -> Table:
    """Puts dice on the table, and gives everybody a score as at the end of a game."""
    table = late(88)
    for colour in COLOURS:
        score = next(count.value for count in table.session.counts(colour) if count.what == "score")
        table.session.adjust(colour, {"score": (score, 288)}, "agreed")
    return table


@pytest.mark.parametrize("language", LANGUAGES)
def test_score_cards_hold_three_digits_on_every_screen_at_every_size_of_text(
    with_three_digits: Table, serve: Callable[..., Server], visit: Callable[..., Any], language: str
) -> None:
    server = serve(with_three_digits.session)
    page = visit(server)
    for size in TEXT_SIZES:
        page.goto(f"{server.address}/?lang={language}&text={size}")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(TOO_WIDE) == [], (width, height, size)


@pytest.mark.parametrize("language", LANGUAGES)
def test_areas_beside_a_duchy_are_never_cut_off(
    with_three_digits: Table, serve: Callable[..., Server], visit: Callable[..., Any], language: str
) -> None:
    """At any height that the rest of the page leaves."""
    server = serve(with_three_digits.session)
    page = visit(server, f"/?lang={language}")
    for height in (800, 780, 760, 740):
        page.set_viewport_size({"width": 1280, "height": height})
        assert page.evaluate(HALF_SHOWN_AREAS) == [], height


@pytest.mark.parametrize("language", LANGUAGES)
def test_goods_and_bonus_tiles_lie_within_their_players_card(
    serve: Callable[..., Server], visit: Callable[..., Any], language: str
) -> None:
    """With as many of them as there may be, on landscape screens from the smallest that is not scrolled."""
    server = serve(late(92).session, panel=lambda button, seconds: None)
    page = visit(server, f"/?lang={language}")
    page.evaluate(MOST_GOODS_AND_BONUS_TILES)
    for width, height in ((1280, 800), (1024, 768), (1024, 700), (1000, 680)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(BEYOND_THE_CARD) == [], (width, height)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_the_chateauma_is_scrolled_out_of_sight(
    serve: Callable[..., Server], visit: Callable[..., Any], tmp_path: Path, language: str
) -> None:
    """Beside three people, late in a game, with its inventory full."""
    path = tmp_path / "game.journal"
    play(path, 4, names={}, players=4, chateauma="hard", moves=420)
    with closing(Journal(path)) as journal:
        page = visit(serve(TableSession(RULES, journal)), f"/?lang={language}")
        page.evaluate(FULL_INVENTORY)
        for width, height in ((1280, 800), (1366, 768), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(SCROLLED_AUTOMA) == [0, 0], (width, height)
        page.set_viewport_size({"width": 1000, "height": 680})
        assert page.evaluate(SHADOW_OF_AUTOMA)  # where not everything fits


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_names_do_not_break_the_setup(
    serve: Callable[..., Server], visit: Callable[..., Any], language: str
) -> None:
    table = Table(colours=COLOURS)
    table.session.watch(dice=False, boards=False)  # then the goods are tapped, too
    for colour, letter in zip(COLOURS, "MWGN", strict=True):
        table.session.rename_player(colour, letter * LONGEST_NAME)
    page = visit(serve(table.session), f"/?lang={language}")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT_STARTS) == [], (width, height)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sheet_is_scrolled_sideways_on_a_phone_with_large_text(
    serve: Callable[..., Server], visit: Callable[..., Any], language: str
) -> None:
    table = late(14)
    for colour, letter in zip(COLOURS, "MWGN", strict=True):
        table.session.rename_player(colour, letter * LONGEST_NAME)
    server = serve(
        table.session, next_game=lambda next_game: None, addresses=lambda: ["http://table.local:8080"]
    )
    page = visit(server)
    page.set_viewport_size({"width": 390, "height": 844})
    for size in TEXT_SIZES[2:]:
        page.goto(f"{server.address}/?lang={language}&text={size}")
        for path in SHEETS:
            assert page.evaluate(SIDEWAYS, path) == 0, (size, path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sheet_is_scrolled_sideways_on_the_smallest_phone_with_the_largest_text(
    serve: Callable[..., Server], visit: Callable[..., Any], language: str
) -> None:
    server = serve(
        late(14).session, next_game=lambda next_game: None, addresses=lambda: ["http://table.local"]
    )
    page = visit(server)
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"{server.address}/?lang={language}&text={TEXT_SIZES[-1]}")
    for path in (*SHEETS, "/place/storage:red:0", "/place/duchy:red:5"):
        assert page.evaluate(SIDEWAYS, path) == 0, path


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_tile_in_a_storage_covers_a_space_of_the_duchy_on_a_portrait_tablet(
    serve: Callable[..., Server], visit: Callable[..., Any], players: int
) -> None:
    page = visit(serve(Table(colours=COLOURS[:players], seed=5).set_up().play(30).session))
    for width in (744, 768, 800, 834):
        page.set_viewport_size({"width": width, "height": 1100})
        assert page.evaluate(COVERED_SPACES) == 0, width


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_stored_is_not_scrolled_sideways_on_the_smallest_phone_with_the_largest_text(
    serve: Callable[..., Server], visit: Callable[..., Any], tmp_path: Path, language: str
) -> None:
    retention = PictureRetention(DataPaths(tmp_path), PictureStore(":memory:"), tmp_path / "settings.json")
    with retention as pictures:
        archive = Archive(tmp_path)
        server = serve(late(14).session, archive=archive, pictures=pictures, next_game=lambda next_game: None)
        page = visit(server)
        page.set_viewport_size({"width": 320, "height": 640})
        page.goto(f"{server.address}/privacy?lang={language}")
        enlarge(page, TEXT_SIZES[-1])
        assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_about_games_is_scrolled_sideways_on_a_phone(
    serve: Callable[..., Server], visit: Callable[..., Any], tmp_path: Path, language: str
) -> None:
    """With long names and large text."""
    names = {colour: letter * LONGEST_NAME for colour, letter in zip(COLOURS, "MWGN", strict=True)}
    play(tmp_path / "past.journal", 1, players=4, names=names)
    table = late(14)
    for colour, name in names.items():
        table.session.rename_player(colour, name)
    server = serve(table.session, archive=Archive(tmp_path))
    page = visit(server)
    page.set_viewport_size({"width": 390, "height": 844})
    for path in ("/games", "/games/now", "/games/past", "/games/past/replay/40", "/players"):
        page.goto(f"{server.address}{path}?lang={language}")
        for size in TEXT_SIZES:
            enlarge(page, size)
            assert page.evaluate("document.documentElement.scrollWidth") == 390, (size, path)
            assert page.evaluate(BROKEN_SCORES) == 0, (size, path)


def test_counts_are_in_sight_while_they_are_corrected_at_every_size_of_text(
    with_three_digits: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    server = serve(with_three_digits.session)
    page = visit(server)
    for width, height in (*SIZES, (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        for size in TEXT_SIZES:
            page.goto(f"{server.address}/?lang=fr&text={size}")
            assert page.evaluate(ROOM_FOR_COUNTS) > 44, (width, height, size)


def test_names_beside_three_digits_are_broken_between_words_only(
    with_three_digits: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(with_three_digits.session), "/games/now")
    for width, height in (*SIZES, (768, 1024), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(BROKEN_WORDS) == [], (width, height)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_name_beside_a_bot_is_shown_on_every_screen(
    serve: Callable[..., Server], visit: Callable[..., Any], language: str
) -> None:
    table = Table(colours=COLOURS, bots={"green": "greedy"}).set_up().play(2)
    page = visit(serve(table.session), f"/?lang={language}")
    for width, height in (*SIZES, (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        cut = page.locator("#player-green h2 > span").evaluate(
            "(name) => name.scrollWidth - name.clientWidth"
        )
        assert cut <= 0, (width, height)


def test_two_digits_of_goods_sold_stay_on_their_players_board(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    table = late(88, seed=3)
    assert max(sum(player.sold) for player in table.state.players) > 9
    page = visit(serve(table.session), "/?lang=fr")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COUNTS_BESIDE_BOARD) == 0, (width, height)


def test_the_scores_of_two_players_are_in_the_largest_size(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(Table().set_up().play(4).session))
    assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.points')).fontSize)") == 76


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("turns", [14, 38])
def test_no_move_of_a_long_turn_is_hidden_under_the_buttons(
    serve: Callable[..., Server], visit: Callable[..., Any], turns: int, language: str
) -> None:
    table = late(turns)
    table.look()
    table.turn()
    table.look()
    page = visit(serve(table.session), f"/?lang={language}")
    moves, hidden = page.evaluate(HIDDEN_MOVES)
    assert moves > 2 and hidden == 0
    undo = page.locator(".actions .undo").bounding_box()
    assert undo["y"] + undo["height"] <= TABLET["height"]


def test_an_overflowing_card_is_scrolled_with_the_keys(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    table = late(38)
    table.look()
    table.turn()
    table.look()
    for colour, letter in zip(COLOURS, "MWGN", strict=True):
        table.session.rename_player(colour, letter * LONGEST_NAME)
    page = visit(serve(table.session), "/?lang=fr")
    page.set_viewport_size({"width": 1010, "height": 690})
    page.wait_for_function("() => document.querySelector('.card-text').tabIndex === 0")
    page.focus(".card-text")
    page.keyboard.press("End")
    page.wait_for_function("() => document.querySelector('.card-text').scrollTop > 0")
