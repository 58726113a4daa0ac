"""Objects on a table and a view of it. Lengths are in sides of a die; the table is the plane z = 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Mesh:
    """A surface of quadrilaterals."""

    points: np.ndarray
    """(N, 3) float32."""
    squares: np.ndarray
    """(M, 4) int32 rows of points, counter-clockwise seen from outside."""
    uv: np.ndarray
    """(M, 4, 2) float32 texture coordinates, 0..1, v upwards."""
    smooth: bool = True
    """Whether neighbouring squares are parts of one round surface."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A material. *colour* is (3,) or a texture (H, W, 3), float BGR 0..255 (sRGB)."""

    colour: np.ndarray
    roughness: float = 0.5
    transmission: float = 0.0
    metallic: float = 0.0


@dataclass(frozen=True, slots=True)
class Solid:
    """A mesh somewhere: *pose* (3, 3) rotation (and scale), *place* (3,)."""

    mesh: Mesh
    surface: Surface
    pose: np.ndarray
    place: np.ndarray


@dataclass(frozen=True, slots=True)
class Lamp:
    """A square lamp of side *size* at *place* that shines at the middle of the table, colour (3,) BGR 0..1."""

    place: np.ndarray
    size: float
    irradiance: float
    """At the middle of the table."""
    colour: np.ndarray


@dataclass(frozen=True, slots=True)
class View:
    """A pinhole camera over the table that looks at its middle."""

    place: np.ndarray
    roll: float
    """Radians about its axis."""
    px_per_side: float
    """Pixels per side of a die at the middle of the table."""
    size: int
    """px; the picture is square."""

    def axes(self) -> np.ndarray:
        """Returns (3, 3): rows are the picture's right, its down and its depth, in the world."""
        depth = -self.place / np.linalg.norm(self.place)
        helper = np.array([0.0, 1.0, 0.0]) if abs(depth[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
        right = np.cross(depth, helper)
        right /= np.linalg.norm(right)
        down = np.cross(depth, right)
        c, s = np.cos(self.roll), np.sin(self.roll)
        return np.stack([c * right + s * down, c * down - s * right, depth])

    def project(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns the px (N, 2) of points (N, 3), and the px of a unit length there (N,)."""
        seen = (np.atleast_2d(points) - self.place) @ self.axes().T
        scale = self.px_per_side * np.linalg.norm(self.place) / seen[:, 2]
        return seen[:, :2] * scale[:, None] + (self.size - 1) / 2, scale
