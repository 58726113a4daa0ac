"""What is printed on an empty duchy: colour and die face of its 37 spaces, and which known duchy that is.

Printings differ in their colours (a castle's space is burgundy in one and dark green in another), so no colour is
trusted by itself. A known duchy is the one whose spaces of one colour look alike; on any other board, spaces that look
alike are put together first and named afterwards, all at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import cv2
import numpy as np

from calibration.facts import COLOURS, DUCHY_COLOURS, Spaces, load_facts
from vision.geometry import hexgrid
from vision.looks import BLUE, LUMA, RED, describe
from vision.printed_die import NUMBERS, grey_patches, pip_scores
from vision.spaces import BoardPatches, standard_dice

RIM = slice(2, None)
"""Rings of a space, from the middle, in which no die face is printed."""
LUMA_WEIGHT = 0.5
"""Shade changes brightness more than colour."""
PRINTS_BGR: Mapping[str, tuple[tuple[int, int, int], ...]] = {
    "castle": ((70, 52, 128), (75, 102, 41)),
    "mine": ((150, 145, 142),),
    "ship": ((178, 128, 71),),
    "livestock": ((83, 166, 118),),
    "building": ((134, 166, 191),),
    "monastery": ((80, 205, 230),),
}
"""Usual prints of each colour in white light, sRGB."""
TRIES = 20
"""Beginnings from which spaces are put together (k-means); the best end is kept."""
LEAST_SPREAD = 0.06
"""Spread of the features among spaces of one colour, at least."""
NAME_SPREAD = 0.25
"""How far the prints of a printing lie from the usual ones, the light taken away."""
MISCOUNT = 1.5
"""What a space too many or too few of a colour is set back by, in units of log likelihood."""
FACE_DISTINCTION = 0.08
"""Difference of correlation that makes one number e times as likely as another."""
STANDARD_NUMBER = 0.8
"""Prior of the number that all known duchies have in a place; own boards may have others."""
SURE = 0.9
"""A person is asked about a space whose colour or number has less."""
SAME_DUCHY = 34
"""Spaces of the 37 that must look like the others of their colour for a board to be a known one. Measured: 37 on the
right one, up to 32 on another that differs in a few spaces."""
TURNS = 6
"""Ways to turn the shape of a duchy into itself."""


@dataclass(frozen=True, slots=True)
class ScannedSpace:
    """One space, with the probability of what is told about it."""

    colour: str
    colour_confidence: float
    die: int
    die_confidence: float


@dataclass(frozen=True, slots=True)
class DuchyScan:
    """An empty duchy as it was read."""

    spaces: tuple[ScannedSpace, ...]
    """In reading order."""
    duchy: str | None
    """Id of the known duchy whose colours it has, None when there is none."""
    agreeing: int
    """Spaces that have the colours of that duchy, or of the one most like it."""
    turn: int
    """Sixths of a turn, clockwise, by which the board lies otherwise than its anchors say, if it is a known one."""

    def printed(self) -> Spaces:
        """Colours and dice as they were read."""
        return tuple((space.colour, space.die) for space in self.spaces)

    def unusual_counts(self) -> Mapping[str, tuple[int, int]]:
        """Colour -> how often it was read and how often it is on a standard board, where these differ."""
        counted = Counter(space.colour for space in self.spaces)
        return {c: (counted[c], usual) for c, usual in DUCHY_COLOURS.items() if counted[c] != usual}


def scan_duchy(board: BoardPatches) -> DuchyScan:
    """Reads the print of a duchy on which nothing lies."""
    features = _features(board.patches)
    scores = pip_scores(grey_patches(board.patches))
    spaces = tuple(
        ScannedSpace(
            COLOURS[int(colours.argmax())],
            float(colours.max()),
            NUMBERS[int(numbers.argmax())],
            float(numbers.max()),
        )
        for colours, numbers in zip(_colours(features), _faces(scores), strict=True)
    )
    return DuchyScan(spaces, *_known(features, np.array([space.die for space in spaces])))


def _features(patches: np.ndarray) -> np.ndarray:
    """(37, 3) brightness, red by green, and blue by both of each space's rim, logarithms."""
    looks = describe(patches)
    luma, red, blue = (looks[:, channel][:, RIM].mean(axis=1) for channel in (LUMA, RED, BLUE))
    return np.stack([LUMA_WEIGHT * luma, red, blue], axis=1)


# --- known duchies -------------------------------------------------------------------------------------------


def _known(features: np.ndarray, dice: np.ndarray) -> tuple[str | None, int, int]:
    """Id of the known duchy, the spaces that agree with it and its turn; *dice* (37,) as they were read."""
    best: tuple[int, int, int, str] = (0, 0, 0, "")
    for duchy in load_facts().duchies.values():
        printed = np.array([COLOURS.index(colour) for colour, _ in duchy.spaces])
        for turn, places in enumerate(_turned_places()):
            alike = int((_nearest(features[places], printed) == printed).sum())
            same_dice = int((dice[places] == [die for _, die in duchy.spaces]).sum())
            best = max(best, (alike, same_dice, -turn, duchy.id))
    alike, _, turn, name = best
    return (name, alike, -turn) if alike >= SAME_DUCHY else (None, alike, 0)


def _nearest(features: np.ndarray, colours: np.ndarray) -> np.ndarray:
    """(37,) colour whose other spaces are most like each space, if all have the given *colours* (37,)."""
    members = np.eye(len(COLOURS))[colours]
    others = members.sum(axis=0) - members
    totals = members.T @ features - members[..., None] * features[:, None]
    away = np.linalg.norm(features[:, None] - totals / np.maximum(others, 1)[..., None], axis=2)
    return np.where(others > 0, away, np.inf).argmin(axis=1)


@cache
def _turned_places() -> list[np.ndarray]:
    """For each turn of the shape: where each space, in reading order, has gone to; (37,) ints."""
    grid = hexgrid()
    places = []
    for turn in range(TURNS):
        angle = turn * 2 * np.pi / TURNS
        moved = grid @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        places.append(np.linalg.norm(moved[:, None] - grid[None], axis=-1).argmin(axis=1))
    return places


# --- any duchy -----------------------------------------------------------------------------------------------


def _colours(features: np.ndarray) -> np.ndarray:
    """(37, 6) probability of each colour on each space, of whatever board."""
    _, groups, middles = cv2.kmeans(
        features.astype(np.float32),
        len(COLOURS),
        None,
        (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-4),
        TRIES,
        cv2.KMEANS_PP_CENTERS,
    )
    counts = np.bincount(groups.ravel(), minlength=len(COLOURS))
    spread = max(LEAST_SPREAD, float(np.sqrt(((features - middles[groups.ravel()]) ** 2).mean())))
    away = ((features[:, None] - middles) ** 2).sum(axis=2) / (2 * spread**2)
    in_group = _shares(-away)
    return in_group @ _names(middles[:, 1:].astype(float), counts)


def _names(tints: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """(6, 6) probability of each colour for each group of spaces.

    *tints* (6, 2) are the groups' middles without brightness, *counts* (6,) their sizes. All ways to name them are
    weighed, the light being whatever fits a way best.
    """
    usual_counts = np.array([DUCHY_COLOURS[colour] for colour in COLOURS])
    ways = np.array(list(permutations(range(len(COLOURS)))))
    total = np.zeros((len(COLOURS), len(COLOURS)))
    share = counts / counts.sum()
    weights = []
    for prints in product(*(PRINTS_BGR[colour] for colour in COLOURS)):
        usual = _tints(np.array(prints, float))
        apart = tints[None] - usual[ways]
        apart = apart - (apart * share[:, None]).sum(axis=1, keepdims=True)
        squared = (apart**2).sum(axis=(1, 2)) / (2 * NAME_SPREAD**2)
        weights.append(-squared - MISCOUNT * np.abs(counts - usual_counts[ways]).sum(axis=1))
    likely = np.exp(np.array(weights) - np.max(weights))
    for way, weight in zip(ways, likely.sum(axis=0) / likely.sum(), strict=True):
        total[np.arange(len(COLOURS)), way] += weight
    return total


def _tints(bgr: np.ndarray) -> np.ndarray:
    """(N, 2) red by green and blue by both, logarithms, of colours (N, 3)."""
    blue, green, red = np.log(bgr).T
    return np.stack([red - green, blue - (green + red) / 2], axis=1)


def _shares(weights: np.ndarray) -> np.ndarray:
    """Rows of log weights as probabilities."""
    return np.exp(weights - np.logaddexp.reduce(weights, axis=1)[:, None])


# --- dice ----------------------------------------------------------------------------------------------------


def _faces(scores: np.ndarray) -> np.ndarray:
    """(37, 6) probability of each number, from correlations (37, sizes, 6), at the size that explains all best."""
    prior = np.full((len(scores), len(NUMBERS)), (1 - STANDARD_NUMBER) / (len(NUMBERS) - 1))
    prior[np.arange(len(scores)), standard_dice() - 1] = STANDARD_NUMBER
    weights = scores / FACE_DISTINCTION + np.log(prior)[:, None]
    together = np.logaddexp.reduce(weights, axis=2)
    return _shares(weights[:, together.sum(axis=0).argmax()])
