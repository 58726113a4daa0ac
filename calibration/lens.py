"""Lens calibration from pictures of the printed ChArUco board (``companion calibrate camera``).

Zhang, "A flexible new technique for camera calibration" (2000), as implemented by OpenCV.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.errors import CompanionError

from .sheet import LENS_BOARD
from .table_file import DISTORTION_TERMS, Camera

MIN_CORNERS = 12
"""Corners that a picture must show; fewer say too little about the lens."""
MIN_VIEWS, ENOUGH_VIEWS = 5, 12
"""Pictures needed for a calibration, and number from which more hardly improve it."""
MOVED = 0.06
"""Mean movement of the corners, in widths of the picture, that makes a view a new one."""
STRAY = 3.0
"""Multiple of the median error from which a view is excluded: it is blurred, or the sheet was bent."""
OUTER = 0.75
"""In half diagonals. If no corner lies farther out, the highest distortion term (k3) is fixed to 0: only the outer
parts of a picture determine it."""
GOOD_ERROR = 0.8
"""px; a larger error means a bent sheet or blurred pictures."""


class LensError(CompanionError, ValueError):
    """The pictures do not determine the lens; the message says what to do."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """The ChArUco board in one picture."""

    ids: np.ndarray
    """(N,) int of the visible corners."""
    corners: np.ndarray
    """(N, 2) float32 px."""


@dataclass(frozen=True, slots=True)
class MeasuredLens:
    """A calibrated lens with its quality."""

    camera: Camera
    error_px: float
    """Root mean square distance between detected and projected corners."""
    views: int
    """Pictures used."""
    excluded: int
    """Pictures excluded because they did not fit the others."""
    reach: float
    """Distance of the outermost corner from the centre of the picture, in half diagonals."""


def detect_board(frame: np.ndarray) -> BoardView | None:
    """Returns the board in *frame*, (H, W, 3) uint8 BGR; None if too few of its corners are visible."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(LENS_BOARD.charuco()).detectBoard(grey)
    if ids is None or len(ids) < MIN_CORNERS:
        return None
    return BoardView(ids.ravel(), corners.reshape(-1, 2))


def is_new_view(view: BoardView, others: Sequence[BoardView], width: int) -> bool:
    """Returns whether the board lies differently from all *others*; *width* is that of the pictures in px."""
    for other in others:
        _, here, there = np.intersect1d(view.ids, other.ids, return_indices=True)
        if len(here) >= MIN_CORNERS // 2:
            apart = np.linalg.norm(view.corners[here] - other.corners[there], axis=1).mean()
            if apart < MOVED * width:
                return False
    return True


def measure_lens(views: Sequence[BoardView], size: tuple[int, int]) -> MeasuredLens:
    """Returns the lens calibrated from *views* in pictures of *size* (width, height) px.

    Raises :class:`LensError` when there are too few views, or they do not determine the lens.
    """
    if len(views) < MIN_VIEWS:
        raise LensError(
            f"the board is seen in {len(views)} different pictures but {MIN_VIEWS} are needed: take more "
            "from other sides that show most of the sheet"
        )
    reach = max(_reach(view, size) for view in views)
    used = list(views)
    matrix, distortion, errors = _calibrated(used, size, reach)
    fitting = errors <= STRAY * np.median(errors)
    if not fitting.all() and fitting.sum() >= MIN_VIEWS:
        used = [view for view, fits in zip(views, fitting, strict=True) if fits]
        matrix, distortion, errors = _calibrated(used, size, reach)
    corners = np.array([len(view.ids) for view in used])
    return MeasuredLens(
        Camera(tuple(map(tuple, matrix.tolist())), tuple(distortion.tolist())),
        float(np.sqrt((errors**2 * corners).sum() / corners.sum())),
        len(used),
        len(views) - len(used),
        reach,
    )


def _calibrated(
    views: Sequence[BoardView], size: tuple[int, int], reach: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the camera matrix (3, 3), the distortion (5,) and the error of each view (N,) in px."""
    printed = np.array(LENS_BOARD.charuco().getChessboardCorners(), np.float32)
    flags = 0 if reach > OUTER else cv2.CALIB_FIX_K3
    try:
        # The stubs demand a first guess of the matrix and of the distortion; there is none.
        _, matrix, distortion, _, _, _, _, errors = cv2.calibrateCameraExtended(  # type: ignore[call-overload]
            [printed[view.ids] for view in views],
            [view.corners for view in views],
            size,
            None,
            None,
            flags=flags,
        )
    except cv2.error as error:  # the corners of a view lie on one line
        raise LensError(
            "the pictures are not enough to measure the lens: take others that show most of the sheet"
        ) from error
    return matrix, distortion.ravel()[:DISTORTION_TERMS], errors.ravel()


def _reach(view: BoardView, size: tuple[int, int]) -> float:
    """Returns the distance of the outermost corner from the centre of the picture, in half diagonals."""
    middle = np.array(size) / 2
    return float(np.linalg.norm(view.corners - middle, axis=1).max() / np.linalg.norm(middle))
