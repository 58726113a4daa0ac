"""A table with a board of another shape beside standard ones: it is read as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.table_file import FixedPlane, Quad, TableFile, parse
from companion.cli.games.burgundy.read_boards import drawing
from hardware.scene import Scene
from hardware.virtual_table import VirtualTable
from hardware.virtual_table.games.burgundy import standard_layout
from hardware.virtual_table.games.burgundy.layout import SAMPLE_DUCHY
from tests.support.islands import SHAPE, SPACES
from vision.boards.registration import register
from vision.geometry import hexgrid
from vision.patches import board_patches
from vision.reader import TableReader, boards_json
from vision.view import view_of

PLAYERS = ("red", "blue", "green")
MINE_SPACE = [tile_type for tile_type, _ in SAMPLE_DUCHY].index("mine")
ON_ISLANDS = ("castle", "empty", "mine", "empty", "empty", "ship", "empty")


@pytest.fixture(scope="module")
def table() -> Iterator[VirtualTable]:
    """Returns red's islands beside the duchies of two others."""
    layout = standard_layout(
        PLAYERS, {"red": SPACES, "blue": SAMPLE_DUCHY, "green": SAMPLE_DUCHY}, shapes={"red": SHAPE}
    )
    with VirtualTable(layout, seed=5) as table:
        tiles = {
            "duchy:red": list(ON_ISLANDS),
            "duchy:blue": ["empty"] * 37,
            "storage:red": ["castle", "empty", "empty"],
        }
        tiles["duchy:blue"][MINE_SPACE] = "mine"
        table.show(Scene(places={name: tuple(labels) for name, labels in tiles.items()}))
        yield table


@pytest.fixture(scope="module")
def plan(table: VirtualTable) -> TableFile:
    return parse(table.table_file(), "virtual")


def test_the_table_file_of_the_virtual_table_has_its_shape(plan: TableFile) -> None:
    red, blue, _ = plan.boards
    assert red.shape == SHAPE and red.spaces == SPACES
    assert len(blue.shape.names) == 37


def test_its_spaces_are_located_where_they_are(table: VirtualTable, plan: TableFile) -> None:
    plane = view_of(table.read(), plan).plane_of(plan.boards[0])
    assert plane is not None
    truth = [table.truth()["places"][place]["centre"] for place in plan.boards[0].places]
    assert np.abs(plane.to_frame(hexgrid(SHAPE)) - np.array(truth)).max() < 2


def test_its_spaces_are_read_like_all_others(table: VirtualTable, plan: TableFile) -> None:
    seen = TableReader(plan).read(table.read())
    assert [seen.places[place].best for place in plan.boards[0].places] == list(ON_ISLANDS)
    assert not any(seen.places[place].hidden for place in plan.boards[0].places)
    assert seen.places[f"duchy:blue:{MINE_SPACE}"].best == "mine"
    assert seen.places["storage:red:0"].best == "castle"
    assert not seen.lost and not seen.nudged


@pytest.mark.parametrize("known", [True, False], ids=["print known", "print unknown"])
def test_it_is_read_too_where_it_is_the_only_board(table: VirtualTable, plan: TableFile, known: bool) -> None:
    board = plan.boards[0] if known else replace(plan.boards[0], spaces=None)
    alone = replace(plan, boards=(board,))
    seen = TableReader(alone).read(table.read())
    assert [seen.places[place].best for place in board.places] == list(ON_ISLANDS)


def test_what_was_read_names_its_spaces(table: VirtualTable, plan: TableFile) -> None:
    places = TableReader(plan).read(table.read()).places
    red, blue, _ = boards_json(plan, places)
    assert [space["name"] for space in red["spaces"]] == list(SHAPE.names)
    assert (blue["spaces"][0]["row"], blue["spaces"][0]["col"]) == (0, 0)


def test_what_was_read_is_drawn_in_rows_or_with_the_names_of_the_spaces(
    table: VirtualTable, plan: TableFile
) -> None:
    boards = boards_json(plan, TableReader(plan).read(table.read()).places)
    _, red, islands, blue, *rows = drawing({"image": "x.jpg", "ms": 1, "boards": boards, "dice": []}).split(
        "\n"
    )
    assert (red, islands) == ("  red: 3 tiles", "    A1 Ca  A2 .  A3 Mi  A4 .  B1 .  B2 Sh  B3 .")
    assert blue == "  blue: 1 tile"
    assert rows[:3] == [
        "          .   .   .   .  ",
        "        .   .   .   .   .  ",
        "      Mi  .   .   .   .   .  ",
    ]


def test_with_too_few_spaces_to_be_located_it_moves_along_with_a_camera_that_was_nudged(
    table: VirtualTable, plan: TableFile
) -> None:
    frame = table.read()
    view = view_of(frame, plan)
    assert view.table is not None
    corners = np.array([(0, 0), (2303, 0), (2303, 1295), (0, 1295)], float)
    mm = view.table.from_frame(corners)
    fixed = replace(plan, markers=None, plane=FixedPlane(_quad(corners), _quad(mm)))
    boards = [
        replace(board, anchors=_quad(view.table.to_frame(np.array(board.anchors_mm))), anchors_mm=None)
        for board in fixed.boards
    ]
    fixed = replace(fixed, boards=tuple(boards))
    shifted = cv2.warpAffine(frame, np.array([[1.0, 0, 25], [0, 1, 12]]), (frame.shape[1], frame.shape[0]))
    moved = register(shifted, fixed, view_of(shifted, fixed))
    red = np.array(moved.table.boards[0].anchors) - np.array(fixed.boards[0].anchors)
    assert list(moved.nudged) == ["blue", "green"]
    assert np.abs(red - (25, 12)).max() < 5


def test_its_spaces_can_be_cut_out_for_people(table: VirtualTable, plan: TableFile) -> None:
    red, *_ = board_patches(table.read(), plan)
    assert red is not None and len(red.patches) == 7


def _quad(points: np.ndarray) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d
