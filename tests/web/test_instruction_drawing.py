"""The drawing of the instructions for the Châteauma."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from companion.games.burgundy.instructions import details
from companion.games.burgundy.rules import GameState
from companion.journal import Journal
from companion.session import TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.games.burgundy.test_instructions import events_of, instructed, turns
from tests.support.automa_positions import automa_turn
from tests.support.pages import create_app
from tests.support.positions import RULES
from web.games.burgundy import instruction_drawing


def drawn(game: GameState) -> instruction_drawing.Drawing:
    drawing = instruction_drawing.draw(instructed(game), RULES.view(game))
    assert drawing is not None
    return drawing


def area(drawing: instruction_drawing.Drawing, name: str) -> instruction_drawing.Area:
    return next(one for one in (*drawing.depots, *drawing.own) if one.name == name)


def lit(drawing: instruction_drawing.Drawing) -> set[str]:
    return {one.name for one in (*drawing.depots, *drawing.own) if one.active}


def signs(drawing: instruction_drawing.Drawing) -> list[list[tuple[str, str]]]:
    return [[(sign.kind, sign.what) for sign in line.signs] for line in drawing.lines]


def test_the_depot_and_the_card_of_a_tile_are_highlighted() -> None:
    drawing = drawn(automa_turn(depots={4: ["building/bank"]}, on_left=["building/church"]))
    assert lit(drawing) == {"4", "left"}
    assert [spot.label for spot in area(drawing, "4").spots] == ["building/bank"]
    assert [spot.active for spot in area(drawing, "left").spots] == [False, True, False, False]


def test_the_arrow_leads_from_the_tile_to_its_space() -> None:
    drawing = drawn(automa_turn(depots={4: ["building/bank"]}, on_left=["building/church"]))
    (arrow,), tile, space = drawing.arrows, area(drawing, "4").spots[0], area(drawing, "left").spots[1]
    start = [float(number) for number in re.findall(r"[\d.]+", arrow.path)][:2]
    assert start == pytest.approx([tile.x, tile.y + tile.radius], abs=0.1)
    assert arrow.tip == pytest.approx((space.x, space.y - space.radius - instruction_drawing.TIP))


def test_a_purchase_goes_from_the_black_depot_to_the_inventory() -> None:
    drawing = drawn(automa_turn(depots={4: ["building/church"], 0: ["monastery/7"]}, silver=2))
    assert lit(drawing) == {"4", "left", "0", "inventory"}
    assert [arrow.number for arrow in drawing.arrows] == [1, 2]


def test_a_stored_tile_comes_from_the_inventory() -> None:
    drawing = drawn(automa_turn(stored=["building/bank"]))
    assert lit(drawing) == {"left", "inventory"}


def test_goods_and_marker_of_a_ship_are_drawn_as_signs() -> None:
    ship_lacks = ["building/bank", "castle", "building/bank", "livestock/cow_3"]
    game = automa_turn(left=7, on_left=ship_lacks, depots={4: ["ship"]}, goods={2: [1, 3]})
    assert signs(drawn(game))[:2] == [
        [("die", "2"), ("tile", "goods/1"), ("tile", "goods/3"), ("arrow", ""), ("badge", "black")],
        [("badge", "black"), ("arrow", ""), ("text", "+1")],
    ]


def test_a_completed_card_goes_to_the_duchy_and_the_other_one_slides() -> None:
    game = automa_turn(
        on_left=["building/bank", "building/church", None, "monastery/1"], depots={1: ["livestock/cow_3"]}
    )
    assert signs(drawn(game)) == [
        [("card", "left"), ("arrow", ""), ("icon", "duchy")],
        [("card", "right"), ("arrow", ""), ("card", "left")],
    ]


def test_tiles_of_a_virtual_player_go_into_the_box() -> None:
    drawing = drawn(automa_turn(depots={4: ["building/bank"]}, pieces="virtual"))
    assert lit(drawing) == {"4", "box"} and drawing.lines == ()


def test_without_instructions_nothing_is_drawn() -> None:
    game = automa_turn()
    assert instruction_drawing.draw(instructed(game), RULES.view(game)) is None


def test_a_single_instruction_has_no_number() -> None:
    assert not drawn(automa_turn(depots={4: ["building/bank"]})).numbered


@pytest.mark.parametrize("pieces", ["table", "virtual"])
def test_in_whole_games_everything_drawn_is_inside_the_drawing(pieces: str) -> None:
    for game in turns(pieces):
        drawing = instruction_drawing.draw(instructed(game), RULES.view(game))
        if drawing is None:
            continue
        for area in (*drawing.depots, *drawing.own):
            right = area.x + area.width
            assert area.x >= 0 and right <= drawing.width
            for spot in area.spots:
                assert area.x <= spot.x - 0.86 * spot.radius and spot.x + 0.86 * spot.radius <= right
        for line in drawing.lines:
            assert line.signs[-1].x < drawing.width and line.signs[-1].y < drawing.height


@pytest.mark.parametrize("pieces", ["table", "virtual"])
def test_in_whole_games_every_instruction_is_drawn_once(pieces: str) -> None:
    for game in turns(pieces):
        drawing = instruction_drawing.draw(instructed(game), RULES.view(game))
        steps = details(events_of(game), Translator("en", view=RULES.view(game)))
        done = sum(len(step.events) for step in steps)
        assert done == (len(drawing.arrows) + len(drawing.lines) if drawing else 0)


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Flask:
    before = automa_turn(depots={4: ["building/bank"]}, on_left=["building/church"])
    monkeypatch.setattr(RULES, "new", lambda setup: before.copy())
    app = create_app(TableSession(RULES, Journal(":memory:"), {"edition": "special", "players": []}))
    app.testing = True
    return app


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_drawing_is_labelled_by_its_instructions(page: Flask, language: str) -> None:
    shown = page.test_client().get(f"/table?lang={language}").get_data(as_text=True)
    name = {
        "en": "Put the bank from depot 4 on the left card, second space.",
        "fr": "Mettez la banque du dépôt 4 sur la carte de gauche, deuxième emplacement.",
    }[language]
    assert f'role="img" aria-label="{name}"' in shown


def test_the_drawing_has_no_inline_styles(page: Flask) -> None:
    shown = page.test_client().get("/table").get_data(as_text=True)
    assert '<svg class="drawing"' in shown and " style=" not in shown and "<style" not in shown


@pytest.mark.parametrize("place", ["card:left:0", "inventory:0", "goods:black:0", "depot:4:0"])
def test_its_places_can_be_opened_to_correct_their_tile(page: Flask, place: str) -> None:
    opened = page.test_client().get(f"/place/{place}")
    assert opened.status_code == 200 and f'data-place="{place}"' in opened.get_data(as_text=True)
