"""Which spaces of a duchy, and places beside it, hold which type of tile, without any knowledge of the printing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from calibration.facts import TILE_TYPES, Spaces, load_facts

from .networks import OFF_BOARD, SPACES, PlacePredictions, encode_known, shipped_networks

FRAMED_SHARE = 0.6
"""Share of the patch that must lie inside the frame (the hexagon fills 0.69 of its patch)."""
HIDDEN_FROM = 0.5
"""Probability from which a space counts as hidden."""
SAME_DUCHY, LEAST_BARE = 0.9, 10
"""Share of the bare spaces that must have a known duchy's colours for it to be named; the fewest."""
UNKNOWN = -1


@dataclass(frozen=True)
class BoardPatches:
    """One duchy cut out of a frame, and places beside it that hold tiles of the same printing."""

    patches: np.ndarray
    """(37 + N, PATCH_PX, PATCH_PX, 3) uint8 BGR: the spaces in reading order, then the places beside."""
    framed: np.ndarray
    """(37 + N,) share of each patch inside the frame."""
    spaces: Spaces | None
    """Printed colour and die of the 37 spaces, or None when not known."""

    def with_places(self, patches: np.ndarray, framed: np.ndarray) -> BoardPatches:
        """Returns the same with more places beside the duchy, (M, PATCH_PX, PATCH_PX, 3) and (M,)."""
        return replace(
            self,
            patches=np.concatenate([self.patches, patches]),
            framed=np.concatenate([self.framed, framed]),
        )


@dataclass(frozen=True)
class SpaceReadings:
    """What lies on the spaces of one duchy, and on the places beside it."""

    empty: np.ndarray
    """(37 + N,) probability that no tile lies there."""
    tile_types: np.ndarray
    """(37 + N, 6) probability of each type (order of TILE_TYPES) if a tile lies there."""
    hidden: np.ndarray
    """(37 + N,) bool: a hand, glare or the frame's edge hides the place."""


def read_spaces(board: BoardPatches) -> SpaceReadings:
    """Reads a duchy by itself: its spaces tell what prints and tiles look like in this printing and light."""
    seen = predict_places(board)
    if board.spaces is None and (name := identify_duchy(seen)) is not None:
        seen = predict_places(replace(board, spaces=load_facts().duchy(name).spaces))
    return SpaceReadings(
        seen.empty, seen.tile_types, (seen.hidden >= HIDDEN_FROM) | (board.framed < FRAMED_SHARE)
    )


def predict_places(board: BoardPatches) -> PlacePredictions:
    """Returns what the reader says about the spaces and the places beside, told what is printed if that is known."""
    count = len(board.patches)
    colours, faces = np.full((2, count), UNKNOWN)
    if board.spaces:
        colours[:SPACES], faces[:SPACES] = print_indices(board.spaces)
    position = np.minimum(np.arange(count), OFF_BOARD)
    return shipped_networks().read_places(board.patches, encode_known(position, colours, faces))


def print_indices(spaces: Spaces) -> tuple[np.ndarray, np.ndarray]:
    """Colours (37,) as indices in TILE_TYPES, and faces (37,) 1 to 6."""
    return np.array([TILE_TYPES.index(colour) for colour, _ in spaces]), np.array([die for _, die in spaces])


@cache
def standard_dice() -> np.ndarray:
    """Returns the 37 printed dice of every standard duchy: all editions have the same numbers in the same places."""
    return print_indices(load_facts().duchy("se-1").spaces)[1]


def bare_probability(seen: PlacePredictions) -> np.ndarray:
    """Returns (N,) probability that a place's print is in sight."""
    bare: np.ndarray = seen.empty * (1 - seen.hidden)
    return bare


def identify_duchy(seen: PlacePredictions) -> str | None:
    """Id of the known duchy whose colours the bare spaces have, None when there is none or too few are bare."""
    bare = bare_probability(seen)[:SPACES] > 0.5
    if bare.sum() < LEAST_BARE:
        return None
    likeliest = seen.space_types[:SPACES].argmax(axis=1)
    alike = {
        duchy.id: float((likeliest == print_indices(duchy.spaces)[0])[bare].mean())
        for duchy in load_facts().duchies.values()
    }
    best = max(alike, key=alike.__getitem__)
    return best if alike[best] >= SAME_DUCHY else None
