"""What speaks for a die: the answers of the networks, and its size among the other dice of the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..rows import Rows
from .networks import CLASSES, NO_DIE, Proposals

READER_EVIDENCE, FINDER_EVIDENCE, NO_EVIDENCE = 0.88, 0.46, -0.04
"""Weights of the two networks' log odds that there is a die, and what is left without them: a logistic regression on
made-up scenes that neither network has seen (``vision.dice.training.calibrate``)."""
SIZE_SPREAD = 0.1
"""Standard deviation of the logarithm of a die's side among the dice of one picture: perspective, and what the reader
errs by. In our real test photos it is 0.08, in the rendered ones 0.07, in made-up scenes 0.08."""
PROPOSED_SPREAD = 0.2
"""The same with what the finder errs by."""
ANY_SIZE = 0.75
"""Density of the logarithm of the side of what is no die, beside a die's: print is not of any size, but mostly within
half of a die's and twice of it."""
OWN_SIZE = 0.5
"""How many dice's worth of doubt there is that all dice of a table are of one size."""
SIZE_VOTE_POWER = 4
"""Power of a face's chance to be a die with which it tells the others' size, so that tiles with a picture that is much
like a die's face do not vouch for each other."""
CERTAIN_DIE = 0.9
"""Probability of being a die, and of its value, from which a face is surely one."""
MIN_DIE = 0.55
"""Probability of being a die from which it is reported ..."""
MIN_UNREADABLE = 0.8
"""... when its value cannot be told: what shows no value clearly is seldom a die at all."""
MIN_VALUE = 0.5
"""Share of the best answer among those that mean a die, below which no value is told."""
ONE_BODY = 0.8
"""Two readings nearer than this many sides are two faces of one die."""


@dataclass(frozen=True, slots=True)
class Faces(Rows):
    """What may be faces of dice in a frame, as the networks see them."""

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
    """Returns those of *faces* that are dice, and (N, CLASSES - 1) probabilities of what each of them shows."""
    faces = faces[_one_face_each(faces)]
    die = die_probability(faces, faces)
    shown = faces.probabilities[:, 1:] * (die / faces.probabilities[:, 1:].sum(1))[:, None]
    told = shown.max(1) >= MIN_VALUE * die
    kept = die >= np.where(told, MIN_DIE, MIN_UNREADABLE)
    return faces[kept], shown[kept]


def die_probability(faces: Faces, seen: Faces) -> np.ndarray:
    """Returns (N,) probability that each of *faces* is a die, by itself and by its size beside all others *seen*.

    *seen* begins with the faces themselves, in the same order.
    """
    others = _size_votes(seen) * (1 - np.eye(len(faces.sides), len(seen.sides)))
    return _chance(log_odds(faces) + _size_evidence(faces.sides, SIZE_SPREAD, seen.sides, others))


def certain_dice(faces: Faces) -> np.ndarray:
    """Returns (N,) bool: those whose value is beyond doubt, before others are compared with them."""
    certain: np.ndarray = (
        np.minimum(_chance(log_odds(faces)), faces.probabilities[:, 1:7].max(1)) >= CERTAIN_DIE
    )
    return certain


def proposal_scores(proposals: Proposals, seen: Faces) -> np.ndarray:
    """Returns (N,) log odds that there is a die at the *proposals*, by the finder and by the sizes of what was
    *seen*."""
    seen = seen[_one_face_each(seen)]
    sizes = _size_evidence(proposals.sides, PROPOSED_SPREAD, seen.sides, _size_votes(seen)[None])
    scores: np.ndarray = FINDER_EVIDENCE * _logit(proposals.heats) + sizes
    return scores


def log_odds(faces: Faces) -> np.ndarray:
    """Returns (N,) log odds that there is a die: what the finder and the reader say together."""
    reader, finder = _logit(1 - faces.probabilities[:, NO_DIE]), _logit(faces.heats)
    return READER_EVIDENCE * reader + FINDER_EVIDENCE * finder + NO_EVIDENCE


def _size_votes(faces: Faces) -> np.ndarray:
    """Returns (N,) how much each face has to say on the size of dice."""
    return _chance(log_odds(faces)) ** SIZE_VOTE_POWER


def _size_evidence(sides: np.ndarray, spread: float, others: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns (N,) log likelihood ratio of *sides* (N,) px, which err by *spread*, given the *others'* (M,) px.

    On one table dice are of one size: a kernel density of the others' sides, each counted as *weights*, (N or 1, M),
    beside the sides of what is no die.
    """
    apart = np.log(sides)[:, None] - np.log(others)
    wide = np.hypot(spread, SIZE_SPREAD)
    alike = np.exp(-0.5 * (apart / wide) ** 2) / (wide * np.sqrt(2 * np.pi)) / ANY_SIZE
    ratios: np.ndarray = np.log((OWN_SIZE + (weights * alike).sum(1)) / (OWN_SIZE + weights.sum(1)))
    return ratios


def _one_face_each(faces: Faces) -> np.ndarray:
    """Rows of the faces that are dice of their own: of faces on one body, the one most surely a top face."""
    away = np.linalg.norm(faces.centres[:, None] - faces.centres, axis=-1)
    one_body = away <= ONE_BODY * np.maximum(faces.sides[:, None], faces.sides)
    kept: list[int] = []
    for row in np.argsort(-log_odds(faces), kind="stable"):
        if not one_body[row, kept].any():
            kept.append(int(row))
    return np.array(kept, int)


def _chance(odds: np.ndarray) -> np.ndarray:
    """Probabilities from log odds."""
    probabilities: np.ndarray = 1 / (1 + np.exp(-odds))
    return probabilities


def _logit(chance: np.ndarray) -> np.ndarray:
    chance = np.clip(chance, 1e-4, 1 - 1e-4)
    odds: np.ndarray = np.log(chance / (1 - chance))
    return odds
