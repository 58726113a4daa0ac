"""Finds the boards on a table by their print: position, orientation and identity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.board_kind import BoardKind
from calibration.board_shape import STANDARD, BoardShape

from ..geometry import Lens, Plane, anchor_points, hexgrid, order_in_rows
from .identity import bare_probability, clear_turn, identify_board
from .lattice import MIN_SPACES, TURNS, FoundBoard, FoundSpaces, find_boards, fit_plane, spin
from .networks import MULTIPLE, PlacePredictions, shipped_finder
from .reading import BoardPatches, predict_places

ROW = 4.0
"""Pitches within which boards are in one row: half a board."""
MIN_PROBABILITY = 0.01
"""Lower bound of the probability of a single space: a die or a thumb may lie there."""
STANDARD_PRINT, ANY_PRINT = np.log(0.5), np.log(0.49)
"""Mean log probability per space: of the standard die faces, from which the board has this orientation, and of any
faces, from which it is a board and not just something with hexagons. Measured: above -0.1 and below -1.4; above -0.7
and below -0.75."""
MAX_SPACES = 24
"""Spaces that a board with other faces must show: a few places side by side resemble part of a board."""
REFINING = 15.0, 17.0, 19.0, 22.0, 25.0
"""px per pitch of the top views in which a found board is located again: errors average out."""
VIEW = 8.8
"""Width of these views in pitches."""
SAME_SPACE, OFF_PLANE = 0.25, 0.12
"""Pitches within which a detection is a given space, and within which spaces determine the plane."""
BESIDE = 19.0, 22.0, 25.0
"""px per pitch of the top views for places beside the boards: they are best detected at this size."""
ACROSS = 64.0
"""Width of the searched square around the boards in pitches: more than a metre and a half."""
SAME_PLACE, SAME_SIZE = 0.3, 1.2
"""Pitches within which detections are one place, and the factor within which its size is that of a space."""
MIN_HEAT = 0.25
UPRIGHT = 0.1
"""A board in the middle of the picture is upright rather than upside down: weight in the picture's shorter side."""


@dataclass(frozen=True, slots=True)
class LocatedBoard:
    """A board found in a frame."""

    plane: Plane
    """From pitches around the middle space, in its player's view, to frame px."""
    printed_id: str | None
    """Id of the known board that it clearly is; None if it is none."""
    is_doubtful: bool
    """Whether it may be something else with hexagons: neither its types nor its dice are those of a known board."""
    seen: int
    """Number of its spaces that were found."""
    error: float
    """Root mean square error of their positions in pitches."""

    def anchors(self) -> np.ndarray:
        """Returns (4, 2) frame px of its anchor spaces."""
        return self.plane.to_frame(anchor_points())


def locate_boards(
    frame: np.ndarray, kind: BoardKind, lens: Lens | None = None
) -> tuple[list[LocatedBoard], FoundSpaces]:
    """Returns the boards of standard shape in *frame*, (H, W, 3) uint8 BGR, row by row from the top left, and spaces of
    none of them.

    A board is found even with tiles on it, and identified by these and its empty spaces.
    """
    spaces = shipped_finder().find_spaces(frame)
    located, left = [], np.ones(len(spaces.heats), bool)
    for board in find_boards(spaces, lens):
        oriented = _oriented(frame, board, kind)
        if oriented is not None:
            located.append(oriented)
            left[board.spaces] = False
    if located:
        middles = np.concatenate([board.plane.to_frame(np.zeros((1, 2))) for board in located])
        located = [located[i] for i in order_in_rows(middles, ROW * float(np.median(spaces.pitches)))]
    return located, spaces[left]


def _oriented(frame: np.ndarray, board: FoundBoard, kind: BoardKind) -> LocatedBoard | None:
    """Returns the board in the orientation in which its print makes sense; None if there is none.

    Every known board is compared in every rotation; if none agrees, the dice alone decide.
    """
    ways = [read_candidate(frame, turned(board.plane, turn), kind) for turn in range(TURNS)]
    turn = clear_turn([way.seen for way in ways], kind)
    best = _by_usual_dice(ways, kind) if turn is None else ways[turn]
    is_doubtful = best is None
    if best is None and len(board.spaces) >= MAX_SPACES:
        best = _by_any_dice(ways, np.array(frame.shape[1::-1]))
    if best is None:
        return None
    identity = identify_board(best.seen, kind)
    return LocatedBoard(refined(frame, best.plane), identity, is_doubtful, len(board.spaces), board.error)


def _by_usual_dice(ways: Sequence[Candidate], kind: BoardKind) -> Candidate | None:
    """Returns the orientation in which the dice are those of every known board; None if they are not."""
    usual = np.array(kind.usual_dice)
    agreement = [way.agreement(usual) if len(usual) else -np.inf for way in ways]
    return ways[int(np.argmax(agreement))] if max(agreement) >= STANDARD_PRINT else None


def _by_any_dice(ways: Sequence[Candidate], size: np.ndarray) -> Candidate | None:
    """Returns the orientation in which faces are seen, whichever they are; None if there are none.

    Faces look alike upside down: the board is taken to lie before a player at the nearest edge of the picture, whose
    *size* is (width, height).
    """
    clear = np.array([way.clarity() for way in ways]).reshape(2, -1).mean(axis=0)
    if clear.max() < ANY_PRINT:
        return None
    pair = ways[int(clear.argmax()) :: TURNS // 2]
    return max(pair, key=lambda way: _before_player(way.plane, size))


def refined(frame: np.ndarray, plane: Plane) -> Plane:
    """Returns *plane* of a board, moved to the positions of its spaces in *frame*."""
    grid = hexgrid()
    spots, spaces = [], []
    for pitch in REFINING:
        side = round(VIEW * pitch / MULTIPLE) * MULTIPLE
        found = shipped_finder().find_spaces_at(0, plane.top_view(frame, side, pitch))
        at = (found.centres - (side - 1) / 2) / pitch
        away = np.hypot(*(at[:, None] - grid[None]).transpose(2, 0, 1))
        same = away.min(axis=1, initial=SAME_SPACE) < SAME_SPACE
        spots.append(at[same])
        spaces.append(grid[away[same].argmin(axis=1)])
    where = np.concatenate(spaces)
    if len(where) < MIN_SPACES:
        return plane
    seen = plane.to_frame(np.concatenate(spots))
    left, right = plane.to_frame(np.array([(-0.5, 0.0), (0.5, 0.0)]))
    fitted = fit_plane(where, seen, OFF_PLANE * float(np.hypot(*(right - left))), plane.lens)
    return plane if fitted is None else fitted[0]


def find_places(
    frame: np.ndarray,
    table: Plane,
    middle: np.ndarray,
    pitch_mm: float,
    *,
    across: float = ACROSS,
    pitches: tuple[float, ...] = BESIDE,
    least_heat: float = MIN_HEAT,
) -> FoundSpaces:
    """Returns hexagons of the size of a space on the *table* plane (from mm) around *middle* (2,) mm, in px of *frame*.

    A square *across* pitches wide is searched at *pitches* (px each); detections below *least_heat* are dropped. The
    heat is the mean over these sizes: print that only resembles a hexagon rarely does so at all of them.
    """
    to_middle = np.array([(pitch_mm, 0, middle[0]), (0, pitch_mm, middle[1]), (0, 0, 1.0)])
    plane = Plane(table.homography @ to_middle, table.lens)
    seen = FoundSpaces.none()
    for pitch in pitches:
        side = round(across * pitch / MULTIPLE) * MULTIPLE
        found = shipped_finder().find_spaces_at(0, plane.top_view(frame, side, pitch))
        found = found[np.abs(np.log(found.pitches / pitch)) < np.log(SAME_SIZE)]
        at = (found.centres - (side - 1) / 2) / pitch
        seen += FoundSpaces(at, found.pitches / pitch, found.turns, found.heats / len(pitches))
    seen = _merged(seen)
    return _in_frame(seen[seen.heats >= least_heat], plane, frame)


def _merged(seen: FoundSpaces) -> FoundSpaces:
    """Returns one detection per place: the mean position, the summed heat, otherwise the values of the likeliest."""
    rows, centres, heats, left = [], [], [], np.ones(len(seen.heats), bool)
    for i in np.argsort(-seen.heats):
        if left[i]:
            same = left & (np.hypot(*(seen.centres - seen.centres[i]).T) < SAME_PLACE)
            rows.append(i)
            centres.append(np.average(seen.centres[same], axis=0, weights=seen.heats[same]))
            heats.append(seen.heats[same].sum())
            left &= ~same
    once = seen[np.array(rows, int)]
    return replace(once, centres=np.array(centres).reshape(-1, 2), heats=np.array(heats))


def _in_frame(spaces: FoundSpaces, plane: Plane, frame: np.ndarray) -> FoundSpaces:
    """Returns *spaces* of the *plane* inside the *frame*, converted to px."""
    centres = plane.to_frame(spaces.centres)
    ahead = np.stack([np.cos(spaces.turns), np.sin(spaces.turns)], axis=1) * spaces.pitches[:, None]
    steps = plane.to_frame(spaces.centres + ahead) - centres
    inside = np.all((centres >= 0) & (centres < frame.shape[1::-1]), axis=1)
    there = FoundSpaces(centres, np.hypot(*steps.T), np.arctan2(steps[:, 1], steps[:, 0]), spaces.heats)
    return there[inside]


@dataclass(frozen=True, slots=True)
class Candidate:
    """The reading of a board under the assumption that it lies at *plane*."""

    plane: Plane
    seen: PlacePredictions

    def agreement(self, faces: np.ndarray) -> float:
        """Returns the mean log probability of the printed *faces* (S,), 1 to 6, over the empty spaces."""
        return self._mean_log(self.seen.faces[np.arange(len(faces)), faces - 1])

    def clarity(self) -> float:
        """Returns the mean log probability of the likeliest faces over the empty spaces."""
        return self._mean_log(self.seen.faces.max(axis=1))

    def _mean_log(self, chance: np.ndarray) -> float:
        bare = bare_probability(self.seen)
        return float(
            (bare * np.log(np.maximum(chance, MIN_PROBABILITY))).sum() / max(bare.sum(), MIN_PROBABILITY)
        )


def read_candidate(
    frame: np.ndarray, plane: Plane, kind: BoardKind, shape: BoardShape = STANDARD
) -> Candidate:
    """Returns the reading of a board assumed at *plane*, without knowledge of its print."""
    patches = plane.patches(frame, hexgrid(shape), 1.0)
    return Candidate(plane, predict_places(BoardPatches(*patches, None, kind, shape)))


def turned(plane: Plane, turn: int) -> Plane:
    """Returns *plane* rotated by *turn* sixths."""
    around = np.eye(3)
    around[:2, :2] = spin(turn)
    return Plane(plane.homography @ around, plane.lens)


def _before_player(plane: Plane, size: np.ndarray) -> float:
    """Returns how much the lower side of a board faces outwards in a picture of *size* (width, height), or
    downwards."""
    here, below = plane.to_frame(np.array([(0.0, 0.0), (0.0, 1.0)]))
    down = (below - here) / np.linalg.norm(below - here)
    return float(down @ ((here - size / 2) / size.min())) + UPRIGHT * float(down[1])
