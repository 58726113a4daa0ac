"""The page by its HTTP responses: what it shows, which commands it accepts, and which it rejects."""

from __future__ import annotations

import html
import json
import random
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape

from companion.games.burgundy.rules.decisions import EndTurn, Take, TakeWorkers
from companion.games.burgundy.rules.table_rules import TableRules
from companion.games.burgundy.rules.tiles import tile
from companion.runtime.server import AppServer
from companion.session import CommandRejectedError
from companion.session.evidence_pictures import EvidencePictures
from companion.storage.picture_store import PictureStore
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from hardware.panel import open_panel
from tests.support.doubtful import DoubtfulTable
from tests.support.pages import create_app
from tests.support.present import present
from tests.support.sightings import sighting_of
from tests.support.tables import (
    RULES,
    STATUSES,
    Table,
    asking_for_a_die,
    at_dice,
    over,
    unexplained,
    watching,
    with_proposal,
)
from web import live
from web.app import MAX_REQUEST_BYTES
from web.commands import MAX_PRESS_MS, TOKEN_HEADER
from web.context import EXTENSION
from web.games.burgundy.drawing import board as draw_board
from web.streams import StreamLimit

MODERATE = 200
"""Number of malformed requests."""


class Browser:
    """A client that sends commands as the page does."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.token = app.extensions[EXTENSION].token
        self.session = app.extensions[EXTENSION].session

    def do(self, command: str, **fields: Any) -> Any:
        fields = {"do": command, "version": self.session.version, **fields}
        return self.client.post("/do", json=fields, headers={TOKEN_HEADER: self.token})

    def text(self, path: str) -> str:
        answer = self.client.get(path)
        assert answer.status_code == 200
        return answer.get_data(as_text=True)


def page_of(session: Any, **options: Any) -> Browser:
    app = create_app(session, **options)
    app.testing = True
    return Browser(app)


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def proposing(table: Table) -> Browser:
    with_proposal(table)
    return page_of(table.session)


@pytest.fixture(scope="module")
def finished() -> Table:
    table = Table()
    over(table)
    return table


# --- what it shows ---


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("status", STATUSES)
def test_the_page_shows_every_status_in_every_language(table: Table, status: str, language: str) -> None:
    """Missing texts would raise, because the app is in testing mode."""
    STATUSES[status](table)
    shown = page_of(table.session).text(f"/?lang={language}")
    assert f'lang="{language}"' in shown
    assert all(f'id="score-{player.colour}"' in shown for player in table.state.players)


@pytest.mark.parametrize("colours", [("red", "blue", "green"), ("red", "yellow", "black", "blue")])
def test_three_and_four_players_are_shown(colours: tuple[str, ...]) -> None:
    table = Table(colours=colours)
    watching(table)
    shown = page_of(table.session).text("/")
    assert [shown.count(f'id="player-{colour}"') for colour in colours] == [1] * len(colours)


def test_a_duchy_is_drawn_with_its_37_spaces(table: Table) -> None:
    watching(table)
    shown = page_of(table.session).text("/")
    assert shown.count('data-open="/place/duchy:red:') == 37


def test_a_proposal_is_shown_in_words_with_its_points(table: Table) -> None:
    with_proposal(table)
    snapshot = table.session.snapshot()
    translator = Translator("fr", view=snapshot["view"])
    shown = page_of(table.session).text("/table?lang=fr").replace("&#39;", "'")
    assert all(translator.move(move) in shown for move in present(snapshot["proposal"])["moves"][:-1])


@pytest.mark.parametrize(("seed", "headlines"), [(1, 0), (5, 1)])
def test_the_points_of_a_turn_are_its_headline(seed: int, headlines: int) -> None:
    table = Table(seed=seed)
    with_proposal(table)
    assert page_of(table.session).text("/").count('<p class="expected">') == headlines


def test_a_proposed_tile_is_marked_on_the_board(table: Table) -> None:
    while table.session.status != "proposal" or "place" not in str(
        present(table.session.snapshot()["proposal"])["moves"]
    ):
        table = Table(seed=random.randrange(1000))
        with_proposal(table)
    assert 'arrives"' in page_of(table.session).text("/table")


def test_a_question_offers_its_answers_most_probable_first(table: Table) -> None:
    asking_for_a_die(table)
    shown = page_of(table.session).text("/table")
    offered = [
        part.split('"')[0] for part in shown.split('data-do="answer" data-about="die:red:0" data-value="')[1:]
    ]
    question = table.session.question
    assert question is not None
    assert offered == [option.value for option in question.options]


def test_the_unexplained_places_can_be_tapped(table: Table) -> None:
    unexplained(table)
    places = present(table.session.snapshot()["proposal"])["unexplained"]
    shown = page_of(table.session).text("/table")
    assert all(f'<button data-open="/place/{place}">' in shown for place in places)


def test_a_probably_misread_place_is_shown_and_can_be_tapped(table: Table) -> None:
    table.set_up()
    table.deal()
    table.look()
    table.deal()
    table.look()
    table.turn()
    table.look(wrong={"duchy:blue:0": {"mine": 0.9}})
    shown = page_of(table.session).text("/table")
    assert 'class="card card-proposal"' in shown
    assert '<button data-open="/place/duchy:blue:0">' in shown


def test_a_rule_violation_is_explained_and_can_be_overridden(table: Table) -> None:
    unexplained(table)
    browser = page_of(table.session)
    shown = browser.text("/table")
    breach = present(table.session.snapshot()["proposal"])["breaches"][0]
    translator = Translator("en", view=table.session.snapshot()["view"])
    assert f'<p class="breach">{translator.breach(breach)}'.replace("'", "&#39;") in shown
    assert browser.do("rule").status_code == 200
    assert table.session.entries()[-1].by == "ruling"


def test_an_override_applies_only_to_the_shown_state(table: Table) -> None:
    unexplained(table)
    browser = page_of(table.session)
    assert browser.do("rule", version=table.session.version - 1).status_code == 409


def test_a_turn_is_opened_and_entered_again(table: Table) -> None:
    table.set_up().play(8)
    browser = page_of(table.session)
    first, *_, last = [entry for entry in table.session.entries() if entry.player]
    assert f'data-open="/turn/{last.seq}"' in browser.text("/table")
    assert f'data-open="/turn/{first.seq}"' in browser.text("/story")
    entry = first
    assert 'data-do="enter_again"' in browser.text(f"/turn/{entry.seq}")
    assert browser.do("enter_again", seq=entry.seq).json["status"] == "drafting"
    assert Translator("en")("page.entering_again") in browser.text("/table")


def test_an_unlikely_turn_is_marked_as_confirmed_by_people(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.set_up().play(3)
    entry = replace(table.session.entries()[-1], by="confirm", probability=0.08)
    monkeypatch.setattr(table.session, "entries", lambda: [entry])
    shown = page_of(table.session).text(f"/turn/{entry.seq}?lang=en")
    assert Translator("en")("page.confirmed_probability", percent=8) in shown


def test_turns_are_grouped_by_round(table: Table) -> None:
    table.set_up().play(6)
    shown = page_of(table.session).text("/story?lang=en")
    assert re.findall("<h3>(.*?)</h3>", shown) == [f"Phase A, round {number}" for number in (3, 2, 1)]
    assert shown.count('data-open="/turn/') == 6


def test_a_missing_turn_cannot_be_opened(table: Table) -> None:
    assert page_of(table.session).client.get("/turn/999").status_code == 404


def test_reading_dice_and_boards_is_switched_on_the_page(table: Table) -> None:
    camera = {"name": "usb:0", "settled": True, "age": 0.1, "error": None, "boards": {}}
    browser = page_of(table.session, camera=lambda: camera)
    assert browser.do("watch", part="dice", on=0).status_code == 200
    assert table.session.watched == {"boards"}
    assert 'data-part="dice" data-on="1" aria-pressed="false"' in browser.text("/menu")
    assert browser.do("watch", part="camera", on=0).status_code == 400


def test_an_unresolved_turn_is_asked_about_during_play(table: Table) -> None:
    watching(table)
    history = table.session._context.history
    moves = table.turn()
    options = ["; ".join(map(str, moves)), "end"]
    history.record(moves, "assumed", 0.6, options=options)
    browser = page_of(table.session)
    (turn,) = table.session.snapshot()["unresolved_turns"]
    shown = browser.text("/table")
    assert all(f'data-about="unit:{turn["seq"]}" data-value="{option}"' in shown for option in options)
    assert browser.do("answer", about=f"unit:{turn['seq']}", value=options[0]).status_code == 200
    assert table.session.snapshot()["unresolved_turns"] == []


def test_undo_shows_what_it_will_undo(table: Table) -> None:
    table.set_up().play(11)
    browser = page_of(table.session)
    last = present(table.session.snapshot()["can_undo"])["player"]
    assert last is not None
    assert f"{Translator('en').player(last)}&#39;s turn</small>" in browser.text("/table")


def test_the_end_shows_the_winner_and_every_total(finished: Table) -> None:
    shown = page_of(finished.session).text("/")
    winner = RULES.ranking(finished.session.state)[0]
    assert f"{Translator('en').player(winner)} wins!" in shown
    totals = [sum(sheet.values()) for sheet in RULES.score_sheet(finished.session.state).values()]
    assert all(f"<td>{total}</td>" in shown for total in totals)


def test_the_last_change_of_a_score_is_shown_after_a_roll_too(finished: Table) -> None:
    table = Table()
    table.set_up().play(12)
    browser = page_of(table.session)
    view = table.session.snapshot()["view"]
    gained = [p for p in view["players"] if p["score"] and p["colour"] != view["to_move"]]
    assert gained
    assert browser.text("/table").count('<span class="change') == len(gained)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_score_opens_into_its_sources_with_their_rules(finished: Table, language: str) -> None:
    player = RULES.ranking(finished.session.state)[0]
    points = RULES.score_sheet(finished.session.state)[player]
    shown = page_of(finished.session).text(f"/score/{player}?lang={language}")
    translator = Translator(language, strict=True)
    for source, value in points.items():
        assert f'<th scope="row">{translator(f"source.{source}")}</th><td>{value}</td>' in shown
    amounts = [int(text) for text in re.findall(r"<li><span>([+-][0-9]+)", shown)]
    assert sum(amounts) == sum(points.values()) and "S513-515" in shown


def test_a_player_is_renamed_on_the_page(table: Table) -> None:
    browser = page_of(table.session)
    assert browser.do("call", player="red", name="Anna").status_code == 200
    assert ">Anna</button>" in browser.text("/table")
    assert browser.do("call", player="blue", name="Anna").status_code == 422
    assert browser.client.get("/player/pink").status_code == 404


def adjusted(browser: Browser, **fields: Any) -> Any:
    """Sends the form of a player's counts, with *fields* changed."""
    shown = {
        f"{count.what}{suffix}": count.value
        for count in browser.session.counts("red")
        for suffix in ("", ".was")
    }
    return browser.do("adjust", **{"player": "red", "own": "", **shown, **fields})


@pytest.mark.parametrize("language", LANGUAGES)
def test_corrected_counts_are_shown_wherever_points_are(table: Table, language: str) -> None:
    watching(table)
    browser, translator = page_of(table.session), Translator(language, strict=True)
    score = next(c.value for c in browser.session.counts("red") if c.what == "score")
    assert f'value="{score}"' in browser.text(f"/adjust/red?lang={language}")
    assert adjusted(browser, score=score + 3, own="we forgot <the mine>").status_code == 200
    sentence = str(escape(translator("quoted", text="we forgot <the mine>")))
    seq = browser.session.entries()[-1].seq
    for path in ("/table", "/story", "/score/red", f"/turn/{seq}"):
        assert sentence in browser.text(f"{path}?lang={language}"), path
    assert translator("page.act_adjusted", player="red") in browser.text(f"/table?lang={language}")


def test_counts_that_are_not_changed_are_left_to_others(table: Table) -> None:
    watching(table)
    browser = page_of(table.session)
    held = {c.what: c.value for c in browser.session.counts("red")}
    table.session.adjust("red", {"silver": (held["silver"], 5)}, "misread")
    stale = {"silver": held["silver"], "silver.was": held["silver"], "reason": "forgotten"}
    assert adjusted(browser, **stale, workers=held["workers"] + 1).status_code == 200
    assert {c.what: c.value for c in browser.session.counts("red")} == {
        **held,
        "silver": 5,
        "workers": held["workers"] + 1,
    }
    refused = adjusted(browser, **{**stale, "silver": 0})
    assert refused.status_code == 422 and refused.get_json()["code"] == "counts_changed"


def test_a_correction_needs_a_reason_and_a_player(table: Table) -> None:
    watching(table)
    browser = page_of(table.session)
    assert adjusted(browser, workers=9).get_json()["code"] == "reason_needed"
    assert browser.client.get("/adjust/pink").status_code == 404


def test_after_an_undo_the_page_shows_what_to_move_back_and_offers_a_redo(table: Table) -> None:
    with_proposal(table)
    browser, translator = page_of(table.session), Translator("en", view=table.session.snapshot()["view"])
    table.session.confirm()
    table.session.undo()
    shown, history_change = browser.text("/table"), table.session.snapshot()["history_change"]
    for piece in present(history_change)["pieces"]:
        assert translator.piece(piece) in html.unescape(shown)
    assert present(history_change)["pieces"] and not any(
        piece["done"] for piece in present(history_change)["pieces"]
    )
    assert browser.do("redo").status_code == 200
    assert present(table.session.snapshot()["history_change"])["kind"] == "redo"


def test_reminders_are_shown_before_a_turn_is_confirmed(table: Table) -> None:
    watching(table)
    table.look()
    table.session.tap(f"workers die {table.state.player.dice[0]}")
    reminders = table.session.snapshot()["reminders"]
    assert any(one["code"] in ("unused_die", "die_places", "free_step") for one in reminders)
    translator = Translator("fr", view=table.session.snapshot()["view"])
    shown = page_of(table.session).text("/table?lang=fr")
    assert all(str(escape(translator.reminder(one))) in shown for one in reminders)


def test_turns_of_the_companion_have_no_reminders() -> None:
    table = Table(bots={"blue": "greedy"}).set_up().play(12)
    while not table.session.bot_turn:
        table.play(1)
    for move in table.session.bot_turn[:-1]:
        RULES.apply(table.state, move)
    table.look()
    assert table.session.status == "proposal" and table.session.snapshot()["reminders"] == []


def test_a_space_that_would_complete_its_area_shows_the_points(table: Table) -> None:
    watching(table)
    shown = page_of(table.session).text("/table?lang=en")
    for player in table.session.snapshot()["view"]["players"]:
        for area in player["areas"]:
            place = f"/place/duchy:{player['colour']}:{area['spaces'][0]}"
            (label,) = re.findall(f'data-open="{place}".*?aria-label="([^"]*)"', shown)
            completes = len(area["left"]) == 1 and area["open"] == [area["spaces"][0]]
            points = area["size_points"] + area["phase_points"] + area["bonus_points"]
            assert label.endswith(f"(+{points} points)") == completes


def test_complete_areas_are_outlined_on_the_duchy(finished: Table) -> None:
    picture = finished.session.snapshot()["view"]
    complete = sum(not area["left"] for player in picture["players"] for area in player["areas"])
    assert complete > 4
    assert page_of(finished.session).text("/table").count('class="completed"') == complete


def test_an_area_is_outlined_by_the_edges_that_its_spaces_do_not_share(table: Table) -> None:
    table.set_up()
    player = table.session.snapshot()["view"]["players"][0]
    duchy = table.state.players[0].duchy
    for area in player["areas"]:
        shared = sum(duchy.neighbours[i] >> j & 1 for i in area["spaces"] for j in area["spaces"])
        others = [{**other, "left": [0]} for other in player["areas"] if other is not area]
        (outline,) = draw_board({**player, "areas": [{**area, "left": []}, *others]}, {}).completed
        assert outline.count("M") == 6 * area["size"] - shared


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_areas_of_a_player_are_listed_with_their_points(table: Table, language: str) -> None:
    watching(table)
    browser = page_of(table.session)
    assert 'data-open="/areas/red"' in browser.text("/table")
    shown = browser.text(f"/areas/red?lang={language}")
    areas = table.session.snapshot()["view"]["players"][0]["areas"]
    assert shown.count("<li") == len(areas)
    assert shown.count('<b class="points">') == sum(bool(area["left"]) for area in areas)
    assert browser.client.get("/areas/pink").status_code == 404


def test_a_text_size_is_chosen_and_remembered(table: Table) -> None:
    browser = page_of(table.session)
    assert "data-text" not in browser.text("/").partition("<body>")[0]
    assert 'href="?text=150"' in browser.text("/menu")
    shown = browser.text("/?text=150")
    assert 'data-text="150"' in shown and 'media="(min-width: 1500px) and (min-height: 1020px)"' in shown
    assert 'data-text="150"' in browser.text("/")
    assert 'data-text="150"' in browser.text("/?text=3000")


def test_a_place_shows_its_camera_picture_and_its_possible_labels(table: Table) -> None:
    watching(table)
    cut: list[Any] = []

    def cutting(frame: Any, places: Any) -> dict[str, Any]:
        cut.append(list(places))
        return {place: np.zeros((8, 8, 3), np.uint8) for place in places if place.startswith("duchy")}

    evidence_pictures = EvidencePictures(table.session, cutting, PictureStore(":memory:"))
    browser = page_of(table.session, evidence_pictures=evidence_pictures)
    assert "<img" not in browser.text("/place/duchy:red:3")  # nothing has been seen yet
    evidence_pictures.add_frame(np.zeros((8, 8, 3), np.uint8), sighting_of(RULES, table.state))
    assert 'src="data:image/jpeg;base64,' in browser.text("/place/duchy:red:3")
    assert cut[-1] == ["duchy:red:3"]
    assert "<img" not in browser.text("/place/black:0")
    assert browser.client.get("/seen/duchy:red:3").data.startswith(b"\xff\xd8")
    assert browser.client.get("/seen/black:0").status_code == 404


def test_remaining_bonus_tiles_are_shown(table: Table) -> None:
    watching(table)
    shown = page_of(table.session).text("/table")
    for colour, left in RULES.view(table.session.state)["bonus_tiles"].items():
        assert Translator("en")("page.bonus_left_of", colour=colour, count=left) in shown


def test_the_score_of_an_unknown_player_is_not_found(table: Table) -> None:
    assert page_of(table.session).client.get("/score/pink").status_code == 404


def test_a_tapped_tile_shows_its_effect(table: Table) -> None:
    watching(table)
    depot, slot, label = next(
        (d, s, t.label) for d, depot in enumerate(table.state.depots, 1) for s, t in enumerate(depot) if t
    )
    shown = page_of(table.session).text(f"/place/depot:{depot}:{slot}")
    assert str(escape(Translator("en").help(label, "special"))) in shown


def test_a_rejection_is_shown_as_a_sentence(proposing: Browser) -> None:
    proposing.do("tap", text="sell 3 die 9")
    refused = proposing.session.snapshot()["rejection"]
    assert refused is not None
    assert Translator("en").reason(refused["code"], refused) in proposing.text("/table?lang=en")


def test_camera_trouble_is_shown(table: Table) -> None:
    watching(table)
    camera = {
        "settled": False,
        "age": 9,
        "name": "usb:0",
        "error": {"code": "busy_by", "program": "cheese", "pid": 42},
    }
    text = page_of(table.session, camera=lambda: camera).text("/table")
    assert "Another program uses the camera: close cheese (process 42)." in text
    assert "Until then, enter moves by hand" in text


@pytest.mark.parametrize("setting", ["exposure", "white_balance", "focus"])
def test_a_drifted_camera_setting_is_shown(table: Table, setting: str) -> None:
    watching(table)
    camera = {"settled": True, "age": 0, "name": "pi", "error": None, "unkept": [setting]}
    sentence = Translator("en")("camera.unkept", setting=Translator("en")(f"camera.{setting}"))
    assert sentence in page_of(table.session, camera=lambda: camera).text("/table?lang=en")


def test_a_recovered_camera_is_shown(table: Table) -> None:
    watching(table)
    camera = {"settled": True, "age": 0, "name": "usb:0", "error": None, "back": True}
    assert Translator("fr")("camera.back") in page_of(table.session, camera=lambda: camera).text(
        "/table?lang=fr"
    )


def test_the_frame_is_shown_when_there_is_one(table: Table) -> None:
    watching(table)
    with_frame, without = page_of(table.session, frame=lambda: b"\xff\xd8jpeg"), page_of(table.session)
    assert with_frame.client.get("/frame").data == b"\xff\xd8jpeg"
    assert "/frame" in with_frame.text("/table") and "/frame" not in without.text("/table")
    assert without.client.get("/frame").status_code == 404


def test_the_snapshot_is_served_as_data(table: Table) -> None:
    watching(table)
    given = page_of(table.session).client.get("/snapshot").get_json()
    assert given == json.loads(json.dumps(table.session.snapshot()))


def test_the_panel_is_drawn_only_when_it_is_simulated(table: Table) -> None:
    watching(table)
    assert 'data-do="press"' not in page_of(table.session).text("/table")
    assert 'data-do="press"' in page_of(table.session, panel=lambda button, seconds: None).text("/table")


def test_the_page_draws_the_panel_of_no_machine_unless_it_is_asked_for(table: Table) -> None:
    browser = page_of(table.session, panel=lambda button, seconds: None)
    assert 'data-panel="hidden"' in browser.text("/")
    assert 'data-panel="drawn"' in browser.text("/?panel=drawn")
    assert 'data-panel="drawn"' in browser.text("/")  # it is remembered


def test_the_menu_offers_no_panel_to_a_machine_that_has_one(table: Table) -> None:
    assert "?panel=" not in page_of(table.session).text("/menu")


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_says_what_to_do_now_in_every_status(table: Table, language: str, status: str) -> None:
    STATUSES[status](table)
    now = re.findall(r"<h3>.*?</h3>\s*<p>(.*?)</p>", page_of(table.session).text(f"/help?lang={language}"))
    assert len(now) == 1 and now[0].endswith(".")


def test_help_without_a_camera_says_how_a_turn_is_entered(table: Table) -> None:
    table.session.watch_nothing()
    table.set_up().play(3)
    assert "Enter each move as it is played" in page_of(table.session).text("/help")


def test_score_cards_stay_in_the_order_of_the_seats(table: Table) -> None:
    table.set_up()
    seats = [seat["colour"] for seat in table.session.snapshot()["view"]["players"]]
    while table.session.snapshot()["stage"]["order"] == seats:
        table.play(1)
    assert re.findall('id="score-([a-z]+)"', page_of(table.session).text("/table")) == seats


def test_a_players_own_button_is_drawn_with_the_players_name(table: Table) -> None:
    buttons = ("confirm", "confirm:red")
    browser = page_of(table.session, panel=lambda button, seconds: None, buttons=buttons)
    shown = browser.text("/table?lang=fr")
    assert shown.count('data-do="press"') == 2
    assert 'data-button="confirm:red" title="Confirmer, Rouge"' in shown


def test_the_buzzer_is_muted_and_sounds_again(table: Table) -> None:
    with open_panel(simulate=True) as panel:
        browser = page_of(table.session, buzzer=panel)
        assert 'data-on="1" aria-pressed="false"' in browser.text("/menu")
        browser.do("mute", on="1")
        assert panel.muted
        assert 'data-on="0" aria-pressed="true"' in browser.text("/menu")
        browser.do("mute", on="0")
        assert not panel.muted


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_press_in_the_turn_of_another_is_explained(table: Table, language: str) -> None:
    watching(table)
    (other,) = {"red", "blue"} - {table.state.player.colour}
    with pytest.raises(CommandRejectedError):
        table.session.confirm(player=other)
    sentence = escape(Translator(language).reason("not_your_turn", {"player": table.state.player.colour}))
    assert sentence in page_of(table.session).text(f"/table?lang={language}")


# --- announcements ---


def announced(browser: Browser, language: str = "en") -> tuple[int, str]:
    """Returns number and text of the announcement on the page."""
    shown = browser.text(f"/table?lang={language}")
    number, text = (shown.split(f'data-{name}="')[1].split('"')[0] for name in ("announced", "announcement"))
    return int(number), text.replace("&#39;", "'")


def test_an_announcement_comes_in_each_users_language(proposing: Browser) -> None:
    assert announced(proposing, "en") == (1, "Blue's turn.")
    assert announced(proposing, "fr") == (1, "Au tour de Bleu.")


def test_a_new_announcement_has_a_new_number(proposing: Browser) -> None:
    announced(proposing)
    proposing.do("confirm")
    number, text = announced(proposing)
    assert number == 2 and text.startswith("Blue ") and text.endswith("Red's turn.")
    assert announced(proposing) == (number, text)


# --- languages ---


def test_the_chosen_language_is_remembered(table: Table) -> None:
    browser = page_of(table.session)
    browser.text("/?lang=fr")
    assert '<html lang="fr">' in browser.text("/")


def test_the_browsers_language_has_priority_over_the_tables(table: Table) -> None:
    browser = page_of(table.session, page_language="en")
    shown = browser.client.get("/", headers={"Accept-Language": "fr-CA, en;q=0.5"}).get_data(as_text=True)
    assert '<html lang="fr">' in shown


def test_the_tables_language_is_used_if_the_browser_asks_for_none(table: Table) -> None:
    assert '<html lang="fr">' in page_of(table.session, page_language="fr").text("/")


def test_errors_are_in_the_users_language(proposing: Browser) -> None:
    proposing.text("/?lang=fr")
    answer = proposing.do("tap", text="dance")
    assert answer.status_code == 422
    assert answer.get_json()["error"] == Translator("fr").reason("not_a_move", {"text": "dance"})


# --- what it lets people do ---


def test_confirm_records_the_proposal(proposing: Browser) -> None:
    before = len(proposing.session.entries())
    assert proposing.do("confirm").status_code == 200
    assert len(proposing.session.entries()) == before + 1


def test_confirm_waits_while_the_picture_moves(table: Table) -> None:
    with_proposal(table)
    browser = page_of(table.session, camera=lambda: {"settled": False, "age": 0, "name": "x", "error": None})
    before = len(table.session.entries())
    assert browser.do("confirm").status_code == 200
    assert len(table.session.entries()) == before
    assert Translator("en")("page.confirm_later") in browser.text("/table?lang=en")


def test_undo_takes_back_the_last_turn(proposing: Browser) -> None:
    before = len(proposing.session.entries())
    assert proposing.do("undo").status_code == 200
    assert len(proposing.session.entries()) < before


def test_an_answer_resolves_the_question(table: Table) -> None:
    asking_for_a_die(table)
    browser = page_of(table.session)
    assert browser.do("answer", about="die:red:0", value="6").status_code == 200
    assert table.session.question is None
    assert 6 in browser.client.get("/snapshot").get_json()["view"]["players"][0]["dice"]


def test_correcting_the_misread_place_explains_the_turn(table: Table) -> None:
    unexplained(table)
    browser = page_of(table.session)
    place = present(table.session.snapshot()["proposal"])["unexplained"][0]
    assert browser.do("correct", place=place, label="empty").status_code == 200
    assert table.session.status == "watching"


def test_a_die_of_the_last_roll_can_be_corrected(table: Table) -> None:
    table.set_up().play(0)
    browser = page_of(table.session)
    assert browser.do("correct_die", die="blue:1", value=6).status_code == 200
    assert browser.client.get("/snapshot").get_json()["view"]["players"][1]["dice"][1] == 6


def test_a_die_in_doubt_is_marked_and_can_be_tapped_while_it_is_unused() -> None:
    table = DoubtfulTable()
    table.roll((5, 2), read={2: (3, 1)})
    table.play_moves(table.take(5), TakeWorkers(2), EndTurn())
    table.session.confirm()
    browser = page_of(table.session)
    (button,) = re.findall(r'<button[^>]*data-open="/die/([^"]*)"', browser.text("/table?lang=en"))
    assert button == "blue:0"
    assert browser.do("correct_die", die="blue:0", value=1).status_code == 200
    assert 'data-open="/die/' not in browser.text("/table?lang=en")


def test_a_turn_can_be_entered_by_taps(table: Table) -> None:
    watching(table)
    browser = page_of(table.session)
    before = len(table.session.entries())
    for move in map(str, table.turn()):
        assert browser.do("tap", text=move).status_code == 200
    assert len(table.session.entries()) > before


def test_every_legal_move_is_offered_by_hand(table: Table) -> None:
    watching(table)
    shown = page_of(table.session).text("/moves")
    assert all(f'data-text="{move}"' in shown for move in RULES.legal_moves(table.state))


def test_a_place_offers_the_legal_labels_and_the_moves_there(table: Table) -> None:
    watching(table)
    browser = page_of(table.session)
    move = next(m for m in RULES.legal_moves(table.state) if isinstance(m, Take))
    shown = browser.text(f"/place/depot:{move.depot}:{move.slot}")
    assert f'data-label="{move.tile}"' in shown and 'data-label="empty"' in shown
    assert f'data-text="{move}"' in shown


def test_an_empty_space_offers_the_available_tiles_of_its_type(table: Table) -> None:
    watching(table)
    browser = page_of(table.session)
    player = table.state.player
    space = next(s.index for s in player.duchy.spaces if player.spaces[s.index] is None)
    offered = browser.text(f"/place/duchy:{player.colour}:{space}").split('data-label="')[1:]
    labels = [part.split('"')[0] for part in offered]
    assert labels[0] == "empty"
    assert {label.split("/")[0] for label in labels[1:]} <= {player.duchy.spaces[space].tile_type}


def test_a_place_explains_illegal_moves(table: Table) -> None:
    watching(table)
    player = table.session.state.player
    player.workers, player.dice = 0, [1, 1]
    table.session.state.depots[3][0] = tile("ship")
    shown = page_of(table.session).text("/place/depot:4:0?lang=fr").replace("&#39;", "'")
    assert "Impossible maintenant" in shown
    assert "Il faut un 4 et le dé montre 1" in shown


def test_unusual_table_rules_are_marked(table: Table) -> None:
    table.session.state.rules = TableRules(tie_break="most_empty")
    shown = page_of(table.session).text("/rules")
    assert "the most empty spaces" in shown and "(usually: the fewest empty spaces)" in shown
    assert shown.count("usually") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_camera_there_is_no_confirm_button(language: str) -> None:
    """Without reading the boards, there is never anything to confirm."""
    table = Table()
    table.session.watch(dice=False, boards=False)
    table.set_up().play(0)
    browser, translator = page_of(table.session), Translator(language, strict=True)
    card = html.unescape(browser.text(f"/table?lang={language}"))
    assert table.session.status == "watching"
    assert translator("status.watching.hint") not in card and 'data-do="confirm"' not in card
    assert translator("touch.hint") in card
    assert re.search(r'data-do="tap" data-text="end" class="primary"', card)


def test_ending_by_hand_with_an_unused_die_shows_a_warning(table: Table) -> None:
    watching(table)
    table.session.state.player.dice = [2, 5]
    assert "dice unused: 2 and 5" in page_of(table.session).text("/moves")


def test_a_doubtful_die_is_shown_as_the_camera_saw_it(table: Table) -> None:
    asking_for_a_die(table)
    question = table.session.snapshot()["question"]
    asked: list[tuple[int, ...]] = []

    def crop(box: tuple[int, ...]) -> bytes:
        asked.append(box)
        return b"jpeg"

    browser = page_of(table.session, frame=lambda: b"jpeg", crop=crop)
    at = ",".join(map(str, present(present(question)["box"])))
    assert f'src="/crop/{at}?' in browser.text("/table")
    assert browser.client.get(f"/crop/{at}").data == b"jpeg"
    assert browser.client.get("/crop/-3,-2,40,40").data == b"jpeg"  # a die that lies over the border
    assert asked == [tuple(present(present(question)["box"])), (-3, -2, 40, 40)]


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("cocked", "Il est de travers"),
        ("hidden", "Il est à moitié caché"),
        ("unclear", "Sa valeur n’est pas lisible"),
        (None, "La caméra n’est pas sûre"),
    ],
)
def test_a_question_about_a_die_gives_the_reason(table: Table, reason: str | None, sentence: str) -> None:
    asking_for_a_die(table)
    first, *others = table.dice
    table.dice = (replace(first, value=first.value if reason is None else None, reason=reason), *others)
    table.look()
    assert sentence in page_of(table.session).text("/table?lang=fr")


@pytest.mark.parametrize(
    ("moved_by", "sentence"),
    [
        (None, "The red one that is framed in the picture"),
        ((-80, 10), "The red one on the right, as the camera sees it"),
        ((80, 10), "The red one on the left, as the camera sees it"),
        ((10, 80), "The upper red one, as the camera sees it"),
        ((10, -80), "The lower red one, as the camera sees it"),
    ],
)
def test_a_question_about_a_die_names_the_die(
    table: Table, moved_by: tuple[int, int] | None, sentence: str
) -> None:
    asking_for_a_die(table)
    table.session.rename_player("red", "Anna")
    asked, other, *others = table.dice
    assert asked.colour == other.colour == "red"
    x, y, width, height = asked.box
    last_dice = (
        [] if moved_by is None else [replace(other, box=(x + moved_by[0], y + moved_by[1], width, height))]
    )
    table.dice = (asked, *last_dice, *others)
    table.look()
    assert sentence in page_of(table.session, frame=lambda: b"jpeg").text("/table?lang=en")


def test_no_part_of_a_missing_picture_is_shown(table: Table) -> None:
    assert page_of(table.session).client.get("/crop/1,2,3,4").status_code == 404


def test_every_visible_place_opens(table: Table) -> None:
    watching(table)
    browser = page_of(table.session)
    for group, labels in RULES.visible_layout(table.state).items():
        assert browser.text(f"/place/{group}:{len(labels) - 1}")


def test_the_simulated_panel_is_pressed(table: Table) -> None:
    pressed: list[tuple[str, float | None]] = []
    browser = page_of(table.session, panel=lambda *press: pressed.append(press))
    assert browser.do("press", button="confirm").status_code == 200
    assert browser.do("press", button="undo", ms=900).status_code == 200
    assert pressed == [("confirm", None), ("undo", 0.9)]


def test_an_endless_press_on_the_drawn_panel_is_released(table: Table) -> None:
    pressed: list[tuple[str, float | None]] = []
    page_of(table.session, panel=lambda *press: pressed.append(press)).do("press", button="undo", ms=10**6)
    assert pressed == [("undo", MAX_PRESS_MS / 1000)]


def test_a_button_that_the_panel_does_not_have_is_not_pressed(table: Table) -> None:
    browser = page_of(table.session, panel=lambda button, seconds: pytest.fail(button))
    for fields in ({"button": "confirm:red"}, {"button": "undo", "ms": "long"}):
        assert browser.do("press", **fields).status_code == 400


def test_commands_may_be_sent_as_a_form(proposing: Browser) -> None:
    fields = {"do": "confirm", "version": str(proposing.session.version), "token": proposing.token}
    assert proposing.client.post("/do", data=fields).status_code == 200


# --- what it refuses ---


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("confirm", {}),
        ("undo", {}),
        ("redo", {}),
        ("next", {}),
        ("answer", {"about": "turn", "value": "end"}),
    ],
)
def test_a_command_for_an_old_state_changes_nothing(
    proposing: Browser, command: str, fields: dict[str, str]
) -> None:
    before, version = proposing.session.state.state_hash(), proposing.session.version
    answer = proposing.do(command, version=version - 1, **fields)
    assert answer.status_code == 409
    assert answer.get_json()["state"]["version"] == version == proposing.session.version
    assert proposing.session.state.state_hash() == before


def test_only_one_of_two_confirmations_of_the_same_state_counts(proposing: Browser) -> None:
    version, before = proposing.session.version, len(proposing.session.entries())
    answers = [proposing.do("confirm", version=version).status_code for _ in range(2)]
    assert answers == [200, 409]
    assert len(proposing.session.entries()) == before + 1


def test_a_command_without_the_pages_token_is_rejected(proposing: Browser) -> None:
    version = proposing.session.version
    for headers in ({}, {TOKEN_HEADER: "wrong"}, {TOKEN_HEADER: "é"}):
        given = {"do": "confirm", "version": version}
        assert proposing.client.post("/do", json=given, headers=headers).status_code == 403
    assert proposing.session.version == version


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "dance"},
        {"do": None},
        {"do": "confirm", "version": "soon"},
        {"do": "confirm", "version": "²"},
        {"do": "confirm", "version": -1},
        {"do": "answer"},
        {"do": "answer", "about": ["turn"], "value": 3},
        {"do": "correct", "place": "duchy:red:99", "label": "empty"},
        {"do": "correct", "place": "duchy:red:²", "label": "empty"},
        {"do": "correct", "place": "duchy:red:3", "label": "dragon"},
        {"do": "correct", "place": "nowhere", "label": "empty"},
        {"do": "correct_die", "die": "red:²", "value": 3},
        {"do": "correct_die", "die": "red:0", "value": "x"},
        {"do": "adjust", "player": "red", "workers": 1, "own": "why"},
        {"do": "adjust", "player": "red", "workers": "many", "workers.was": 1, "own": "why"},
        {"do": "adjust", "player": "red"},
        {"do": "press", "button": "confirm"},
        {"do": "mute", "on": 1},
        {"do": "tap"},
        {"do": "tap", "text": "x" * 5000},
    ],
    ids=str,
)
def test_a_malformed_command_is_rejected_and_changes_nothing(
    proposing: Browser, fields: dict[str, Any]
) -> None:
    before = proposing.session.snapshot()
    answer = proposing.client.post("/do", json=fields, headers={TOKEN_HEADER: proposing.token})
    assert answer.status_code == 400
    assert answer.get_json()["error"] == Translator("en")("page.bad_request")
    assert proposing.session.snapshot() == before


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b'"do"', b"\xff\xfe", b"{" * 900])
def test_a_body_without_a_command_is_rejected(proposing: Browser, body: bytes) -> None:
    headers = {TOKEN_HEADER: proposing.token, "Content-Type": "application/json"}
    assert proposing.client.post("/do", data=body, headers=headers).status_code == 400


def test_a_large_request_is_rejected(proposing: Browser) -> None:
    headers = {TOKEN_HEADER: proposing.token, "Content-Type": "application/json"}
    assert (
        proposing.client.post("/do", data=b" " * (MAX_REQUEST_BYTES + 1), headers=headers).status_code == 413
    )


@pytest.mark.parametrize("path", ["/nowhere", "/die/red:7", "/die/²", "/do/it"])
def test_a_missing_page_is_not_found(proposing: Browser, path: str) -> None:
    assert proposing.client.get(path).status_code == 404


@pytest.mark.parametrize("place", ["x", "duchy:red:-1", "black"])
def test_there_is_nothing_to_do_at_a_place_that_the_game_has_not(proposing: Browser, place: str) -> None:
    assert "Nothing can be done here now." in proposing.text(f"/place/{place}")


@pytest.mark.parametrize("path", ["/do", "/pin"])
def test_deeply_nested_json_is_a_bad_request(table: Table, path: str) -> None:
    browser = page_of(table.session)
    answer = browser.client.post(path, data=b"[" * 5000, content_type="application/json")
    assert answer.status_code in (400, 403)


def test_garbled_moves_never_cause_a_server_error(table: Table) -> None:
    """Parts of real moves are mixed: most results are invalid or illegal."""
    watching(table)
    browser, rng = page_of(table.session), random.Random(1)
    tokens = [token for move in RULES.legal_moves(table.state) for token in str(move).split()]
    tokens += ["-1", "²", "99999999999", "fill", "roll", "red=1,2", "white=9", "1.", ".", ",", "monastery/99"]
    statuses = set()
    for _ in range(MODERATE):
        text = " ".join(rng.choices(tokens, k=rng.randint(1, 6)))
        statuses.add(browser.do("tap", text=text).status_code)
    assert statuses <= {200, 422}


def test_pages_allow_no_foreign_content_and_no_inline_scripts(proposing: Browser) -> None:
    answer = proposing.client.get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    shown = answer.get_data(as_text=True)
    assert "<script>" not in shown and " style=" not in shown and " onclick=" not in shown
    assert "http://" not in shown and "https://" not in shown


# --- live ---


def streamed(
    browser: Browser, disconnected: Callable[[], bool] = lambda: False, **query: str
) -> Iterator[str]:
    """Yields the events of the stream; *disconnected* is whether the browser has disconnected."""
    environ = {"waitress.client_disconnected": disconnected}
    answer = browser.client.get("/events", query_string=query, environ_overrides=environ)
    return (piece.decode() for piece in answer.iter_encoded())


def test_a_stream_sends_the_version_at_once_and_after_each_change(table: Table) -> None:
    at_dice(table)
    pieces = streamed(page_of(table.session))
    assert next(pieces).startswith("retry:")
    assert f'data-version="{table.session.version}"' in next(pieces)
    table.deal()
    table.look()
    assert f'data-version="{table.session.version}"' in next(pieces)


def test_an_event_holds_no_line_that_is_not_its_own(table: Table) -> None:
    """A line break of any kind would end the event's data."""
    at_dice(table)
    error = {"code": "unreadable", "file": "a\rretry: 1\n\nevent: x"}
    camera = {"settled": False, "age": 0, "name": "x", "error": error}
    pieces = streamed(page_of(table.session, camera=lambda: camera))
    next(pieces)
    lines = re.split("\r\n|\r|\n", next(pieces))
    assert lines[-2:] == ["", ""] and {line.split(": ")[0] for line in lines[:-2]} == {"id", "data"}


def test_a_stream_speaks_though_nothing_happens(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.05)
    monkeypatch.setattr(live, "POLL_S", 0.01)
    pieces = streamed(page_of(table.session))
    next(pieces)
    assert all('data-version="0"' in next(pieces) for _ in range(3))


def test_a_stream_reports_that_hands_have_left_the_table(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "POLL_S", 0.01)
    camera = {"settled": False, "age": 0, "name": "x", "error": None}
    pieces = streamed(page_of(table.session, camera=lambda: camera))
    assert [next(pieces), next(pieces)]
    camera["settled"] = True
    assert next(pieces).startswith("id:")


def test_a_stream_ends_when_its_page_is_disconnected(table: Table) -> None:
    assert list(streamed(page_of(table.session), disconnected=lambda: True)) == [f"retry: {live.RETRY_MS}\n"]


STREAMS = 4


@pytest.fixture
def address(table: Table) -> Iterator[tuple[str, int]]:
    """Returns a real server that allows a few streams."""
    at_dice(table)
    app = create_app(table.session, streams=StreamLimit(STREAMS))
    wake = table.session.wake_waiting
    with closing(AppServer(app, host="127.0.0.1", port=0, wake_waiting=wake)) as server:
        yield "127.0.0.1", server.port


@contextmanager
def opened(address: tuple[str, int]) -> Iterator[HTTPResponse]:
    """Returns the answer to a request for a stream, which stays open meanwhile."""
    with closing(HTTPConnection(*address, timeout=10)) as connection:
        connection.request("GET", "/events")
        with connection.getresponse() as answer:
            yield answer


def test_streams_beyond_the_limit_are_rejected(address: tuple[str, int]) -> None:
    with ExitStack() as open_:
        answers = [open_.enter_context(opened(address)) for _ in range(STREAMS + 1)]
        assert [answer.status for answer in answers] == [200] * STREAMS + [503]


def test_a_hundred_listeners_that_vanish_leave_the_server_free(address: tuple[str, int]) -> None:
    """Each opens a stream and disconnects silently."""
    for _ in range(100):
        with socket.create_connection(address, timeout=10) as listener:
            listener.sendall(b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
            listener.recv(64)
    deadline = time.monotonic() + 20
    status = 503
    while status != 200 and time.monotonic() < deadline:
        with opened(address) as answer:
            status = answer.status
        time.sleep(0.2)
    assert status == 200
    with closing(HTTPConnection(*address, timeout=10)) as connection:
        connection.request("GET", "/table")
        assert connection.getresponse().status == 200


def test_a_moved_board_is_named_by_its_player(table: Table) -> None:
    watching(table)
    camera = {
        "settled": True,
        "age": 0,
        "name": "x",
        "error": None,
        "boards": {"red": "nudged", "blue": "lost"},
    }
    text = page_of(table.session, camera=lambda: camera).text("/table")
    assert "Red&#39;s duchy has been moved" in text
    assert "Blue&#39;s duchy is not where it was" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tile_is_listed_with_its_names_in_other_editions(table: Table, language: str) -> None:
    shown, translator = page_of(table.session).text(f"/tiles?lang={language}"), Translator(language)
    assert shown.count("data-words=") == 4 + 3 + 8 + 26 + 2  # things; castle, mine, ship; livestock and goods
    assert all(str(escape(translator.help(f"monastery/{n}", "special"))) in shown for n in range(1, 27))
    assert translator("other_name.monastery") in shown and translator("other_name.duchy") in shown
