"""Boards and cameras that are nudged during play are noticed and followed."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.board_shape import BoardShape
from calibration.games.burgundy.facts import load_facts
from calibration.table_file import BoardPlan, FixedPlane, Quad, TableFile, parse
from hardware.scene import Scene
from hardware.virtual_table import VirtualTable
from hardware.virtual_table.games.burgundy import standard_layout
from vision.boards.registration import Registered, register
from vision.geometry import Plane
from vision.reader import TableReader
from vision.view import TableView, view_of

NAMES = {"red": "se-1", "blue": "se-7"}


@pytest.fixture(scope="module")
def still() -> tuple[np.ndarray, TableFile]:
    """Returns a picture of a virtual table, and its table file."""
    duchies = load_facts().duchies
    layout = standard_layout(tuple(NAMES), {player: duchies[name].spaces for player, name in NAMES.items()})
    with VirtualTable(layout, seed=5) as table:
        table.show(Scene())
        return table.read(), parse(table.table_file(), "virtual")


def anchors_of(board: BoardPlan) -> np.ndarray:
    """Returns the anchors in mm, (4, 2)."""
    assert board.anchors_mm is not None
    return np.array(board.anchors_mm)


def quad(points: np.ndarray) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def table_plane(view: TableView) -> Plane:
    assert view.table is not None
    return view.table


def before_push(table: TableFile, player: str, mm: tuple[float, float]) -> TableFile:
    """Returns the table file before *player*'s board was pushed by *mm* to its position in *table*."""
    boards = tuple(
        replace(board, anchors_mm=quad(anchors_of(board) - np.array(mm))) if board.player == player else board
        for board in table.boards
    )
    return replace(table, boards=boards)


def worst_mm(registered: TableFile, truth: TableFile) -> float:
    return max(
        float(np.hypot(*(anchors_of(here) - anchors_of(there)).T).max())
        for here, there in zip(registered.boards, truth.boards, strict=True)
    )


def test_unmoved_boards_stay_unchanged(still: tuple[np.ndarray, TableFile]) -> None:
    frame, table = still
    registered = register(frame, table, view_of(frame, table))
    assert registered == Registered(table)


@pytest.mark.parametrize("mm", [(4.0, 3.0), (-10.0, 8.0), (24.0, -16.0)], ids=["5 mm", "13 mm", "29 mm"])
def test_a_board_that_was_pushed_is_followed(
    still: tuple[np.ndarray, TableFile], mm: tuple[float, float]
) -> None:
    frame, table = still
    old = before_push(table, "red", mm)
    registered = register(frame, old, view_of(frame, old))
    assert list(registered.nudged) == ["red"]
    assert registered.nudged["red"] == pytest.approx(np.hypot(*mm), abs=1.5)
    assert worst_mm(registered.table, table) < 2.0


def test_a_board_of_another_shape_that_was_pushed_is_followed() -> None:
    shape = BoardShape.in_rows((4, 5, 6, 7, 6))
    printed = load_facts().duchies["se-1"].spaces[: len(shape.names)]
    with VirtualTable(standard_layout(["red"], {"red": printed}, shapes={"red": shape}), seed=5) as table:
        table.show(Scene())
        frame, plan = table.read(), parse(table.table_file(), "virtual")
    old = before_push(plan, "red", (-8.0, 7.0))
    registered = register(frame, old, view_of(frame, old))
    assert registered.nudged == {"red": pytest.approx(np.hypot(8.0, 7.0), abs=1.5)}
    assert worst_mm(registered.table, plan) < 2.0
    assert register(frame, plan, view_of(frame, plan)) == Registered(plan)


def test_a_camera_without_markers_that_was_nudged_takes_boards_and_depots_along(
    still: tuple[np.ndarray, TableFile],
) -> None:
    frame, table = still
    view = view_of(frame, table)
    pixels = np.array([(500.0, 300.0), (1800.0, 300.0), (1800.0, 1000.0), (500.0, 1000.0)])
    plane = FixedPlane(quad(pixels), quad(table_plane(view).from_frame(pixels)))
    unmarked = replace(table, markers=None, plane=plane)
    nudge = np.array([[1, 0, 14.0], [0, 1, -9.0]])
    nudged = cv2.warpAffine(frame, nudge, frame.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    registered = register(nudged, unmarked, view_of(nudged, unmarked))
    assert set(registered.nudged) == set(NAMES)
    depot = np.array(table.places[0].centres_mm)
    before = table_plane(view).to_frame(depot)
    after = table_plane(view_of(nudged, registered.table)).to_frame(depot)
    assert np.allclose(after - before, (14, -9), atol=4)


def test_a_reader_follows_a_nudged_board(still: tuple[np.ndarray, TableFile]) -> None:
    frame, table = still
    reader = TableReader(before_push(table, "red", (9.0, 7.0)))
    first, second = reader.read(frame), reader.read(frame)
    assert set(first.nudged) == {"red"} and not second.nudged
    assert all(second.places[f"duchy:red:{i}"].best == "empty" for i in range(37))


def test_a_covered_board_does_not_count_as_lost(still: tuple[np.ndarray, TableFile]) -> None:
    frame, table = still
    view = view_of(frame, table)
    covered = frame.copy()
    duchy = view.plane_of(table.boards[0])
    assert duchy is not None
    middle = duchy.to_frame(np.zeros((1, 2)))[0]
    cv2.circle(covered, tuple(np.round(middle).astype(int).tolist()), 200, (120, 150, 190), -1)
    registered = register(covered, table, view)
    assert not registered.nudged and not registered.lost
