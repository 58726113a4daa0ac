"""Touching pieces on the page: what lights up, what is done, and why something cannot be."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from tests.support.tables import Table, at_dice
from tests.web.test_page import page_of


@pytest.fixture
def table() -> Table:
    """Blue has a 4 and a 6; nothing is stored."""
    table = Table()
    table.session.watch_nothing()
    table.set_up().play(10)
    return table


def touch(table: Table, *pieces: str, lang: str = "en") -> dict[str, Any]:
    fields = urlencode([("piece", piece) for piece in pieces] + [("lang", lang)])
    answer = page_of(table.session).client.get(f"/touch?{fields}").json
    assert isinstance(answer, dict)
    return answer


def test_a_tile_of_a_depot_is_taken_with_the_cheapest_die(table: Table) -> None:
    assert touch(table, "depot:4:0") == {"do": "take ship 4.0 die 4"}


def test_a_die_lights_up_what_it_can_do_with_its_cost(table: Table) -> None:
    lit = {one["piece"]: one for one in touch(table, "die:blue:6")["lit"]}
    assert lit["depot:6:0"]["do"] == "take building/market 6.0 die 6"
    assert "-1" in lit["depot:1:0"]["badge"] and "-1" not in lit["depot:6:0"]["badge"]


def test_a_lit_piece_shows_the_points_that_it_brings(table: Table) -> None:
    lit = {one["piece"]: one for one in touch(table, "die:blue:4")["lit"]}
    assert "+2" in lit["goods:blue:4"]["badge"]


@pytest.mark.parametrize(("lang", "why"), [("en", "workers"), ("fr", "ouvriers")])
def test_what_is_forbidden_says_why(table: Table, lang: str, why: str) -> None:
    answer = touch(table, "depot:2:0", lang=lang)
    assert answer["lit"] == [] and why in answer["card"]


def test_a_piece_with_which_nothing_can_be_done_says_so(table: Table) -> None:
    assert "Nothing can be done with this now." in touch(table, "die:red:1")["card"]


def test_a_die_that_was_just_entered_can_be_corrected(table: Table) -> None:
    assert 'data-open="/die/blue:' in touch(table, "die:blue:6")["card"]


def test_the_next_player_begins_once_all_dice_are_used(table: Table) -> None:
    for text in ("workers die 4", "workers die 6"):
        table.session.tap(text)
    done = touch(table, "depot:4:0")["do"]
    assert done.startswith("end; take ship 4.0 die ")
    page_of(table.session).do("tap", text=done)
    assert table.session.entries()[-1].player == "blue"
    assert [move["word"] for move in table.session.snapshot()["draft"]] == ["take"]


@pytest.mark.parametrize("pieces", [[], ["depot:4:0"] * 4])
def test_no_piece_and_too_many_are_refused(table: Table, pieces: list[str]) -> None:
    fields = urlencode([("piece", piece) for piece in pieces])
    assert page_of(table.session).client.get(f"/touch?{fields}").status_code == 400


def test_pieces_are_touched_only_while_a_turn_is_entered(table: Table) -> None:
    assert "data-touch" in page_of(table.session).text("/table")
    seen = Table()
    seen.set_up().play(10)
    seen.look()
    assert "data-touch" not in page_of(seen.session).text("/table")


def test_the_card_ends_the_turn_and_shows_the_points_of_what_was_entered(table: Table) -> None:
    table.session.tap("sell 4 die 4")
    shown = page_of(table.session).text("/table")
    assert '<button data-do="tap" data-text="end" class="primary">' in shown
    assert "+2" in shown[shown.index('class="moves"') :]


# --- dice and draws ---------------------------------------------------------------------------------------


@pytest.fixture
def rolling() -> Table:
    table = Table()
    table.session.watch_nothing()
    at_dice(table)
    return table


def test_all_dice_are_entered_at_once_the_first_player_first(rolling: Table) -> None:
    shown = page_of(rolling.session).text("/table")
    assert shown.count('class="faces"') == 5
    first = rolling.session.snapshot()["stage"]["order"][0]
    assert shown.index(f'data-die="{first}:0"') == shown.index('data-die="')
    browser = page_of(rolling.session)
    answer = browser.do("roll", **{"red:0": "3", "red:1": "3", "blue:0": "1", "blue:1": "6", "white:0": "2"})
    assert answer.status_code == 200
    assert str(rolling.session.entries()[-1].moves[0]) == "roll red=3,3 blue=1,6 white=2"


@pytest.mark.parametrize("value", ["0", "7"])
def test_a_die_shows_one_to_six(rolling: Table, value: str) -> None:
    dice = {"red:0": value, "red:1": "3", "blue:0": "1", "blue:1": "6", "white:0": "2"}
    assert page_of(rolling.session).do("roll", **dice).status_code == 422
    assert rolling.session.awaits_roll


def test_the_page_rolls_for_a_table_that_wants_it(rolling: Table) -> None:
    assert page_of(rolling.session).do("draw").status_code == 200
    assert rolling.session.entries()[-1].by == "drawn" and not rolling.session.awaits_roll


def test_the_same_roll_comes_again_after_an_undo(rolling: Table) -> None:
    rolling.session.draw()
    rolled = rolling.session.entries()[-1].moves
    rolling.session.undo()
    rolling.session.draw()
    assert rolling.session.entries()[-1].moves == rolled


def test_the_page_draws_the_tiles_of_a_phase() -> None:
    table = Table()
    table.session.watch_nothing()
    table.set_up()
    assert 'data-do="draw"' in page_of(table.session).text("/table")
    page_of(table.session).do("draw")
    assert table.session.awaits_roll and table.session.entries()[-1].by == "drawn"


def test_nothing_is_drawn_during_a_turn(table: Table) -> None:
    assert page_of(table.session).do("draw").status_code == 422


def test_without_a_camera_nobody_is_asked_what_lies_on_a_place(table: Table) -> None:
    assert "What is really here?" not in page_of(table.session).text("/place/depot:4:0")
