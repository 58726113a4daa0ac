"""What the owner's own tiles look like: learnt from a few labelled patches, asked for the label of a new one.

A patch becomes a short vector: logarithms of a small picture of its middle disc, so that light is an offset
that the mean takes away, scaled to length 1, so that the inner product of two is their correlation. A tile may
lie at any multiple of 60 degrees and a few degrees off; every example is stored turned all these ways.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import PATCH_PX, PATCH_SPAN
from vision.sighting import EMPTY

SIDE_PX = 24
"""Side of the small picture: 20 px a tile. More detail did not tell more monasteries apart."""
DISC_RADIUS = 0.44
"""Tile widths: inside the tile's edge (0.5) by what a tile lies off centre."""
FINALISTS = 128
"""Turned examples, of those that fit best as the patch lies, that are tried at all shifts."""
SHIFTS = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
"""Small-picture px by which a patch is moved to fit best: 0.05 tile widths each way."""
LOG_OFFSET = 8
"""Grey levels added before the logarithm, so that black noise does not dominate."""
COLOUR_CAST = 0.9
"""Share of a patch's mean colour that is put down to the lamp and taken away."""
FLAT_CONTRAST = 0.05
"""Log contrast (5 %) below which a patch counts as flat: flat resembles flat, and nothing else."""
TURN_STEP = {"goods": 90.0}
"""Degrees between the ways a tile may lie, by the label's type..."""
HEX_TURN = 60.0
"""...for all other tiles. What is printed (``empty``) does not turn."""
TURN_SLACK = (-6.0, -2.0, 2.0, 6.0)
"""Degrees by which a tile laid by hand may be off."""
DISTINCTION = 0.025
"""Difference of correlation that makes one label e times as likely as another."""
STRANGER = 0.35
"""Correlation that something never learnt reaches; it keeps the share of belief that is due to it."""

VERSION = 1


class GalleryError(ValueError):
    """A gallery file that cannot be used; the message names the file and the cure."""


class Gallery:
    """Labelled examples of tiles, goods and empty places, from one copy of the game.

    ::

        gallery = Gallery()
        gallery.learn(patch, "monastery/7")
        gallery.classify(patch)          # {"monastery/7": 0.99, ...}
    """

    def __init__(self) -> None:
        self._patches: list[np.ndarray] = []
        self._labels: list[str] = []
        self._examples: np.ndarray | None = None
        self._owners = self._starts = np.empty(0, int)

    @property
    def labels(self) -> frozenset[str]:
        """All labels learnt so far."""
        return frozenset(self._labels)

    def __len__(self) -> int:
        return len(self._labels)

    def learn(self, patch: np.ndarray, label: str) -> None:
        """Adds one example: (PATCH_PX, PATCH_PX, 3) uint8 BGR, as :meth:`vision.geometry.Plane.patches` cuts it."""
        if patch.shape != (PATCH_PX, PATCH_PX, 3):
            raise ValueError(
                f"a patch is {PATCH_PX} x {PATCH_PX} x 3, not {patch.shape}: cut it with Plane.patches"
            )
        self._patches.append(patch.copy())
        self._labels.append(label)
        self._examples = None

    def classify(self, patch: np.ndarray, among: Collection[str] | None = None) -> dict[str, float]:
        """Label -> probability, most probable first; what is missing to 1 is for something never learnt."""
        return self.classify_all(patch[None], [self.labels if among is None else among])[0]

    def classify_all(self, patches: np.ndarray, among: Sequence[Collection[str]]) -> list[dict[str, float]]:
        """As :meth:`classify` for many patches, (n, PATCH_PX, PATCH_PX, 3), each among its own labels."""
        if not len(patches):
            return []
        if not self._labels:
            return [{} for _ in among]
        names = sorted(self.labels)
        allowed = np.array([[name in labels for name in names] for labels in among])
        likeness = self._likeness(patches, allowed)
        return [_probabilities(row, names) for row in likeness]

    def _likeness(self, patches: np.ndarray, allowed: np.ndarray) -> np.ndarray:
        """(n, labels in alphabetic order): best correlation with any example; -inf for labels not *allowed*."""
        if self._examples is None:
            self._prepare()
        small = _small(patches)
        by_example = np.where(allowed[:, self._owners], _embed(small) @ self._examples.T, -np.inf)
        finalists = np.argpartition(-by_example, min(FINALISTS, len(self._owners)) - 1, axis=1)[:, :FINALISTS]
        shifted = np.stack([_embed(small, shift) for shift in SHIFTS], axis=1)
        best = np.matmul(self._examples[finalists], shifted.transpose(0, 2, 1)).max(axis=2)
        rows = np.arange(len(patches))[:, None]
        by_example[rows, finalists] = np.where(np.isfinite(by_example[rows, finalists]), best, -np.inf)
        return np.maximum.reduceat(by_example, self._starts, axis=1)

    def _prepare(self) -> None:
        """Turns and embeds every example, those of one label side by side."""
        order = sorted(range(len(self._labels)), key=self._labels.__getitem__)
        turned = [_turned(self._patches[i], self._labels[i]) for i in order]
        owners = np.repeat([self._labels[i] for i in order], [len(t) for t in turned])
        _, self._starts, self._owners = np.unique(owners, return_index=True, return_inverse=True)
        self._examples = _embed(_small(np.concatenate(turned)))

    def save(self, path: str | Path) -> None:
        """Writes the gallery as a NumPy archive (.npz)."""
        with open(path, "wb") as file:
            np.savez_compressed(
                file,
                version=VERSION,
                patches=np.array(self._patches, np.uint8),
                labels=np.array(self._labels, str),
            )

    @classmethod
    def load(cls, path: str | Path) -> Gallery:
        """Reads what :meth:`save` wrote; raises :exc:`GalleryError`."""
        try:
            with np.load(path, allow_pickle=False) as data:
                version, patches, labels = int(data["version"]), data["patches"], data["labels"]
        except FileNotFoundError:
            raise GalleryError(f"{path}: no such gallery; learn one with ./run calibrate") from None
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise GalleryError(f"{path}: not a gallery file; learn a new one with ./run calibrate") from error
        if version != VERSION or patches.shape[1:] != (PATCH_PX, PATCH_PX, 3) or len(patches) != len(labels):
            raise GalleryError(f"{path}: made by another version; learn a new one with ./run calibrate")
        gallery = cls()
        for patch, label in zip(patches, labels, strict=True):
            gallery.learn(patch, str(label))
        return gallery


def _probabilities(likeness: np.ndarray, names: Sequence[str]) -> dict[str, float]:
    scores = np.r_[likeness, STRANGER] / DISTINCTION
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    ranked = sorted(zip(weights[:-1], likeness, names, strict=True), reverse=True)
    return {name: float(weight) for weight, like, name in ranked if np.isfinite(like)}


def _turned(patch: np.ndarray, label: str) -> np.ndarray:
    """The patch in all ways its tile may lie: (k, PATCH_PX, PATCH_PX, 3)."""
    if label == EMPTY:
        return patch[None]
    step = TURN_STEP.get(label.split("/")[0], HEX_TURN)
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


def _small(patches: np.ndarray) -> np.ndarray:
    """Logarithms of small pictures: (n, PATCH_PX, PATCH_PX, 3) uint8 -> (n, SIDE_PX, SIDE_PX, 3) float32."""
    small = [cv2.resize(patch, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA) for patch in patches]
    return _LOG[np.array(small)]


def _embed(small: np.ndarray, shift: tuple[int, int] = (0, 0)) -> np.ndarray:
    """Vectors of length 1 of the middle discs, moved by *shift* px: (n, d) float32."""
    disc = np.roll(_DISC, shift, axis=(1, 0))
    blue, green, red = (small[:, disc, channel] for channel in range(3))
    luma = (blue + green + red) / 3
    parts = [luma - luma.mean(axis=1, keepdims=True)]
    parts += [c - COLOUR_CAST * c.mean(axis=1, keepdims=True) for c in (red - green, blue - green)]
    flat = np.full((len(small), 1), FLAT_CONTRAST * np.sqrt(disc.sum()), np.float32)
    vector = np.concatenate([*parts, flat], axis=1)
    return vector / np.linalg.norm(vector, axis=1, keepdims=True)


def _middle_disc() -> np.ndarray:
    steps = (np.arange(SIDE_PX) - (SIDE_PX - 1) / 2) * (PATCH_SPAN / SIDE_PX)
    return np.hypot(*np.meshgrid(steps, steps)) < DISC_RADIUS


_DISC = _middle_disc()
_LOG = np.log(np.arange(256) + LOG_OFFSET).astype(np.float32)
