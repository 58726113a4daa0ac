"""Lens, markers, the hex grid and rectified patches, on small pictures drawn here."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.board_shape import STANDARD
from calibration.table_file import Markers, Quad
from vision.geometry import (
    PATCH_PX,
    Lens,
    Plane,
    board_plane,
    find_markers,
    hexgrid,
)

LENS = Lens(
    np.array([[600.0, 0, 320], [0, 600, 180], [0, 0, 1]]), np.array([-0.12, 0.03, 0.001, -0.002, 0.0])
)
TABLE = np.array([[1.1, 0.08, 40], [-0.05, 1.05, 30], [2e-4, 1e-4, 1]])
"""mm -> px of a camera that looks a little from the side."""
MARKER_MM = 40
MARKER_CORNERS = {0: (0, 0), 1: (400, 0), 2: (400, 220), 3: (0, 220)}


def square(left: float, top: float) -> Quad:
    right, bottom = left + MARKER_MM, top + MARKER_MM
    return ((left, top), (right, top), (right, bottom), (left, bottom))


MARKERS = Markers("DICT_4X4_50", {i: square(*corner) for i, corner in MARKER_CORNERS.items()})


def table_with_markers(ids: tuple[int, ...]) -> np.ndarray:
    """Returns a picture of a grey table by TABLE (no lens), with the markers *ids*."""
    px_per_mm = 4
    flat = np.full((300 * px_per_mm, 480 * px_per_mm), 200, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for i in ids:
        left, top = (20 + np.array(MARKER_CORNERS[i])) * px_per_mm
        side = MARKER_MM * px_per_mm
        flat[top : top + side, left : left + side] = cv2.aruco.generateImageMarker(dictionary, i, side)
    to_mm = np.array([[1 / px_per_mm, 0, -20], [0, 1 / px_per_mm, -20], [0, 0, 1]])
    seen = cv2.warpPerspective(flat, TABLE @ to_mm, (640, 360), flags=cv2.INTER_AREA, borderValue=200)
    return cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR)


def test_the_grid_has_37_spaces_one_pitch_apart() -> None:
    grid = hexgrid()
    distances = np.linalg.norm(grid[:, None] - grid, axis=-1)
    assert grid.shape == (37, 2)
    assert np.min(distances + 9 * np.eye(37)) == pytest.approx(1)
    assert (np.isclose(distances, 1).sum(axis=1) == 6).sum() == 19  # all but the rim have six neighbours


def test_spaces_are_in_reading_order() -> None:
    grid = hexgrid()
    assert STANDARD.names[0] == "r1c1" and STANDARD.names[-1] == "r7c4"
    assert (np.diff(grid[:, 1]) >= -1e-9).all()
    assert grid[STANDARD.names.index("r4c4")] == pytest.approx((0, 0))


def test_the_lens_distorts_as_opencv_projects() -> None:
    points = np.random.default_rng(0).uniform((0, 0), (640, 360), (50, 2))
    lens = Lens(LENS.matrix, np.array([-0.12, 0.03, 0.001, -0.002, 0.04]))
    rays = np.column_stack([(points - (320, 180)) / 600, np.ones(50)])
    projected, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), lens.matrix, lens.distortion)
    assert lens.distort(points) == pytest.approx(projected.reshape(-1, 2), abs=1e-9)


def test_the_lens_undoes_its_own_distortion() -> None:
    points = np.array([[10.0, 20], [320, 180], [620, 350], [600, 10]])
    assert LENS.undistort(LENS.distort(points)) == pytest.approx(points, abs=1e-3)
    assert np.abs(LENS.distort(points) - points).max() > 1


def test_anchors_place_all_spaces_despite_lens_and_perspective() -> None:
    truth = Plane(np.array([[40, 3, 300], [-2, 38, 180], [0.005, 0.01, 1]]), LENS)
    centres = truth.to_frame(hexgrid())
    anchors = centres[list(STANDARD.anchors)]
    assert board_plane(anchors, LENS).to_frame(hexgrid()) == pytest.approx(centres, abs=0.01)


def test_anchors_on_one_line_are_refused() -> None:
    with pytest.raises(ValueError, match="check its anchors"):
        board_plane([(0, 0), (10, 10), (20, 20), (30, 30)])


def test_to_frame_and_from_frame_are_inverse() -> None:
    plane = Plane(TABLE, LENS)
    points = np.array([[0.0, 0], [100, 50], [300, 200]])
    assert plane.from_frame(plane.to_frame(points)) == pytest.approx(points, abs=1e-3)


@pytest.mark.parametrize("zoom", [1, 4])
def test_a_patch_shows_its_place_in_the_middle_upright(zoom: int) -> None:
    """A dot in the middle and a red one above it (-y), whatever the picture's resolution."""
    plane = Plane(np.diag([zoom, zoom, 1.0]) @ TABLE)
    frame = np.zeros((360 * zoom, 640 * zoom, 3), np.uint8)
    middle, above = plane.to_frame(np.array([[200.0, 100], [200, 88]])).round().astype(int)
    cv2.circle(frame, middle.tolist(), 2 * zoom, (255, 255, 255), -1)
    cv2.circle(frame, above.tolist(), 2 * zoom, (0, 0, 255), -1)
    (patch,), (inside,) = plane.patches(frame, np.array([[200.0, 100]]), 40.0)
    half = PATCH_PX // 2
    assert inside == 1
    assert patch[half, half].min() > 150
    y, x = np.unravel_index((patch[..., 2].astype(int) - patch[..., 0]).argmax(), patch.shape[:2])
    assert abs(x - half) <= 2 and y - half == pytest.approx(-12 * PATCH_PX / 48, abs=2)


def test_a_patch_of_a_rotated_place_is_upright() -> None:
    noise = np.random.default_rng(2).integers(0, 255, (100, 100), np.uint8)
    frame = cv2.GaussianBlur(noise, (0, 0), 2)
    upright, turned = (
        Plane(np.eye(3)).patches(frame, np.array([[50.0, 50]]), 40.0, turn=turn)[0][0]
        for turn in (0.0, np.pi / 2)
    )
    assert np.abs(np.rot90(upright).astype(int) - turned).max() <= 1  # its right side is up now


def test_patches_have_their_share_inside_the_frame() -> None:
    frame = np.zeros((100, 100, 3), np.uint8)
    _, inside = Plane(np.eye(3)).patches(frame, np.array([[50.0, 50], [0, 50], [300, 300]]), 20.0)
    assert inside == pytest.approx([1, 0.5, 0], abs=0.05)


def test_four_markers_give_the_table_plane() -> None:
    view = find_markers(table_with_markers((0, 1, 2, 3)), MARKERS)
    probe = np.array([[200.0, 130], [50, 200]])
    assert view.seen == (0, 1, 2, 3) and view.missing == ()
    assert view.error_px is not None and view.error_px < 0.5 and view.plane is not None
    assert view.plane.to_frame(probe) == pytest.approx(Plane(TABLE).to_frame(probe), abs=0.7)


def test_three_of_four_markers_do() -> None:
    view = find_markers(table_with_markers((0, 1, 3)), MARKERS)
    probe = np.array([[200.0, 130]])
    assert view.missing == (2,) and view.plane is not None
    assert view.plane.to_frame(probe) == pytest.approx(Plane(TABLE).to_frame(probe), abs=1)


def test_two_of_four_markers_do_not_and_the_view_names_the_missing_ones() -> None:
    view = find_markers(table_with_markers((0, 1)), MARKERS)
    assert view.plane is None and view.error_px is None
    assert view.missing == (2, 3)
    assert "marker 2, 3" in str(view)


def test_markers_that_were_not_declared_are_ignored() -> None:
    declared = Markers("DICT_4X4_50", {i: MARKERS.corners_mm[i] for i in (0, 1, 2)})
    assert find_markers(table_with_markers((0, 1, 2, 3)), declared).seen == (0, 1, 2)
