"""Dice drawn with OpenCV's shapes, not as the reader's own training scenes are made."""

from __future__ import annotations

import cv2
import numpy as np

FELT = (60, 90, 40)
IVORY, RED, BLUE, BLACK = (215, 225, 230), (30, 30, 190), (170, 70, 30), (35, 32, 30)
WHITE_PIP, BLACK_PIP = (240, 240, 240), (25, 25, 25)
THIRDS = {
    1: ["..." ".o." "..."],
    2: ["o.." "..." "..o"],
    3: ["o.." ".o." "..o"],
    4: ["o.o" "..." "o.o"],
    5: ["o.o" ".o." "o.o"],
    6: ["o.o" "o.o" "o.o"],
}  # fmt: skip
"""Pips on a grid of three by three."""


def table(width: int = 480, height: int = 320, colour: tuple[int, int, int] = FELT) -> np.ndarray:
    frame = np.empty((height, width, 3), np.float32)
    frame[:] = colour
    return frame + np.random.default_rng(3).normal(0, 2, frame.shape)


def draw_die(
    frame: np.ndarray,
    value: int,
    body: tuple[int, int, int],
    pip: tuple[int, int, int],
    at: tuple[float, float],
    side: float = 44,
    turn: float = 20,
) -> None:
    """Draws the top face of a die with a lighter and a darker rim, its shadow below right."""
    for grown, shift, colour in (
        (1.02, 0.16, np.multiply(frame[0, 0], 0.45)),
        (1.0, 0.0, np.multiply(body, 0.7)),
        (0.9, 0.0, np.asarray(body)),
    ):
        centre = at[0] + shift * side, at[1] + shift * side
        corners = cv2.boxPoints((centre, (grown * side, grown * side), turn))
        cv2.fillPoly(frame, [np.round(corners * 16).astype(np.int32)], np.asarray(colour).tolist(), 8, 4)
    spin = cv2.getRotationMatrix2D((0, 0), -turn, 0.25 * side)[:, :2]
    for index, mark in enumerate(THIRDS[value][0]):
        if mark == "o":
            x, y = spin @ (index % 3 - 1, index // 3 - 1) + at
            cv2.circle(frame, (round(x * 16), round(y * 16)), round(side * 0.1 * 16), pip, -1, 8, 4)


def shot(frame: np.ndarray) -> np.ndarray:
    """Returns the drawing as a camera would deliver it."""
    return np.clip(cv2.GaussianBlur(frame, (0, 0), 0.8), 0, 255).astype(np.uint8)
