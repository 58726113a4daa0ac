"""Reads the type of tile on each space of a duchy and on places beside it, without knowledge of the printing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from calibration.board_kind import Spaces
from calibration.board_shape import STANDARD, BoardShape
from calibration.games.burgundy.facts import TILE_TYPES, load_facts

from ..geometry import hexgrid
from .networks import OFF_BOARD, PlacePredictions, encode_known, shipped_networks

FRAMED_SHARE = 0.6
"""Share of the patch that must be inside the frame (the hexagon fills 0.69 of its patch)."""
HIDDEN_FROM = 0.5
"""Probability from which a space counts as hidden."""
SAME_DUCHY, MIN_BARE = 0.9, 10
"""Share of the empty spaces that must have the types of a known duchy to identify it; their minimum number."""
UNKNOWN = -1


@dataclass(frozen=True)
class BoardPatches:
    """One duchy cut out of a frame, and places beside it with tiles of the same printing."""

    patches: np.ndarray
    """(S + N, PATCH_PX, PATCH_PX, 3) uint8 BGR: the S spaces in the order of the shape, then the places beside."""
    framed: np.ndarray
    """(S + N,) share of each patch inside the frame."""
    spaces: Spaces | None
    """Printed tile type and die of the spaces; None if not known."""
    shape: BoardShape = STANDARD

    def with_places(self, patches: np.ndarray, framed: np.ndarray) -> BoardPatches:
        """Returns a copy with more places beside the duchy, (M, PATCH_PX, PATCH_PX, 3) and (M,)."""
        return replace(
            self,
            patches=np.concatenate([self.patches, patches]),
            framed=np.concatenate([self.framed, framed]),
        )


@dataclass(frozen=True)
class SpaceReadings:
    """The readings of the spaces of one duchy, and of the places beside it."""

    empty: np.ndarray
    """(S + N,) probability that no tile lies there."""
    tile_types: np.ndarray
    """(S + N, 6) probability of each type (order of TILE_TYPES) if there is a tile."""
    hidden: np.ndarray
    """(S + N,) bool: a hand, glare or the frame's edge hides the place."""


def read_spaces(board: BoardPatches) -> SpaceReadings:
    """Reads a duchy on its own: its spaces show what print and tiles look like in this printing and light."""
    seen = predict_places(board)
    known = identify_duchy(seen) if board.spaces is None and board.shape == STANDARD else None
    if known is not None:
        seen = predict_places(replace(board, spaces=load_facts().duchy(known).spaces))
    return SpaceReadings(
        seen.empty, seen.tile_types, (seen.hidden >= HIDDEN_FROM) | (board.framed < FRAMED_SHARE)
    )


def predict_places(board: BoardPatches) -> PlacePredictions:
    """Returns the reader's predictions for the spaces and the places beside, given their print if it is known."""
    count, grid = len(board.patches), hexgrid(board.shape)
    space_types, faces = np.full((2, count), UNKNOWN)
    if board.spaces:
        space_types[: len(grid)], faces[: len(grid)] = print_indices(board.spaces)
    position = np.concatenate([grid, np.tile(OFF_BOARD, (count - len(grid), 1))])
    return shipped_networks().read_places(board.patches, encode_known(position, space_types, faces))


def print_indices(spaces: Spaces) -> tuple[np.ndarray, np.ndarray]:
    """Returns tile types (S,) as indices in TILE_TYPES, and faces (S,) 1 to 6."""
    return np.array([TILE_TYPES.index(tile_type) for tile_type, _ in spaces]), np.array(
        [die for _, die in spaces]
    )


@cache
def standard_dice() -> np.ndarray:
    """Returns the 37 printed dice of every standard duchy: they are the same in all editions."""
    return print_indices(load_facts().duchy("se-1").spaces)[1]


def bare_probability(seen: PlacePredictions) -> np.ndarray:
    """Returns (N,): probability that a place's print is visible."""
    bare: np.ndarray = seen.empty * (1 - seen.hidden)
    return bare


def identify_duchy(seen: PlacePredictions) -> str | None:
    """Returns the id of the known duchy with the types of the empty spaces; None if there is none, or too few are
    empty."""
    bare = bare_probability(seen)[: len(STANDARD.names)] > 0.5
    if bare.sum() < MIN_BARE:
        return None
    likeliest = seen.space_types[: len(STANDARD.names)].argmax(axis=1)
    alike = {
        duchy.id: float((likeliest == print_indices(duchy.spaces)[0])[bare].mean())
        for duchy in load_facts().duchies.values()
    }
    best = max(alike, key=alike.__getitem__)
    return best if alike[best] >= SAME_DUCHY else None
