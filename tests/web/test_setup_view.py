"""Setup and layouts: what goes where, what is ticked off when seen, and what is entered by taps without a camera."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from companion.session import CommandRejectedError
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from companion.virtual.demo import demo_setup
from tests.support.positions import RULES, filled, finish_phase, new_game, set_up
from tests.support.present import present
from tests.support.sightings import sighting_of
from tests.support.tables import Table
from tests.web.test_page import Browser, page_of
from vision.sighting import PlaceReading, Sighting

MAX_TAPS = {2: 26, 4: 46}
"""From an empty table to the first roll, without a camera, by the number of players; for four that is a minute and a
half at two seconds a tap."""


def steps(game: Any) -> list[str]:
    return [step["step"] for step in RULES.setup_steps(game)]


def partly_set_up(table: Table, *kinds: str) -> Sighting:
    """Returns a sighting of the table with only the groups whose names start with *kinds* set up."""
    seen = sighting_of(RULES, table.state).places
    bare = PlaceReading({"empty": 0.99})
    return Sighting({place: read if place.startswith(kinds) else bare for place, read in seen.items()})


@pytest.fixture
def by_hand() -> Table:
    """Returns a table without a camera: castles and goods are entered, and the first phase is being filled."""
    table = Table()
    table.session.watch(dice=False, boards=False)
    table.set_up().deal()
    return table


@pytest.fixture
def seen() -> Table:
    """Returns a table with a camera, before anything of the first phase is placed."""
    table = Table()
    table.set_up().deal()
    return table


def enter(table: Table, browser: Browser, count: int) -> None:
    """Taps the correct key for the requested place, *count* times."""
    for _ in range(count):
        place = asked(browser)
        group, _, index = place.rpartition(":")
        browser.do("correct", place=place, label=RULES.visible_layout(table.state)[group][int(index)])


def asked(browser: Browser) -> str:
    """Returns the place to enter next."""
    found = re.search(r'class="key-\w+"[^>]*data-place="([^"]+)"', browser.text("/table"))
    assert found is not None
    return found[1]


def keys(browser: Browser) -> list[str]:
    return re.findall(r'class="key-\w+"[^>]*data-label="([^"]+)"', browser.text("/table"))


def ticked(browser: Browser) -> list[str]:
    """Returns the complete groups of the main board."""
    trays = re.findall(
        r'class="tray tray-\w+ (done)?">.*?data-open="/place/([\w:]+):0"', browser.text("/table"), re.S
    )
    return [group for done, group in trays if done]


# --- the steps --------------------------------------------------------------------------------------------


def test_before_the_game_the_main_boards_side_comes_first_and_the_order_last() -> None:
    """S226-250."""
    assert steps(new_game(2)) == ["board_two", "supply", "goods", "bonus", "player", "player", "order"]
    assert steps(new_game(3))[0] == steps(new_game(4))[0] == "board_more"


def test_everybody_gets_workers_by_their_place_in_the_order() -> None:
    """S245."""
    given = [step["workers"] for step in RULES.setup_steps(new_game(4)) if step["step"] == "player"]
    assert given == [1, 2, 3, 4]


def test_before_a_later_phase_the_main_board_is_cleared_first() -> None:
    """S264."""
    assert steps(set_up()) == ["depots", "black", "round_goods"]
    later = filled()
    finish_phase(later)
    assert steps(later) == ["clear", "depots", "black", "round_goods"]


@pytest.mark.parametrize(
    ("modifiers", "board", "more"),
    [([], 35, []), (["C"], 35, []), (["A", "B"], 36, ["modifier_A", "modifier_B"])],
)
def test_the_chateauma_gets_its_board_and_the_tiles_of_its_modifiers(
    modifiers: list[str], board: int, more: list[str]
) -> None:
    """S1071, S1226-1229."""
    setup = demo_setup(3, 1, chateauma="easy")
    setup["chateauma"] |= {"modifiers": modifiers, "pieces": "table"}
    steps = RULES.setup_steps(RULES.new(setup))
    own = next(step for step in steps if step["step"] == "automa")
    assert own["board"] == board
    assert [step["step"] for step in steps if step["step"].startswith("modifier")] == more


def test_during_a_phase_there_are_no_setup_steps() -> None:
    assert RULES.setup_steps(filled()) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", ["special", "2011"])
def test_every_step_has_a_text_in_every_language(language: str, edition: str) -> None:
    later = filled(edition=edition, duchy="2011-1" if edition == "2011" else "se-1")
    finish_phase(later)
    duchy = later.players[0].duchy.name
    steps = [*RULES.setup_steps(new_game(4, edition, duchy)), *RULES.setup_steps(later)]
    translator = Translator(language, strict=True)
    assert all(translator.setup_step(step, edition) for step in steps)


# --- seen -------------------------------------------------------------------------------------------------


def test_a_half_set_up_table_raises_no_question(seen: Table) -> None:
    seen.session.observe(partly_set_up(seen, "depot", "duchy", "goods"))
    snapshot = seen.session.snapshot()
    assert (snapshot["status"], snapshot["question"]) == ("layout", None)
    notice = present(snapshot["notice"])
    assert (notice["code"], notice["places"]) == ("fill_unfinished", 4 + 5)


def test_each_depot_is_ticked_off_as_it_is_seen(seen: Table) -> None:
    browser = page_of(seen.session)
    assert ticked(browser) == []
    seen.session.observe(partly_set_up(seen, "depot:2", "depot:5"))
    assert ticked(browser) == ["depot:2", "depot:5"]
    seen.session.observe(partly_set_up(seen, "depot", "black", "round"), looks=1)
    assert len(ticked(browser)) == 6 + 2 and seen.session.status == "proposal"


def test_a_visible_place_needs_no_keys(seen: Table) -> None:
    seen.session.observe(partly_set_up(seen, "depot:2"))
    assert keys(page_of(seen.session)) == []


def test_a_place_that_is_hidden_has_its_keys(seen: Table) -> None:
    places = {
        **partly_set_up(seen, "depot", "black", "round").places,
        "depot:1:0": PlaceReading({}, hidden=True),
    }
    seen.session.observe(Sighting(places))
    browser = page_of(seen.session)
    assert asked(browser) == "depot:1:0"
    enter(seen, browser, 1)
    assert seen.session.status == "proposal"


def test_a_players_castle_and_goods_are_ticked_off_as_they_are_seen() -> None:
    table, bare = Table(), Table()
    table.set_up()
    bare.session.observe(partly_set_up(table, "duchy:red", "goods:red"))
    done = re.findall(
        r'class="player-setup (done)?" id="player-setup-(\w+)"', page_of(bare.session).text("/table")
    )
    assert done == [("done", "red"), ("", "blue")]


# --- entered by taps --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", MAX_TAPS)
def test_a_game_is_set_up_by_few_taps(players: int) -> None:
    """Only taps that the page offers: a castle, three goods, a key for each drawn tile, confirm."""
    table = Table(colours=("red", "blue", "green", "black")[:players])
    table.session.watch(dice=False, boards=False)
    browser, truth, taps = page_of(table.session), table, 0
    truth.state = table.state.copy()
    while table.session.state.stage == "setup":
        text = offered(browser)[0]
        assert browser.do("tap", text=text).status_code == 200
        taps += 1
    truth.state = table.session.state.copy()
    truth.deal()
    while table.session.status == "layout":
        enter(truth, browser, 1)
        taps += 1
    assert browser.do("confirm").status_code == 200
    assert table.session.state.state_hash() == truth.state.state_hash()
    assert taps + 1 <= MAX_TAPS[players]


def offered(browser: Browser) -> list[str]:
    """Returns the setup moves for which the page has a key."""
    return re.findall(r'data-do="tap" data-text="([^"]+)"', browser.text("/table"))


def test_only_spaces_for_castles_and_the_six_kinds_of_goods_are_offered() -> None:
    table = Table()
    table.session.watch(boards=False)
    moves = offered(page_of(table.session))
    castles = [text for text in moves if text.startswith("castle red")]
    assert len(castles) == 4 and "start-goods blue 6" in moves and len(moves) == 2 * (4 + 6)


def test_a_label_whose_tiles_are_all_placed_is_not_offered(by_hand: Table) -> None:
    by_hand.session.correct("black:0", "monastery/25")
    browser = page_of(by_hand.session)
    for _ in range(20):
        place = asked(browser)
        if place.startswith("black"):
            break
        browser.do("correct", place=place, label=keys(browser)[0])
    assert "monastery/24" in keys(browser) and "monastery/25" not in keys(browser)


def test_a_tile_that_is_entered_twice_is_reported_with_its_place(by_hand: Table) -> None:
    browser = page_of(by_hand.session)
    while by_hand.session.status == "layout":
        enter(by_hand, browser, 1)
    by_hand.session.correct("black:0", "monastery/25")
    by_hand.session.correct("black:1", "monastery/25")
    notice = present(by_hand.session.snapshot()["notice"])
    assert (notice["code"], notice["place"], notice["tile"]) == ("fill_too_many", "black:1", "monastery/25")
    for language in LANGUAGES:
        assert Translator(language, strict=True).notice(notice) in browser.text(f"/table?lang={language}")


def test_undo_removes_the_last_entered_tile_and_no_castle(by_hand: Table) -> None:
    browser = page_of(by_hand.session)
    enter(by_hand, browser, 3)
    at, before = asked(browser), by_hand.session.state.state_hash()
    enter(by_hand, browser, 1)
    assert present(by_hand.session.snapshot()["can_undo"])["answer_about"] == at
    assert Translator("en")("page.undo_answer") in browser.text("/table?lang=en")
    browser.do("undo")
    assert asked(browser) == at and by_hand.session.state.state_hash() == before


def test_undoing_all_entered_tiles_leaves_castles_and_goods(by_hand: Table) -> None:
    browser = page_of(by_hand.session)
    first = asked(browser)
    enter(by_hand, browser, 5)
    before = by_hand.session.state.state_hash()
    by_hand.session.undo(everything=True)
    assert asked(browser) == first and by_hand.session.state.state_hash() == before


def test_without_entered_tiles_undo_reverts_the_last_confirmation(by_hand: Table) -> None:
    by_hand.session.undo()
    assert by_hand.session.state.stage == "setup"


def test_goods_seen_by_the_camera_are_added_to_the_entered_ones() -> None:
    """One of the goods is entered, then the camera sees all of them: 4, 4 and 1."""
    table, truth = Table(), Table()
    table.session.tap("start-goods red 4")
    for text in ("castle red 18", "castle blue 18", "start-goods red 1,4,4", "start-goods blue 1,2,3"):
        truth.session.tap(text)
    table.session.observe(sighting_of(RULES, truth.session.state))
    question = table.session.question
    assert question is not None
    options = [option.value for option in question.options]
    assert any("start-goods red 1,4" in value for value in options)
    assert not any("1,1,4" in value for value in options)


# --- in a browser -----------------------------------------------------------------------------------------


@pytest.mark.browser
def test_a_table_of_four_is_set_up_in_a_browser_up_to_the_first_turn(
    serve: Callable[..., Any], visit: Callable[..., Any]
) -> None:
    """Only by taps; one wrong tile is removed by undo, another one is corrected by a tap on it."""
    table = Table(colours=("red", "blue", "green", "black"))
    table.session.watch(dice=False, boards=False)
    page = visit(serve(table.session), "/?lang=en")
    taps = 0

    def tap(where: Any) -> None:
        nonlocal taps
        version = table.session.version
        where.click()
        page.wait_for_function(
            "v => Number(document.getElementById('state').dataset.version) > v", arg=version
        )
        taps += 1

    for player in ("red", "blue", "green", "black"):
        tap(page.locator(f"#player-setup-{player} .choice").first)
        for kind in (0, 3, 4):
            tap(page.locator(f"#player-setup-{player} .kinds button").nth(kind))
    tap(page.locator(".keys button").first)
    tap(page.locator(".undo"))
    while page.locator(".keypad").count():
        tap(page.locator(".keys button").last)
    page.locator(".tray-round .spot").first.click()
    tap(page.locator("dialog [data-label='goods/2']"))
    tap(page.locator("[data-do=confirm]"))
    *faces, last = page.locator(".faces [data-face='3']").all()
    for face in faces:
        face.click()
        taps += 1
    tap(last)
    assert page.locator(".card h1").inner_text().endswith("Red's turn")
    assert table.session.state.round_goods[0] != 2 and taps <= MAX_TAPS[4] + 9 + 3


def test_a_label_that_does_not_fit_its_place_is_rejected(by_hand: Table) -> None:
    answer = page_of(by_hand.session).do("correct", place="depot:1:0", label="castle")
    assert answer.status_code == 400
    with pytest.raises(CommandRejectedError, match="nothing_to_confirm_layout"):
        by_hand.session.confirm()


def test_a_castle_is_entered_again_while_another_one_is_awaited() -> None:
    table = Table()
    table.session.watch(dice=False, boards=False)
    table.session.tap("castle red 6")
    table.session.reenter(table.session.entries()[-1].seq)
    assert 'data-open="/moves"' in page_of(table.session).text("/table")


def test_a_turn_is_entered_again_while_the_next_phase_is_laid_out() -> None:
    table = Table()
    table.session.watch(dice=False, boards=False)
    table.set_up().play(9)
    for move in table.turn():
        table.session.tap(str(move))
    assert asked(page_of(table.session))
    table.session.reenter(table.session.entries()[-1].seq)
    assert 'data-open="/moves"' in page_of(table.session).text("/table")


def test_without_a_camera_an_early_press_waits_for_what_is_entered(by_hand: Table) -> None:
    with pytest.raises(CommandRejectedError, match="nothing_to_confirm"):
        by_hand.session.confirm()
    shown = page_of(by_hand.session).text("/table?lang=en")
    assert Translator("en")("page.confirm_when_entered") in shown
    assert Translator("en")("page.confirm_later") not in shown
