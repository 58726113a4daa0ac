"""The flat canvas, which shows the table from straight above, and the patches drawn on it.

Anything above the table is drawn where it hides the table from the camera (``Lens.onto_table``), so that a single warp
from the canvas to the frame gives the correct perspective of tiles, dice and hands too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np

from .sprites import bgr

Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are exclusive."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Pixel grid of the canvas: pixel (u, v) shows table point ``origin_mm + (u, v) / scale``."""

    origin_mm: tuple[float, float]
    size: tuple[int, int]
    """Width and height in pixels."""
    scale: float
    """Pixels per mm."""

    SHIFT: ClassVar[int] = 4
    """Fractional bits of polygon corners for OpenCV's drawing."""

    def px(self, points_mm: np.ndarray) -> np.ndarray:
        """Canvas pixels of (N, 2) table points: (N, 2) float64."""
        return (np.asarray(points_mm, float) - self.origin_mm) * self.scale

    def fixed_point(self, points_mm: np.ndarray, offset: tuple[int, int] = (0, 0)) -> np.ndarray:
        """Returns pixels relative to *offset*, as int32 with ``SHIFT`` fractional bits."""
        return np.round((self.px(points_mm) - offset) * (1 << self.SHIFT)).astype(np.int32)


def intersection(a: Rect, b: Rect) -> Rect | None:
    """Returns the intersection of two rectangles; None if it is empty."""
    left, top, right, bottom = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def area(rect: Rect) -> int:
    """Returns the number of pixels in a rectangle."""
    return (rect[2] - rect[0]) * (rect[3] - rect[1])


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A finished piece of picture: its light, and how much of what is below shows through."""

    rect: Rect
    added: np.ndarray
    """(h, w, 3) uint8 BGR, premultiplied by its cover."""
    through: np.ndarray
    """(h, w, 3) uint8, 255 is fully transparent."""

    def paint(self, canvas: np.ndarray, clip: Rect | None = None) -> None:
        """Draws the patch on *canvas*, inside *clip* only."""
        height, width = canvas.shape[:2]
        shared = intersection(self.rect, clip or (0, 0, width, height))
        if shared is None or (shared := intersection(shared, (0, 0, width, height))) is None:
            return
        left, top, right, bottom = shared
        below = canvas[top:bottom, left:right]
        x, y = left - self.rect[0], top - self.rect[1]
        part = np.s_[y : y + bottom - top, x : x + right - left]
        cv2.add(cv2.multiply(below, self.through[part], scale=1 / 255), self.added[part], dst=below)


class Sheet:
    """A patch under construction: shadows, fills and pictures on top of one another."""

    def __init__(self, frame: Frame, rect: Rect) -> None:
        self._frame, self._rect = frame, rect
        shape = (rect[3] - rect[1], rect[2] - rect[0])
        self._added = np.zeros((*shape, 3), np.float32)
        self._through = np.ones((*shape, 1), np.float32)

    @classmethod
    def around(cls, frame: Frame, points_mm: np.ndarray, margin_mm: float) -> Sheet:
        """Returns a sheet that contains all *points_mm* and a margin."""
        px, margin = frame.px(points_mm), margin_mm * frame.scale
        left, top = np.floor(px.min(axis=0) - margin).astype(int)
        right, bottom = np.ceil(px.max(axis=0) + margin).astype(int)
        return cls(frame, (int(left), int(top), int(right), int(bottom)))

    def _window(self, polygon_mm: np.ndarray, margin_px: int = 2) -> tuple[slice, slice]:
        """Returns the part of the sheet that a polygon covers."""
        px = self._frame.px(polygon_mm) - self._rect[:2]
        left, top = np.maximum(np.floor(px.min(axis=0)).astype(int) - margin_px, 0)
        right, bottom = np.ceil(px.max(axis=0)).astype(int) + margin_px + 1
        return np.s_[top : max(top, bottom), left : max(left, right)]

    def _mask(self, window: tuple[slice, slice], *polygons_mm: np.ndarray) -> np.ndarray:
        """Returns (h, w) float32 from 0 to 1: antialiased cover of polygons within *window*."""
        rows, columns = window
        mask = np.zeros(self._through[window].shape[:2], np.uint8)
        offset = (self._rect[0] + columns.start, self._rect[1] + rows.start)
        for polygon in polygons_mm:
            cv2.fillPoly(mask, [self._frame.fixed_point(polygon, offset)], 255, cv2.LINE_AA, Frame.SHIFT)
        return mask.astype(np.float32) / 255

    def _over(
        self, picture: np.ndarray, cover: np.ndarray, window: tuple[slice, slice] | slice = np.s_[:]
    ) -> None:
        through = 1 - cover[..., None]
        self._added[window] *= through
        self._added[window] += picture * cover[..., None]
        self._through[window] *= through

    def shade(self, strength: float, blur_mm: float, *polygons_mm: np.ndarray) -> None:
        """Draws a soft shadow of all the polygons together."""
        sigma = blur_mm * self._frame.scale
        window = self._window(np.concatenate(polygons_mm), 2 + round(3 * sigma))
        soft = cv2.GaussianBlur(self._mask(window, *polygons_mm), (0, 0), sigma)
        through = 1 - strength * soft[..., None]
        self._added[window] *= through
        self._through[window] *= through

    def fill(self, colour: str | np.ndarray, *polygons_mm: np.ndarray) -> None:
        """Draws opaque polygons; *colour* is ``#rrggbb`` or (3,) BGR."""
        window = self._window(np.concatenate(polygons_mm))
        self._over(_ink(colour), self._mask(window, *polygons_mm), window)

    def model(self, colour: str, round_mm: float, polygon_mm: np.ndarray, rim: float = 0.55) -> None:
        """Draws an opaque polygon that looks rounded: darker by *rim* at its edge, over a width of *round_mm*."""
        window = self._window(polygon_mm)
        cover = self._mask(window, polygon_mm)
        depth = cv2.GaussianBlur(cover, (0, 0), round_mm * self._frame.scale)
        tone = 1 - rim * np.clip(2 - 2 * depth, 0, 1) ** 1.5
        self._over(_ink(colour) * tone[..., None], cover, window)

    def paste(
        self,
        picture: np.ndarray,
        scale: float,
        centre_mm: tuple[float, float],
        turn_deg: float = 0.0,
        grow: float = 1.0,
    ) -> None:
        """Draws a BGRA picture of *scale* pixels per mm centred on *centre_mm*, rotated clockwise."""
        k = self._frame.scale / scale * grow
        c, s = k * np.cos(np.radians(turn_deg)), k * np.sin(np.radians(turn_deg))
        turn = np.array([[c, -s], [s, c]])
        middle = np.array([picture.shape[1] - 1, picture.shape[0] - 1]) / 2
        at = self._frame.px(np.array(centre_mm)) - self._rect[:2]
        matrix = np.column_stack([turn, at - turn @ middle])
        shape = self._through.shape
        pasted = cv2.warpAffine(picture, matrix, (shape[1], shape[0]), flags=cv2.INTER_LINEAR).astype(
            np.float32
        )
        self._over(pasted[..., :3], pasted[..., 3] / 255)

    def patch(self) -> Patch:
        """Returns the finished patch."""
        added = np.clip(self._added, 0, 255).round().astype(np.uint8)
        through = np.repeat((self._through * 255).round().astype(np.uint8), 3, axis=2)
        return Patch(self._rect, added, through)


def _ink(colour: str | np.ndarray) -> np.ndarray:
    return np.array(bgr(colour), np.float32) if isinstance(colour, str) else colour
