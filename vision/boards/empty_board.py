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
from .identity import KnownMatch, best_match
from .networks import PlacePredictions
from .reading import BoardPatches, predict_places

SURE = 0.9
"""A person is asked about a space whose type or die is less certain."""
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
    turn, match = _best_turn(seen, board.kind) if board.shape == STANDARD else (0, None)
    known = match is not None and match.is_certain()
    return BoardScan(
        spaces,
        board.shape,
        board.kind,
        printed_id=match.printed_id if match is not None and known else None,
        agreeing=0 if match is None else match.alike,
        turn=turn if known else 0,
    )


def _best_turn(seen: PlacePredictions, kind: BoardKind) -> tuple[int, KnownMatch | None]:
    """Returns the rotation in which a known board agrees best, and that board; None if the game has no known ones."""
    matches = [best_match(seen[places], kind) for places in _turned_places()]
    known = {turn: match for turn, match in enumerate(matches) if match is not None}
    turn = max(known, key=lambda turn: known[turn].log_likelihood, default=0)
    return turn, known.get(turn)


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
