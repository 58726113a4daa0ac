"""The reference gallery of the owner's tiles: a few labelled patches, used to classify new ones.

A patch becomes a short vector (:mod:`vision.appearance`); the inner product of two vectors is their correlation. A tile
may lie at any multiple of 60 degrees and a few degrees off; every example is stored in all these rotations.
"""

from __future__ import annotations

import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.atomic_file import atomic_write
from calibration.board_kind import kind_of
from calibration.errors import CompanionError

from .appearance import FINE_PX, NEAR_SHIFTS, embed, embed_shifted, small_pictures
from .geometry import PATCH_PX
from .sighting import EMPTY

COARSE_PX = 12
"""Side of the smaller picture that preselects the examples."""
FINALISTS = 24
"""Preselected examples that are compared at all shifts."""
FAR_SHIFTS = tuple(
    (dx, dy)
    for dy in range(-2, 3)
    for dx in range(-2, 3)
    if abs(dx) + abs(dy) < 4 and (dx, dy) not in NEAR_SHIFTS
)
"""Further shifts of the small picture in px: 0.1 tile widths each way, as far as tiles move."""
CLEAR_SIMILARITY = 0.95
"""Correlation from which the far shifts are not needed."""
COARSE_SHIFTS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
"""Shifts of the smaller picture."""
TURN_STEP = {"goods": 90.0, "shield": 30.0}
"""Degrees between the possible rotations of a tile, by the type of its label..."""
HEX_TURN = 60.0
"""...for all other tiles. The print (``empty``) does not rotate."""
TURN_SLACK = (-6.0, -2.0, 2.0, 6.0)
"""Degrees by which a tile placed by hand may be off."""
SOFTMAX_TEMPERATURE = 0.025
"""Difference of correlation that makes one label e times as likely as another."""
KINDS = {"square": "goods", "shield": "shield"}
"""Shape of places -> first part of the labels there; all other labels are those of hexagons."""
BARE = {shape: f"{kind}/{EMPTY}" for shape, kind in KINDS.items()}
"""Label of the print of such a place, which looks unlike that of spaces and slots."""
UNKNOWN_SIMILARITY = 0.6
"""Correlation attributed to something that is not in the gallery (a hand, another print). Measured: hands 0.3 to 0.7,
other prints up to 0.57, known tiles at least 0.75 unless badly blurred."""
UNLEARNT_SIMILARITY = 0.86
"""Correlation of a token without examples with those that have some. Measured on drawn shields, which look much alike:
at most 0.88, and at least 0.92 with the same shield."""
MIN_PROBABILITY, BEST_LABELS = 1e-4, 3
"""Smaller probabilities are omitted, except those of the best labels, which an unknown tile may still be."""

RECOGNISED = 0.8
"""Total probability from a gallery below which a place counts as unknown to it."""
LEAST_UNKNOWN = 1e-7
"""Least probability that something unknown lies on a place."""

MAX_BYTES = 500_000_000
"""Unpacked size of a gallery: about 70,000 patches, a hundred times the tiles of one copy."""
_NO_GALLERY = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    MemoryError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What NumPy and zipfile raise for a file that is damaged or not a gallery."""

VERSION = 2


class GalleryError(CompanionError, ValueError):
    """An unusable gallery file; the message names the file and the cure."""


class NoGalleryError(GalleryError, FileNotFoundError):
    """The gallery file does not exist."""


def require_gallery(path: Path) -> None:
    """Checks that a gallery exists at *path*.

    :raises NoGalleryError: when it does not.
    """
    if not path.exists():
        raise NoGalleryError(f"{path}: no such gallery; learn one with ./run calibrate")


class Gallery:
    """Labelled examples of tiles, goods and empty places from one copy of the game.

    ::

        gallery = Gallery()
        gallery.add_example(patch, "ship/7")
        gallery.classify(patch)          # {"ship/7": 0.99, ...}
    """

    def __init__(self) -> None:
        self._patches: list[np.ndarray] = []
        self._labels: list[str] = []
        self._examples = np.empty((0, 0))
        """All rotated examples, embedded: (m, d); up to date when *_prepared*."""
        self._prepared = False
        self._coarse = np.empty((0, 0))
        self._owners = np.empty(0, int)
        """(m,) index of each rotated example's label in alphabetical order."""

    @property
    def labels(self) -> frozenset[str]:
        """Returns all labels in the gallery."""
        return frozenset(self._labels)

    def __len__(self) -> int:
        return len(self._labels)

    def counts(self) -> Counter[str]:
        """Returns the number of examples of each label."""
        return Counter(self._labels)

    def add_example(self, patch: np.ndarray, label: str) -> None:
        """Adds one example: (PATCH_PX, PATCH_PX, 3) uint8 BGR, as cut by :meth:`vision.geometry.Plane.patches`."""
        if patch.shape != (PATCH_PX, PATCH_PX, 3):
            raise ValueError(
                f"a patch is {PATCH_PX} x {PATCH_PX} x 3, not {patch.shape}: cut it with Plane.patches"
            )
        self._patches.append(patch.copy())
        self._labels.append(label)
        self._prepared = False

    def classify(self, patch: np.ndarray, among: Collection[str] | None = None) -> dict[str, float]:
        """Returns label -> probability, most probable first; the remainder to 1 is that of anything unknown."""
        return self.classify_all(patch[None], [self.labels if among is None else among])[0]

    def classify_all(self, patches: np.ndarray, among: Sequence[Collection[str]]) -> list[dict[str, float]]:
        """Returns :meth:`classify` for many patches, (n, PATCH_PX, PATCH_PX, 3), each with its own candidate labels."""
        if not len(patches):
            return []
        if not self._labels:
            return [{} for _ in among]
        names = sorted(self.labels)
        columns = {labels: [name in labels for name in names] for labels in set(map(frozenset, among))}
        allowed = np.array([columns[frozenset(labels)] for labels in among])
        return _probabilities(self._similarity(patches, allowed), names)

    def _similarity(self, patches: np.ndarray, allowed: np.ndarray) -> np.ndarray:
        """Returns (n, labels in alphabetical order): best correlation with any example; -inf for labels not
        *allowed*."""
        if not self._prepared:
            self._prepare()
        small = small_pictures(patches, COARSE_PX)
        moved = embed_shifted(small, COARSE_SHIFTS)
        coarse = (
            (moved.reshape(-1, moved.shape[2]) @ self._coarse.T).reshape(*moved.shape[:2], -1).max(axis=1)
        )
        similarity = np.where(allowed[:, self._owners], coarse, -np.inf)
        finalists = np.argpartition(-similarity, min(FINALISTS, similarity.shape[1]) - 1, axis=1)[
            :, :FINALISTS
        ]
        small = small_pictures(patches, FINE_PX)
        fine = self._fine_similarity(small, finalists, NEAR_SHIFTS)
        unclear = fine.max(axis=1) < CLEAR_SIMILARITY
        if unclear.any():
            further = self._fine_similarity(small[unclear], finalists[unclear], FAR_SHIFTS)
            fine[unclear] = np.maximum(fine[unclear], further)
        best = np.full(allowed.shape, -np.inf, np.float32)
        rows = np.repeat(np.arange(len(patches)), finalists.shape[1])
        np.maximum.at(best, (rows, self._owners[finalists].ravel()), fine.ravel())
        return np.where(allowed, best, -np.inf)

    def _fine_similarity(
        self, small: np.ndarray, finalists: np.ndarray, shifts: Sequence[tuple[int, int]]
    ) -> np.ndarray:
        """Returns (n, finalists): best correlation of each patch with each of its finalists over *shifts*."""
        shifted = embed_shifted(small, shifts).transpose(0, 2, 1)
        best: np.ndarray = np.matmul(self._examples[finalists], shifted).max(axis=2)
        return best

    def _prepare(self) -> None:
        """Rotates and embeds every example."""
        turned = [_turned(patch, label) for patch, label in zip(self._patches, self._labels, strict=True)]
        owners = np.repeat(self._labels, [len(t) for t in turned])
        self._owners = np.unique(owners, return_inverse=True)[1]
        self._coarse = embed(small_pictures(np.concatenate(turned), COARSE_PX))
        self._examples = embed(small_pictures(np.concatenate(turned), FINE_PX))
        self._prepared = True

    def save(self, path: str | Path) -> None:
        """Writes the gallery as a NumPy archive (.npz), atomically.

        Raises :exc:`OSError` when it cannot be written, for example because the disk is full.
        """
        with atomic_write(Path(path)) as file:
            np.savez_compressed(
                file,
                version=VERSION,
                patches=np.array(self._patches, np.uint8),
                labels=np.array(self._labels, str),
            )

    @classmethod
    def load(cls, path: str | Path) -> Gallery:
        """Reads a file written by :meth:`save`; raises :exc:`GalleryError`, or NoGalleryError when there is no file."""
        path = Path(path)
        require_gallery(path)
        try:
            _check_size(path)
            with np.load(path, allow_pickle=False) as data:
                version, patches, labels = int(data["version"]), data["patches"], data["labels"]
        except PermissionError as error:
            raise GalleryError(f"{path}: cannot be read ({error.strerror}); check its permissions") from error
        except _NO_GALLERY as error:
            raise GalleryError(f"{path}: not a gallery file; learn a new one with ./run calibrate") from error
        same = patches.shape[1:] == (PATCH_PX, PATCH_PX, 3) and patches.dtype == np.uint8
        if version != VERSION or not same or labels.shape != patches.shape[:1]:
            raise GalleryError(f"{path}: made by another version; learn a new one with ./run calibrate")
        gallery = cls()
        for patch, label in zip(patches, labels, strict=True):
            gallery.add_example(patch, str(label))
        return gallery


def or_unlearnt(looks: Mapping[str, float], unlearnt: Collection[str]) -> dict[str, float]:
    """Returns the probabilities of the labels that a place *looks* like, if it may also be one of the labels *unlearnt*
    that resemble them."""
    things = sum(p for label, p in looks.items() if label not in (EMPTY, *BARE.values()))
    if not unlearnt or things < RECOGNISED:
        return dict(looks)
    unknown = max(LEAST_UNKNOWN, 1 - sum(looks.values()))
    alike = unknown * float(np.exp((UNLEARNT_SIMILARITY - UNKNOWN_SIMILARITY) / SOFTMAX_TEMPERATURE))
    total = sum(looks.values()) + unknown + alike
    shares = dict.fromkeys(unlearnt, alike / total / len(unlearnt))
    return {label: p / total for label, p in looks.items()} | shares


def united(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """Returns the probabilities of all labels of two comparisons of a place, given those of each, which leave the rest
    to something unknown."""
    odds = {
        label: p / max(LEAST_UNKNOWN, 1 - sum(looks.values()))
        for looks in (one, other)
        for label, p in looks.items()
    }
    total = 1 + sum(odds.values())
    return {label: p / total for label, p in odds.items()}


def _check_size(path: Path) -> None:
    """Raises one of _NO_GALLERY for a file that is not an archive of plausible size, before it is read."""
    if not path.is_file():
        raise ValueError("no file")  # a folder, or an endless device
    with zipfile.ZipFile(path) as archive:
        if sum(part.file_size for part in archive.infolist()) > MAX_BYTES:
            raise ValueError("too large")


def _probabilities(similarity: np.ndarray, names: Sequence[str]) -> list[dict[str, float]]:
    """Returns label -> probability for each row, best first: a softmax over the labels and "unknown"."""
    scores = np.column_stack([similarity, np.full(len(similarity), UNKNOWN_SIMILARITY)]) / SOFTMAX_TEMPERATURE
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights[:, :-1] / weights.sum(axis=1, keepdims=True)
    ranked = np.argsort(-weights, axis=1)
    counts = np.maximum(
        (weights >= MIN_PROBABILITY).sum(axis=1),
        np.minimum(np.isfinite(similarity).sum(axis=1), BEST_LABELS),
    )
    return [
        {names[i]: float(row[i]) for i in order[:count]}
        for row, order, count in zip(weights, ranked, counts, strict=True)
    ]


def _turned(patch: np.ndarray, label: str) -> np.ndarray:
    """Returns (k, PATCH_PX, PATCH_PX, 3): the patch in all possible rotations of its tile."""
    if label in (EMPTY, *BARE.values()):
        return patch[None]
    step = TURN_STEP.get(kind_of(label), HEX_TURN)
    angles = [turn + slack for turn in np.arange(0, 360, step) for slack in TURN_SLACK]
    middle = ((PATCH_PX - 1) / 2,) * 2
    return np.array(
        [
            cv2.warpAffine(
                patch,
                cv2.getRotationMatrix2D(middle, angle, 1),
                (PATCH_PX, PATCH_PX),
                flags=cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            for angle in angles
        ]
    )
