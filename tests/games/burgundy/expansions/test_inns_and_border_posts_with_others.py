"""Inns and border posts together with each other and with other expansions."""

from __future__ import annotations

import pytest

from companion.games.burgundy.modules.inns.stack import stack_of
from companion.games.burgundy.rules.tiles import tile
from tests.support.border_posts import DOWN, LINE, links_in
from tests.support.module_positions import module_turn
from tests.support.positions import build, cover, fill_depot, illegal_reason, notations, play, store
from tests.support.shields import at_depots, end_phase, hold, shield_turn

INN = tile("inn")
CITY = (25, 26, 31, 32, 36)
"""A city of five on duchy 1."""


def test_a_white_castle_may_place_an_inn_with_the_white_value_but_buys_none() -> None:
    """S761: the white die shows a 5, which 31 needs."""
    game = module_turn(["inns", "white_castles"], (3, 1), white=5)
    game.player.silver = 2
    store(game, "building/white_castle", "inn")
    build(game.player, s32="building/bank")
    play(game, "place building/white_castle 25 die 3")
    assert {int(text.split()[2]) for text in notations(game, "place inn")} >= {31}
    assert notations(game, "take") == []
    assert [text for text in notations(game) if "inn" in text and not text.startswith("place")] == [
        "buy inn 0.4"
    ]  # the turn's own purchase, which stays open
    play(game, "place inn 31")
    assert game.player.spaces[31] is INN


def test_an_inn_and_a_white_castle_may_lie_in_one_city_which_counts_one_more_for_the_inn() -> None:
    game = module_turn(["inns", "white_castles"])
    build(game.player, s25="building/white_castle", s31="inn")
    area = game.player.duchy.area_of[25]
    assert game.hooks.area_size(game, game.player, area) == area.size + 1


@pytest.mark.parametrize(
    ("duchy", "castle", "spaces", "points"),
    [
        ("se-6", 18, (16, 17, 23), 21),
        ("se-1", 1, (25, 26, 31, 32), 28),
        ("se-22", 5, (2, 3, 6, 8, 11, 14, 21), 55),
    ],
)
def test_shield_17_adds_another_space_to_the_area_of_an_inn(
    duchy: str, castle: int, spaces: tuple[int, ...], points: int
) -> None:
    """S928: four spaces score as six, five as seven, eight as ten."""
    game = shield_turn((3, 1), duchy=duchy, castle=castle, also=["inns"])
    hold(game, game.player, 17)
    for space in spaces:
        game.player.put(space, tile("building/bank"))
    store(game, "inn")
    last = next(
        i for i in range(37) if game.player.duchy.area_of[i].spaces >> spaces[0] & 1 and i not in spaces
    )
    game.player.dice = [game.player.duchy.spaces[last].die]
    (area,) = (
        event for event in play(game, f"place inn {last} die {game.player.dice[0]}") if event.kind == "area"
    )
    assert area.points == points + 10


def test_with_shield_1_each_printed_pasture_may_have_its_inn() -> None:
    """S769, S912: the shield joins pastures for the points of livestock only."""
    game = shield_turn((2, 1), also=["inns"])
    hold(game, game.player, 1)
    build(game.player, s10="inn", s26="building/bank")
    store(game, "inn")
    assert illegal_reason(game, "place inn 27 die 2") is None


def test_shield_15_may_take_an_inn_and_place_it_at_once() -> None:
    """S767, S926."""
    game = shield_turn((2, 1), also=["inns"])
    hold(game, game.player, 15)
    end_phase(game)
    play(game, "free inn 0.4 25")
    assert game.players[0].spaces[25] is INN
    assert stack_of(game).count == 0


def test_shield_14_does_not_reach_an_inn() -> None:
    """S925: it names the numbered depots."""
    game = shield_turn((2, 1), also=["inns"])
    hold(game, game.player, 14)
    fill_depot(game, 1, "mine")
    build(game.player, s25="building/bank")
    end_phase(game)
    assert [text for text in notations(game) if "inn" in text] == []


def test_an_inn_on_a_castles_space_bears_no_shield() -> None:
    """S771, S902."""
    game = shield_turn((3, 3), castle=1, also=["inns"])
    at_depots(game, {3: [7]})
    build(game.player, s6="inn")
    assert {text.split()[3] for text in notations(game, "shield 7")} == {"1"}


def test_inns_link_border_posts() -> None:
    """S751: they cover their spaces."""
    game = module_turn(["border_posts", "inns"], (4, 1), duchy="se-23", castle=0)
    cover(game.player, *LINE[:-1])
    store(game, "inn")
    assert links_in(play(game, "place inn 8 die 4")) == [10]


def test_shield_7_doubles_the_border_tile_but_no_link() -> None:
    """S918."""
    game = shield_turn((4, 1), duchy="se-23", castle=0, also=["border_posts"])
    hold(game, game.player, 7)
    cover(game.player, *LINE, *DOWN[:-1])
    store(game, "ship")
    play(game, "place ship 34 die 4")
    assert game.player.points["border_links"] == 10 + 10
    assert game.player.points["border_bonus"] == 2 * 5


def test_a_tile_that_shield_15_lays_after_the_last_round_links_posts_for_the_phase_that_ends() -> None:
    """S925-926: 2 points in phase E."""
    game = shield_turn((4, 1), duchy="se-23", castle=0, also=["border_posts"])
    hold(game, game.player, 15)
    cover(game.player, *LINE[:-1])
    fill_depot(game, 0, "monastery/14")
    end_phase(game, phase=4)
    assert links_in(play(game, "free monastery/14 0.0 8")) == [2]


def test_with_shield_18_islands_are_linked_later() -> None:
    """S929: tiles apart from others link nothing until a chain joins them."""
    game = shield_turn((4, 1), duchy="se-23", castle=0, also=["border_posts"])
    hold(game, game.player, 18)
    cover(game.player, 4, 6, 7)
    store(game, "monastery/14")
    assert links_in(play(game, "place monastery/14 8 die 4")) == []
    store(game, "monastery/15")
    assert links_in(play(game, "place monastery/15 5 die 1")) == [10]
