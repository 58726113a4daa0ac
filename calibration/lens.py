"""A camera's lens, measured on pictures of the printed ChArUco board (``companion calibrate camera``).

Zhang, "A flexible new technique for camera calibration" (2000), as OpenCV does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from .sheet import LENS_BOARD
from .table_file import DISTORTION_TERMS, Camera

LEAST_CORNERS = 12
"""Corners of the board in a picture below which it says little about the lens."""
LEAST_VIEWS, ENOUGH_VIEWS = 5, 12
"""Pictures below which nothing is measured, and from which more of them hardly help."""
MOVED = 0.06
"""Widths of the picture by which the board's corners must have moved, in the mean, to be a new view of it."""
STRAY = 3.0
"""Times the usual error from which a view is left out: blurred, or the sheet was bent."""
OUTER = 0.75
"""Of the half diagonal. When no corner lies farther out, the highest term of the distortion (k3), which only the outer
parts of a picture tell, is left at 0."""
GOOD_ERROR = 0.8
"""px; a larger error tells of a bent sheet or blurred pictures."""


class LensError(ValueError):
    """The pictures do not tell what the lens is like; the message says what to do."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board in one picture."""

    ids: np.ndarray
    """(N,) int of the corners seen."""
    corners: np.ndarray
    """(N, 2) float32 px."""


@dataclass(frozen=True, slots=True)
class MeasuredLens:
    """A lens, and how well it is known."""

    camera: Camera
    error_px: float
    """Root mean square distance between where corners were seen and where the lens puts them."""
    views: int
    """Pictures it rests on."""
    excluded: int
    """Pictures that did not fit with the others."""
    reach: float
    """How far from the middle corners were seen, in half diagonals."""


def detect_board(frame: np.ndarray) -> BoardView | None:
    """The board in *frame*, (H, W, 3) uint8 BGR; None when too little of it is seen."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(LENS_BOARD.charuco()).detectBoard(grey)
    if ids is None or len(ids) < LEAST_CORNERS:
        return None
    return BoardView(ids.ravel(), corners.reshape(-1, 2))


def is_new_view(view: BoardView, others: Sequence[BoardView], width: int) -> bool:
    """Whether the board lies otherwise than in all *others*; *width* of the pictures, px."""
    for other in others:
        _, here, there = np.intersect1d(view.ids, other.ids, return_indices=True)
        if len(here) >= LEAST_CORNERS // 2:
            apart = np.linalg.norm(view.corners[here] - other.corners[there], axis=1).mean()
            if apart < MOVED * width:
                return False
    return True


def measure_lens(views: Sequence[BoardView], size: tuple[int, int]) -> MeasuredLens:
    """The lens by which all *views* were taken, in pictures of *size* (width, height) px.

    Raises :class:`LensError` when there are too few of them, or they tell nothing.
    """
    if len(views) < LEAST_VIEWS:
        raise LensError(
            f"the board is seen in {len(views)} different pictures but {LEAST_VIEWS} are needed: take more, from "
            "other sides, with most of the sheet in sight"
        )
    reach = max(_reach(view, size) for view in views)
    kept = list(views)
    matrix, distortion, errors = _calibrated(kept, size, reach)
    fitting = errors <= STRAY * np.median(errors)
    if not fitting.all() and fitting.sum() >= LEAST_VIEWS:
        kept = [view for view, fits in zip(views, fitting, strict=True) if fits]
        matrix, distortion, errors = _calibrated(kept, size, reach)
    corners = np.array([len(view.ids) for view in kept])
    return MeasuredLens(
        Camera(tuple(map(tuple, matrix.tolist())), tuple(distortion.tolist())),
        float(np.sqrt((errors**2 * corners).sum() / corners.sum())),
        len(kept),
        len(views) - len(kept),
        reach,
    )


def _calibrated(
    views: Sequence[BoardView], size: tuple[int, int], reach: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Camera matrix (3, 3), distortion (5,), and the error of each view (N,) px."""
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
            "the pictures do not tell what the lens is like: take others, with most of the sheet in sight"
        ) from error
    return matrix, distortion.ravel()[:DISTORTION_TERMS], errors.ravel()


def _reach(view: BoardView, size: tuple[int, int]) -> float:
    """How far the corners reach from the middle of the picture, in half diagonals."""
    middle = np.array(size) / 2
    return float(np.linalg.norm(view.corners - middle, axis=1).max() / np.linalg.norm(middle))
