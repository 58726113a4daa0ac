"""Fits what the space reader knows beforehand (calibration/data/space_looks.json) from labelled pictures.

    python -m vision.accuracy.fit_looks FOLDER [--leave-out STYLE] > space_looks.json

Only statistics of colour and contrast are kept, no picture. Every printing (style) counts the same.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.facts import COLOURS
from vision.accuracy.tables import labelled_tables, table_of
from vision.geometry import hexgrid
from vision.looks import FEATURES, PRINTS, TILES, TYPES, LooksPrior, describe, fit_light
from vision.pictures import load_image
from vision.printed_die import grey_patches, pip_scores
from vision.reader import board_patches
from vision.spaces import BoardPatches, EvidenceWeights, face_evidence, gather, printed_numbers

VISIBLE = 0.5
"""Share of a space that must be seen for it to teach; also the scorers' limit."""
ROUNDS = 4
"""Alternations between looks and light."""
RIDGE = 1.0
"""Prior precision of the logistic weights."""
DECIMALS = 5


@dataclass(frozen=True)
class Lesson:
    """One labelled picture."""

    name: str
    style: str
    boards: list[BoardPatches]
    look: np.ndarray
    """(n,) true look of each space."""
    visible: np.ndarray
    """(n,) bool."""
    features: np.ndarray
    face: np.ndarray

    @property
    def board(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.boards)), len(hexgrid()))

    @property
    def basis(self) -> np.ndarray:
        grid = np.tile(hexgrid() / 3, (len(self.boards), 1))
        return np.column_stack([np.ones(len(grid)), grid])


def lessons(folder: Path) -> list[Lesson]:
    """All labelled pictures in *folder*; of a sequence only the first, which the others nearly repeat."""
    return [
        lesson(path, truth)
        for path, truth in labelled_tables(folder)
        if not (truth.get("sequence") and truth["sequence"]["turn"])
    ]


def lesson(path: Path, truth: dict) -> Lesson:
    boards = board_patches(load_image(path), table_of(truth))
    spaces = [space for board in truth["boards"] for space in board["hexes"]]
    patches = np.concatenate([board.patches for board in boards])
    scores = pip_scores(grey_patches(patches))
    return Lesson(
        name=path.stem,
        style=truth["boards"][0]["edition"],
        boards=boards,
        look=np.array([_look(space) for space in spaces]),
        visible=np.array([space["visible"] >= VISIBLE for space in spaces]),
        features=describe(patches),
        face=face_evidence(scores, printed_numbers(boards, scores)),
    )


def _look(space: dict) -> int:
    if space["tile"] is None:
        return PRINTS.start + COLOURS.index(space["printed_colour"])
    return TILES.start + COLOURS.index(space["tile"]["type"])


def fit_looks(taught: Sequence[Lesson]) -> LooksPrior:
    styles = sorted({one.style for one in taught})
    mean, variance = np.zeros((2 * TYPES, FEATURES)), np.ones((2 * TYPES, FEATURES))
    lit = [one.features for one in taught]
    for _ in range(ROUNDS):
        by_style = np.stack([_style_means(taught, lit, style) for style in styles])
        mean = np.nanmean(by_style, axis=0)
        for looks in (PRINTS, TILES):
            residual = [
                (x - by_style[styles.index(one.style)][one.look])[_of(one, looks)]
                for one, x in zip(taught, lit, strict=True)
            ]
            variance[looks] = np.nanvar(np.concatenate(residual), axis=0)
        lit = [_relit(one, mean, variance) for one in taught]
    within, look_variance, printing_variance = [], [], []
    for looks in (PRINTS, TILES):
        residuals, own, shared = [], [], []
        for one, x in zip(taught, lit, strict=True):
            groups = [x[(one.look == k) & one.visible] for k in range(looks.start, looks.stop)]
            groups = [(k, g) for k, g in enumerate(groups, looks.start) if len(g) >= 2]
            residuals += [(g - g.mean(axis=0)) * np.sqrt(len(g) / (len(g) - 1)) for _, g in groups]
            shifts = np.array([g.mean(axis=0) - mean[k] for k, g in groups])
            if len(shifts) >= 3:
                own.append(shifts.var(axis=0, ddof=1))
                shared.append(shifts.mean(axis=0) ** 2)
        within.append(np.cov(np.concatenate(residuals).T))
        look_variance.append(np.tile(np.mean(own, axis=0), (TYPES, 1)))
        printing_variance.append(np.mean(shared, axis=0))
    return LooksPrior(mean, np.concatenate(look_variance), np.array(printing_variance), np.array(within))


def _of(one: Lesson, looks: slice) -> np.ndarray:
    return one.visible & (one.look >= looks.start) & (one.look < looks.stop)


def _style_means(taught: Sequence[Lesson], lit: Sequence[np.ndarray], style: str) -> np.ndarray:
    """(12, FEATURES), NaN for looks that the style hardly shows."""
    x = np.concatenate([f[one.visible] for one, f in zip(taught, lit, strict=True) if one.style == style])
    look = np.concatenate([one.look[one.visible] for one in taught if one.style == style])
    few = np.full(FEATURES, np.nan)
    return np.stack(
        [np.median(x[look == k], axis=0) if (look == k).sum() > 2 else few for k in range(2 * TYPES)]
    )


def _relit(one: Lesson, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    weight = one.visible[:, None] / (variance[one.look] + 0.01)
    return one.features - fit_light(one.features - mean[one.look], weight, one.basis, one.board)


def fit_weights(taught: Sequence[Lesson], looks: LooksPrior) -> EvidenceWeights:
    empty = np.concatenate([(one.look < TILES.start)[one.visible] for one in taught])
    face = logistic(np.concatenate([one.face[one.visible] for one in taught]), empty)
    first = EvidenceWeights(face, np.empty(0))
    evidence = [gather(one.boards, looks, first).all[one.visible] for one in taught]
    return EvidenceWeights(face, logistic(np.concatenate(evidence), empty))


def logistic(evidence: np.ndarray, answer: np.ndarray, rounds: int = 30) -> np.ndarray:
    """Weights of a ridge logistic regression by Newton's method; the last is the constant, which is not shrunk."""
    x = np.column_stack([evidence, np.ones(len(evidence))])
    weights, ridge = np.zeros(x.shape[1]), np.diag(np.r_[np.full(x.shape[1] - 1, RIDGE), 1e-9])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (answer - p) - ridge @ weights
        weights += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge, gradient)
    return weights


def to_json(looks: LooksPrior, weights: EvidenceWeights, source: str) -> dict:
    arrays = {name: getattr(looks, name) for name in LooksPrior.__dataclass_fields__}
    data = {name: np.round(values, DECIMALS).tolist() for name, values in arrays.items()}
    data["weights"] = {
        "face": np.round(weights.face, DECIMALS).tolist(),
        "all": np.round(weights.all, DECIMALS).tolist(),
    }
    return {
        "about": "Looks of printed spaces and tiles before a picture is seen; see vision/looks.py",
        "source": source,
        **data,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--leave-out", metavar="STYLE", help="a printing that must not teach")
    options = parser.parse_args()
    taught = [one for one in lessons(options.folder) if one.style != options.leave_out]
    looks = fit_looks(taught)
    styles = ", ".join(sorted({one.style for one in taught}))
    source = f"{len(taught)} rendered pictures in the printings {styles}"
    json.dump(to_json(looks, fit_weights(taught, looks), source), sys.stdout, separators=(",", ":"))


if __name__ == "__main__":
    main()
