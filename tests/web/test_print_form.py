"""The print form: as a command, and before a game."""

from __future__ import annotations

import errno
import json
import os
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

from companion.calibrate.games.burgundy.county_card import read_card
from companion.cli.main import main
from companion.games.burgundy.owner_print import OwnersPrint
from companion.games.burgundy.plugin import chateauma_module
from companion.games.burgundy.rules.tiles import TYPES
from companion.journal import Journal
from companion.journal.disk_errors import UnusableError
from companion.runtime.server import AppServer
from companion.runtime.table_loop import TableLoop
from companion.text.catalogue import LANGUAGES
from tests.support.automa_positions import ANSWERS
from tests.support.drawn_cards import card, with_symbol
from tests.support.paths import CHECKOUT
from web.games.burgundy.print_form import create_print_form_app

PRINTED = chateauma_module().print_of("special")
CARD_8 = ["castle", "mine", "livestock", "ship"]
PHONE = {"width": 390, "height": 844}
IN_ENGLISH = "/?lang=en"


class Editor:
    """Represents the page without a browser, and its saved answers."""

    def __init__(self, path: Path, modifiers: str | None = "ABCD", **options: Any) -> None:
        self.own = OwnersPrint(path, PRINTED)
        self.ended = 0
        app = create_print_form_app(self.own, modifiers, self._end, **options)
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
    """Returns a picture of card 8, whose third space is for livestock."""
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
        ("en", ["Look at your card 8: what is its third space?", "in which order are the types?"]),
        ("fr", ["Regardez votre carte 8 : quel est son troisième emplacement ?", "sont les types ?"]),
    ],
)
def test_unknown_print_is_asked_as_a_question(
    editor: Callable[..., Editor], language: str, asked: list[str]
) -> None:
    html = editor().page(language).replace("\N{NO-BREAK SPACE}", " ")
    assert all(question in html for question in asked)


def offered_in(html: str) -> list[dict[str, Any]]:
    """Returns the answers that a tap gives."""
    return [json.loads(answer) for answer in re.findall(r"data-answer='([^']+)'", html)]


def test_the_likely_types_are_offered_for_the_space_in_question(editor: Callable[..., Editor]) -> None:
    offered = [answer["cards"] for answer in offered_in(editor().page()) if "cards" in answer]
    assert [cards["8"][2]["colour"] for cards in offered] == ["castle", "livestock"]


@pytest.mark.parametrize(
    ("modifiers", "asked"),
    [("", {"card:8", "inventory_order"}), ("AD", {"card:8", "inventory_order", "marks:A", "marks:D"})],
)
def test_before_a_game_only_required_answers_are_asked(
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


# --- answers ---------------------------------------------------------------------------------------------


def test_an_answer_is_saved_and_shown(editor: Callable[..., Editor], tmp_path: Path) -> None:
    asking = editor()
    answer = asking.post("/answers", {"inventory_order": list(reversed(TYPES))}).get_json()
    assert answer["message"] == "Saved." and "4 answers are missing" in answer["parts"]["summary"]
    shown = re.findall(r'data-type="(\w+)" data-rank="(\d)"', answer["parts"]["inventory_order"])
    assert shown == [(tile_type, str(rank)) for rank, tile_type in enumerate(reversed(TYPES), 1)]
    assert OwnersPrint(tmp_path / "print.json", PRINTED).print.inventory_order == tuple(reversed(TYPES))


@pytest.mark.parametrize(
    ("answers", "language", "message"),
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
def test_an_invalid_answer_is_rejected_with_a_sentence(
    editor: Callable[..., Editor], answers: Any, language: str, message: str
) -> None:
    asking = editor()
    answer = asking.post("/answers", answers, language)
    assert answer.status_code == 400
    assert message in answer.get_json()["error"].replace("\N{NO-BREAK SPACE}", " ")
    assert not asking.own.path.exists()


# --- the black depot ---


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "how many spaces of the black depot are filled with 3 players?"),
        ("fr", "combien d’emplacements du dépôt noir garnit-on à 3 joueurs ?"),
    ],
)
def test_a_game_of_three_asks_for_the_black_depot_and_proposes_six(
    editor: Callable[..., Editor], language: str, asked: str
) -> None:
    html = editor(None, questions=["black_slots:3"], for_game=True).page(language)
    assert asked in html.replace("\N{NO-BREAK SPACE}", " ")
    assert re.findall(r'class="item[^>]* id="([^"]+)"', html) == ["black_slots:3"]
    assert [answer["black_slots"]["3"] for answer in offered_in(html)] == [6, 5, 4, 7, 8]


def test_one_tap_about_the_black_depot_begins_the_game(editor: Callable[..., Editor]) -> None:
    asking = editor(None, questions=["black_slots:3"], for_game=True)
    answer = asking.post("/answers", offered_in(asking.page())[0]).get_json()
    assert asking.ended == 1 and "the game begins" in answer["message"]
    assert asking.own.answers == {"black_slots": {"3": 6}}


def test_the_black_depot_is_corrected_without_a_game(editor: Callable[..., Editor]) -> None:
    asking = editor("")
    shown = asking.post("/answers", {"black_slots": {"3": 5}}).get_json()["parts"]["black_slots:3"]
    assert offered_in(shown)[0] == {"black_slots": {"3": 5}} and "as printed on your copy" in shown


# --- expansions ---

PLACES = [[4, 9], [8, 14], [34, 35]]
MARKED = re.compile(r'data-spot="\[([\d, ]+)\]"[^>]*aria-checked="true"')


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_places_of_border_posts_are_marked_and_take_one_tap(
    editor: Callable[..., Editor], language: str
) -> None:
    asking = editor()
    html = asking.page(language)
    assert html.count("data-spot=") == 24 and sorted(MARKED.findall(html)) == ["34, 35", "4, 9", "8, 14"]
    places = [[0], [4, 9], [34, 35]]
    answer = asking.post("/answers", {"border_posts": {"places": places}}, language).get_json()
    assert sorted(MARKED.findall(answer["parts"]["border_posts"])) == ["0", "34, 35", "4, 9"]
    refused = asking.post("/answers", {"border_posts": {"places": places[:2]}}, language)
    assert refused.status_code == 400 and refused.get_json()["error"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_trade_route_tile_is_entered_corrected_and_removed(
    editor: Callable[..., Editor], language: str
) -> None:
    asking = editor()
    assert asking.page(language).count('data-letter="a"') == 1
    tile = [[3, "silver_2"], [1, "points_4"], [6, "workers_4"]]
    shown = asking.post("/answers", {"trade_routes": {"a": tile}}, language).get_json()["parts"]
    assert shown["trade_routes"].count("<details>") == 1 and 'data-letter="b"' in shown["trade_routes"]
    asking.post("/answers", {"trade_routes": {"a": None}}, language)
    assert asking.own.answers["trade_routes"] == {}
    assert "<details>" not in asking.page(language)


def test_a_game_without_expansions_asks_nothing_about_them(editor: Callable[..., Editor]) -> None:
    assert "border_posts" not in editor(for_game=True).page()


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "where are its three border posts?"),
        ("fr", "où sont ses trois postes frontaliers ?"),
    ],
)
def test_a_game_with_border_posts_asks_where_they_are_and_proposes_three_places(
    editor: Callable[..., Editor], language: str, asked: str
) -> None:
    html = editor(None, questions=["border_posts"], for_game=True).page(language)
    assert asked in html.replace("\N{NO-BREAK SPACE}", " ")
    assert re.findall(r'class="item[^>]* id="([^"]+)"', html) == ["border_posts"]
    assert sorted(MARKED.findall(html)) == ["34, 35", "4, 9", "8, 14"]


def test_a_game_begins_once_the_places_of_border_posts_are_answered(editor: Callable[..., Editor]) -> None:
    asking = editor(None, questions=["black_slots:3", "border_posts"], for_game=True)
    asking.post("/answers", {"black_slots": {"3": 6}})
    ended = [asking.ended]
    answer = asking.post("/answers", {"border_posts": {"places": PLACES}}).get_json()
    assert [*ended, asking.ended] == [0, 1] and "the game begins" in answer["message"]


def test_another_site_can_answer_nothing(editor: Callable[..., Editor]) -> None:
    asking = editor(read_card=lambda: pytest.fail("the camera was used"))
    for path in ("/answers", "/reading", "/done"):
        assert asking.client.post(path, json={"inventory_order": list(TYPES)}).status_code == 403
    assert not asking.own.path.exists() and not asking.ended


def test_a_foreign_name_of_this_machine_is_rejected(editor: Callable[..., Editor]) -> None:
    """Otherwise other sites could read the token."""
    assert editor().client.get("/", headers={"Host": "evil.example"}).status_code == 421


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "could not be saved: the disk is full; make room on it."),
        ("fr", "n’a pas pu être enregistré\N{NO-BREAK SPACE}: le disque est plein"),
    ],
)
def test_an_answer_that_the_disk_does_not_take_is_refused_with_the_reason(
    editor: Callable[..., Editor], monkeypatch: pytest.MonkeyPatch, language: str, sentence: str
) -> None:
    def full(*about: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    asking = editor()
    monkeypatch.setattr("calibration.atomic_file.os.fsync", full)
    refused = asking.post("/answers", {"inventory_order": list(TYPES)}, language)
    assert refused.status_code == 503 and sentence in refused.get_json()["error"]
    assert not asking.own.answers and not list(asking.own.path.parent.iterdir())


def test_a_file_that_was_damaged_meanwhile_is_reported_and_unchanged(editor: Callable[..., Editor]) -> None:
    asking = editor()
    asking.own.path.write_text("notes")
    answer = asking.post("/answers", {"inventory_order": list(TYPES)}, "fr")
    assert answer.status_code == 409
    assert f"{asking.own.path} ne contient pas ce que montre un exemplaire" in answer.get_json()["error"]
    assert asking.own.path.read_text() == "notes"


def test_the_page_ends_when_its_owner_has_finished(editor: Callable[..., Editor]) -> None:
    asking = editor()
    asking.post("/answers", dict(ANSWERS))
    ended = [asking.ended]
    asking.post("/done", {})
    assert [*ended, asking.ended] == [0, 1]


def test_a_game_begins_with_the_last_answer_and_not_before(editor: Callable[..., Editor]) -> None:
    asking = editor("D", for_game=True)
    asking.post("/answers", {"cards": ANSWERS["cards"], "inventory_order": ANSWERS["inventory_order"]})
    ended = [asking.ended]
    answer = asking.post("/answers", {"marks": {"D": {"ship": [2]}}}).get_json()
    assert [*ended, asking.ended] == [0, 1] and "the game begins" in answer["message"]


@pytest.mark.parametrize(("language", "reason"), [("en", "the disk is full"), ("fr", "le disque est plein")])
def test_the_answers_wait_with_the_reason_until_the_disk_takes_the_game(
    editor: Callable[..., Editor], language: str, reason: str
) -> None:
    def full() -> None:
        raise UnusableError("game.journal", "cannot be made", "full", OSError("disk is full"))

    asking = editor(None, questions=["black_slots:3"], for_game=True, check_can_begin=full)
    refused = asking.post("/answers", {"black_slots": {"3": 6}}, language)
    assert refused.status_code == 503 and reason in refused.get_json()["error"]
    assert asking.ended == 0 and not asking.own.path.exists()


def test_questions_of_a_game_cannot_be_ended_unanswered(editor: Callable[..., Editor]) -> None:
    asking = editor(for_game=True)
    assert asking.post("/done", {}).status_code == 404 and asking.ended == 0


def test_a_start_from_the_command_line_offers_no_way_back(editor: Callable[..., Editor]) -> None:
    asking = editor(for_game=True)
    assert "data-back" not in asking.page() and asking.post("/back", {}).status_code == 404


# --- with a camera ----------------------------------------------------------------------------------------


def test_a_camera_reading_is_not_saved_without_confirmation(
    editor: Callable[..., Editor], card_8: Path
) -> None:
    asking = editor(read_card=partial(read_card, str(card_8), PRINTED))
    html = asking.post("/reading", {}).get_data(as_text=True)
    assert re.findall(r'value="(\w+)" (?:required )?checked', html) == ["8", *CARD_8]
    assert 'src="data:image/jpeg;base64,' in html
    assert not asking.own.path.exists()


def test_a_reading_shows_the_card_and_little_else(card_8: Path) -> None:
    reading = read_card(str(card_8), PRINTED)
    shown: Any = cv2.imdecode(np.frombuffer(reading.picture, np.uint8), cv2.IMREAD_COLOR)
    column = shown[:, shown.shape[1] // 2].astype(int)
    burgundy_red = (column[:, 2] > column[:, 1] + 50).nonzero()[0]
    blue = (column[:, 0] > column[:, 2] + 60).nonzero()[0]
    assert burgundy_red[0] < 0.2 * len(column) and blue[-1] > 0.8 * len(column)


def test_a_reading_that_differs_from_the_known_print_shows_both(
    editor: Callable[..., Editor], card_8: Path
) -> None:
    reading = read_card(str(card_8), PRINTED)
    other = next(tile_type for tile_type in CARD_8 if tile_type != CARD_8[0])
    spaces = [replace(space, read_type=CARD_8[i]) for i, space in enumerate(reading.spaces)]
    misread = replace(reading, spaces=(replace(spaces[0], read_type=other), *spaces[1:]))
    html = editor(read_card=lambda: misread).post("/reading", {}).get_data(as_text=True)
    assert html.count("read as") == 1


def test_a_colour_that_was_not_read_surely_is_to_be_chosen(
    editor: Callable[..., Editor], card_8: Path
) -> None:
    reading = read_card(str(card_8), PRINTED)
    doubted = replace(reading, spaces=(replace(reading.spaces[0], certain=False), *reading.spaces[1:]))
    html = editor(read_card=lambda: doubted).post("/reading", {}).get_data(as_text=True)
    assert re.findall(r'name="space-\d" value="(\w+)" required checked', html) == CARD_8[1:]
    assert html.count("not read with certainty") == 1


def test_an_unknown_card_is_asked_for_its_number(editor: Callable[..., Editor], tmp_path: Path) -> None:
    path = picture(tmp_path / "other.png", with_symbol(card(["ship"] * 4), 2))
    html = (
        editor(read_card=partial(read_card, str(path), PRINTED)).post("/reading", {}).get_data(as_text=True)
    )
    numbers = re.findall(r'name="number" value="(\d)" required (checked)?', html)
    assert numbers == [(number, "") for number in "235689"]
    symbols = re.findall(r'type="checkbox" (checked)?', html)
    assert symbols == ["", "", "checked", ""]


@pytest.mark.parametrize(
    ("language", "message"), [("en", "No spaces were found"), ("fr", "Aucune case trouvée")]
)
def test_a_picture_without_a_card_shows_a_message(
    editor: Callable[..., Editor], tmp_path: Path, language: str, message: str
) -> None:
    path = picture(tmp_path / "bare.png", np.full((480, 640, 3), 90, np.uint8))
    answer = editor(read_card=partial(read_card, str(path), PRINTED)).post("/reading", {}, language)
    assert answer.status_code == 409 and message in answer.get_json()["error"]


def test_a_missing_camera_shows_a_message(editor: Callable[..., Editor], tmp_path: Path) -> None:
    absent = str(tmp_path / "none.png")
    answer = editor(read_card=partial(read_card, absent, PRINTED)).post("/reading", {}, "fr")
    assert answer.status_code == 409
    assert f"Il n’y a pas d’images à lire dans {absent}" in answer.get_json()["error"]


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
    ("words", "message"),
    [
        (["--chateauma", "easy"], "who plays against the Châteauma?"),
        (["--chateauma", "easy", "--players", "black:se-1"], "give the Châteauma another colour"),
        (
            ["--chateauma", "easy", "--players", "red:se-1", "--chateauma-colour", "purple"],
            "nobody has 'purple' pieces",
        ),
        (
            ["--chateauma", "easy", "--players", "red:se-1", "--modules", "linked_castles"],
            "linked_castles changes nothing on these duchies",
        ),
        (["--chateauma", "easy", "--players", "red:se-99"], "no duchy 'se-99'"),
        (
            ["--chateauma", "easy", "--players", "red:se-1,blue:se-2,green:se-3,yellow:se-4"],
            "against one to 3 people, not 4",
        ),
        (
            ["--chateauma", "easy", "--players", "red:2011-1", "--edition", "2011"],
            "no Châteauma in edition '2011'",
        ),
    ],
)
def test_an_impossible_game_is_rejected_before_any_question(
    tmp_path: Path, words: list[str], message: str
) -> None:
    result = play(tmp_path, *words)
    assert result.exit_code == 1 and message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--players", "red:se-1", "--modifiers", "A"], "--modifiers works only with --chateauma"),
        (
            ["--players", "red:se-1", "--chateauma-colour", "red"],
            "--chateauma-colour works only with --chateauma",
        ),
        (["--pieces", "virtual"], "--pieces works only with --chateauma"),
        (["--players", "red:se-1", "--chateauma", "hard", "--modifiers", "AX"], "no modifier 'X'"),
    ],
)
def test_options_of_the_chateauma_that_mean_nothing_are_a_usage_error(
    tmp_path: Path, words: list[str], message: str
) -> None:
    result = play(tmp_path, *words)
    assert result.exit_code == 2 and message in result.stderr


def test_a_broken_print_file_is_named_before_a_game(tmp_path: Path) -> None:
    (tmp_path / "print.json").write_text("notes")
    result = play(tmp_path, "--chateauma", "easy", "--players", "red:se-1")
    assert result.exit_code == 1 and "print.json" in result.stderr and "--print" in result.stderr


@pytest.fixture
def no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ends the companion as soon as the table is ready."""
    monkeypatch.setattr(TableLoop, "run", lambda *_: None)


def setup_in(tmp_path: Path) -> dict[str, Any]:
    """Returns the setup in the journal."""
    journal = Journal(tmp_path / "game.journal")
    (setup,) = [dict(record.body) for record in journal.records() if record.kind == "setup"]
    journal.close()
    return setup


def seat_in(tmp_path: Path) -> dict[str, Any]:
    """Returns the Châteauma's part of the setup in the journal."""
    seat: dict[str, Any] = setup_in(tmp_path)["chateauma"]
    return seat


def test_a_game_of_which_all_is_known_begins_at_once(tmp_path: Path, no_game: None) -> None:
    OwnersPrint(tmp_path / "print.json", PRINTED).save(ANSWERS)
    result = play(tmp_path, "--players", "red:se-1", "--chateauma", "hard", "--modifiers", "DA")
    assert result.exit_code == 0 and result.stdout.count("Open ") == 1
    seat = seat_in(tmp_path)
    assert (seat["colour"], seat["level"], seat["modifiers"]) == ("black", "hard", ["A", "D"])
    assert seat["inventory_order"] == list(ANSWERS["inventory_order"])


def test_an_edition_without_the_chateauma_ignores_the_print_file(tmp_path: Path, no_game: None) -> None:
    OwnersPrint(tmp_path / "print.json", PRINTED).save(ANSWERS)
    words = ("--edition", "2011", "--players", "red:2011-1,blue:2011-2")
    assert play(tmp_path, *words).exit_code == 0


def test_the_people_may_stand_in_a_table_file(tmp_path: Path, no_game: None) -> None:
    OwnersPrint(tmp_path / "print.json", PRINTED).save(ANSWERS)
    board = {"player": "red", "duchy": "se-1", "anchors": [[0, 0], [90, 0], [90, 90], [0, 90]]}
    table = tmp_path / "table.json"
    table.write_text(json.dumps({"image_size": [640, 480], "boards": [board]}))
    words = ("--chateauma", "easy", "--chateauma-colour", "blue", "--pieces", "virtual")
    assert play(tmp_path, "--table", str(table), *words).exit_code == 0
    assert (seat_in(tmp_path)["colour"], seat_in(tmp_path)["pieces"]) == ("blue", "virtual")


def test_a_game_of_three_of_which_all_is_known_begins_at_once(tmp_path: Path, no_game: None) -> None:
    OwnersPrint(tmp_path / "print.json", PRINTED).save({"black_slots": {"3": 5}})
    seated = ("--players", "red:se-1,blue:se-2,green:se-3")
    assert [play(tmp_path, *seated).stdout.count("Open ") for _ in ("begun", "continued")] == [1, 1]
    assert setup_in(tmp_path)["black_slots"] == 5


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["--players", "red:se-1,blue:se-2,green:se-3"], "how many spaces of the black depot"),
        (
            ["--players", "red:se-23,blue:se-24", "--modules", "border_posts"],
            "where are its three border posts",
        ),
    ],
    ids=["three players", "border posts"],
)
def test_a_game_asks_in_the_terminal_for_an_answer_on_the_page(
    tmp_path: Path, words: list[str], asked: str
) -> None:
    words = ["play", *words, "--journal", str(tmp_path / "game.journal")]
    with (
        command(*words, "--print", tmp_path / "print.json") as (_, address),
        urllib.request.urlopen(f"{address}{IN_ENGLISH}", timeout=10) as answer,
    ):
        assert asked in answer.read().decode()


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [({}, "no game was started, and no answers are saved"), (ANSWERS, "the answers are saved in ")],
)
def test_questions_that_are_given_up_name_the_file_only_if_it_holds_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: dict[str, Any], sentence: str
) -> None:
    def give_up(*about: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.runtime.games.burgundy.owner_print.serve_until", give_up)
    if answers:
        OwnersPrint(tmp_path / "print.json", PRINTED).save(answers)
    words = ("--modules", "border_posts", "--players", "red:se-25,blue:se-27")
    result = play(tmp_path, *words)
    assert result.exit_code == 1 and sentence in result.stderr


def test_a_game_with_border_posts_whose_places_are_known_begins_at_once(
    tmp_path: Path, no_game: None
) -> None:
    places = {"places": [[3], [15], [34, 35]]}
    OwnersPrint(tmp_path / "print.json", PRINTED).save({"border_posts": places})
    words = ("--players", "red:se-23,blue:se-24", "--modules", "border_posts")
    assert play(tmp_path, *words).stdout.count("Open ") == 1
    assert setup_in(tmp_path)["border_posts"] == places


def test_a_game_is_continued_without_its_options_and_answers(tmp_path: Path, no_game: None) -> None:
    OwnersPrint(tmp_path / "print.json", PRINTED).save(ANSWERS)
    assert play(tmp_path, "--players", "red:se-1", "--chateauma", "hard").exit_code == 0
    (tmp_path / "print.json").unlink()
    again = play(tmp_path)
    assert again.exit_code == 0 and again.stdout.count("Open ") == 1
    assert seat_in(tmp_path)["level"] == "hard"


# --- the commands -----------------------------------------------------------------------------------------


@contextmanager
def command(*words: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Runs the companion with these arguments; yields its process and address, and ends it afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "companion", *map(str, words), "--host", "127.0.0.1", "--port", "0"],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        lines = (process.stdout.readline() for _ in range(20))
        yield process, next(found[0] for line in lines if (found := re.findall(r"http://[\d.]+:\d+", line)))
    finally:
        process.terminate()
        process.communicate(timeout=20)


def test_the_command_serves_the_page_until_the_owner_has_finished(tmp_path: Path) -> None:
    path = tmp_path / "print.json"
    with command("calibrate", "chateauma", "--print", path) as (process, address):
        with urllib.request.urlopen(address, timeout=10) as answer:
            (token,) = re.findall(r'data-token="([^"]+)"', answer.read().decode())
        headers = {"X-Token": token, "Content-Type": "application/json"}
        for where, body in (("answers", {"inventory_order": list(TYPES)}), ("done", {})):
            sent = urllib.request.Request(f"{address}/{where}", json.dumps(body).encode(), headers)
            urllib.request.urlopen(sent, timeout=10).close()
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 0 and str(path) in output
    assert json.loads(path.read_text()) == {"inventory_order": list(TYPES)}


# --- in a browser -----------------------------------------------------------------------------------------


def answered(page: Any, name: str) -> None:
    """Waits until *name* is no longer a question."""
    page.wait_for_selector(f"[id='{name}']:not(.open)")


@pytest.fixture
def open_form(editor: Callable[..., Editor], visit: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """Returns a function that opens the page with all questions; it returns the page and the saved answers."""
    servers: list[AppServer] = []

    def serve(**options: Any) -> tuple[Any, OwnersPrint]:
        asking = editor(**options)
        servers.append(AppServer(asking.client.application, host="127.0.0.1", port=0))
        return visit(servers[-1], IN_ENGLISH), asking.own

    yield serve
    for server in servers:
        server.close()


@pytest.mark.browser
def test_one_tap_answers_the_type_of_a_space(open_form: Callable[..., Any]) -> None:
    page, own = open_form()
    page.locator("[id='card:8'] .answer").filter(has_text="livestock").click()
    answered(page, "card:8")
    assert own.print.cards[8].spaces[2].tile_type == "livestock"
    assert page.locator("#summary").inner_text() == "4 answers are missing"


@pytest.mark.browser
def test_one_tap_confirms_the_places_of_border_posts(open_form: Callable[..., Any]) -> None:
    page, own = open_form(modifiers=None, questions=["border_posts"], for_game=True)
    page.get_by_role("button", name="That is where they are").click()
    answered(page, "border_posts")
    assert sorted(own.answers["border_posts"]["places"]) == PLACES


@pytest.mark.browser
def test_the_order_is_tapped_and_a_second_tap_takes_back(open_form: Callable[..., Any]) -> None:
    page, own = open_form()
    order = page.locator("#inventory_order")
    for tile_type in ("ship", "castle", "ship", "mine", "building", "monastery", "livestock", "ship"):
        order.locator(f"[data-type={tile_type}]").click()
    order.get_by_role("button", name="Save this order").click()
    answered(page, "inventory_order")
    assert own.print.inventory_order == ("castle", "mine", "building", "monastery", "livestock", "ship")


@pytest.mark.browser
def test_marks_are_tapped_and_their_number_is_checked(open_form: Callable[..., Any]) -> None:
    page, own = open_form()
    marks = page.locator("[id='marks:A']")
    for tile_type, number in (("building", 1), ("livestock", 6), ("ship", 3), ("monastery", 2)):
        marks.locator(f"[data-type={tile_type}] [value='{number}']").check()
    marks.get_by_role("button", name="Save").click()
    page.get_by_text("Modifier A marks 2 of these spaces, not 1: building.").wait_for()
    marks.locator("[data-type=building] [value='12']").check()
    marks.get_by_role("button", name="Save").click()
    answered(page, "marks:A")
    assert own.print.marks == {"A": {"building": (1, 12), "livestock": (6,), "ship": (3,), "monastery": (2,)}}


@pytest.mark.browser
def test_other_input_stays_when_an_answer_is_saved(open_form: Callable[..., Any]) -> None:
    page, _ = open_form()
    page.locator("[id='marks:D'] [data-type=ship] [value='4']").check()
    page.locator("[id='inventory_order'] [data-type=mine]").click()
    page.locator("[id='card:8'] .answer").filter(has_text="castle").click()
    answered(page, "card:8")
    assert page.locator("[id='marks:D'] [data-type=ship] [value='4']").is_checked()
    assert page.locator("[id='inventory_order'] [data-type=mine]").get_attribute("data-rank") == "1"


@pytest.mark.browser
def test_a_known_space_is_corrected_by_keyboard(open_form: Callable[..., Any]) -> None:
    page, own = open_form()
    page.locator("[id='card:1'] button").nth(1).press("Enter")
    page.wait_for_selector("dialog[open] :focus")
    page.keyboard.press("ArrowRight")  # from livestock to the next type
    page.locator("dialog").get_by_label("goods symbol").nth(1).press("Space")
    page.get_by_role("button", name="Save this card").press("Enter")
    page.wait_for_selector("dialog:not([open])", state="attached")
    spaces = [(space.tile_type, space.symbol) for space in own.print.cards[1].spaces]
    assert spaces == [("mine", None), ("building", "sell_goods"), ("monastery", None)]
    assert own.answers["cards"]["1"][0] is own.answers["cards"]["1"][2] is None


@pytest.mark.browser
def test_a_reading_is_corrected_and_saved_under_another_number(
    open_form: Callable[..., Any], card_8: Path
) -> None:
    page, own = open_form(read_card=partial(read_card, str(card_8), PRINTED))
    page.get_by_role("button", name="Read the card in front of the camera").click()
    page.locator("dialog [name=number][value='2']").check()
    page.locator("dialog [name=space-0][value=building]").check()
    assert not own.path.exists()
    page.get_by_role("button", name="Save this card").click()
    page.get_by_text("Saved.").wait_for()
    assert [space.tile_type for space in own.print.cards[2].spaces] == ["building", *CARD_8[1:]]


@pytest.mark.browser
def test_every_control_has_a_name_and_a_finger_finds_it(open_form: Callable[..., Any]) -> None:
    page, _ = open_form(read_card=lambda: None)
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
    """Runs ``play`` with the Châteauma, without answers."""
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
    page.get_by_role("button", name="Save this order").click()
    answered(page, "inventory_order")
    page.locator("[id='marks:D'] [data-type=ship] [value='4']").check()
    page.get_by_role("button", name="Save these marks").click()
    for one in (page, other):
        one.wait_for_selector("#state .automa", timeout=60_000)
        assert one.url.startswith(table_game.address)


def test_a_guest_cannot_answer(editor: Callable[..., Editor]) -> None:
    page = editor(pin="2468")
    assert 'id="pin"' in page.page()
    assert page.post("/answers", {"inventory_order": list(TYPES)}).status_code == 403
    assert page.post("/done", {}).status_code == 403 and page.ended == 0
    assert page.post("/pin", {"pin": "2468"}).status_code == 200
    assert 'id="pin"' not in page.page()


def test_pages_of_guests_notice_that_another_page_has_taken_over_the_address(
    editor: Callable[..., Editor],
) -> None:
    guest = editor(pin="2468").client
    assert [guest.get(path).status_code for path in ("/table", "/seating", "/asking")] == [404, 404, 204]


def test_a_misnamed_camera_is_reported_before_the_page_is_served(tmp_path: Path) -> None:
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
