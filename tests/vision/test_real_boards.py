"""Boards in real photos, which are found without any table file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.games.burgundy import BOARDS
from companion.calibrate.games.burgundy import TABLE
from companion.calibrate.table import detected_table
from vision.boards.finding import locate_boards
from vision.pictures import load_image
from vision.reader import read_boards

NEAR_PX = 8.0
"""The anchors were measured by eye; two lie outside the picture."""


@pytest.fixture
def in_play(shared: Path) -> tuple[np.ndarray, dict[str, Any]]:
    """Returns a photo of a duchy in play, rotated by a quarter turn and partly in glare, and its truth."""
    folder = shared / "photos" / "boards2"
    truth = json.loads((folder / "truth.json").read_text())["special-edition-in-play.jpg"]
    return load_image(folder / "special-edition-in-play.jpg"), truth["boards"][0]


def test_a_duchy_in_play_is_found_in_its_rotation_and_named(
    in_play: tuple[np.ndarray, dict[str, Any]],
) -> None:
    frame, truth = in_play
    (board,), _ = locate_boards(frame, BOARDS)
    assert board.printed_id == truth["duchy"] and not board.is_doubtful
    assert np.abs(board.anchors() - truth["anchors"]).max() < NEAR_PX


def test_all_visible_spaces_of_a_duchy_in_play_are_read(in_play: tuple[np.ndarray, dict[str, Any]]) -> None:
    frame, truth = in_play
    table, doubtful = detected_table(frame, TABLE)
    (board,) = read_boards(frame, table)["boards"]
    wrong = [
        space
        for space, true in zip(board["spaces"], truth["spaces"], strict=True)
        if true["visible"] and (space["tile"] and space["tile"]["type"]) != true["tile"]
    ]
    assert not doubtful and not wrong


@pytest.mark.parametrize("picture", ["catan33.jpg", "catan6.jpg"])
def test_a_board_of_another_game_is_no_duchy(shared: Path, picture: str) -> None:
    (folder,) = (shared / "cases").glob("15-*")
    boards, _ = locate_boards(load_image(folder / picture), BOARDS)
    assert all(board.is_doubtful and board.printed_id is None for board in boards)
