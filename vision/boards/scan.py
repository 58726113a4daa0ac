"""What is printed on an empty duchy: colour and die face of its 37 spaces, and which known duchy that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from calibration.facts import DUCHY_SPACES_BY_TYPE, TILE_TYPES, Spaces, load_facts

from ..geometry import hexgrid
from .networks import PlacePredictions
from .spaces import BoardPatches, predict_places, print_indices

SURE = 0.9
"""A person is asked about a space whose colour or number has less."""
SAME_DUCHY = 34
"""Spaces of the 37 that must have its colours for a board to be a known one. Another one agrees in up to 32."""
TURNS = 6
"""Ways to turn the shape of a duchy into itself."""


@dataclass(frozen=True, slots=True)
class ScannedSpace:
    """One space, with the probability of what is told about it."""

    tile_type: str
    type_confidence: float
    die: int
    die_confidence: float


@dataclass(frozen=True, slots=True)
class DuchyScan:
    """An empty duchy as it was read."""

    spaces: tuple[ScannedSpace, ...]
    """In reading order."""
    duchy: str | None
    """Id of the known duchy whose colours it has, None when there is none."""
    agreeing: int
    """Spaces that have the colours of that duchy, or of the one most like it."""
    turn: int
    """Sixths of a turn, clockwise, by which the board lies otherwise than its anchors say, if it is a known one."""

    def printed(self) -> Spaces:
        """Colours and dice as they were read."""
        return tuple((space.tile_type, space.die) for space in self.spaces)

    def unusual_counts(self) -> Mapping[str, tuple[int, int]]:
        """Colour -> how often it was read and how often it is on a standard board, where these differ."""
        counted = Counter(space.tile_type for space in self.spaces)
        return {c: (counted[c], usual) for c, usual in DUCHY_SPACES_BY_TYPE.items() if counted[c] != usual}


def scan_duchy(board: BoardPatches) -> DuchyScan:
    """Reads the print of a duchy on which nothing lies."""
    seen = predict_places(board)
    spaces = tuple(
        ScannedSpace(
            TILE_TYPES[int(colours.argmax())],
            float(colours.max()),
            int(faces.argmax()) + 1,
            float(faces.max()),
        )
        for colours, faces in zip(seen.space_types, seen.faces, strict=True)
    )
    return DuchyScan(spaces, *_known(seen))


def _known(seen: PlacePredictions) -> tuple[str | None, int, int]:
    """Id of the known duchy, the spaces that agree with it and its turn."""
    best: tuple[int, int, int, str] = (0, 0, 0, "")
    read, dice = seen.space_types.argmax(axis=1), seen.faces.argmax(axis=1) + 1
    for duchy in load_facts().duchies.values():
        colours, faces = print_indices(duchy.spaces)
        for turn, places in enumerate(_turned_places()):
            alike, same_dice = int((read[places] == colours).sum()), int((dice[places] == faces).sum())
            best = max(best, (alike, same_dice, -turn, duchy.id))
    alike, _, turn, name = best
    return (name, alike, -turn) if alike >= SAME_DUCHY else (None, alike, 0)


@cache
def _turned_places() -> list[np.ndarray]:
    """For each turn of the shape: where each space, in reading order, has gone to; (37,) ints."""
    grid = hexgrid()
    places = []
    for turn in range(TURNS):
        angle = turn * 2 * np.pi / TURNS
        moved = grid @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        places.append(np.linalg.norm(moved[:, None] - grid[None], axis=-1).argmin(axis=1))
    return places
