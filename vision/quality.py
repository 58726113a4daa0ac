"""Quality of a picture of the table: sharpness, brightness and glare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.light import CLIPPED
from calibration.table_file import TableFile

from .patches import all_patches
from .places import WHITE_PRINT, clipped_share
from .view import TableView

FINE, COARSE = 1.0, 2.5
"""Standard deviations in px of the two blurs that are compared."""
EDGE_SHARE = 0.005
"""Share of all pixels: the steepest edges, which determine the sharpness."""
MAX_SPREAD = 10.0
"""Px: beyond it there is no edge to measure."""
BRIGHTEST = 99.0
"""Percentile of the levels that stands for white where there is no white card."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """Brightness of a picture."""

    white: float
    """Level, 0 to 255, of the brightest things in it."""
    clipped: float
    """Share of clipped pixels."""


def edge_spread(frame: np.ndarray) -> float:
    """Returns the standard deviation in px of the blur at the edges of *frame*, (H, W, 3) uint8 BGR or (H, W) grey.

    Blurring a blurred edge again reduces its steepness less than that of a sharp edge (Zhuo and Sim, Defocus map
    estimation from a single image, 2011). Both blurs are wide compared with the noise of the sensor.
    """
    grey = (frame if frame.ndim == 2 else cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)).astype(np.float32)
    fine, coarse = (_steepness(grey, blur) for blur in (FINE, COARSE))
    steep = fine >= max(float(np.quantile(fine, 1 - EDGE_SHARE)), 1e-3)
    if not steep.any():
        return MAX_SPREAD
    ratio = float(np.median((fine[steep] / np.maximum(coarse[steep], 1e-3)) ** 2))
    if ratio <= 1:
        return MAX_SPREAD
    spread: float = min(MAX_SPREAD, max(0.0, (COARSE**2 - ratio * FINE**2) / (ratio - 1)) ** 0.5)
    return spread


def _steepness(grey: np.ndarray, blur: float) -> np.ndarray:
    """Returns (H, W) float32: the gradient magnitude of *grey*, (H, W) float32, after a *blur* in px."""
    smooth = cv2.GaussianBlur(grey, (0, 0), blur)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    return cv2.magnitude(across, down)


def exposure(frame: np.ndarray) -> Exposure:
    """Returns the brightness of *frame*, (H, W, 3) uint8 BGR, by the darkest channel: a bright colour is not white."""
    levels = frame.min(axis=2)
    return Exposure(float(np.percentile(levels, BRIGHTEST)), float((levels >= CLIPPED).mean()))


def glare(frame: np.ndarray, table: TableFile, view: TableView) -> Mapping[str, float]:
    """Returns place (``GROUP:red:5``) -> share of it that is clipped by the reflection of a lamp, worst first.

    *frame* has the size of the table file, (H, W, 3) uint8 BGR; more white than a printed die is glare.
    """
    cut = all_patches(frame, table, view)
    if not len(cut.names):
        return {}
    shares = dict(zip(cut.names.tolist(), clipped_share(cut.patches).tolist(), strict=True))
    return {
        name: shares[name] for name in sorted(shares, key=lambda n: -shares[n]) if shares[name] > WHITE_PRINT
    }
