"""Detects when the picture is still and no hand is over the table, so that a full frame is worth reading."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

PREVIEW_PX = (160, 90)
"""Width and height of the grey preview: a finger is still 2 px wide on a metre of table."""
NOISE_FLOOR = 0.7
"""Grey levels: minimum noise assumed, because a preview pixel is a rounded mean of many."""
NOISE_LIMIT = 6.0
"""Robust standard deviations of the difference beyond which a pixel has changed."""
MAD_TO_SIGMA = 1.4826
"""Median absolute deviation of a Gaussian -> its standard deviation."""
CHANGED_SHARE = 0.0006
"""Share of pixels that must change to count as motion: 9 of the 14,400 of a preview, a small tile."""
REACH = 12
"""Preview px that something at the picture's border must extend inwards to count as a hand."""
HAND_SHARE = 0.004
"""Share of pixels that it must cover: 58 of the 14,400 of a preview, two fingers."""


@dataclass(frozen=True, slots=True)
class Stillness:
    """State of the picture at one moment."""

    settled: bool
    """Nothing has moved for long enough, and no hand is over the table: read now."""
    moving: bool
    """Something moves, or has just moved, over the table."""
    changed: float
    """Share of the preview that differs from the reference preview."""
    hand: bool = False
    """The picture is still, but something reaches in from its border that was not there when it last settled."""


class SettleDetector:
    """Compares previews with the first one of the current still phase, so that slow hands are noticed too.

    A uniform change of brightness (a cloud, the exposure of the camera) is not motion. A hand resting over the table is
    distinguished from dice and tiles by its arm, which crosses the border of the picture. It has no clock: the caller
    gives the time of each frame.

    :param still_seconds: how long nothing may move before the picture counts as settled.
    :param still_frames: how many frames must agree by then, whatever the frame rate.
    :param hand_seconds: how long a hand may rest before it counts as an object that stays, or as a moved camera.
    """

    def __init__(
        self, *, still_seconds: float = 0.25, still_frames: int = 3, hand_seconds: float = 6.0
    ) -> None:
        self.still_seconds = still_seconds
        self.still_frames = still_frames
        self.hand_seconds = hand_seconds
        self._reference: np.ndarray | None = None
        self._settled: np.ndarray | None = None
        """The preview when the picture last settled."""
        self._since = 0.0
        self._agreed = 0

    def feed(self, frame: np.ndarray, seconds: float) -> Stillness:
        """Takes a frame, (H, W, 3) BGR or (H, W) grey uint8 of constant size, taken at *seconds* (any origin)."""
        preview = _preview(frame)
        changed = 1.0 if self._reference is None else float(_changes(self._reference, preview).mean())
        moving = changed > CHANGED_SHARE
        if moving:
            self._reference, self._since, self._agreed = preview, seconds, 1
        else:
            self._agreed += 1
        still_for = seconds - self._since
        if self._agreed < self.still_frames or still_for < self.still_seconds:
            return Stillness(False, moving, changed)
        if (
            self._settled is not None
            and still_for < self.hand_seconds
            and _reaches_in(_changes(self._settled, preview))
        ):
            return Stillness(False, moving, changed, hand=True)
        self._settled = preview
        return Stillness(True, moving, changed)


def _preview(frame: np.ndarray) -> np.ndarray:
    """Returns (90, 160) float32 grey."""
    small = cv2.resize(frame, PREVIEW_PX, interpolation=cv2.INTER_AREA)
    grey = small if small.ndim == 2 else cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return grey.astype(np.float32)


def _changes(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Returns (H, W) bool: pixels that differ by more than noise after removing the common change of brightness."""
    gain = np.median(after) / max(float(np.median(before)), 1.0)
    difference = after - gain * before
    away = np.abs(difference - np.median(difference))
    noise = max(MAD_TO_SIGMA * float(np.median(away)), NOISE_FLOOR)
    changed: np.ndarray = away > NOISE_LIMIT * noise
    return changed


def _reaches_in(changes: np.ndarray) -> bool:
    """Returns whether a changed region crosses the border and extends inwards."""
    height, width = changes.shape
    _, _, regions, _ = cv2.connectedComponentsWithStats(changes.astype(np.uint8), connectivity=8)
    for x, y, w, h, area in regions[1:]:  # the first region is the unchanged background
        on_border = x == 0 or y == 0 or x + w == width or y + h == height
        if on_border and min(w, h) > 1 and max(w, h) >= REACH and area >= HAND_SHARE * changes.size:
            return True
    return False
