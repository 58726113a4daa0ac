"""Evidence for a die: the output of the networks, and its size compared with the other dice of the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..rows import Rows
from .networks import CLASSES, NO_DIE, Proposals

READER_EVIDENCE, FINDER_EVIDENCE, NO_EVIDENCE = 0.88, 0.46, -0.04
"""Weights of the log odds of the two networks that there is a die, and the intercept: a logistic regression on
synthetic scenes that neither network has seen (``vision.dice.training.calibrate``)."""
SIFTER_EVIDENCE = 0.3
"""Weight of the sifter's log odds in the order in which places are read; what was read is judged without it."""
SIZE_SPREAD = 0.1
"""Standard deviation of the log side of the dice in one picture: perspective, and errors of the reader. It is 0.08 in
our real test photos, 0.07 in the rendered ones, 0.08 in synthetic scenes."""
PROPOSED_SPREAD = 0.2
"""The same with the errors of the finder."""
ANY_SIZE = 0.75
"""Density of the log side of false dice, relative to dice: print is mostly within half and twice the side of a die."""
OWN_SIZE = 0.5
"""Prior weight, in dice, of the doubt that all dice of a table have one size."""
SIZE_VOTE_POWER = 4
"""Power of a face's probability of being a die with which it counts for the size of the others, so that tiles with a
picture of a die do not support each other."""
CERTAIN_DIE = 0.9
"""Probability of being a die, and of its value, from which a face is certain."""
MIN_DIE = 0.55
"""Probability of being a die from which it is reported ..."""
MIN_UNREADABLE = 0.8
"""... when its value is unreadable: such a detection is rarely a die at all."""
MIN_VALUE = 0.5
"""Share of the best value in the probability of being a die, below which no value is reported."""
ONE_BODY = 0.8
"""Sides within which two readings are two faces of one die."""


@dataclass(frozen=True, slots=True)
class Faces(Rows):
    """Possible faces of dice in a frame, with the output of the networks."""

    heats: np.ndarray
    """(N,) float32: the finder's."""
    probabilities: np.ndarray
    """(N, CLASSES) float32: the reader's."""
    centres: np.ndarray
    """(N, 2) float32 px."""
    sides: np.ndarray
    """(N,) float32 px."""


NO_FACES = Faces(
    np.empty(0, np.float32),
    np.empty((0, CLASSES), np.float32),
    np.empty((0, 2), np.float32),
    np.empty(0, np.float32),
)


def dice_among(faces: Faces) -> tuple[Faces, np.ndarray]:
    """Returns those of *faces* that are dice, and (N, CLASSES - 1) probabilities of their values and states."""
    faces = faces[_one_face_each(faces)]
    die = die_probability(faces, faces)
    shown = faces.probabilities[:, 1:] * (die / faces.probabilities[:, 1:].sum(1))[:, None]
    has_value = shown.max(1) >= MIN_VALUE * die
    accepted = die >= np.where(has_value, MIN_DIE, MIN_UNREADABLE)
    return faces[accepted], shown[accepted]


def die_probability(faces: Faces, seen: Faces) -> np.ndarray:
    """Returns (N,): probability that each of *faces* is a die, from itself and from its size compared with all others
    *seen*.

    *seen* begins with the faces themselves, in the same order.
    """
    others = _size_votes(seen) * (1 - np.eye(len(faces.sides), len(seen.sides)))
    return _sigmoid(log_odds(faces) + _size_evidence(faces.sides, SIZE_SPREAD, seen.sides, others))


def certain_dice(faces: Faces) -> np.ndarray:
    """Returns (N,) bool: faces that are certain without comparing their sizes."""
    certain: np.ndarray = (
        np.minimum(_sigmoid(log_odds(faces)), faces.probabilities[:, 1:7].max(1)) >= CERTAIN_DIE
    )
    return certain


def proposal_scores(proposals: Proposals, seen: Faces) -> np.ndarray:
    """Returns (N,): log odds of a die at the *proposals*, from the finder and from the sizes of the faces *seen*."""
    seen = seen[_one_face_each(seen)]
    sizes = _size_evidence(proposals.sides, PROPOSED_SPREAD, seen.sides, _size_votes(seen)[None])
    scores: np.ndarray = FINDER_EVIDENCE * _logit(proposals.heats) + sizes
    return scores


def sifted_scores(sifted: Proposals, chances: np.ndarray, seen: Faces) -> np.ndarray:
    """Returns the same with the sifter's probabilities of dice, *chances* (N,)."""
    return proposal_scores(sifted, seen) + SIFTER_EVIDENCE * _logit(chances)


def log_odds(faces: Faces) -> np.ndarray:
    """Returns (N,): log odds of a die, from the finder and the reader."""
    reader, finder = _logit(1 - faces.probabilities[:, NO_DIE]), _logit(faces.heats)
    return READER_EVIDENCE * reader + FINDER_EVIDENCE * finder + NO_EVIDENCE


def _size_votes(faces: Faces) -> np.ndarray:
    """Returns (N,): weight of each face in the estimate of the size of dice."""
    return _sigmoid(log_odds(faces)) ** SIZE_VOTE_POWER


def _size_evidence(sides: np.ndarray, spread: float, others: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns (N,): log likelihood ratio of *sides* (N,) px, with error *spread*, given those of the *others* (M,) px.

    The dice on one table have one size: a kernel density of the others' sides, weighted with *weights*, (N or 1, M), is
    compared with the sides of false dice.
    """
    apart = np.log(sides)[:, None] - np.log(others)
    wide = np.hypot(spread, SIZE_SPREAD)
    alike = np.exp(-0.5 * (apart / wide) ** 2) / (wide * np.sqrt(2 * np.pi)) / ANY_SIZE
    ratios: np.ndarray = np.log((OWN_SIZE + (weights * alike).sum(1)) / (OWN_SIZE + weights.sum(1)))
    return ratios


def _one_face_each(faces: Faces) -> np.ndarray:
    """Returns one row per die: of the faces of one body, the one most certainly a top face."""
    away = np.linalg.norm(faces.centres[:, None] - faces.centres, axis=-1)
    one_body = away <= ONE_BODY * np.maximum(faces.sides[:, None], faces.sides)
    chosen: list[int] = []
    for row in np.argsort(-log_odds(faces), kind="stable"):
        if not one_body[row, chosen].any():
            chosen.append(int(row))
    return np.array(chosen, int)


def _sigmoid(odds: np.ndarray) -> np.ndarray:
    """Returns probabilities from log odds."""
    probabilities: np.ndarray = 1 / (1 + np.exp(-odds))
    return probabilities


def _logit(chance: np.ndarray) -> np.ndarray:
    chance = np.clip(chance, 1e-4, 1 - 1e-4)
    odds: np.ndarray = np.log(chance / (1 - chance))
    return odds
