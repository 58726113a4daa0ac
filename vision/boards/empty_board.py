"""Reads the print of an empty board: tile type and die face of its spaces, and which known board it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from calibration.board_kind import BoardKind, Spaces
from calibration.board_shape import STANDARD, BoardShape

from ..geometry import hexgrid
from .networks import PlacePredictions
from .reading import BoardPatches, predict_places, print_indices

SURE = 0.9
"""A person is asked about a space whose type or die is less certain."""
SAME_BOARD = 34
"""Spaces of the 37 that must have the types of a known board. Another one agrees in up to 32."""
TURNS = 6
"""Rotational symmetries of the standard shape."""


@dataclass(frozen=True, slots=True)
class ScannedSpace:
    """One space with the probabilities of its reading."""

    tile_type: str
    type_confidence: float
    die: int
    die_confidence: float


@dataclass(frozen=True, slots=True)
class BoardScan:
    """An empty board as it was read."""

    spaces: tuple[ScannedSpace, ...]
    """In the order of the shape."""
    shape: BoardShape
    kind: BoardKind
    printed_id: str | None
    """Id of the known board with these types; None if there is none."""
    agreeing: int
    """Spaces that have the types of that board, or of the most similar one."""
    turn: int
    """Sixths of a turn, clockwise, by which a known board is rotated against its anchors."""

    def printed(self) -> Spaces:
        """Returns the types and dice as they were read."""
        return tuple((space.tile_type, space.die) for space in self.spaces)

    def unusual_counts(self) -> Mapping[str, tuple[int, int]]:
        """Returns tile type -> how often it was read and how often a standard board has it, where these differ."""
        if self.shape != STANDARD:
            return {}
        counted = Counter(space.tile_type for space in self.spaces)
        return {c: (counted[c], usual) for c, usual in self.kind.usual_counts.items() if counted[c] != usual}


def scan_board(board: BoardPatches) -> BoardScan:
    """Reads the print of an empty board."""
    seen = predict_places(board)
    spaces = tuple(
        ScannedSpace(
            board.kind.types[int(types.argmax())],
            float(types.max()),
            int(faces.argmax()) + 1,
            float(faces.max()),
        )
        for types, faces in zip(seen.space_types, seen.faces, strict=True)
    )
    known = _known(seen, board.kind) if board.shape == STANDARD else (None, 0, 0)
    return BoardScan(spaces, board.shape, board.kind, *known)


def _known(seen: PlacePredictions, kind: BoardKind) -> tuple[str | None, int, int]:
    """Returns the id of the known board, the number of agreeing spaces and its rotation."""
    best: tuple[int, int, int, str] = (0, 0, 0, "")
    read, dice = seen.space_types.argmax(axis=1), seen.faces.argmax(axis=1) + 1
    for name, spaces in kind.known.items():
        space_types, faces = print_indices(spaces, kind)
        for turn, places in enumerate(_turned_places()):
            alike, same_dice = int((read[places] == space_types).sum()), int((dice[places] == faces).sum())
            best = max(best, (alike, same_dice, -turn, name))
    alike, _, turn, name = best
    return (name, alike, -turn) if alike >= SAME_BOARD else (None, alike, 0)


@cache
def _turned_places() -> list[np.ndarray]:
    """Returns for each rotation of the shape the new index of each space, in reading order; (37,) ints."""
    grid = hexgrid()
    places = []
    for turn in range(TURNS):
        angle = turn * 2 * np.pi / TURNS
        moved = grid @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        places.append(np.linalg.norm(moved[:, None] - grid[None], axis=-1).argmin(axis=1))
    return places
