"""The page on which owners say what their copy prints: by itself, and before a game at the table."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.calibrate.county_card import read_card
from companion.cli.main import main
from companion.games.burgundy.owner_print import OwnersPrint
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.tiles import TYPES
from companion.journal import Journal
from companion.runtime.server import AppServer
from companion.runtime.table_loop import TableLoop
from tests.support.automa_positions import ANSWERS
from tests.support.drawn_cards import card, with_symbol
from tests.support.paths import CHECKOUT
from web.games.burgundy.print_form import create_print_app

PRINTED = burgundy().chateauma_print("special")
CARD_8 = ["castle", "mine", "livestock", "ship"]
PHONE = {"width": 390, "height": 844}
IN_ENGLISH = "/?lang=en"


class Editor:
    """Represents the page without a browser, and what it has kept."""

    def __init__(self, path: Path, modifiers: str = "ABCD", **options: Any) -> None:
        self.own = OwnersPrint(path, PRINTED)
        self.ended = 0
        app = create_print_app(self.own, modifiers, self._end, **options)
        app.testing = True
        self.client = app.test_client()

    def _end(self) -> None:
        self.ended += 1

    def page(self, language: str = "en") -> str:
        return self.client.get(f"/?lang={language}").get_data(as_text=True)

    def post(self, path: str, body: Any, language: str = "en") -> Any:
        (token,) = re.findall(r'data-token="([^"]+)"', self.page())
        return self.client.post(f"{path}?lang={language}", json=body, headers={"X-Token": token})


@pytest.fixture
def editor(tmp_path: Path) -> Callable[..., Editor]:
    return partial(Editor, tmp_path / "print.json")


def picture(path: Path, frame: np.ndarray) -> Path:
    cv2.imwrite(str(path), frame)
    return path


@pytest.fixture
def card_8(tmp_path: Path) -> Path:
    """A picture of card 8, on whose third space is livestock."""
    return picture(tmp_path / "card.png", card(CARD_8))


# --- what it shows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_is_complete_in_each_language(editor: Callable[..., Editor], language: str) -> None:
    html = editor(read_card=lambda: None).page(language)  # strict words: a missing text raises
    assert f'<html lang="{language}">' in html
    for name in (
        *(f"card:{number}" for number in range(1, 10)),
        "inventory_order",
        "marks:A",
        "marks:B",
        "marks:D",
    ):
        assert html.count(f'id="{name}"') == 1


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", ["Look at your card 8: what is its third space?", "in which order does it name the types?"]),
        ("fr", ["Regardez votre carte 8 : quel est son troisième emplacement ?", "nomme-t-il les types ?"]),
    ],
)
def test_what_nobody_has_seen_is_asked_as_a_question(
    editor: Callable[..., Editor], language: str, asked: list[str]
) -> None:
    html = editor().page(language).replace("\N{NO-BREAK SPACE}", " ")
    assert all(question in html for question in asked)


def test_the_likely_types_are_offered_for_the_space_in_question(editor: Callable[..., Editor]) -> None:
    offered = [json.loads(answer) for answer in re.findall(r"data-answer='([^']+)'", editor().page())]
    assert [answer["cards"]["8"][2]["colour"] for answer in offered] == ["castle", "livestock"]


@pytest.mark.parametrize(
    ("modifiers", "asked"),
    [("", {"card:8", "inventory_order"}), ("AD", {"card:8", "inventory_order", "marks:A", "marks:D"})],
)
def test_before_a_game_only_what_it_needs_is_asked(
    editor: Callable[..., Editor], modifiers: str, asked: set[str]
) -> None:
    html = editor(modifiers, for_game=True).page()
    assert set(re.findall(r'id="((?:card|inventory|marks)[^"]*)"', html)) == asked


def test_a_card_shows_its_points_and_goods_symbol(editor: Callable[..., Editor]) -> None:
    html = editor().page()
    drawn = html[html.index('id="card:9"') :].split("</article>")[0]
    assert [int(points) for points in re.findall(r'title="\w+">(\d+)', drawn)] == [14, 18, 22]
    assert ["goods symbol" in space for space in drawn.split("<li>")[1:]] == [False, False, False, True]


def test_the_page_runs_no_script_but_its_own(editor: Callable[..., Editor]) -> None:
    answer = editor().client.get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy and " onclick" not in answer.text and "style=" not in answer.text


# --- what is said there -----------------------------------------------------------------------------------


def test_an_answer_is_kept_and_shown(editor: Callable[..., Editor], tmp_path: Path) -> None:
    asking = editor()
    told = asking.post("/answers", {"inventory_order": list(reversed(TYPES))}).get_json()
    assert told["said"] == "Kept." and "4 answers are missing" in told["parts"]["summary"]
    shown = re.findall(r'data-type="(\w+)" data-rank="(\d)"', told["parts"]["inventory_order"])
    assert shown == [(tile_type, str(rank)) for rank, tile_type in enumerate(reversed(TYPES), 1)]
    assert OwnersPrint(tmp_path / "print.json", PRINTED).print.inventory_order == tuple(reversed(TYPES))


@pytest.mark.parametrize(
    ("answers", "language", "told"),
    [
        ({"inventory_order": ["mine"]}, "en", "tap all six"),
        ({"inventory_order": ["mine"]}, "fr", "touchez les six"),
        ({"cards": {"8": ["mine"]}}, "en", "Card 8 has 4 spaces, not 1"),
        ({"cards": {"12": ["mine"]}}, "fr", "Il n’y a pas de carte Comté 12."),
        ({"cards": {"1": ["palace", None, None]}}, "en", "A space of card 1"),
        ({"marks": {"A": {"ship": [1]}}}, "en", "Modifier A marks 2 of these spaces, not 0: building."),
        ({"marks": {"A": {"ship": [1]}}}, "fr", "Le modificateur A marque 2 de ces cases, pas 0 : bâtiment."),
        ({"marks": {"D": {}}}, "en", "Tap at least one space"),
        ({"marks": {"D": {"mine": [9]}}}, "en", "only 3 spaces of this kind: mine"),
        ({"marks": {"C": {"mine": [1]}}}, "fr", "Le modificateur C n’a pas de symboles."),
        ({"weather": "good"}, "en", "not understood"),
        ([], "fr", "incompréhensible"),
    ],
)
def test_a_wrong_answer_is_refused_with_a_sentence(
    editor: Callable[..., Editor], answers: Any, language: str, told: str
) -> None:
    asking = editor()
    answer = asking.post("/answers", answers, language)
    assert answer.status_code == 400
    assert told in answer.get_json()["error"].replace("\N{NO-BREAK SPACE}", " ")
    assert not asking.own.path.exists()


def test_another_page_can_say_nothing(editor: Callable[..., Editor]) -> None:
    asking = editor(read_card=lambda: pytest.fail("the camera was used"))
    for path in ("/answers", "/reading", "/done"):
        assert asking.client.post(path, json={"inventory_order": list(TYPES)}).status_code == 403
    assert not asking.own.path.exists() and not asking.ended


def test_a_foreign_name_of_this_machine_is_refused(editor: Callable[..., Editor]) -> None:
    """Pages from elsewhere cannot read the token by it."""
    assert editor().client.get("/", headers={"Host": "evil.example"}).status_code == 421


def test_a_file_that_was_broken_meanwhile_is_named_and_left_alone(editor: Callable[..., Editor]) -> None:
    asking = editor()
    asking.own.path.write_text("notes")
    answer = asking.post("/answers", {"inventory_order": list(TYPES)})
    assert answer.status_code == 409 and str(asking.own.path) in answer.get_json()["error"]
    assert asking.own.path.read_text() == "notes"


def test_the_page_ends_when_its_owner_has_said_all(editor: Callable[..., Editor]) -> None:
    asking = editor()
    asking.post("/answers", dict(ANSWERS))
    assert not asking.ended
    asking.post("/done", {})
    assert asking.ended == 1


def test_a_game_begins_with_the_last_answer_and_not_before(editor: Callable[..., Editor]) -> None:
    asking = editor("D", for_game=True)
    asking.post("/answers", {"cards": ANSWERS["cards"], "inventory_order": ANSWERS["inventory_order"]})
    assert not asking.ended
    told = asking.post("/answers", {"marks": {"D": {"ship": [2]}}}).get_json()
    assert asking.ended == 1 and "the game begins" in told["said"]


# --- with a camera ----------------------------------------------------------------------------------------


def test_the_cameras_reading_is_a_guess_that_nothing_is_kept_of(
    editor: Callable[..., Editor], card_8: Path
) -> None:
    asking = editor(read_card=partial(read_card, str(card_8), PRINTED))
    html = asking.post("/reading", {}).get_data(as_text=True)
    assert re.findall(r'value="(\w+)" (?:required )?checked', html) == ["8", *CARD_8]
    assert 'src="data:image/jpeg;base64,' in html
    assert not asking.own.path.exists()


def test_a_reading_shows_the_card_and_little_else(card_8: Path) -> None:
    reading = read_card(str(card_8), PRINTED)
    shown = cv2.imdecode(np.frombuffer(reading.picture, np.uint8), cv2.IMREAD_COLOR)
    column = shown[:, shown.shape[1] // 2].astype(int)
    burgundy_red = (column[:, 2] > column[:, 1] + 50).nonzero()[0]
    blue = (column[:, 0] > column[:, 2] + 60).nonzero()[0]
    assert burgundy_red[0] < 0.2 * len(column) and blue[-1] > 0.8 * len(column)


def test_where_the_reading_differs_from_what_is_known_both_are_shown(
    editor: Callable[..., Editor], card_8: Path
) -> None:
    reading = read_card(str(card_8), PRINTED)
    different = [i for i, space in enumerate(reading.spaces) if space.read_type != CARD_8[i]]
    html = editor(read_card=lambda: reading).post("/reading", {}).get_data(as_text=True)
    assert html.count("read as") == len(different) == 1


def test_a_colour_that_was_not_read_surely_is_to_be_chosen(
    editor: Callable[..., Editor], card_8: Path
) -> None:
    reading = read_card(str(card_8), PRINTED)
    doubted = replace(reading, spaces=(replace(reading.spaces[0], certain=False), *reading.spaces[1:]))
    html = editor(read_card=lambda: doubted).post("/reading", {}).get_data(as_text=True)
    assert re.findall(r'name="space-\d" value="(\w+)" required checked', html) == CARD_8[1:]
    assert html.count("not read for sure") == 1


def test_a_card_that_is_none_of_the_known_ones_is_asked_for_its_number(
    editor: Callable[..., Editor], tmp_path: Path
) -> None:
    path = picture(tmp_path / "other.png", with_symbol(card(["ship"] * 4), 2))
    html = (
        editor(read_card=partial(read_card, str(path), PRINTED)).post("/reading", {}).get_data(as_text=True)
    )
    numbers = re.findall(r'name="number" value="(\d)" required (checked)?', html)
    assert numbers == [(number, "") for number in "235689"]
    symbols = re.findall(r'type="checkbox" (checked)?', html)
    assert symbols == ["", "", "checked", ""]


@pytest.mark.parametrize(
    ("language", "told"), [("en", "No spaces are seen"), ("fr", "Aucune case n’est vue")]
)
def test_a_picture_without_a_card_is_told(
    editor: Callable[..., Editor], tmp_path: Path, language: str, told: str
) -> None:
    path = picture(tmp_path / "bare.png", np.full((480, 640, 3), 90, np.uint8))
    answer = editor(read_card=partial(read_card, str(path), PRINTED)).post("/reading", {}, language)
    assert answer.status_code == 409 and told in answer.get_json()["error"]


def test_a_camera_that_is_not_there_is_told(editor: Callable[..., Editor], tmp_path: Path) -> None:
    absent = str(tmp_path / "none.png")
    answer = editor(read_card=partial(read_card, absent, PRINTED)).post("/reading", {})
    assert answer.status_code == 409 and absent in answer.get_json()["error"]


def test_without_a_camera_no_reading_is_offered(editor: Callable[..., Editor]) -> None:
    asking = editor()
    assert "data-read" not in asking.page()
    assert asking.post("/reading", {}).status_code == 404


# --- the game at the table --------------------------------------------------------------------------------


def play(tmp_path: Path, *words: str) -> Any:
    options = ["--host", "127.0.0.1", "--port", "0", "--journal", str(tmp_path / "game.journal")]
    options += ["--print", str(tmp_path / "print.json")]
    return CliRunner().invoke(main, ["play", *options, *words])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--chateauma", "easy"], "who plays beside the Châteauma?"),
        (["--chateauma", "easy", "--players", "black:se-1"], "give the Châteauma another colour"),
        (["--chateauma", "easy", "--players", "red:se-99"], "no duchy 'se-99'"),
        (
            ["--chateauma", "easy", "--players", "red:se-1,blue:se-2,green:se-3,yellow:se-4"],
            "beside one to 3 people, not 4",
        ),
        (
            ["--chateauma", "easy", "--players", "red:2011-1", "--edition", "2011"],
            "no Châteauma in edition '2011'",
        ),
    ],
)
def test_an_impossible_game_is_refused_before_anything_is_asked(
    tmp_path: Path, words: list[str], told: str
) -> None:
    result = play(tmp_path, *words)
    assert result.exit_code == 1 and told in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--players", "red:se-1", "--modifiers", "A"], "--modifiers belongs to --chateauma"),
        (["--players", "red:se-1", "--chateauma-colour", "red"], "--chateauma-colour belongs to --chateauma"),
        (["--pieces", "virtual"], "--pieces belongs to --chateauma"),
        (["--players", "red:se-1", "--chateauma", "hard", "--modifiers", "AX"], "no modifier 'X'"),
    ],
)
def test_options_of_the_chateauma_that_mean_nothing_are_a_usage_error(
    tmp_path: Path, words: list[str], told: str
) -> None:
    result = play(tmp_path, *words)
    assert result.exit_code == 2 and told in result.stderr


def test_a_broken_print_file_is_named_before_a_game(tmp_path: Path) -> None:
    (tmp_path / "print.json").write_text("notes")
    result = play(tmp_path, "--chateauma", "easy", "--players", "red:se-1")
    assert result.exit_code == 1 and "print.json" in result.stderr and "--print" in result.stderr


@pytest.fixture
def no_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sits down: the companion ends as soon as the table is ready."""
    monkeypatch.setattr(TableLoop, "run", lambda *_: None)


def seat_in(tmp_path: Path) -> dict[str, Any]:
    """The Châteauma's part of the set-up in the journal."""
    journal = Journal(tmp_path / "game.journal")
    (setup,) = [dict(record.body) for record in journal.records() if record.kind == "setup"]
    journal.close()
    return setup["chateauma"]


def test_a_game_of_which_all_is_known_begins_at_once(tmp_path: Path, no_evening: None) -> None:
    OwnersPrint(tmp_path / "print.json", PRINTED).keep(ANSWERS)
    result = play(tmp_path, "--players", "red:se-1", "--chateauma", "hard", "--modifiers", "DA")
    assert result.exit_code == 0 and result.stdout.count("Open ") == 1
    seat = seat_in(tmp_path)
    assert (seat["colour"], seat["level"], seat["modifiers"]) == ("black", "hard", ["A", "D"])
    assert seat["inventory_order"] == list(ANSWERS["inventory_order"])


def test_an_edition_without_the_chateauma_is_played_whatever_is_printed_for_it(
    tmp_path: Path, no_evening: None
) -> None:
    (tmp_path / "print.json").write_text("broken")
    words = ("--edition", "2011", "--players", "red:2011-1,blue:2011-2")
    assert play(tmp_path, *words).exit_code == 0


def test_the_people_may_stand_in_a_table_file(tmp_path: Path, no_evening: None) -> None:
    OwnersPrint(tmp_path / "print.json", PRINTED).keep(ANSWERS)
    board = {"player": "red", "duchy": "se-1", "anchors": [[0, 0], [90, 0], [90, 90], [0, 90]]}
    table = tmp_path / "table.json"
    table.write_text(json.dumps({"image_size": [640, 480], "boards": [board]}))
    words = ("--chateauma", "easy", "--chateauma-colour", "blue", "--pieces", "virtual")
    assert play(tmp_path, "--table", str(table), *words).exit_code == 0
    assert (seat_in(tmp_path)["colour"], seat_in(tmp_path)["pieces"]) == ("blue", "virtual")


def test_a_game_goes_on_without_its_options_and_without_the_answers(tmp_path: Path, no_evening: None) -> None:
    OwnersPrint(tmp_path / "print.json", PRINTED).keep(ANSWERS)
    assert play(tmp_path, "--players", "red:se-1", "--chateauma", "hard").exit_code == 0
    (tmp_path / "print.json").unlink()
    again = play(tmp_path)
    assert again.exit_code == 0 and again.stdout.count("Open ") == 1
    assert seat_in(tmp_path)["level"] == "hard"


# --- the commands -----------------------------------------------------------------------------------------


@contextmanager
def command(*words: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The companion with these words, and the address that it names; ended afterwards if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "companion", *map(str, words), "--host", "127.0.0.1", "--port", "0"],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        told = (process.stdout.readline() for _ in range(20))
        yield process, next(found[0] for line in told if (found := re.findall(r"http://[\d.]+:\d+", line)))
    finally:
        process.terminate()
        process.communicate(timeout=20)


def test_the_command_serves_the_page_until_all_is_said(tmp_path: Path) -> None:
    path = tmp_path / "print.json"
    with command("calibrate", "chateauma", "--print", path) as (process, address):
        with urllib.request.urlopen(address, timeout=10) as answer:
            (token,) = re.findall(r'data-token="([^"]+)"', answer.read().decode())
        headers = {"X-Token": token, "Content-Type": "application/json"}
        for where, body in (("answers", {"inventory_order": list(TYPES)}), ("done", {})):
            sent = urllib.request.Request(f"{address}/{where}", json.dumps(body).encode(), headers)
            urllib.request.urlopen(sent, timeout=10).close()
        told, _ = process.communicate(timeout=20)
    assert process.returncode == 0 and str(path) in told
    assert json.loads(path.read_text()) == {"inventory_order": list(TYPES)}


# --- in a browser -----------------------------------------------------------------------------------------


def answered(page: Any, name: str) -> None:
    """Waits until *name* is no question any more."""
    page.wait_for_selector(f"[id='{name}']:not(.open)")


@pytest.fixture
def served(editor: Callable[..., Editor], visit: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """Opens the page for everything that can be asked: the page, and what was kept."""
    servers: list[AppServer] = []

    def serve(**options: Any) -> tuple[Any, OwnersPrint]:
        asking = editor(**options)
        servers.append(AppServer(asking.client.application, host="127.0.0.1", port=0))
        return visit(servers[-1], IN_ENGLISH), asking.own

    yield serve
    for server in servers:
        server.close()


@pytest.mark.browser
def test_one_tap_answers_what_a_space_is(served: Callable[..., Any]) -> None:
    page, own = served()
    page.locator("[id='card:8'] .answer").filter(has_text="livestock").click()
    answered(page, "card:8")
    assert own.print.cards[8].spaces[2].colour == "livestock"
    assert page.locator("#summary").inner_text() == "4 answers are missing"


@pytest.mark.browser
def test_the_order_is_tapped_and_a_second_tap_takes_back(served: Callable[..., Any]) -> None:
    page, own = served()
    order = page.locator("#inventory_order")
    for tile_type in ("ship", "castle", "ship", "mine", "building", "monastery", "livestock", "ship"):
        order.locator(f"[data-type={tile_type}]").click()
    order.get_by_role("button", name="Keep this order").click()
    answered(page, "inventory_order")
    assert own.print.inventory_order == ("castle", "mine", "building", "monastery", "livestock", "ship")


@pytest.mark.browser
def test_marks_are_tapped_and_a_wrong_number_of_them_is_told(served: Callable[..., Any]) -> None:
    page, own = served()
    marks = page.locator("[id='marks:A']")
    for tile_type, number in (("building", 1), ("livestock", 6), ("ship", 3), ("monastery", 2)):
        marks.locator(f"[data-type={tile_type}] [value='{number}']").check()
    marks.get_by_role("button", name="Keep").click()
    page.get_by_text("Modifier A marks 2 of these spaces, not 1: building.").wait_for()
    marks.locator("[data-type=building] [value='12']").check()
    marks.get_by_role("button", name="Keep").click()
    answered(page, "marks:A")
    assert own.print.marks == {"A": {"building": (1, 12), "livestock": (6,), "ship": (3,), "monastery": (2,)}}


@pytest.mark.browser
def test_what_was_tapped_elsewhere_stays_when_an_answer_is_kept(served: Callable[..., Any]) -> None:
    page, _ = served()
    page.locator("[id='marks:D'] [data-type=ship] [value='4']").check()
    page.locator("[id='inventory_order'] [data-type=mine]").click()
    page.locator("[id='card:8'] .answer").filter(has_text="castle").click()
    answered(page, "card:8")
    assert page.locator("[id='marks:D'] [data-type=ship] [value='4']").is_checked()
    assert page.locator("[id='inventory_order'] [data-type=mine]").get_attribute("data-rank") == "1"


@pytest.mark.browser
def test_a_space_that_is_known_otherwise_is_put_right_by_keyboard(served: Callable[..., Any]) -> None:
    page, own = served()
    page.locator("[id='card:1'] button").nth(1).press("Enter")
    page.wait_for_selector("dialog[open] :focus")
    page.keyboard.press("ArrowRight")  # from livestock to the next type
    page.locator("dialog").get_by_label("goods symbol").nth(1).press("Space")
    page.get_by_role("button", name="Keep this card").press("Enter")
    page.wait_for_selector("dialog:not([open])", state="attached")
    spaces = [(space.colour, space.symbol) for space in own.print.cards[1].spaces]
    assert spaces == [("mine", None), ("building", "sell_goods"), ("monastery", None)]
    assert own.answers["cards"]["1"][0] is own.answers["cards"]["1"][2] is None


@pytest.mark.browser
def test_a_reading_is_put_right_and_kept_under_another_number(
    served: Callable[..., Any], card_8: Path
) -> None:
    page, own = served(read_card=partial(read_card, str(card_8), PRINTED))
    page.get_by_role("button", name="Read the card before the camera").click()
    page.locator("dialog [name=number][value='2']").check()
    page.locator("dialog [name=space-0][value=building]").check()
    assert not own.path.exists()
    page.get_by_role("button", name="Keep this card").click()
    page.get_by_text("Kept.").wait_for()
    assert [space.colour for space in own.print.cards[2].spaces] == ["building", *CARD_8[1:]]


@pytest.mark.browser
def test_every_control_has_a_name_and_a_finger_finds_it(served: Callable[..., Any]) -> None:
    page, _ = served(read_card=lambda: None)
    page.set_viewport_size(PHONE)
    controls = page.locator("button, input").evaluate_all(
        """all => all.map((one) => ({
          name: one.ariaLabel || (one.labels?.[0] ?? one).textContent.trim(),
          height: (one.labels?.[0] ?? one).getBoundingClientRect().height,
        }))"""
    )
    assert len(controls) > 100
    assert [one for one in controls if not one["name"] or one["height"] < 40] == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.fixture
def table_game(tmp_path: Path) -> Iterator[SimpleNamespace]:
    """``play`` with the Châteauma, nothing answered."""
    words = ["play", "--players", "red:se-1", "--chateauma", "hard", "--modifiers", "D"]
    with command(*words, "--journal", tmp_path / "game.journal", "--print", tmp_path / "print.json") as (
        _,
        address,
    ):
        yield SimpleNamespace(address=address)


@pytest.mark.browser
def test_a_game_begins_by_itself_after_the_last_answer_on_every_open_page(
    table_game: SimpleNamespace, visit: Callable[..., Any]
) -> None:
    other, page = visit(table_game, IN_ENGLISH), visit(table_game, IN_ENGLISH)  # taps need the one in front
    page.locator("[id='card:8'] .answer").filter(has_text="castle").click()
    answered(page, "card:8")
    for tile_type in TYPES:
        page.locator(f"[id=inventory_order] [data-type={tile_type}]").click()
    page.get_by_role("button", name="Keep this order").click()
    answered(page, "inventory_order")
    page.locator("[id='marks:D'] [data-type=ship] [value='4']").check()
    page.get_by_role("button", name="Keep these marks").click()
    for one in (page, other):
        one.wait_for_selector("#state .automa", timeout=60_000)
        assert one.url.startswith(table_game.address)


def test_who_does_not_know_the_pin_answers_nothing(editor: Callable[..., Editor]) -> None:
    page = editor(pin="2468")
    assert 'id="pin"' in page.page()
    assert page.post("/answers", {"inventory_order": list(TYPES)}).status_code == 403
    assert page.post("/done", {}).status_code == 403 and page.ended == 0
    assert page.post("/pin", {"pin": "2468"}).status_code == 200
    assert 'id="pin"' not in page.page()


def test_a_camera_that_is_misnamed_is_told_before_the_page_is_served(tmp_path: Path) -> None:
    words = [
        "calibrate",
        "chateauma",
        "--camera",
        "usb:x",
        "--print",
        str(tmp_path / "print.json"),
        "--port",
        "0",
    ]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1 and "does not name a USB camera" in result.output
