"""Cameras for tests that need no picture of a table."""

from __future__ import annotations

import numpy as np

from hardware.cameras import Camera


class NoiseCamera(Camera):
    """Represents a camera whose frames are all different: (9, 16, 3) uint8 BGR, noise on grey."""

    name = "sensor"

    def __init__(self) -> None:
        self._rng = np.random.default_rng(1)

    def read(self) -> np.ndarray:
        return self._rng.integers(100, 140, (9, 16, 3), np.uint8)

    def close(self) -> None:
        """Nothing to close."""
