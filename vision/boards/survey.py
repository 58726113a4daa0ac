"""Measures one flat table from one picture of boards of equal size and markers of known size.

Each of them determines the table plane well where it lies and badly elsewhere: a marker is small. Together they
determine it everywhere, by bundle adjustment (Triggs et al., Bundle adjustment: a modern synthesis, 2000).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.board_shape import PITCH_MM, STANDARD

from ..geometry import Lens, Plane, PlaneError, hexgrid, transformed

STEPS = 30
SMALL_STEP = 1e-7
"""Relative change of the error at which the optimisation stops."""
STEP = 1e-6
"""Relative step of the numerical derivatives."""


@dataclass(frozen=True, slots=True)
class Survey:
    """Positions on the table, in mm; x right and y down as in the picture."""

    table: Plane
    anchors_mm: tuple[np.ndarray, ...]
    """For each board the (4, 2) centres of its anchor spaces."""
    corners_mm: Mapping[int, np.ndarray]
    """Marker id -> its (4, 2) corners."""
    pitch_mm: float
    error_px: float
    """Root mean square distance between detected and computed positions."""


def survey_table(
    boards: Sequence[Plane],
    markers: Mapping[int, np.ndarray] | None = None,
    marker_side: float = 0.0,
    lens: Lens | None = None,
) -> Survey:
    """Fits the table to boards of standard shape (planes from pitches to px) and to marker corners (4, 2) px.

    :raises PlaneError: when there are no boards, or they are not coplanar.
    """
    markers = markers or {}
    if not boards:
        raise PlaneError("a table is measured by the boards on it, but none was given")
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * marker_side
    shapes = [hexgrid()] * len(boards) + [square] * len(markers)
    undistort = lens.undistort if lens else np.asarray
    seen = [undistort(board.to_frame(hexgrid())) for board in boards]
    seen += [undistort(corners) for corners in markers.values()]
    bundle = _Bundle(shapes, len(boards), seen)
    start = bundle.start(boards[0].homography)
    try:
        best, error = _least_squares(bundle.residuals, start, free=len(start) - (not markers))
        homography, pitch, placed = bundle.unpack(best)
        upright = _upright(homography, np.concatenate(seen))
    except np.linalg.LinAlgError:
        raise PlaneError("the boards do not lie on one table: correct their corners") from None
    table = Plane(homography @ np.linalg.inv(upright), lens)
    placed = [transformed(points, upright) for points in placed]
    anchors = list(STANDARD.anchors)
    return Survey(
        table,
        tuple(points[anchors] for points in placed[: len(boards)]),
        dict(zip(markers, placed[len(boards) :], strict=True)),
        pitch,
        error,
    )


class _Bundle:
    """Parameters: eight of the homography, a pose (x, y, turn) for each thing but the first, and finally the pitch."""

    def __init__(self, shapes: list[np.ndarray], boards: int, seen: list[np.ndarray]) -> None:
        self.shapes, self.boards, self.seen = shapes, boards, seen

    def start(self, first: np.ndarray) -> np.ndarray:
        homography = first @ np.diag([1 / PITCH_MM, 1 / PITCH_MM, 1.0])
        homography /= homography[2, 2]
        back = np.linalg.inv(homography)
        poses = []
        for i, (shape, seen) in enumerate(zip(self.shapes[1:], self.seen[1:], strict=True), 1):
            there = transformed(seen, back)
            poses += _pose(shape * (PITCH_MM if i < self.boards else 1.0), there)
        return np.array([*homography.ravel()[:8], *poses, PITCH_MM])

    def unpack(self, parameters: np.ndarray) -> tuple[np.ndarray, float, list[np.ndarray]]:
        """Returns the homography from mm to px, the pitch, and the points of each thing in mm."""
        homography = np.append(parameters[:8], 1.0).reshape(3, 3)
        pitch, poses = float(parameters[-1]), [np.zeros(3), *parameters[8:-1].reshape(-1, 3)]
        placed = []
        for i, (shape, (x, y, turn)) in enumerate(zip(self.shapes, poses, strict=True)):
            c, s = np.cos(turn), np.sin(turn)
            size = pitch if i < self.boards else 1.0
            placed.append(size * shape @ np.array([[c, s], [-s, c]]) + (x, y))
        return homography, pitch, placed

    def residuals(self, parameters: np.ndarray) -> np.ndarray:
        homography, _, placed = self.unpack(parameters)
        expected = transformed(np.concatenate(placed), homography)
        residuals: np.ndarray = (expected - np.concatenate(self.seen)).ravel()
        return residuals


def _pose(shape: np.ndarray, there: np.ndarray) -> list[float]:
    """Returns x, y and turn that move *shape* (N, 2) closest to *there* (N, 2)."""
    a, b = shape - shape.mean(axis=0), there - there.mean(axis=0)
    turn = np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum())
    c, s = np.cos(turn), np.sin(turn)
    x, y = there.mean(axis=0) - shape.mean(axis=0) @ np.array([[c, s], [-s, c]])
    return [float(x), float(y), float(turn)]


def _least_squares(
    residuals: Callable[[np.ndarray], np.ndarray], start: np.ndarray, free: int
) -> tuple[np.ndarray, float]:
    """Returns the Levenberg-Marquardt minimum over the first *free* parameters, and the error there."""
    point, damping = start.copy(), 1e-3
    now = residuals(point)
    for _ in range(STEPS):
        steps = STEP * np.maximum(np.abs(point[:free]), 1e-3)
        slopes = np.stack(
            [(residuals(_moved(point, i, step)) - now) / step for i, step in enumerate(steps)], axis=1
        )
        normal, gradient = slopes.T @ slopes, slopes.T @ now
        change = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -gradient)
        tried = point.copy()
        tried[:free] += change
        then = residuals(tried)
        if then @ then < now @ now:
            gained = 1 - (then @ then) / (now @ now)
            point, now, damping = tried, then, damping / 10
            if gained < SMALL_STEP:
                break
        else:
            damping *= 10
    return point, float(np.sqrt(2 * (now**2).mean()))


def _moved(point: np.ndarray, which: int, step: float) -> np.ndarray:
    moved = point.copy()
    moved[which] += step
    return moved


def _upright(homography: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Returns (3, 3): rotates and moves mm so that x points right in the picture, with the centre of *seen* as
    origin."""
    back = np.linalg.inv(homography)
    middle = seen.mean(axis=0)
    at, beside = transformed(np.array([middle, np.add(middle, (1, 0))]), back)
    turn = -np.arctan2(*(beside - at)[::-1])
    c, s = np.cos(turn), np.sin(turn)
    turned = np.array([[c, -s], [s, c]])
    return np.block([[turned, (-turned @ at)[:, None]], [np.zeros((1, 2)), np.ones((1, 1))]])
