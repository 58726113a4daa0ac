"""Detects from the previews whether the camera still shows the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SIDE = 160
"""Previews are reduced to about this many pixels in width."""
DARK = 24
"""Grey level below which a pixel of a black picture stays, including noise."""
LIT_SHARE = 0.01
"""Share of lit pixels in a picture that is not black; less is a display or a window in a dark room."""
CLIPPED = 250
"""Grey level from which a pixel counts as clipped."""
CLIPPED_SHARE = 0.5
"""Share of clipped pixels in an overexposed picture; white cards and reflections have less."""
DOUBT_S = 1.5
"""How long a picture must be black or overexposed: a sleeve in front of the lens is soon gone."""
FROZEN_S = 1.8
"""How long the pictures of a sensor must be identical."""
FROZEN_LOOKS = 6
"""How many pictures must be identical."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """The health of the camera according to one preview."""

    fault: str | None = None
    """``black``, ``overexposed`` or ``frozen``, once it has lasted; None otherwise."""
    usable: bool = True
    """Whether this picture shows the table."""
    alive: bool = True
    """Whether it differs from the previous one, which proves that the sensor works."""


class PictureHealth:
    """Assesses one preview after the other; *live* says whether they come from a sensor: only a sensor never repeats a
    picture.

    It has no clock: the caller gives the time of each preview.
    """

    def __init__(self, *, live: bool) -> None:
        self._live = live
        self._last: np.ndarray | None = None
        self._alike_since = 0.0
        self._alike = 0
        self._blind: str | None = None
        self._blind_since = 0.0

    def assess(self, preview: np.ndarray, seconds: float) -> Assessment:
        """Assesses a preview, (H, W) grey or (H, W, 3) BGR uint8, taken at *seconds* (any origin)."""
        step = max(1, preview.shape[1] // SIDE)
        # The green channel is closest to grey, and costs nothing.
        sample = (preview if preview.ndim == 2 else preview[..., 1])[::step, ::step].copy()
        alive = not self._live or self._differs(sample, seconds)
        blind = _blindness(sample)
        if blind != self._blind:
            self._blind, self._blind_since = blind, seconds
        if blind:
            lasting = seconds - self._blind_since >= DOUBT_S
            return Assessment(blind if lasting else None, usable=False, alive=alive)
        frozen = self._alike >= FROZEN_LOOKS and seconds - self._alike_since >= FROZEN_S
        return Assessment("frozen" if frozen else None, usable=not frozen, alive=alive)

    def _differs(self, sample: np.ndarray, seconds: float) -> bool:
        """Returns whether *sample* differs from the previous one."""
        last, self._last = self._last, sample
        if last is not None and np.array_equal(last, sample):
            self._alike += 1
            return False
        self._alike, self._alike_since = 1, seconds
        return last is not None


def _blindness(grey: np.ndarray) -> str | None:
    """Returns why a picture shows nothing; None if it does."""
    if (grey >= DARK).mean() < LIT_SHARE:
        return "black"
    if (grey >= CLIPPED).mean() > CLIPPED_SHARE:
        return "overexposed"
    return None
