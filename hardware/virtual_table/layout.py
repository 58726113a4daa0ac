"""Positions of everything on the virtual table: mm on the table plane, x right, y down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from calibration.board_shape import PITCH_MM, STANDARD, BoardShape

from .art import Art
from .sprites import HEX_MM, rounded, square

Point = tuple[float, float]
Polygon = tuple[Point, ...]
Space = tuple[str, int]

MARKER_DICTIONARY = "DICT_4X4_50"

TABLE_MM = (1080.0, 600.0)
"""The used part of the table; a 2304 x 1296 camera sees it with at least 1.9 px/mm."""
MARKER_MM = 40.0
MARKER_MARGIN_MM = 16.0
"""White paper around a marker. OpenCV merges two squares whose corners are closer than an eighth of the perimeter, so
with a narrower margin it would sometimes detect the edge of the paper instead of the marker."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Position of a board or panel: its centre, its size before rotation, and its rotation."""

    centre_mm: Point
    size_mm: Point
    turn_deg: float = 0.0

    def at(self, x: float, y: float) -> Point:
        """Returns the table position of the point (x, y) mm from the top left corner of this board."""
        dx, dy = x - self.size_mm[0] / 2, y - self.size_mm[1] / 2
        angle = np.radians(self.turn_deg)
        c, s = np.cos(angle), np.sin(angle)
        return (
            float(self.centre_mm[0] + dx * c - dy * s),
            float(self.centre_mm[1] + dx * s + dy * c),
        )

    def outline(self, points: np.ndarray) -> Polygon:
        """Returns the table positions of (N, 2) points in mm from the centre of this board."""
        half = np.array(self.size_mm) / 2
        return tuple(self.at(*(point + half)) for point in points)

    def part(self, left: float, top: float, width: float, height: float) -> Placement:
        """Returns a part of this board, given relative to its top left corner."""
        return Placement(self.at(left + width / 2, top + height / 2), (width, height), self.turn_deg)

    @property
    def corners(self) -> Polygon:
        """Returns top left, top right, bottom right, bottom left in its own orientation."""
        return self.outline(square(1) * np.array(self.size_mm))


@dataclass(frozen=True, slots=True)
class PlaceGroup:
    """Places of one kind on one board."""

    name: str
    shape: str
    """``hex`` (pointy-top), ``square`` or ``shield``."""
    size_mm: float
    """Distance between opposite sides."""
    centres_mm: tuple[Point, ...]
    prints: tuple[str, ...]
    """Print of each place, as named in its game's art, with details after slashes."""
    turn_deg: float = 0.0
    """Rotation of the board on which the places are printed."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A printed area that is not a place: a board, a card, a tray."""

    style: str
    """Style, as named in its game's art, with a detail after a slash."""
    where: Placement


@dataclass(frozen=True, slots=True)
class Board:
    """One player's board."""

    player: str
    spaces: tuple[Space, ...]
    group: PlaceGroup
    shape: BoardShape = STANDARD

    @property
    def kind(self) -> str:
        """Returns what its game calls a board: the first part of its group's name."""
        return self.group.name.partition(":")[0]

    @property
    def anchors_mm(self) -> Polygon:
        return tuple(self.group.centres_mm[anchor] for anchor in self.shape.anchors)


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Everything printed on the table with its position."""

    size_mm: Point
    markers: Mapping[int, Polygon]
    """Black square of each ArUco marker, corners in OpenCV's order."""
    panels: tuple[Panel, ...]
    boards: tuple[Board, ...]
    groups: tuple[PlaceGroup, ...]
    """All place groups, including the boards."""
    dice_areas: Mapping[str, Polygon]
    seats: Mapping[str, Placement]
    """Each player's part of the table; the player sits at its bottom edge."""
    art: Art
    """How print and pieces look."""
    card_areas: Mapping[str, Placement] = field(default_factory=dict)
    """Areas for cards with spaces for tiles, by name."""
    marks: tuple[Panel, ...] = ()
    """What is printed on the land around the spaces of the boards."""

    def group(self, name: str) -> PlaceGroup:
        """Returns the group *name*; raises KeyError listing the existing groups."""
        for group in self.groups:
            if group.name == name:
                return group
        known = ", ".join(group.name for group in self.groups)
        raise KeyError(f"no place group {name!r} on this table; it has {known}")


def marker_quad(left: float, top: float, size_mm: float = MARKER_MM) -> Polygon:
    """Returns the corners of an upright marker."""
    return tuple((left + size_mm / 2 + x, top + size_mm / 2 + y) for x, y in square(size_mm).tolist())


def corner_markers(size_mm: Point) -> dict[int, Polygon]:
    """Returns markers 0 to 3 in the corners of the table: top left, top right, bottom right, bottom left."""
    near, (width, height) = MARKER_MARGIN_MM, size_mm
    far_x, far_y = width - near - MARKER_MM, height - near - MARKER_MM
    spots = ((near, near), (far_x, near), (far_x, far_y), (near, far_y))
    return {i: marker_quad(*spot) for i, spot in enumerate(spots)}


def spaces_around(middle: Point, shape: BoardShape) -> tuple[Point, ...]:
    """Returns the centres of the spaces of a board of that *shape* about *middle*, as far apart as they are printed."""
    return tuple(
        (middle[0] + x / PITCH_MM * HEX_MM, middle[1] + y / PITCH_MM * HEX_MM) for x, y in shape.centres_mm
    )


def sheet_of_paper(quad: Polygon, margin_mm: float = MARKER_MARGIN_MM) -> np.ndarray:
    """Returns the white paper that a marker is printed on: (N, 2) mm."""
    corners = np.array(quad)
    side = float(np.linalg.norm(corners[1] - corners[0])) + 2 * margin_mm
    outline: np.ndarray = rounded(side, side, 1.0) + corners.mean(axis=0)
    return outline
