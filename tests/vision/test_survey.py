"""One table plane from the boards and markers on it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.boards.survey import survey_table
from vision.geometry import Lens, Plane, hexgrid

LENS = Lens(np.array([[1600.0, 0, 1152], [0, 1600, 648], [0, 0, 1]]), np.array([0.05, -0.05, 0.001, 0, 0]))
PITCH, SIDE = 27.3, 42.0
TABLE = Plane(np.array([[1.6, 0.1, 1150], [-0.08, 1.55, 640], [1e-5, 1.2e-4, 1]]), LENS)
"""From mm to px."""
BOARDS = ((-300.0, -180.0, 0.1), (280.0, -150.0, 3.0), (20.0, 190.0, 1.6))
MARKERS = {0: (-500.0, -300.0, 0.4), 1: (500.0, -280.0, 1.0), 2: (480.0, 300.0, 0.0), 3: (-490.0, 310.0, 2.0)}


def placed(points: np.ndarray, pose: tuple[float, float, float]) -> np.ndarray:
    x, y, turn = pose
    c, s = np.cos(turn), np.sin(turn)
    there: np.ndarray = points @ np.array([[c, s], [-s, c]]) + (x, y)
    return there


def board_planes(noise: float = 0.0) -> list[Plane]:
    rng = np.random.default_rng(1)
    seen = [TABLE.to_frame(placed(hexgrid() * PITCH, pose)) for pose in BOARDS]
    return [Plane.fit(hexgrid(), px + rng.normal(0, noise, px.shape), LENS) for px in seen]


def marker_corners() -> dict[int, np.ndarray]:
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * SIDE
    return {marker: TABLE.to_frame(placed(square, pose)) for marker, pose in MARKERS.items()}


def distances(points: np.ndarray) -> np.ndarray:
    apart: np.ndarray = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    return apart


def test_markers_determine_the_scale_and_boards_the_plane() -> None:
    survey = survey_table(board_planes(), marker_corners(), SIDE, LENS)
    assert survey.pitch_mm == pytest.approx(PITCH, abs=0.01)
    found = np.array([anchors.mean(axis=0) for anchors in survey.anchors_mm])
    assert np.allclose(distances(found), distances(np.array(BOARDS)[:, :2]), atol=0.1)


def test_places_far_from_every_board_are_accurate_despite_noise() -> None:
    survey = survey_table(board_planes(noise=0.5), marker_corners(), SIDE, LENS)
    found = np.concatenate([survey.corners_mm[marker] for marker in MARKERS])
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * SIDE
    truth = np.concatenate([placed(square, pose) for pose in MARKERS.values()])
    assert np.abs(distances(found) - distances(truth)).max() < 2.0


def test_without_markers_the_boards_determine_the_plane() -> None:
    survey = survey_table(board_planes(), lens=LENS)
    found = np.array([anchors.mean(axis=0) for anchors in survey.anchors_mm]) * PITCH / survey.pitch_mm
    assert np.allclose(distances(found), distances(np.array(BOARDS)[:, :2]), atol=0.5)


def test_the_table_is_upright_as_in_the_picture() -> None:
    survey = survey_table(board_planes(), marker_corners(), SIDE, LENS)
    here, right = survey.table.to_frame(np.array([(0.0, 0.0), (10.0, 0.0)]))
    assert right[0] > here[0]
    assert abs(right[1] - here[1]) < 0.1 * (right[0] - here[0])


def test_a_table_without_boards_cannot_be_measured() -> None:
    with pytest.raises(ValueError, match="boards"):
        survey_table([])
