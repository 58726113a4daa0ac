"""Reads the type of tile on each space of a board and on places beside it, without knowledge of the printing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.board_kind import BoardKind, Spaces
from calibration.board_shape import STANDARD, BoardShape

from ..geometry import hexgrid
from .networks import OFF_BOARD, PlacePredictions, encode_known, shipped_reader

FRAMED_SHARE = 0.6
"""Share of the patch that must be inside the frame (the hexagon fills 0.69 of its patch)."""
HIDDEN_FROM = 0.5
"""Probability from which a space counts as hidden."""
SAME_BOARD, MIN_BARE = 0.9, 10
"""Share of the empty spaces that must have the types of a known board to identify it; their minimum number."""
UNKNOWN = -1


@dataclass(frozen=True)
class BoardPatches:
    """One board cut out of a frame, and places beside it with tiles of the same printing."""

    patches: np.ndarray
    """(S + N, PATCH_PX, PATCH_PX, 3) uint8 BGR: the S spaces in the order of the shape, then the places beside."""
    framed: np.ndarray
    """(S + N,) share of each patch inside the frame."""
    spaces: Spaces | None
    """Printed tile type and die of the spaces; None if not known."""
    kind: BoardKind
    shape: BoardShape = STANDARD

    def with_places(self, patches: np.ndarray, framed: np.ndarray) -> BoardPatches:
        """Returns a copy with more places beside the board, (M, PATCH_PX, PATCH_PX, 3) and (M,)."""
        return replace(
            self,
            patches=np.concatenate([self.patches, patches]),
            framed=np.concatenate([self.framed, framed]),
        )


@dataclass(frozen=True)
class SpaceReadings:
    """The readings of the spaces of one board, and of the places beside it."""

    empty: np.ndarray
    """(S + N,) probability that no tile lies there."""
    tile_types: np.ndarray
    """(S + N, TYPES) probability of each type of its game if there is a tile."""
    hidden: np.ndarray
    """(S + N,) bool: a hand, glare or the frame's edge hides the place."""


def read_spaces(board: BoardPatches) -> SpaceReadings:
    """Reads a board on its own: its spaces show what print and tiles look like in this printing and light."""
    seen = predict_places(board)
    known = identify_board(seen, board.kind) if board.spaces is None and board.shape == STANDARD else None
    if known is not None:
        seen = predict_places(replace(board, spaces=board.kind.known[known]))
    return SpaceReadings(
        seen.empty, seen.tile_types, (seen.hidden >= HIDDEN_FROM) | (board.framed < FRAMED_SHARE)
    )


def predict_places(board: BoardPatches) -> PlacePredictions:
    """Returns the reader's predictions for the spaces and the places beside, given their print if it is known."""
    count, grid = len(board.patches), hexgrid(board.shape)
    space_types, faces = np.full((2, count), UNKNOWN)
    if board.spaces:
        space_types[: len(grid)], faces[: len(grid)] = print_indices(board.spaces, board.kind)
    position = np.concatenate([grid, np.tile(OFF_BOARD, (count - len(grid), 1))])
    known = encode_known(position, space_types, faces)
    return shipped_reader(board.kind.game).read_places(board.patches, known)


def print_indices(spaces: Spaces, kind: BoardKind) -> tuple[np.ndarray, np.ndarray]:
    """Returns tile types (S,) as indices in the types of the *kind*, and faces (S,) 1 to 6."""
    return np.array([kind.types.index(tile_type) for tile_type, _ in spaces]), np.array(
        [die for _, die in spaces]
    )


def bare_probability(seen: PlacePredictions) -> np.ndarray:
    """Returns (N,): probability that a place's print is visible."""
    bare: np.ndarray = seen.empty * (1 - seen.hidden)
    return bare


def identify_board(seen: PlacePredictions, kind: BoardKind) -> str | None:
    """Returns the id of the known board with the types of the empty spaces; None if there is none, or too few are
    empty."""
    bare = bare_probability(seen)[: len(STANDARD.names)] > 0.5
    if bare.sum() < MIN_BARE:
        return None
    likeliest = seen.space_types[: len(STANDARD.names)].argmax(axis=1)
    alike = {
        name: float((likeliest == print_indices(spaces, kind)[0])[bare].mean())
        for name, spaces in kind.known.items()
    }
    best = max(alike, key=alike.__getitem__, default=None)
    return best if best is not None and alike[best] >= SAME_BOARD else None
