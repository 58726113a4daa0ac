"""The networks for boards, run by OpenCV: one finds hexagonal spaces, others read what lies on them.

The finder serves every game; the readers belong to one game, whose types of tiles they were taught. All were trained on
synthetic scenes of synthetic printings only. A reader is told where each space lies on its board, so that it reads
boards of any shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from ..onnx import OnnxFolder
from ..pyramid import build_pyramid, from_level, padded, pixel_unshuffle
from ..rows import Rows
from .lattice import FoundSpaces

VISION = Path(__file__).parents[1]
FINDER_WEIGHTS = VISION / "boards" / "weights"
CELL = 4
"""px of the picture per cell of the finder's output; its pictures are unshuffled by the same factor."""
MULTIPLE = 8
"""Sides of the finder's pictures are multiples of this, px."""
READER_FOLD = 4
PITCHES = 13.0, 30.0
"""px per pitch of the spaces that the finder detects in one picture."""
MIN_LEVEL = 96
"""px; the smallest picture of the pyramid."""
MAX_LEVEL = 800
"""px; no larger picture is searched: a complete table shows its spaces at this size too."""
MIN_HEAT = 0.3
ONE_SPACE = 0.5
"""Pitches below which two detections are one space."""
NEIGHBOURS = np.ones((3, 3), np.uint8)

TYPES, FACES = 6, 6
"""Types of tiles that a reader distinguishes, in the order of the types of its game, and faces of a die."""
OFF_BOARD = np.full(2, np.nan)
"""Position of a place outside the boards."""
ROWS = np.array([(np.cos(a), np.sin(a)) for a in np.arange(3) * np.pi / 3])
"""The directions in which spaces of a honeycomb are in rows."""
WAVES = 3.0 * 1.5 ** np.arange(7)
"""Lengths in pitches of the waves that describe a position: from two neighbours to a whole board."""
POSITION = 1 + 2 * len(ROWS) * len(WAVES)
KNOWN = POSITION + (1 + TYPES) + (1 + FACES)
"""Prior knowledge of a place: whether it is outside the boards and where it is on one, as sines and cosines (Tancik et
al., Fourier features let networks learn high frequency functions, 2020); then, as one-hot vectors, its printed tile
type and its printed face, or that they are unknown."""
EMPTY = slice(0, 1)
TYPE = slice(1, 1 + TYPES)
SPACE_TYPE = slice(TYPE.stop, TYPE.stop + TYPES)
FACE = slice(SPACE_TYPE.stop, SPACE_TYPE.stop + FACES)
HIDDEN = slice(FACE.stop, FACE.stop + 1)
ANSWERS = HIDDEN.stop
"""Outputs of the reader, as logits."""
CERTAIN = 0.99
"""Probability of the content of a place from which the first look is enough, ..."""
CLEAR = 0.95
"""... and from which several are."""


@dataclass(frozen=True, slots=True)
class PlacePredictions(Rows):
    """Output of the reader as probabilities."""

    empty: np.ndarray
    """(N,) that there is no tile."""
    tile_types: np.ndarray
    """(N, TYPES) of each type of the tile, if there is one."""
    space_types: np.ndarray
    """(N, TYPES) of each printed tile type, if it is empty."""
    faces: np.ndarray
    """(N, FACES) of each printed die face, 1 to 6, if it is empty."""
    hidden: np.ndarray
    """(N,) that too little of it is visible."""


def encode_known(position: np.ndarray, space_type: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Returns (N, KNOWN) float32 from *position* (N, 2) in pitches from the centre of its board or OFF_BOARD, printed
    *space_type* (N,) and *face* 1..6 (N,); -1 where unknown."""
    known = np.zeros((len(position), KNOWN), np.float32)
    rows = np.arange(len(position))
    known[:, :POSITION] = _encode_position(position)
    known[rows, POSITION + 1 + np.maximum(space_type, -1)] = 1
    known[rows, POSITION + 1 + TYPES + np.maximum(face, 0)] = 1
    return known


def _encode_position(position: np.ndarray) -> np.ndarray:
    """Returns (N, POSITION): waves for a place on a board, only the first number for one outside."""
    encoded = np.zeros((len(position), POSITION))
    on_board = np.isfinite(position).all(axis=1)
    encoded[~on_board, 0] = 1
    along = (position[on_board] @ ROWS.T)[:, :, None]
    phases = (2 * np.pi * along / WAVES).reshape(len(along), POSITION // 2)
    encoded[on_board, 1:] = np.hstack([np.sin(phases), np.cos(phases)])
    return encoded


class HexagonFinder:
    """The network ``finder.onnx`` in the folder *weights*."""

    def __init__(self, weights: Path = FINDER_WEIGHTS) -> None:
        self._networks = OnnxFolder(weights)

    def find_spaces(self, frame: np.ndarray) -> FoundSpaces:
        """Returns hexagonal spaces and tiles in *frame*, (H, W, 3) uint8 BGR, likeliest first."""
        found = FoundSpaces.none()
        for level, picture in enumerate(build_pyramid(frame, MIN_LEVEL)):
            if min(picture.shape[:2]) <= MAX_LEVEL:
                found += self.find_spaces_at(level, picture)
        return found[_suppress_duplicates(found)]

    def find_spaces_at(self, level: int, picture: np.ndarray) -> FoundSpaces:
        """Returns the spaces in one *picture* of a pyramid *level*, in px of level 0; some are found twice."""
        answer = self._networks.run("finder", input=pixel_unshuffle(padded(picture, MULTIPLE)[None], CELL))[0]
        heat = 1 / (1 + np.exp(-answer[0]))
        at = np.nonzero((answer[0] == cv2.dilate(answer[0], NEIGHBOURS)) & (heat >= MIN_HEAT))
        _, dx, dy, log_pitch, cos, sin = (plane[at] for plane in answer)
        points = (np.stack([at[1] + dx, at[0] + dy], axis=1) + 0.5) * CELL - 0.5
        pitch = np.exp(np.clip(log_pitch, *np.log(PITCHES)))
        return FoundSpaces(from_level(points, level), pitch * 2.0**level, np.arctan2(sin, cos) / 6, heat[at])


class PlaceReader:
    """The networks ``reader*.onnx`` in the folder *weights*, at least one."""

    def __init__(self, weights: Path) -> None:
        self._networks = OnnxFolder(weights)
        readers = sorted(path.stem for path in weights.glob("reader*.onnx"))
        self._looks = [(name, bool(i % 2)) for i, name in enumerate(readers)]
        self._looks += [(name, not mirrored) for name, mirrored in self._looks]

    def read_places(self, patches: np.ndarray, known: np.ndarray) -> PlacePredictions:
        """Reads places that are seen together: *patches* (N, PATCH_PX, PATCH_PX, 3) BGR, *known* (N, KNOWN).

        Readers that were trained separately err separately, and so does a reader in patches and in their mirror images,
        which mean the same. The mean of the log odds of several looks counts, until it is certain.
        """
        answers: list[np.ndarray] = []
        for count, (name, mirrored) in enumerate(self._looks):
            answers.append(self._look(name, patches, known, mirrored=mirrored))
            if _certainty(np.mean(answers, axis=0)) >= (CERTAIN if not count else CLEAR):
                break
        answer = np.mean(answers, axis=0)
        return PlacePredictions(
            empty=_sigmoid(answer[:, EMPTY])[:, 0],
            tile_types=_softmax(answer[:, TYPE]),
            space_types=_softmax(answer[:, SPACE_TYPE]),
            faces=_softmax(answer[:, FACE]),
            hidden=_sigmoid(answer[:, HIDDEN])[:, 0],
        )

    def _look(self, name: str, patches: np.ndarray, known: np.ndarray, *, mirrored: bool) -> np.ndarray:
        """Returns the answer (N, ANSWERS) of one reader, as logits."""
        shown = np.ascontiguousarray(patches[:, :, ::-1]) if mirrored else patches
        return self._networks.run(name, patches=pixel_unshuffle(shown, READER_FOLD), known=known)


@cache
def shipped_finder() -> HexagonFinder:
    return HexagonFinder()


@cache
def shipped_reader(game: str) -> PlaceReader:
    """Returns the reader of the tiles of a *game*."""
    return PlaceReader(reader_weights(game))


def reader_weights(game: str) -> Path:
    return VISION / "games" / game / "weights"


def _suppress_duplicates(found: FoundSpaces) -> np.ndarray:
    """Returns the rows of the likeliest detections, one per space."""
    rows: list[int] = []
    for i in np.argsort(-found.heats, kind="stable"):
        away = np.hypot(*(found.centres[rows] - found.centres[i]).T)
        if not (away < ONE_SPACE * np.minimum(found.pitches[rows], found.pitches[i])).any():
            rows.append(int(i))
    return np.array(rows, int)


def _certainty(answer: np.ndarray) -> float:
    """Returns how certain a reader's *answer* (N, ANSWERS) is about the most doubtful place: empty, or a tile of one
    type."""
    empty = _sigmoid(answer[:, EMPTY])[:, 0]
    return float(np.maximum(empty, (1 - empty) * _softmax(answer[:, TYPE]).max(axis=1)).min(initial=1.0))


def _sigmoid(logits: np.ndarray) -> np.ndarray:
    probabilities: np.ndarray = 1 / (1 + np.exp(-logits))
    return probabilities


def _softmax(logits: np.ndarray) -> np.ndarray:
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: np.ndarray = odds / odds.sum(axis=1, keepdims=True)
    return probabilities
