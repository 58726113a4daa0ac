"""Which spaces of the duchies hold which type of tile, without any knowledge of the printing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from calibration.facts import COLOURS, Spaces, load_facts
from vision.boards.networks import PlacesSeen, known_of, shipped_networks
from vision.geometry import SPACE_INDEX

FRAMED_SHARE = 0.6
"""Share of the patch that must lie inside the frame (the hexagon fills 0.69 of its patch)."""
HIDDEN_FROM = 0.5
"""Probability from which a space counts as hidden."""
SAME_DUCHY, LEAST_BARE = 0.9, 10
"""Share of the bare spaces that must have a known duchy's colours for it to be named; the fewest."""
UNKNOWN = -1


@dataclass(frozen=True)
class BoardPatches:
    """One duchy cut out of a frame."""

    patches: np.ndarray
    """(37, PATCH_PX, PATCH_PX, 3) uint8 BGR, reading order."""
    framed: np.ndarray
    """(37,) share of each patch inside the frame."""
    spaces: Spaces | None
    """Printed colour and die of the 37 spaces, or None when not known."""


@dataclass(frozen=True)
class SpaceReadings:
    """What lies on the spaces of one duchy."""

    empty: np.ndarray
    """(37,) probability that no tile lies there."""
    types: np.ndarray
    """(37, 6) probability of each type (order of COLOURS) if a tile lies there."""
    hidden: np.ndarray
    """(37,) bool: a hand, glare or the frame's edge hides the space."""


def read_spaces(boards: Sequence[BoardPatches]) -> list[SpaceReadings]:
    """Reads each duchy by itself: its spaces tell what prints and tiles look like in this printing and light."""
    return [_read(board) for board in boards]


def _read(board: BoardPatches) -> SpaceReadings:
    seen = seen_of(board)
    if board.spaces is None and (name := duchy_of(seen)) is not None:
        seen = seen_of(replace(board, spaces=load_facts().duchy(name).spaces))
    return SpaceReadings(seen.empty, seen.types, (seen.hidden >= HIDDEN_FROM) | (board.framed < FRAMED_SHARE))


def seen_of(board: BoardPatches) -> PlacesSeen:
    """What the reader says about the 37 spaces, told what is printed if that is known."""
    colours, faces = printed(board.spaces) if board.spaces else np.full((2, len(SPACE_INDEX)), UNKNOWN)
    return shipped_networks().read_places(
        board.patches, known_of(np.arange(len(SPACE_INDEX)), colours, faces)
    )


def printed(spaces: Spaces) -> tuple[np.ndarray, np.ndarray]:
    """Colours (37,) as indices in COLOURS, and faces (37,) 1 to 6."""
    return np.array([COLOURS.index(colour) for colour, _ in spaces]), np.array([die for _, die in spaces])


@cache
def standard_dice() -> np.ndarray:
    """The 37 printed dice of every standard duchy: all editions have the same numbers in the same places."""
    return printed(load_facts().duchy("se-1").spaces)[1]


def bare_of(seen: PlacesSeen) -> np.ndarray:
    """(N,) probability that a place's print is in sight."""
    return seen.empty * (1 - seen.hidden)


def duchy_of(seen: PlacesSeen) -> str | None:
    """Id of the known duchy whose colours the bare spaces have, None when there is none or too few are bare."""
    bare = bare_of(seen) > 0.5
    if bare.sum() < LEAST_BARE:
        return None
    likeliest = seen.colours.argmax(axis=1)
    alike = {
        duchy.id: float((likeliest == printed(duchy.spaces)[0])[bare].mean())
        for duchy in load_facts().duchies.values()
    }
    best = max(alike, key=alike.__getitem__)
    return best if alike[best] >= SAME_DUCHY else None
