"""The command ``companion calibrate camera``, tried on pictures of the board through a lens that is known."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.lens import MIN_VIEWS, BoardView, LensError, detect_board, is_new_view, measure_lens
from calibration.sheet import CELLS_A_SQUARE, LENS_BOARD, lens_board_cells
from calibration.table_file import load
from companion.cli.main import main
from vision.pictures import load_image

SIZE = (1152, 648)
MATRIX = np.array([[900.0, 0, 590.0], [0, 905.0, 310.0], [0, 0, 1]])
DISTORTION = np.array([-0.16, 0.05, 0.001, -0.0008, 0.0])
VIEWS = (
    (0, 0, 0, 0, 0, 330), (25, 0, 5, -60, 0, 350), (-25, 5, 90, 60, 10, 350), (5, 28, 30, 0, 20, 360),
    (0, -28, -40, 20, -20, 380), (18, 18, 80, -120, 20, 420), (-18, 20, 10, 130, -20, 430), (10, -20, 60, 0, 0, 500),
)  # fmt: skip
"""Tilts about x and y, turn (degrees), and where the board's middle lies before the camera, mm."""


def photograph(view: tuple[float, ...], noise: float = 2.0) -> np.ndarray:
    """Returns the board as seen through the lens; each pixel is traced back to the paper."""
    tilt_x, tilt_y, turn, *place = view
    rotation = np.eye(3)
    for axis, degrees in ((2, turn), (1, tilt_y), (0, tilt_x)):
        rotation = cv2.Rodrigues(np.radians(degrees) * np.eye(3)[axis])[0] @ rotation
    width, height = (count * LENS_BOARD.square for count in LENS_BOARD.squares)
    shift = np.array(place) - rotation @ (width / 2, height / 2, 0)
    to_picture = np.column_stack([rotation[:, :2], shift])
    pixels = np.stack(np.meshgrid(*(np.arange(n, dtype=float) for n in SIZE)), axis=-1).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(pixels, MATRIX, DISTORTION)
    paper = cv2.perspectiveTransform(rays, np.linalg.inv(to_picture)).reshape(SIZE[1], SIZE[0], 2)
    fine = 6
    printed = np.kron(np.where(lens_board_cells(), 25, 225), np.ones((fine, fine))).astype(np.uint8)
    where = (paper * (CELLS_A_SQUARE * fine / LENS_BOARD.square) - 0.5).astype(np.float32)
    seen = cv2.remap(
        printed,
        where[..., 0],
        where[..., 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=120,
    )
    noisy = cv2.GaussianBlur(seen, (0, 0), 0.8) + np.random.default_rng(0).normal(0, noise, seen.shape)
    return np.repeat(np.clip(noisy, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    for i, view in enumerate(VIEWS):
        cv2.imwrite(str(folder / f"{i}.png"), photograph(view))
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["calibrate", "camera", *map(str, arguments)])


def test_the_lens_is_found_again_and_saved_in_a_new_table_file(pictures: Path, tmp_path: Path) -> None:
    result = run(tmp_path / "table.json", "--camera", pictures)
    assert result.exit_code == 0, result.output
    table = load(tmp_path / "table.json")
    assert table.image_size == SIZE and table.camera is not None
    grid = np.stack(np.meshgrid(np.linspace(60, 1090, 9), np.linspace(40, 600, 6)), axis=-1).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(grid, MATRIX, DISTORTION)
    measured = np.array(table.camera.matrix), np.array(table.camera.distortion)
    back = cv2.projectPoints(cv2.convertPointsToHomogeneous(rays), np.zeros(3), np.zeros(3), *measured)[0]
    assert (
        np.linalg.norm(back - grid, axis=-1).max() < 4
    )  # the whole picture, a degree of focal length included
    assert measured[0][0, 0] == pytest.approx(900, rel=0.01)


def test_the_error_is_reported_in_pixels(pictures: Path) -> None:
    views = [detect_board(load_image(path)) for path in sorted(pictures.iterdir())]
    assert all(view is not None for view in views)
    assert measure_lens([view for view in views if view], SIZE).error_px < 0.3


def test_a_view_that_does_not_fit_is_ignored(pictures: Path) -> None:
    views = [view for path in sorted(pictures.iterdir()) if (view := detect_board(load_image(path)))]
    views[3].corners[:] += np.random.default_rng(1).normal(0, 6, views[3].corners.shape)
    lens = measure_lens(views, SIZE)
    assert lens.excluded == 1 and lens.error_px < 0.3


def test_the_same_view_twice_counts_once() -> None:
    view, other = (detect_board(photograph(VIEWS[0], noise)) for noise in (1.0, 3.0))
    assert view is not None and other is not None
    assert not is_new_view(other, [view], SIZE[0])


def test_too_few_pictures_are_asked_to_be_more(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), photograph(VIEWS[0]))
    result = run(tmp_path / "table.json", "--camera", tmp_path)
    assert result.exit_code == 1 and "seen in 1 different pictures but 5 are needed" in result.output
    assert not (tmp_path / "table.json").exists()


def test_the_rest_of_a_table_file_stays(pictures: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"about": "mine", "image_size": SIZE}))
    run(path, "--camera", pictures)
    assert json.loads(path.read_text())["about"] == "mine"


def test_a_table_file_for_another_size_is_not_changed(pictures: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"image_size": [2304, 1296]}))
    result = run(path, "--camera", pictures)
    assert result.exit_code == 1 and "is for pictures of [2304, 1296] px" in result.output
    assert json.loads(path.read_text()) == {"image_size": [2304, 1296]}


def test_corners_on_one_spot_give_no_hint_of_the_lens() -> None:
    spot = BoardView(np.arange(12), np.full((12, 2), 50, np.float32))
    with pytest.raises(LensError, match="take others"):
        measure_lens([spot] * MIN_VIEWS, SIZE)
