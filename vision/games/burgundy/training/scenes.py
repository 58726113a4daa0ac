"""Synthetic scenes: photographs of a table. Lengths are in pitches.

The table is drawn flat, lit, and warped into the camera; shadows and the thickness of tiles are painted. The networks
must distinguish print from tiles in unknown printings, for which many different printings matter more than exact light.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from ....geometry import Plane, sample
from ....training.camera import photograph_of
from ....training.colours import Generator, hsv, linear
from ....training.grounds import noise
from .printing import PRINT_PX, polygon, rough
from .tables import Places, Table, any_table

PITCHES = 24.0, 56.0
"""px per pitch in the photograph."""
SHOWN = 0.7, 0.96
"""Share of the drawn width that a photograph shows."""
HIDDEN_FROM = 0.4
"""Share of a place that is covered or clipped, from which the reader is not asked about it."""
DEEP_SHADE, GLARING, VEILS, TUBES, WAVY = 0.2, 0.3, 0.25, 0.25, 0.4
"""Shares of shadows that are nearly black, such as under an arm; of reflections that burn out what they cover; of wide
and soft ones; of those of lamps with several tubes, or panes; and of those in what is not flat."""
SKINS = ((20, 0.45, 0.85), (18, 0.55, 0.65), (15, 0.6, 0.4), (22, 0.35, 0.95))


@dataclass(slots=True)
class Scene:
    """A photograph of a scene."""

    frame: np.ndarray
    """(S, S, 3) uint8 BGR."""
    plane: Plane
    """From pitches to px."""
    places: Places
    hidden: np.ndarray
    """(N,) bool."""


def any_scenes(rng: Generator, photos: int) -> list[Scene]:
    """Returns photos of one random table by *photos* cameras, each in different light."""
    table = any_table(rng)
    return [_photographed(rng, table) for _ in range(photos)]


def _photographed(rng: Generator, table: Table) -> Scene:
    pitch = float(np.exp(rng.uniform(*np.log(PITCHES))))
    size = int(pitch * table.width * rng.uniform(*SHOWN)) // 2 * 2
    homography = _any_view(rng, pitch, size)
    columns, rows = np.meshgrid(np.arange(size, dtype=np.float32), np.arange(size, dtype=np.float32))
    grid = np.stack([columns.ravel(), rows.ravel()], 1)[None].astype(np.float64)
    seen = cv2.perspectiveTransform(grid, np.linalg.inv(homography))[0]
    where = table.px(seen + _curl(rng, seen)).astype(np.float32).reshape(size, size, 2)
    sharp = (
        table.world
        if pitch > PRINT_PX / 1.5
        else cv2.GaussianBlur(table.world, (0, 0), 0.35 * PRINT_PX / pitch)
    )
    flat = sample(sharp, where, cv2.BORDER_REFLECT)
    covered = sample(table.cover, where, cv2.BORDER_CONSTANT)
    if rng.random() < 0.35:
        _hand(rng, flat, covered, pitch)
    frame = photograph_of(rng, _lit(rng, linear(flat), pitch), 0.5 * pitch)
    plane = Plane(homography)
    return Scene(frame, plane, table.places, _hidden(frame, covered, plane, table.places.centres))


def _any_view(rng: Generator, pitch: float, size: int) -> np.ndarray:
    """Returns (3, 3) from pitches to px: the card at any rotation, seen from up to 35 degrees off the vertical."""
    turn, tilt, towards = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(0, 35)), rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.6:
        tilt /= 3
    c, s = np.cos(turn), np.sin(turn)
    spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    c, s = np.cos(towards), np.sin(towards)
    ahead = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    distance = rng.uniform(14, 40)
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, np.sin(tilt) / distance, 1]])
    at = size / 2 + rng.normal(0, 0.25 * pitch, 2)
    zoom = np.array([[pitch, 0, at[0]], [0, pitch, at[1]], [0, 0, 1]])
    homography: np.ndarray = zoom @ ahead @ lean @ ahead.T @ spin
    return homography


def _curl(rng: Generator, seen: np.ndarray) -> np.ndarray:
    """Returns (N, 2): apparent displacement at the points *seen* (N, 2) of a card that does not lie flat."""
    if rng.random() < 0.5:
        return np.zeros_like(seen)
    across = rng.uniform(0, 2 * np.pi)
    along = seen @ (np.cos(across), np.sin(across)) / 4
    rise = rng.normal(0, 0.1) * along**2 + rng.normal(0, 0.04) * along
    towards = rng.uniform(0, 2 * np.pi)
    return np.clip(rise, -0.25, 0.25)[:, None] * (np.cos(towards), np.sin(towards))


def _hand(rng: Generator, flat: np.ndarray, covered: np.ndarray, pitch: float) -> None:
    """Draws an arm from the border with its hand and shadow."""
    size = len(flat)
    skin = hsv(*SKINS[int(rng.integers(len(SKINS)))])
    tip = rng.uniform(0.1, 0.9, 2) * size
    turn = rng.uniform(0, 2 * np.pi)
    root = tip + 1.5 * size * np.array([np.cos(turn), np.sin(turn)])
    palm = tip + 2.0 * pitch * np.array([np.cos(turn), np.sin(turn)])
    arm, shadow = np.zeros(flat.shape[:2], np.uint8), rng.normal(0, 0.5 * pitch, 2)
    for away, colour in ((shadow, None), (np.zeros(2), skin)):
        arm[:] = 0
        for start, end, width in (
            (palm, root, 2.0),
            *((palm, tip + rng.normal(0, 0.8 * pitch, 2), 0.6) for _ in range(4)),
        ):
            first, last = (np.round(p + away).astype(int).tolist() for p in (start, end))
            cv2.line(arm, first, last, 255, max(1, round(width * pitch * rng.uniform(0.8, 1.1))))
        soft = (
            cv2.GaussianBlur(arm, (0, 0), 0.05 * pitch if colour is not None else 0.4 * pitch)[..., None]
            / 255
        )
        if colour is None:
            flat *= 1 - rng.uniform(0.2, 0.7) * soft
        else:
            shade = 1 + rough(rng, size, pitch, 0.15)[..., :1] if size > 4 else 1
            flat += soft * (colour * shade - flat)
            np.maximum(covered, arm, out=covered)


def _lit(rng: Generator, radiance: np.ndarray, pitch: float) -> np.ndarray:
    """Returns *radiance* under uneven, coloured lamps, with shadows and reflections."""
    size = len(radiance)
    y, x = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j].astype(np.float32)
    light = np.ones((size, size, 3), np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    slope = rng.normal(0, 0.25) * (np.cos(turn) * x + np.sin(turn) * y) + rng.normal(0, 0.1) * (x**2 + y**2)
    warm = np.array([-1.0, 0.0, 1.0]) * rng.normal(0.05, 0.25)
    light *= np.exp(slope)[..., None] * np.exp(warm + rng.normal(0, 0.05, 3)).astype(np.float32)
    for _ in range(rng.poisson(0.5)):
        shade: np.ndarray = np.zeros((size, size), np.float32)
        corners = rng.uniform(0, 1, 2) * size + rng.normal(0, 0.4 * size, (int(rng.integers(3, 6)), 2))
        polygon(shade, cv2.convexHull(corners.astype(np.float32))[:, 0], 1.0)
        shade = cv2.GaussianBlur(shade, (0, 0), pitch * rng.uniform(0.05, 1.0))
        darkest = 0.85 if rng.random() < DEEP_SHADE else 0.6
        light *= 1 - rng.uniform(0.1, darkest) * shade[..., None]
    lit = radiance * light
    for _ in range(rng.poisson(0.8)):
        lit += _reflection(rng, size, pitch)[..., None] * rng.uniform(0.85, 1.0, 3).astype(np.float32)
    return lit


def _reflection(rng: Generator, size: int, pitch: float) -> np.ndarray:
    """Returns (size, size) float32: the reflection of a lamp, as a spot or a streak, or of one with several tubes; or a
    veil over several spaces."""
    spot, veil = np.zeros((size, size), np.float32), rng.random() < VEILS
    long, wide = rng.uniform(0.3, 6), rng.uniform(0.1, 4.0 if veil else 1.0)
    axes = np.maximum(1, np.array([long, wide]) * pitch).astype(int).tolist()
    at, turn = rng.uniform(0, 1, 2) * size, rng.uniform(0, 180)
    tubes = int(rng.integers(2, 4)) if rng.random() < TUBES else 1
    across = np.array([-np.sin(np.radians(turn)), np.cos(np.radians(turn))])
    apart = (wide + rng.uniform(1.2, 3)) * pitch * across
    for tube in range(tubes):
        cv2.ellipse(spot, (at + tube * apart).astype(int).tolist(), axes, turn, 0, 360, 1.0, -1)
    if rng.random() < WAVY:
        spot = _rippled(rng, spot, pitch)
    soft = pitch * (rng.uniform(0.5, 2) if veil else np.exp(rng.uniform(np.log(0.02), 0)))
    blurred = cv2.GaussianBlur(spot, (0, 0), soft)
    halo = cv2.GaussianBlur(spot, (0, 0), pitch) * rng.uniform(0, 0.15)
    strength = rng.exponential(1.2 if rng.random() < GLARING else 0.35)
    reflected: np.ndarray = (blurred + halo) * np.float32(strength)
    return reflected


def _rippled(rng: Generator, spot: np.ndarray, pitch: float) -> np.ndarray:
    """Returns *spot* (size, size) as a surface that is not flat reflects it, such as a plastic sheet."""
    size, cell = len(spot), pitch * rng.uniform(0.7, 3)
    columns, rows = np.meshgrid(np.arange(size, dtype=np.float32), np.arange(size, dtype=np.float32))
    across, down = (noise(rng, size, cell, cell) * np.float32(pitch * rng.uniform(0, 0.5)) for _ in range(2))
    rippled: np.ndarray = cv2.remap(spot, columns + across, rows + down, cv2.INTER_LINEAR)
    return rippled


def _hidden(frame: np.ndarray, covered: np.ndarray, plane: Plane, centres: np.ndarray) -> np.ndarray:
    """Returns (N,) bool: places of which too little is visible."""
    occluded = np.maximum(covered, 255 * (frame.min(2) >= 250).astype(np.uint8))
    height, width = occluded.shape
    hidden = []
    for centre in centres:
        spots = plane.to_frame(centre + SPOTS)
        inside = ((spots > -0.5) & (spots < (width - 0.5, height - 0.5))).all(1)
        x, y = np.round(spots[inside]).astype(int).T
        hidden.append(1 - (occluded[y, x] < 128).sum() / len(SPOTS) >= HIDDEN_FROM)
    return np.array(hidden)


SPOTS = np.array(
    [
        (r * np.cos(a), r * np.sin(a))
        for r in (0.0, 0.15, 0.3, 0.42)
        for a in np.arange(0, 2 * np.pi, np.pi / 6)
    ]
)
"""Sample points of a place, relative to its centre."""
