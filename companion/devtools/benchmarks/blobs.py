"""The classic way to read dice, as a reference: find the pips as blobs, and group those that are close together.

A small implementation of our own of the idea behind most public dice readers (SimpleBlobDetector and a clustering of
its keypoints), with two improvements that they lack: light pips are found as well as dark ones, and distances are
measured in pips, not in pixels. It gives neither colours nor a confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vision.sighting import DieReading

WORKING_SIDE = 640
"""px; larger pictures are reduced to this size, at which most public readers work best."""
MEDIAN_BLUR = 3
"""px; removes noise and keeps edges."""
DARK, LIGHT = 0, 255
"""SimpleBlobDetector's values for the two kinds of blobs."""
MIN_AREA, MAX_AREA = 20.0, 600.0
"""px²; pips of dice 25 to 140 px wide at the working size, a pip being a fifth of its die."""
CIRCULARITY, CONVEXITY, INERTIA_RATIO = 0.65, 0.8, 0.5
"""Minimum values; a disc has 1 in all of them, and half the inertia ratio when tilted by 45 degrees."""
STEP = 10.0
"""Grey levels between the thresholds of the detector (OpenCV's default)."""
MAX_DISTANCE = 4.0
"""Pips of one die are at most this many pip diameters apart: those of a two are 3.5 apart."""
MAX_DIAMETER_RATIO = 1.6
"""Largest ratio between the diameters of pips of one die."""
MAX_PIPS = 6
BOX_MARGIN = 1.0
"""Margin of the box around the centres of the pips, in pip diameters."""


def read_blobs(
    frame: np.ndarray, areas: Sequence[Sequence[Sequence[float]]] | None = None
) -> tuple[DieReading, ...]:
    """Reads the dice in *frame*, (H, W, 3) uint8 BGR: each group of one to six similar pips is a die.

    *areas* are polygons in px; if given, only dice whose centre is in one of them are returned.
    """
    import cv2

    scale = min(1.0, WORKING_SIDE / max(frame.shape[:2]))
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.medianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), MEDIAN_BLUR)
    dice = [
        _die(group / scale)
        for colour in (DARK, LIGHT)
        for group in groups(find_pips(grey, colour))
        if len(group) <= MAX_PIPS
    ]
    if areas is None:
        return tuple(dice)
    polygons = [np.asarray(area, np.float32) for area in areas]
    return tuple(
        die for die in dice if any(cv2.pointPolygonTest(p, _centre(die), False) >= 0 for p in polygons)
    )


def find_pips(grey: np.ndarray, colour: int) -> np.ndarray:
    """Returns round blobs, ``DARK`` or ``LIGHT``, in *grey*, (H, W) uint8: (N, 3) float x, y, diameter in px."""
    import cv2

    params = cv2.SimpleBlobDetector.Params()
    params.blobColor = colour
    params.thresholdStep = STEP
    params.minDistBetweenBlobs = 1.0
    params.minArea, params.maxArea = MIN_AREA, MAX_AREA
    params.filterByCircularity, params.minCircularity = True, CIRCULARITY
    params.filterByConvexity, params.minConvexity = True, CONVEXITY
    params.filterByInertia, params.minInertiaRatio = True, INERTIA_RATIO
    keypoints = cv2.SimpleBlobDetector.create(params).detect(grey)
    return np.array([(*point.pt, point.size) for point in keypoints], float).reshape(-1, 3)


def groups(pips: np.ndarray) -> list[np.ndarray]:
    """Groups the *pips* (x, y, diameter) that are similar and close, directly or through others between them."""
    x, y, diameter = pips.T
    apart = np.hypot(x - x[:, None], y - y[:, None])
    pair = diameter + diameter[:, None]
    ratio = np.maximum(diameter, diameter[:, None]) / np.minimum(diameter, diameter[:, None])
    linked = (apart <= MAX_DISTANCE * pair / 2) & (ratio <= MAX_DIAMETER_RATIO)
    remaining = set(range(len(pips)))
    found = []
    while remaining:
        group, fresh = set(), {remaining.pop()}
        while fresh:
            group |= fresh
            fresh = remaining.intersection(np.flatnonzero(linked[list(fresh)].any(0)).tolist())
            remaining -= fresh
        found.append(pips[sorted(group)])
    return found


def _die(pips: np.ndarray) -> DieReading:
    from vision.sighting import DieReading

    margin = BOX_MARGIN * pips[:, 2].mean()
    x, y = pips[:, :2].min(0) - margin
    width, height = np.ptp(pips[:, :2], axis=0) + 2 * margin
    return DieReading(len(pips), "unknown", (round(x), round(y), round(width), round(height)), 0.0)


def _centre(die: DieReading) -> tuple[float, float]:
    x, y, width, height = die.box
    return x + width / 2, y + height / 2
