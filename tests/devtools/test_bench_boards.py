"""What ``companion bench vision`` says about boards."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.board_shape import STANDARD, row_and_column
from calibration.games.burgundy.facts import load_facts
from calibration.table_file import parse
from companion.cli.main import main
from companion.devtools.games.burgundy.boards import measure_boards
from hardware.scene import Scene
from hardware.virtual_table import VirtualTable
from hardware.virtual_table.games.burgundy import standard_layout
from vision.geometry import hexgrid
from vision.view import view_of

SHIP_ON_A_CASTLE = 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a sequence of two pictures: an empty board, then one with a tile on a space of another colour."""
    folder = tmp_path_factory.mktemp("pictures")
    spaces = load_facts().duchy("se-1").spaces
    layout = standard_layout(("red", "blue"), {"red": spaces, "blue": spaces})
    with VirtualTable(layout, seed=5) as table:
        for turn in range(2):
            placed = {SHIP_ON_A_CASTLE: "ship"} if turn else {}
            tiles = tuple(placed.get(i, "empty") for i in range(len(spaces)))
            table.show(Scene(places={"duchy:red": tiles}))
            save(folder, turn, table, placed)
    return folder


def save(folder: Path, turn: int, table: VirtualTable, placed: dict[int, str]) -> None:
    frame, file = table.read(), table.table_file()
    plan = parse(file, "virtual")
    view = view_of(frame, plan)
    boards = []
    assert view.table is not None
    for board in plan.boards:
        plane = view.plane_of(board)
        assert plane is not None
        centres = plane.to_frame(hexgrid())
        hexes = [
            {
                **dict(zip(("row", "col"), row_and_column(name) or (), strict=True)),
                "centre": centres[i].tolist(),
                "printed_colour": colour,
                "printed_die": die,
                "visible": 1.0,
                "blown_out": 0.0,
                "tile": {"type": placed[i], "variant": None, "rule_violation": True}
                if i in placed and board.player == "red"
                else None,
            }
            for i, (name, (colour, die)) in enumerate(
                zip(STANDARD.names, load_facts().duchy("se-1").spaces, strict=True)
            )
        ]
        boards.append({"player": board.player, "hexes": hexes})
    scale = np.hypot(*np.diff(view.table.to_frame(np.array([(0.0, 0.0), (100.0, 0.0)])), axis=0)[0]) / 100
    truth = {
        "image": f"seq_{turn}.png",
        "edition": "virtual",
        "width": frame.shape[1],
        "height": frame.shape[0],
        "px_per_mm": float(scale),
        "camera": {"K": file["camera"]["matrix"], "dist_k1k2p1p2k3": file["camera"]["distortion"]},
        "sequence": {"turn": turn},
        "boards": boards,
        "dice": [],
    }
    cv2.imwrite(str(folder / f"seq_{turn}.png"), frame)
    (folder / f"seq_{turn}.truth.json").write_text(json.dumps(truth))


def test_spaces_boards_changes_and_nudges_are_counted(folder: Path) -> None:
    figures = measure_boards(folder, 1)
    assert figures is not None and figures.pictures == 2
    for read in figures.reads.values():
        assert (read.accuracy.correct["occupancy"], read.accuracy.total["occupancy"]) == (148, 148)
        assert (read.accuracy.correct["off-colour type"], read.accuracy.total["off-colour type"]) == (1, 1)
        assert read.sure_wrong == 0
    finds, changes = figures.finds, figures.changes
    assert (finds.boards, finds.found, finds.false, finds.named, finds.misnamed) == (4, 4, 0, 4, 0)
    assert max(finds.corner_mm) < 4
    assert (changes.placed, changes.found, changes.still, changes.false) == (1, 1, 73, 0)
    assert (changes.nudged, changes.noticed, changes.false_nudges) == (4, 4, 0)


def test_later_pictures_are_read_with_and_without_what_was_learnt_from_earlier_ones(folder: Path) -> None:
    figures = measure_boards(folder, 1)
    assert figures is not None
    for way in (figures.learnt.print_alone, figures.learnt.learnt):
        assert len(way.readings) == 74 and all(right for _, right in way.readings)
    assert figures.learnt.learnt.doubtful <= figures.learnt.print_alone.doubtful


def test_a_folder_without_boards_has_no_figures(tmp_path: Path) -> None:
    assert measure_boards(tmp_path, 1) is None


def test_the_command_reports_boards_and_dice(folder: Path) -> None:
    result = CliRunner().invoke(main, ["bench", "vision", str(folder), "--json"])
    assert result.exit_code == 0, result.output
    (boards,) = json.loads(result.stdout)["boards"]
    assert boards["reads"]["print known"]["occupancy"] == [148, 148]
    assert boards["changes"]["found"] == 1
    assert boards["learnt"]["learnt"]["spaces"] == 74
