"""Whether a camera's pictures still show the table, judged by its previews alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SIDE = 160
"""A preview is looked at by about so many pixels along its width."""
DARK = 24
"""Grey level that a black picture stays under, its noise included."""
LIT_SHARE = 0.01
"""Of a picture that is not black: less is a display or a window in a dark room."""
CLIPPED = 250
"""Grey level from which a pixel tells nothing any more."""
CLIPPED_SHARE = 0.5
"""Of a picture that is over-exposed; white cards and a lamp's reflection are less."""
DOUBT_S = 1.5
"""How long a picture must be black or over-exposed: a sleeve before the lens is soon gone."""
FROZEN_S = 1.8
"""How long a sensor's pictures must be alike to the last bit."""
FROZEN_LOOKS = 6
"""How many of them there must have been."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a preview says about its camera."""

    fault: str | None = None
    """``black``, ``overexposed`` or ``frozen``, once it has lasted."""
    usable: bool = True
    """Whether the table can be seen in this picture."""
    alive: bool = True
    """Whether it differs from the one before, which proves that the sensor works."""


class PictureHealth:
    """Judges one preview after the other; *live* says whether a sensor gives them, since only those cannot stay alike.

    There is no clock inside: the caller says when each preview was taken.
    """

    def __init__(self, *, live: bool) -> None:
        self._live = live
        self._last: np.ndarray | None = None
        self._alike_since = 0.0
        self._alike = 0
        self._blind: str | None = None
        self._blind_since = 0.0

    def assess(self, preview: np.ndarray, seconds: float) -> Assessment:
        """Takes a preview, (H, W) grey or (H, W, 3) BGR uint8, of *seconds* (any origin)."""
        step = max(1, preview.shape[1] // SIDE)
        # Of three colours green is nearest to grey, and costs nothing.
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
        """Whether *sample* differs from the one before."""
        last, self._last = self._last, sample
        if last is not None and np.array_equal(last, sample):
            self._alike += 1
            return False
        self._alike, self._alike_since = 1, seconds
        return last is not None


def _blindness(grey: np.ndarray) -> str | None:
    """Why nothing can be seen in a picture, if so."""
    if (grey >= DARK).mean() < LIT_SHARE:
        return "black"
    if (grey >= CLIPPED).mean() > CLIPPED_SHARE:
        return "overexposed"
    return None
