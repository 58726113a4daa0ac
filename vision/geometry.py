"""Conversions between frame pixels and table positions: lens, ArUco markers, planes, hex grid, patches.

There are three kinds of points, all (n, 2) float64:

* *frame px*: pixels of the camera's picture, lens distortion included; the centre of the top left pixel is (0, 0);
* *ideal px*: the same without lens distortion (straight lines are straight), same camera matrix;
* *plane units*: millimetres on the table, or hex pitches on a board; x right, y down as on the picture.

A :class:`Plane` connects them: plane units -> homography -> ideal px -> lens -> frame px.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import sqrt

import cv2
import numpy as np

from calibration.board_shape import PITCH_MM, STANDARD, BoardShape
from calibration.errors import CompanionError, Problem
from calibration.table_file import Camera, Markers

HEX_UP, HEX_FLAT = 1 / sqrt(3), 1 / 2
"""Centre to corner and centre to side of a hexagon whose opposite sides are 1 apart."""

PATCH_PX = 48
"""Side of a rectified patch in px; with PATCH_SPAN a tile is 40 px wide, about as fine as 2304 px frames of four
boards show (35 to 57 px). Finer patches took longer and were not read better."""
PATCH_SPAN = 1.2
"""Side of a patch in tile widths: a pointy-top hexagon is 1.155 widths high."""
PATCH_NODES = 5
"""Points per side of a patch that are projected exactly; bilinear between them (well below 0.05 px off)."""
OVERSAMPLING = 1.5
"""Frame px per patch px above which the frame is shrunk first to avoid aliasing."""

SUBPIX_WINDOW = (4, 4)
"""Half size in px of the window for refining a marker's corner: less than one of its cells."""
SUBPIX_STOP = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)

FAR = 1e6
"""Px, or mm: beyond any picture and any table. Positions that a lens maps farther away are clamped to it."""
FLAT = 1e-12
"""Determinant below which a homography is degenerate."""
PATCHES_AT_ONCE = 500
"""OpenCV's remap accepts fewer than 32,767 rows."""

MARKERS_NEEDED = 3
"""Markers that must be visible (or all, if fewer are declared): a sleeve may cover one."""


def hexgrid(shape: BoardShape = STANDARD) -> np.ndarray:
    """Returns (N, 2) float64: centres of the spaces of a board in hex pitches, with its centre as origin."""
    return np.array(shape.centres_mm) / PITCH_MM


def anchor_points(shape: BoardShape = STANDARD) -> np.ndarray:
    """Returns (4, 2) float64: centres of the anchor spaces of a board, as in :func:`hexgrid`."""
    points: np.ndarray = hexgrid(shape)[list(shape.anchors)]
    return points


def radius(shape: BoardShape = STANDARD) -> float:
    """Returns the distance of the outermost space of a board from its centre, in hex pitches."""
    return float(np.hypot(*hexgrid(shape).T).max())


def transformed(points: np.ndarray, homography: np.ndarray) -> np.ndarray:
    """Returns (N, 2) float64: *points* (N, 2), possibly none, transformed by *homography* (3, 3)."""
    points = np.asarray(points, float).reshape(-1, 1, 2)
    if not len(points):  # OpenCV 5 returns None
        return np.empty((0, 2))
    return cv2.perspectiveTransform(points, homography).reshape(-1, 2)


def find_homography(
    source: np.ndarray,
    target: np.ndarray,
    method: int = 0,
    reach: float = 3.0,
    *,
    max_iterations: int = 2000,
    confidence: float = 0.995,
) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns the homography (3, 3) from *source* (N, 2) to *target* (N, 2), and its inliers, (N,) bool.

    *method*, *reach* (the reprojection threshold, in units of the target) and the options are those of
    ``cv2.findHomography``. None if there are fewer than four points, or they are collinear or not finite.
    """
    source, target = np.asarray(source, float), np.asarray(target, float)
    if len(source) < 4 or not (np.isfinite(source).all() and np.isfinite(target).all()):
        return None
    homography, agreeing = cv2.findHomography(
        source, target, method, reach, maxIters=max_iterations, confidence=confidence
    )
    if homography is None or not np.isfinite(homography).all() or abs(np.linalg.det(homography)) < FLAT:
        return None
    return homography, agreeing.ravel() > 0


@dataclass(frozen=True)
class Lens:
    """A pinhole camera with OpenCV's five distortion coefficients."""

    matrix: np.ndarray
    """(3, 3) float64, px."""
    distortion: np.ndarray
    """(5,) float64: k1, k2, p1, p2, k3."""

    @classmethod
    def of(cls, camera: Camera) -> Lens:
        return cls(np.array(camera.matrix, float), np.array(camera.distortion, float))

    def undistort(self, points: np.ndarray) -> np.ndarray:
        """Converts frame px to ideal px."""
        points = np.asarray(points, float).reshape(-1, 1, 2)
        if not len(points):  # OpenCV 5 returns None
            return np.empty((0, 2))
        return cv2.undistortPoints(points, self.matrix, self.distortion, P=self.matrix).reshape(-1, 2)

    def distort(self, points: np.ndarray) -> np.ndarray:
        """Converts ideal px to frame px."""
        # As cv2.projectPoints, which also computes derivatives, and takes forty times as long for that.
        focal, centre = self.matrix[[0, 1], [0, 1]], self.matrix[:2, 2]
        k1, k2, p1, p2, k3 = self.distortion
        with np.errstate(over="ignore", invalid="ignore"):  # points as far away as can be
            x, y = ((np.asarray(points, float).reshape(-1, 2) - centre) / focal).T
            squared = x * x + y * y
            radial = 1 + squared * (k1 + squared * (k2 + squared * k3))
            bent_x = x * radial + 2 * p1 * x * y + p2 * (squared + 2 * x * x)
            bent_y = y * radial + p1 * (squared + 2 * y * y) + 2 * p2 * x * y
            distorted: np.ndarray = np.column_stack([bent_x, bent_y]) * focal + centre
            return distorted


class PlaneError(CompanionError, ValueError):
    """Points that do not span a plane; the message contains the cure."""


class CollinearError(PlaneError):
    """The points of a board are on one line."""

    problem = Problem("points_in_line")


@dataclass(frozen=True)
class Plane:
    """A plane seen by the camera: the table, or a board lying on it."""

    homography: np.ndarray
    """(3, 3) float64, plane units -> ideal px."""
    lens: Lens | None = None

    @classmethod
    def fit(cls, plane_points: np.ndarray, frame_points: np.ndarray, lens: Lens | None = None) -> Plane:
        """Returns the least-squares fit to four or more pairs; raises :exc:`PlaneError` when they do not span a
        plane."""
        ideal = lens.undistort(frame_points) if lens else np.asarray(frame_points, float)
        found = find_homography(plane_points, ideal)
        if found is None:
            raise CollinearError(
                "points on one line do not define the position of a board: check its anchors"
            )
        return cls(found[0], lens)

    def to_frame(self, points: np.ndarray) -> np.ndarray:
        """Converts plane units to frame px, clamped to FAR."""
        ideal = transformed(points, self.homography)
        return within_reach(self.lens.distort(ideal) if self.lens else ideal)

    def from_frame(self, points: np.ndarray) -> np.ndarray:
        """Converts frame px to plane units."""
        ideal = self.lens.undistort(points) if self.lens else np.asarray(points, float)
        return transformed(ideal, np.linalg.inv(self.homography))

    def patches(
        self, frame: np.ndarray, centres: np.ndarray, size: float, *, side: int = PATCH_PX, turn: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Returns rectified pictures of the places at *centres* (n, 2), which are *size* plane units wide.

        The result is (n, side, side, C) uint8 in the colour order of the frame, and the share of each patch inside the
        frame, (n,) float64. Up in a patch is up (-y) on the plane, rotated clockwise by *turn* radians.
        """
        centres = np.asarray(centres, float).reshape(-1, 2)
        if not len(centres):
            return np.empty((0, side, side, *frame.shape[2:]), np.uint8), np.empty(0)
        nodes = np.linspace(-1, 1, PATCH_NODES)
        pixels = (2 * np.arange(side) + 1) / side - 1
        axes = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        offsets = np.stack(np.meshgrid(nodes, nodes), axis=-1) @ axes * (PATCH_SPAN * size / 2)
        at_nodes = self.to_frame((centres[:, None, None, :] + offsets).reshape(-1, 2))
        at_nodes = at_nodes.reshape(len(centres), PATCH_NODES, PATCH_NODES, 2)
        weights = np.maximum(0, 1 - np.abs(pixels[:, None] - nodes) / (nodes[1] - nodes[0]))
        where = np.einsum("yj,njkc,xk->nyxc", weights, at_nodes, weights, optimize=True)
        height, width = frame.shape[:2]
        x, y = where[..., 0], where[..., 1]  # along an axis of two numbers NumPy is fifteen times slower
        inside = ((x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1)).mean(axis=(1, 2))
        frame, where = _shrunk(frame, where)
        maps = where.astype(np.float32)
        parts = [
            sample(frame, maps[first : first + PATCHES_AT_ONCE].reshape(-1, side, 2))
            for first in range(0, len(maps), PATCHES_AT_ONCE)
        ]
        return np.concatenate(parts).reshape(len(centres), side, side, *frame.shape[2:]), inside

    def top_view(self, frame: np.ndarray, side: int, px: float) -> np.ndarray:
        """Returns (side, side, C): the square around the origin of the plane seen from straight above, *px* per plane
        unit."""
        steps = (np.arange(side) - (side - 1) / 2) / px
        where = self.to_frame(np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2))
        frame, where = _shrunk(frame, where.reshape(1, side, side, 2))
        return sample(frame, where[0].astype(np.float32))


def sample(picture: np.ndarray, where: np.ndarray, border: int = cv2.BORDER_REPLICATE) -> np.ndarray:
    """Returns *picture* at the positions *where*, (h, w, 2) float32 px: (h, w, C), bilinear."""
    # The stubs demand a second map, which a map of x and y must not have.
    sampled: np.ndarray = cv2.remap(picture, where, None, cv2.INTER_LINEAR, borderMode=border)  # type: ignore[call-overload]
    return sampled


def within_reach(points: np.ndarray) -> np.ndarray:
    """Returns *points* (..., 2), in px or mm, clamped to FAR; NaN becomes FAR."""
    near: np.ndarray = np.clip(np.asarray(points, float), -FAR, FAR)
    near[np.isnan(near)] = FAR
    return near


def _shrunk(frame: np.ndarray, where: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the part of *frame* around the positions *where*, shrunk by an integer factor where they are sparse."""
    height, width = frame.shape[:2]
    steps = np.diff(where, axis=2)
    step = np.median(np.sqrt(steps[..., 0] ** 2 + steps[..., 1] ** 2))
    factor = max(1, round(step / OVERSAMPLING * 1.25)) if step > OVERSAMPLING else 1
    if factor == 1:
        return frame, where
    # Coordinate by coordinate: along an axis of two numbers NumPy is fifteen times slower.
    least, most = (np.array([extreme(where[..., i]) for i in range(2)]) for extreme in (np.min, np.max))
    low = np.clip(np.floor(least).astype(int) - factor, 0, (width - 1, height - 1))
    high = np.clip(np.ceil(most).astype(int) + factor, low + 1, (width, height))
    part = frame[low[1] : high[1], low[0] : high[0]]
    size = (max(1, part.shape[1] // factor), max(1, part.shape[0] // factor))
    scale = np.array(size) / (part.shape[1], part.shape[0])
    return cv2.resize(part, size, interpolation=cv2.INTER_AREA), (where - low + 0.5) * scale - 0.5


def board_plane(
    anchors: Sequence[Sequence[float]] | np.ndarray, lens: Lens | None = None, shape: BoardShape = STANDARD
) -> Plane:
    """Returns the plane of a board of that *shape*, in hex pitches, from the frame px of its four anchor spaces."""
    return Plane.fit(anchor_points(shape), np.asarray(anchors), lens)


def order_in_rows(points: np.ndarray, reach: float) -> np.ndarray:
    """Returns the indices of *points* (N, 2) row by row from the top, each row from the left.

    A row contains the points less than *reach* below its first.
    """
    rows: list[list[int]] = []
    for i in np.argsort(points[:, 1], kind="stable"):
        if rows and points[i, 1] - points[rows[-1][0], 1] < reach:
            rows[-1].append(int(i))
        else:
            rows.append([int(i)])
    return np.array([i for row in rows for i in sorted(row, key=lambda j: points[j, 0])], int)


@dataclass(frozen=True)
class MarkerView:
    """The visible table markers and the table plane derived from them."""

    plane: Plane | None
    """Millimetres on the table; None if too few markers are visible."""
    seen: tuple[int, ...]
    missing: tuple[int, ...]
    error_px: float | None
    """Root mean square distance between detected and expected corners."""

    def __str__(self) -> str:
        if self.plane is None:
            missing = ", ".join(map(str, self.missing))
            return f"only {len(self.seen)} table markers seen: uncover or bring into view marker {missing}"
        return f"{len(self.seen)} table markers seen, corners within {self.error_px:.2f} px"


def find_markers(frame: np.ndarray, markers: Markers, lens: Lens | None = None) -> MarkerView:
    """Detects the declared ArUco markers in *frame* ((H, W, 3) uint8 BGR or (H, W) grey) and fits the table plane."""
    found = marker_corners(frame, markers.dictionary, markers.corners_mm)
    seen = tuple(sorted(found.keys() & markers.corners_mm.keys()))
    missing = tuple(sorted(markers.corners_mm.keys() - found.keys()))
    if len(seen) < min(MARKERS_NEEDED, len(markers.corners_mm)):
        return MarkerView(None, seen, missing, None)
    table = np.concatenate([np.array(markers.corners_mm[i], float) for i in seen])
    pixels = np.concatenate([found[i] for i in seen]).astype(float)
    try:
        plane = Plane.fit(table, pixels, lens)
    except PlaneError:  # false markers, or a wrong lens in the table file
        return MarkerView(None, seen, missing, None)
    error = np.sqrt(np.mean(np.sum((plane.to_frame(table) - pixels) ** 2, axis=1)))
    return MarkerView(plane, seen, missing, float(error))


def marker_corners(
    frame: np.ndarray, dictionary: str, ids: Collection[int] | None = None
) -> dict[int, np.ndarray]:
    """Returns the corners of each marker in *frame*, (H, W, 3) uint8 BGR or (H, W) grey: id -> (4, 2) float32 px.

    The full resolution is searched only when *ids* is None, or not all of these markers are found at half resolution.
    """
    grey = frame if frame.ndim == 2 else cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    found = _marker_corners(grey, dictionary, halved=True)
    if ids is None or not set(ids) <= found.keys():
        found = _marker_corners(grey, dictionary, halved=False) | found
    return found


def _marker_corners(grey: np.ndarray, dictionary: str, *, halved: bool) -> dict[int, np.ndarray]:
    """Returns marker id -> corners in px of *grey*, (4, 2) float32; half resolution is four times as fast."""
    halved = halved and min(grey.shape) > 1
    look = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) if halved else grey
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    corners, ids, _ = cv2.aruco.ArucoDetector(family, cv2.aruco.DetectorParameters()).detectMarkers(look)
    if ids is None:
        return {}
    points = np.concatenate([np.asarray(quad) for quad in corners]).reshape(-1, 1, 2)
    if halved:
        points = points * 2 + 0.5
    points = points.clip(0, np.array(grey.shape[::-1]) - 1)
    refined = cv2.cornerSubPix(grey, points.astype(np.float32), SUBPIX_WINDOW, (-1, -1), SUBPIX_STOP)
    return {int(id_): quad for id_, quad in zip(ids.ravel(), refined.reshape(-1, 4, 2), strict=True)}
