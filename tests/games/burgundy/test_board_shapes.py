"""Boards of any shape: a duchy is a graph of spaces with positions, whether or not it is printed in rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from math import dist
from typing import Any

import pytest

from calibration.board_shape import PITCH_MM, BoardShape, row_and_column
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import Burgundy
from companion.games.burgundy.rules.board import Duchy, Space, bits
from companion.games.burgundy.rules.decisions import StartCastle
from companion.games.burgundy.rules.setup_validation import InvalidSetupError
from companion.games.burgundy.rules.tiles import CASTLE, TYPES
from companion.text.translator import Translator
from tests.support.islands import BRIDGES, ISLANDS, SETUP, TOUCHING, with_islands
from tests.support.modules import played, setup_of
from tests.support.positions import build
from web.games.burgundy.drawing import ACROSS, HEX, MARGIN
from web.games.burgundy.drawing import board as draw_board

RULES = with_islands()
A2, B1 = 1, 4


def centres(duchy: Duchy) -> list[tuple[float, float]]:
    return [(space.x_mm, space.y_mm) for space in duchy.spaces]


def test_spaces_in_rows_touch_exactly_those_that_lie_a_pitch_away() -> None:
    for duchy in burgundy().duchies.values():
        for one, other in combinations(range(len(duchy.spaces)), 2):
            apart = dist(centres(duchy)[one], centres(duchy)[other])
            assert apart > PITCH_MM - 0.001
            assert bool(duchy.neighbours[one] >> other & 1) == (apart < PITCH_MM + 0.001)


def test_the_centre_of_a_board_in_rows_is_its_origin() -> None:
    for along in zip(*BoardShape.in_rows((4, 5, 6, 7, 6, 5, 4)).centres_mm, strict=True):
        assert min(along) == -max(along)


@pytest.mark.parametrize(
    ("name", "place"), [("r1c1", (0, 0)), ("r12c3", (11, 2)), ("A3", None), ("r0c1", None)]
)
def test_a_name_says_row_and_column_if_it_is_made_of_them(name: str, place: tuple[int, int] | None) -> None:
    assert row_and_column(name) == place


def test_neighbours_are_those_that_are_given() -> None:
    beside = [{*touching} for touching in TOUCHING]
    for one, other in BRIDGES:
        beside[one].add(other)
        beside[other].add(one)
    assert [{*bits(spaces)} for spaces in ISLANDS.neighbours] == beside


def test_areas_do_not_reach_across_a_bridge() -> None:
    buildings = [{*bits(area.spaces)} for area in ISLANDS.areas if area.tile_type == "building"]
    assert buildings == [{1, 3}, {4, 6}]


def test_a_tile_is_placed_across_a_bridge() -> None:
    game = RULES.new(SETUP)
    red = game.players[0]
    RULES.play(game, StartCastle("red", 0))
    assert not red.frontier >> B1 & 1
    build(red, s1="building/bank")
    assert red.frontier >> B1 & 1


def test_in_the_terminal_spaces_lie_where_they_are_with_their_names_below() -> None:
    assert RULES.text_board(RULES.new(SETUP), "red").splitlines() == [
        "       c6    b2                b5    s4",
        "       A1    A2                B1    B2",
        "    m3    b1                      b2",
        "    A3    A4                      B3",
        "A2 ~ B1",
    ]


def test_a_space_is_found_by_its_name() -> None:
    assert ISLANDS.space("B2").index == 5
    with pytest.raises(ValueError, match="has no space 'C1'; spaces are called A1 to B3"):
        ISLANDS.space("C1")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Red's duchy, space B2 (a 4)"), ("fr", "duché de Rouge, case B2 (un 4)")],
)
def test_a_space_is_told_by_its_name(language: str, sentence: str) -> None:
    view = RULES.view(RULES.new(SETUP))
    assert Translator(language, view=view).place("duchy:red:5") == sentence


def seat(duchy: str) -> Mapping[str, Any]:
    player: Mapping[str, Any] = RULES.view(
        RULES.new({**SETUP, "players": [{**one, "duchy": duchy} for one in SETUP["players"]]})
    )["players"][0]
    return player


@pytest.mark.parametrize("duchy", ["islands", "se-1"])
def test_hexagons_are_drawn_where_the_spaces_are(duchy: str) -> None:
    board = draw_board(seat(duchy), {})
    there = centres(RULES.duchies[duchy])
    for one, other in combinations(range(len(there)), 2):
        drawn = dist(
            (board.spaces[one].x, board.spaces[one].y), (board.spaces[other].x, board.spaces[other].y)
        )
        assert drawn == pytest.approx(dist(there[one], there[other]) * ACROSS / PITCH_MM, abs=0.02)


@pytest.mark.parametrize("duchy", ["islands", "se-1"])
def test_the_drawing_encloses_every_hexagon(duchy: str) -> None:
    board = draw_board(seat(duchy), {})
    assert min(space.x for space in board.spaces) == pytest.approx(ACROSS / 2 + MARGIN, abs=0.01)
    assert min(space.y for space in board.spaces) == pytest.approx(HEX + MARGIN, abs=0.01)
    assert max(space.x for space in board.spaces) == pytest.approx(
        board.width - ACROSS / 2 - MARGIN, abs=0.01
    )
    assert max(space.y for space in board.spaces) == pytest.approx(board.height - HEX - MARGIN, abs=0.01)


def test_a_bridge_is_drawn_from_the_edge_of_one_space_to_that_of_the_other() -> None:
    board = draw_board(seat("islands"), {})
    ((x1, y1, x2, y2),) = board.bridges
    one, other = board.spaces[A2], board.spaces[B1]
    there = dist((one.x, one.y), (other.x, other.y))
    assert dist((one.x, one.y), (x1, y1)) == pytest.approx(ACROSS / 2, abs=0.02)
    assert dist((one.x, one.y), (x2, y2)) == pytest.approx(there - ACROSS / 2, abs=0.02)
    assert dist((other.x, other.y), (x1, y1)) == pytest.approx(there - ACROSS / 2, abs=0.02)


def test_an_area_of_a_shifted_island_is_outlined_as_one() -> None:
    player = seat("islands")
    areas = [{**area, "left": [] if 4 in area["spaces"] else [0]} for area in player["areas"]]
    (outline,) = draw_board({**player, "areas": areas}, {}).completed
    assert outline.count("M") == 10


LARGE_ROWS = (10, 11, 10, 11, 10, 11, 10)
"""Seventy-three spaces: as many as a board for two players together."""


@pytest.fixture(scope="module")
def large() -> Burgundy:
    """A box with a board of that size, whose special edition has it too."""
    types = (CASTLE, *TYPES)
    spaces = [(types[(index // 3) % len(types)], 1 + index % 6) for index in range(sum(LARGE_ROWS))]
    box = burgundy()
    return Burgundy(
        box.editions, {"large": Duchy.in_rows("large", spaces, LARGE_ROWS)}, box.modules.values(), box.boards
    )


def test_a_board_of_73_spaces_is_played_on_to_the_end(large: Burgundy) -> None:
    game = played(large, large.new(setup_of("large")), 5_000)
    assert large.is_over(game)
    assert large.from_json(json.loads(json.dumps(game.to_json()))).state_hash() == game.state_hash()


def test_the_page_and_the_terminal_show_all_73_spaces(large: Burgundy) -> None:
    game = large.new(setup_of("large"))
    spaces = large.view(game)["players"][0]["spaces"]
    assert len({(space["x_mm"], space["y_mm"]) for space in spaces}) == len(spaces) == 73
    rows = [line.split() for line in large.text_board(game, "red").splitlines()]
    assert [(name, len(cells)) for name, *cells in rows] == [
        (f"r{number}", count) for number, count in enumerate(LARGE_ROWS, 1)
    ]


def test_a_camera_looks_at_all_73_spaces(large: Burgundy) -> None:
    game = large.new(setup_of("large"))
    (red, _) = large.expected_layouts(game)
    castles = {place for place, labels in red.places if CASTLE in labels}
    assert castles == {f"duchy:red:{i}" for i in bits(large.duchies["large"].of_type[CASTLE])}
    assert len(large.visible_layout(game)["duchy:red"]) == 73


def named(spaces: list[Space], index: int, name: str) -> list[Space]:
    return [replace(space, name=name) if space.index == index else space for space in spaces]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda: Duchy("x", named([*ISLANDS.spaces], 2, "A1"), TOUCHING),
            "space 2 is called 'A1': not one word of its own",
        ),
        (
            lambda: Duchy("x", named([*ISLANDS.spaces], 2, "A 3"), TOUCHING),
            "space 2 is called 'A 3': not one word of its own",
        ),
        (lambda: Duchy("x", ISLANDS.spaces[1:], TOUCHING[1:]), "space 0 has the index 1"),
        (lambda: Duchy("x", ISLANDS.spaces, TOUCHING[:6]), "neighbours of 6 spaces given, the board has 7"),
        (lambda: Duchy("x", ISLANDS.spaces, ((1,), *TOUCHING[1:])), "2 - 0 are not two of its spaces"),
        (
            lambda: Duchy("x", ISLANDS.spaces, ((1, 2, 3, 7), *TOUCHING[1:])),
            "0 - 7 are not two of its spaces",
        ),
        (lambda: Duchy("x", ISLANDS.spaces, TOUCHING, bridges=[(1, 9)]), "the bridge 1 - 9 does not join"),
    ],
)
def test_a_board_that_fits_nothing_is_refused(change: Callable[[], Duchy], message: str) -> None:
    with pytest.raises(InvalidSetupError, match=f"duchy x: {message}"):
        change()
