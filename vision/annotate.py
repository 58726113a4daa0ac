"""Pictures for people: frames annotated with what was read from them."""

from __future__ import annotations

import cv2
import numpy as np

from .sighting import Sighting

PICTURE_WIDTH = 960
"""Width in pixels of the picture that a page shows."""
JPEG_QUALITY = 80
SURE = 0.8
_GREEN, _AMBER = (90, 200, 90), (40, 170, 255)
"""BGR of the box around a die read with certainty, and around an uncertain one."""
_DARK = (30, 22, 12)
"""BGR around that box, so that it is visible on any background."""


CROP_MARGIN = 0.6
"""Share of a die's box shown around it, so that its faces and neighbours are visible."""
CROP_SIDE = 220
"""px of the square picture of a die."""


def crop_jpeg(
    frame: np.ndarray,
    box: tuple[int, int, int, int],
    *,
    margin: float = CROP_MARGIN,
    pixels: int = CROP_SIDE,
    framed: bool = False,
) -> bytes:
    """Returns the content of *box* (x, y, width, height) in *frame* (H, W, 3) uint8 BGR, with some margin, as a JPEG
    file.

    *margin* is a share of the longer side of the box, *pixels* the side of the square picture. Outside the frame its
    border is repeated. With *framed* the box is drawn, because other dice may lie beside it.
    """
    x, y, width, height = box
    side = max(width, height, 1) * (1 + 2 * margin)
    step = side / pixels
    corner = x + width / 2 - side / 2, y + height / 2 - side / 2
    warp = np.array([[step, 0, corner[0]], [0, step, corner[1]]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    picture = cv2.warpAffine(frame, warp, (pixels, pixels), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    if framed:
        middle, half = pixels / 2, (width / 2 / step, height / 2 / step)
        first, last = (tuple(round(middle + sign * side) for side in half) for sign in (-1, 1))
        for colour, thickness in ((_DARK, 7), (_AMBER, 3)):
            cv2.rectangle(picture, first, last, colour, thickness, cv2.LINE_AA)
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def annotated_jpeg(frame: np.ndarray, sighting: Sighting) -> bytes:
    """Returns *frame* (H, W, 3) uint8 BGR scaled down, with a box and the value of each die, as a JPEG file."""
    scale = min(1.0, PICTURE_WIDTH / frame.shape[1])
    picture = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for die in sighting.dice:
        x, y, w, h = (round(v * scale) for v in die.box)
        colour = _GREEN if die.value is not None and die.confidence >= SURE else _AMBER
        cv2.rectangle(picture, (x, y), (x + w, y + h), colour, 1, cv2.LINE_AA)
        text = "?" if die.value is None else str(die.value)
        cv2.putText(picture, text, (x + w + 2, y + h), cv2.FONT_HERSHEY_SIMPLEX, 0.55, colour, 1, cv2.LINE_AA)
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
