"""How the types of tiles are read with and without knowledge of the print."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.board_kind import Spaces
from calibration.games.burgundy import BOARDS
from vision.boards import reading
from vision.boards.networks import FACES, TYPES, PlacePredictions
from vision.boards.reading import BoardPatches, read_spaces
from vision.geometry import PATCH_PX

PRINT = BOARDS.known["se-1"]
FIRST, OTHER = BOARDS.types.index(PRINT[0][0]), BOARDS.types.index("mine")
BESIDE = len(PRINT)
"""Index of the place beside the board."""


def board(spaces: Spaces | None = PRINT) -> BoardPatches:
    """Returns patches of a board and of one place beside it."""
    count = BESIDE + 1
    return BoardPatches(np.zeros((count, PATCH_PX, PATCH_PX, 3), np.uint8), np.ones(count), spaces, BOARDS)


def predictions(likeliest: int, sure: float) -> PlacePredictions:
    """Returns what is read when only the first space and the place beside have tiles, of the same type."""
    types = np.full((BESIDE + 1, TYPES), (1 - sure) / (TYPES - 1))
    types[:, likeliest] = sure
    empty = np.full(BESIDE + 1, 0.99)
    empty[[0, BESIDE]] = 0.01
    return PlacePredictions(
        empty, types, types, np.full((BESIDE + 1, FACES), 1 / FACES), np.zeros(BESIDE + 1)
    )


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Returns for each question to the readers whether they were told the print; with it, they doubt the first tile."""
    questions: list[bool] = []

    def predict(board: BoardPatches) -> PlacePredictions:
        questions.append(board.spaces is not None)
        return predictions(FIRST, 0.6) if board.spaces else predictions(OTHER, 0.99)

    monkeypatch.setattr(reading, "predict_places", predict)
    return questions


def test_a_tile_does_not_take_the_type_of_its_space_if_it_looks_like_another(asked: list[bool]) -> None:
    read = read_spaces(board())
    assert int(read.tile_types[0].argmax()) == OTHER and asked == [True, False]
    assert np.allclose(read.tile_types.sum(axis=1), 1)


def test_places_beside_the_board_are_read_by_what_is_known_of_it(asked: list[bool]) -> None:
    assert int(read_spaces(board()).tile_types[BESIDE].argmax()) == FIRST


def test_readers_are_asked_once_if_every_tile_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = []

    def predict(board: BoardPatches) -> PlacePredictions:
        questions.append(board.spaces)
        return predictions(FIRST, 0.995)

    monkeypatch.setattr(reading, "predict_places", predict)
    assert int(read_spaces(board()).tile_types[0].argmax()) == FIRST and questions == [PRINT]


def test_a_board_of_unknown_print_is_read_without_it(asked: list[bool]) -> None:
    assert int(read_spaces(board(None)).tile_types[0].argmax()) == OTHER and asked == [False]
