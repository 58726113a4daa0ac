"""The virtual camera and lamp: projection of table points to the frame, and the light on the table.

The table's frame of reference has x right, y down (as in the picture) and *height* above the table; for OpenCV, whose
axes are right-handed, the third coordinate is the negated height.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike

MapPair = tuple[np.ndarray, np.ndarray]

_FOCAL_PER_WIDTH = 0.77
"""Focal length over picture width: 66 degrees across, like the Raspberry Pi's Camera Module 3."""
_DISTORTION = (-0.015, 0.006, 0.0004, -0.0003, 0.0)
"""k1, k2, p1, p2, k3 (OpenCV): mild barrel distortion."""
_TILT_DEG, _YAW_DEG, _ROLL_DEG = -4.0, 0.5, -0.6
_SCALE_PER_WIDTH = 2.045 / 2304
"""Pixels per mm at the centre of the picture, per pixel of its width: the complete table is visible."""
_COARSE_PX = 8
"""The map from frame to table is computed on a grid of this pitch and interpolated linearly."""


def _rotation(axis: int, degrees: float) -> np.ndarray:
    vector = np.zeros(3)
    vector[axis] = np.radians(degrees)
    return cv2.Rodrigues(vector)[0]


class Lens:
    """A camera above the table, looking down on its centre slightly from the bottom side."""

    def __init__(self, table_mm: tuple[float, float], size: tuple[int, int]) -> None:
        width, height = size
        focal = _FOCAL_PER_WIDTH * width
        distance = focal / (_SCALE_PER_WIDTH * width)
        self.size = size
        self.matrix = np.array([[focal, 0, width / 2 + 6], [0, focal, height / 2 - 4], [0, 0, 1.0]])
        self.distortion = np.array(_DISTORTION)
        self._rotation = _rotation(2, _ROLL_DEG) @ _rotation(1, _YAW_DEG) @ _rotation(0, _TILT_DEG)
        middle = np.array([table_mm[0] / 2, table_mm[1] / 2, 0.0])
        self._translation = np.array([0, 0, distance]) - self._rotation @ middle
        x, y, down = -self._rotation.T @ self._translation
        self.eye_mm = np.array([x, y, -down])
        """Position of the camera: x, y and height in mm."""

    def project(self, points_mm: ArrayLike, height_mm: float = 0.0) -> np.ndarray:
        """Returns (N, 2) float64: pixels of (N, 2) table points at *height_mm*."""
        flat = np.asarray(points_mm, float).reshape(-1, 2)
        points = np.column_stack([flat, np.full(len(flat), -height_mm)])
        rotation = cv2.Rodrigues(self._rotation)[0]
        px, _ = cv2.projectPoints(points, rotation, self._translation, self.matrix, self.distortion)
        return px.reshape(-1, 2)

    def table_points(self, pixels: np.ndarray) -> np.ndarray:
        """Returns the table points (mm) at (N, 2) pixels: the inverse of ``project`` at height 0."""
        px = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(px, self.matrix, self.distortion).reshape(-1, 2)
        plane = np.column_stack([self._rotation[:, 0], self._rotation[:, 1], self._translation])
        seen = np.column_stack([rays, np.ones(len(rays))]) @ np.linalg.inv(plane).T
        return seen[:, :2] / seen[:, 2:]

    def table_map(self) -> np.ndarray:
        """Returns (H, W, 2) float32: the table point (mm) at every pixel of the frame."""
        width, height = self.size
        columns, rows = -(-width // _COARSE_PX) + 1, -(-height // _COARSE_PX) + 1
        grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1) * _COARSE_PX
        coarse = self.table_points(grid).reshape(rows, columns, 2).astype(np.float32)
        scale = np.array([[1 / _COARSE_PX, 0, 0], [0, 1 / _COARSE_PX, 0]])
        return cv2.warpAffine(coarse, np.linalg.inv(np.vstack([scale, [0, 0, 1]]))[:2], (width, height))

    def onto_table(self, points_mm: np.ndarray, height_mm: np.ndarray | float) -> np.ndarray:
        """Returns (N, 2) mm on the table plane: where points at a height hide the table from the camera."""
        return _along_rays(points_mm, height_mm, self.eye_mm)


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp over the table, the ambient light, and the vignetting of the lens."""

    lamp_mm: tuple[float, float, float] = (330.0, -260.0, 950.0)
    """x, y and height of the lamp, which determine the shadows."""
    warmth: tuple[float, float, float] = (0.86, 0.97, 1.04)
    """Gain of blue, green, red."""
    falloff: float = 0.27
    """Share of the light that comes from the lamp and decreases with distance."""
    vignette: float = 0.22
    """Share of light lost in the corners of the picture."""
    shadow: float = 0.5
    """Share of light lost in a shadow."""
    exposure: float = 0.94

    def shadow_points(self, points_mm: np.ndarray, height_mm: np.ndarray | float) -> np.ndarray:
        """Returns (N, 2) mm on the table plane: shadows of points at a height."""
        return _along_rays(points_mm, height_mm, np.array(self.lamp_mm))

    def gain(self, lens: Lens) -> np.ndarray:
        """Returns (H, W, 3) float32: light at every pixel, 1 is as printed."""
        width, height = lens.size
        coarse = np.stack(np.meshgrid(np.linspace(0, width, 48), np.linspace(0, height, 27)), axis=-1)
        table = lens.table_points(coarse)
        x, y, h = self.lamp_mm
        slant = h / np.sqrt((table[:, 0] - x) ** 2 + (table[:, 1] - y) ** 2 + h * h)
        lamp = slant**4 / np.mean(slant**4)
        radius = (
            np.linalg.norm(coarse.reshape(-1, 2) - (width / 2, height / 2), axis=1)
            * 2
            / np.hypot(width, height)
        )
        level = self.exposure * (1 - self.falloff + self.falloff * lamp) * (1 - self.vignette * radius**2)
        field = cv2.resize(
            level.reshape(27, 48).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
        )
        light: np.ndarray = field[..., None] * np.array(self.warmth, np.float32)
        return light


def _along_rays(points_mm: np.ndarray, height_mm: np.ndarray | float, source: np.ndarray) -> np.ndarray:
    """Returns the intersections with the table of rays from *source* (x, y, height) through points at a height."""
    points = np.asarray(points_mm, float).reshape(-1, 2)
    height = np.broadcast_to(np.asarray(height_mm, float), len(points))[:, None]
    shadow: np.ndarray = points + (points - source[:2]) * height / (source[2] - height)
    return shadow
