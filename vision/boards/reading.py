"""Reads the type of tile on each space of a board and on places beside it, without knowledge of the printing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.board_kind import BoardKind, Spaces
from calibration.board_shape import STANDARD, BoardShape

from ..geometry import hexgrid
from .identity import HIDDEN_FROM, identify_board, print_indices
from .networks import CERTAIN, OFF_BOARD, PlacePredictions, encode_known, shipped_reader

FRAMED_SHARE = 0.6
"""Share of the patch that must be inside the frame (the hexagon fills 0.69 of its patch)."""
UNAWARE = 0.25
"""Weight of a tile's type read without knowledge of the print. On drawn tables with one tile in 20 on a space of
another type, more made those less likely that have the type of their space, and less left the others unread."""
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
    """Reads a board on its own: its spaces show what print and tiles look like in this printing and light.

    If the print is not known, a known board may be recognised by what is seen.
    """
    spaces = slice(len(board.shape.names))
    if board.spaces is not None:
        seen = predict_places(board)
        without = None if _is_certain(seen[spaces]) else predict_places(replace(board, spaces=None))
    else:
        without = predict_places(board)
        known = identify_board(without, board.kind) if board.shape == STANDARD else None
        seen = (
            predict_places(replace(board, spaces=board.kind.known[known])) if known is not None else without
        )
    tile_types = seen.tile_types.copy()
    if without is not None:
        tile_types[spaces] = _of_both(tile_types[spaces], without.tile_types[spaces])
    return SpaceReadings(seen.empty, tile_types, (seen.hidden >= HIDDEN_FROM) | (board.framed < FRAMED_SHARE))


def _is_certain(seen: PlacePredictions) -> bool:
    """Returns whether the type of each tile is certain; most tiles have the type of their space."""
    return bool((seen.tile_types.max(axis=1)[seen.empty < 0.5] >= CERTAIN).all())


def _of_both(aware: np.ndarray, unaware: np.ndarray) -> np.ndarray:
    """Returns the mean log odds of types (N, TYPES) read with and without knowledge of the print, as probabilities: a
    tile on a space of another type must not be taken for one of that type."""
    both = aware ** (1 - UNAWARE) * unaware**UNAWARE
    types: np.ndarray = both / both.sum(axis=1, keepdims=True)
    return types


def predict_places(board: BoardPatches) -> PlacePredictions:
    """Returns the reader's predictions for the spaces and the places beside, given their print if it is known."""
    count, grid = len(board.patches), hexgrid(board.shape)
    space_types, faces = np.full((2, count), UNKNOWN)
    if board.spaces:
        space_types[: len(grid)], faces[: len(grid)] = print_indices(board.spaces, board.kind)
    position = np.concatenate([grid, np.tile(OFF_BOARD, (count - len(grid), 1))])
    known = encode_known(position, space_types, faces)
    return shipped_reader(board.kind.game).read_places(board.patches, known)
