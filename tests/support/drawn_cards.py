"""County cards, drawn as a camera would see them."""

from __future__ import annotations

import cv2
import numpy as np

PRINTS = {
    "castle": (60, 40, 120),
    "mine": (140, 138, 135),
    "ship": (170, 120, 60),
    "livestock": (80, 160, 110),
    "building": (140, 175, 205),
    "monastery": (75, 200, 230),
}
"""BGR."""
PITCH = 50.0


def card(tile_types: list[str], turn: float = 0.0) -> np.ndarray:
    """Returns a card drawn with its spaces below each other."""
    frame: np.ndarray = np.empty((640, 480, 3), np.float32)
    frame[:] = (70, 95, 120)
    frame += np.random.default_rng(1).normal(0, 3, frame.shape)
    cv2.rectangle(frame, (150, 60), (330, 60 + 65 * len(tile_types) + 60), (190, 215, 225), -1)
    for i, tile_type in enumerate(tile_types):
        middle = np.array([240.0, 120.0 + 1.3 * i * PITCH])
        angles = np.arange(6) * np.pi / 3 + np.pi / 6
        for size, shade in ((1.0, 0.6), (0.92, 1.0)):
            corners = middle + size * PITCH / np.sqrt(3) * np.stack([np.cos(angles), np.sin(angles)], 1)
            fill = np.multiply(PRINTS[tile_type], shade).tolist()
            cv2.fillPoly(frame, [np.round(corners * 16).astype(np.int32)], fill, 8, 4)
    spin = cv2.getRotationMatrix2D((240, 320), turn, 1)
    frame = cv2.warpAffine(frame, spin, (480, 640), borderMode=cv2.BORDER_REPLICATE)
    return np.clip(cv2.GaussianBlur(frame, (0, 0), 0.8), 0, 255).astype(np.uint8)


def with_symbol(frame: np.ndarray, space: int) -> np.ndarray:
    """Returns the card with a pale square in a dark frame on one *space*."""
    x, y = 240, round(120 + 1.3 * space * PITCH)
    for reach, shade in ((10, 30), (6, 230)):
        cv2.rectangle(frame, (x - reach, y - reach), (x + reach, y + reach), (shade,) * 3, -1)
    return frame
