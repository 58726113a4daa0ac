"""Renders the flat canvas to camera frames: one warp, light, blur and sensor noise."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import cv2
import numpy as np

from .board_print import print_table
from .canvas import Frame, Patch, Rect, area, intersection
from .layout import TableLayout
from .optics import Lens, Light
from .pieces import Stage

CANVAS_SCALE = 2.5
"""Pixels per mm of the flat canvas: a little more than the camera resolves."""
_BLUR_PX = 0.65
"""Standard deviation of the blur of the lens."""
_BLUR_REACH = 2
"""Radius of the blur kernel in pixels."""
_GAIN_UNIT = 160
"""Gain 1 as an 8-bit number; 255 is then a gain of 1.59, more than any lamp here has."""
_REDRAW_SHARE = 0.25
"""Above this share of changed canvas, redrawing everything is faster."""
_NOISE_SPARE_PX = 96
"""The noise field is larger than the frame by this, so that it can be shifted randomly."""
_LUMA_SHARE = 0.75
"""Share of the sensor noise that all three colours have in common after demosaicing."""


class Studio:
    """A printed table under a lamp and a camera; patches are placed on it and photographed."""

    def __init__(
        self,
        layout: TableLayout,
        *,
        rng: np.random.Generator,
        size: tuple[int, int],
        light: Light,
        noise: float,
        surface: str,
    ) -> None:
        self._rng = rng
        lens = Lens(layout.size_mm, size)
        table = lens.table_map()
        # Row by row first: NumPy is fifteen times slower when its inner loop only covers two coordinates.
        low, high = table.min(axis=0).min(axis=0) - 2, table.max(axis=0).max(axis=0) + 2
        width, height = np.ceil((high - low) * CANVAS_SCALE).astype(int)
        frame = Frame((float(low[0]), float(low[1])), (int(width), int(height)), CANVAS_SCALE)
        self.stage = Stage(frame, lens, light)
        self._print = print_table(layout, frame, surface, rng)
        self._canvas = self._print.copy()
        at = (table - low.astype(np.float32)) * CANVAS_SCALE
        self._map = cv2.convertMaps(at[..., 0], at[..., 1], cv2.CV_16SC2)
        self._gain = np.clip(light.gain(lens) * _GAIN_UNIT, 0, 255).round().astype(np.uint8)
        self._noise = _noise_field((size[1], size[0]), noise, rng) if noise > 0 else None
        self._patches: tuple[Patch, ...] = ()
        self._clean = np.empty((size[1], size[0], 3), np.uint8)
        self._develop((0, 0, *size))

    @property
    def clean(self) -> np.ndarray:
        """Returns the picture before the sensor noise: (H, W, 3) uint8 BGR, to be copied by the caller if stored."""
        return self._clean

    def arrange(self, patches: Sequence[Patch]) -> None:
        """Places exactly these patches on the table, later ones on top; only what changed is redrawn."""
        changed = [patch.rect for patch in {*self._patches} ^ {*patches}]
        self._patches = tuple(patches)
        if sum(map(area, changed)) > _REDRAW_SHARE * self._print[..., 0].size:
            self._repaint((0, 0, *self.stage.frame.size))
            self._develop((0, 0, *self.stage.lens.size))
            return
        for rect in changed:
            self._repaint(rect)
        for rect in changed:
            self._develop(self._in_view(rect))

    def shoot(self) -> np.ndarray:
        """Returns a frame with fresh noise: (H, W, 3) uint8 BGR, as the caller's own copy."""
        if self._noise is None:
            return self._clean.copy()
        height, width = self._clean.shape[:2]
        y, x = self._rng.integers(0, _NOISE_SPARE_PX, 2)
        window = np.s_[y : y + height, x : x + width]
        more, less = self._noise
        frame = cv2.add(self._clean, more[window])
        return cv2.subtract(frame, less[window], dst=frame)

    def _repaint(self, rect: Rect) -> None:
        """Redraws a part of the canvas: the print, and everything on it."""
        width, height = self.stage.frame.size
        inside = intersection(rect, (0, 0, width, height))
        if inside is None:
            return
        left, top, right, bottom = inside
        self._canvas[top:bottom, left:right] = self._print[top:bottom, left:right]
        for patch in self._patches:
            if intersection(patch.rect, inside):
                patch.paint(self._canvas, inside)

    def _in_view(self, rect: Rect) -> Rect:
        """Returns the part of the frame that shows a part of the canvas."""
        left, top, right, bottom = np.array(rect) / CANVAS_SCALE
        rim = np.array(
            [
                (left, top),
                (right, top),
                (right, bottom),
                (left, bottom),
                ((left + right) / 2, top),
                ((left + right) / 2, bottom),
            ]
        )
        px = self.stage.lens.project(rim + self.stage.frame.origin_mm)
        reach = _BLUR_REACH + 3
        low, high = np.floor(px.min(axis=0)).astype(int) - reach, np.ceil(px.max(axis=0)).astype(int) + reach
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def _develop(self, rect: Rect) -> None:
        """Warps, lights and blurs one part of the frame."""
        width, height = self.stage.lens.size
        inside = intersection(rect, (0, 0, width, height))
        if inside is None:
            return
        left, top, right, bottom = inside
        x0, y0 = max(0, left - _BLUR_REACH), max(0, top - _BLUR_REACH)
        window = np.s_[y0 : bottom + _BLUR_REACH, x0 : right + _BLUR_REACH]
        seen = cv2.remap(self._canvas, self._map[0][window], self._map[1][window], cv2.INTER_LINEAR)
        lit = cv2.multiply(seen, self._gain[window], scale=1 / _GAIN_UNIT)
        soft = cv2.GaussianBlur(lit, (2 * _BLUR_REACH + 1,) * 2, _BLUR_PX)
        self._clean[top:bottom, left:right] = soft[top - y0 : bottom - y0, left - x0 : right - x0]


def _noise_field(
    shape: tuple[int, int], sigma: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the positive and the negative noise of the sensor: two (H + spare, W + spare, 3) uint8 fields.

    Two unsigned fields, because adding and subtracting bytes is several times faster than adding signed numbers; random
    bytes mapped through a table of normal quantiles, because that is several times faster than normal numbers.
    """
    height, width = (n + _NOISE_SPARE_PX for n in shape)
    luma = cv2.merge([rng.integers(0, 256, (height, width), np.uint8)] * 3)
    chroma = rng.integers(0, 256, (height, width, 3), np.uint8)
    in_luma, in_chroma = sigma * _LUMA_SHARE, sigma * (1 - _LUMA_SHARE**2) ** 0.5

    def part(sign: int) -> np.ndarray:
        tables = [
            np.clip(sign * _quantiles(share), 0, 255).astype(np.uint8) for share in (in_luma, in_chroma)
        ]
        return cv2.add(cv2.LUT(luma, tables[0]), cv2.LUT(chroma, tables[1]))

    return part(1), part(-1)


def _quantiles(sigma: float) -> np.ndarray:
    """Returns the normal distribution in 256 equally likely steps: (256,) int32."""
    normal = NormalDist(0, sigma)
    return np.array([round(normal.inv_cdf((i + 0.5) / 256)) for i in range(256)])
