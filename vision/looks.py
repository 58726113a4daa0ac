"""Colours and textures of printed spaces and of tiles, learnt anew in every picture.

Cards come in several printings and lamps in several colours, so no absolute colour is trusted. Twelve *looks*
exist: the print of each colour and the tile of each type. What a look is like on average, how much printings
differ from it and how much places of one picture differ are the prior (``calibration/data/space_looks.json``,
made by ``python -m vision.accuracy.fit_looks``); expectation-maximisation then finds, for one picture, the
light on each board, the looks of this printing, and which place has which look. It is a mixture of Gaussians
with conjugate priors on the means (Gelman et al., Bayesian Data Analysis, ch. 5 and 22), scored with
Student's t so that a hand or a reflection does not outweigh everything else.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from calibration.facts import COLOURS, SHIPPED
from vision.geometry import PATCH_PX, PATCH_SPAN

TYPES = len(COLOURS)
PRINTS, TILES = slice(0, TYPES), slice(TYPES, 2 * TYPES)
"""Looks are numbered: the six prints, then the six tiles, both in the order of COLOURS."""

ZONE_EDGES = (0, 0.13, 0.22, 0.31, 0.39, 0.46)
"""Hexagonal rings of a place, in tile widths from the centre; 0.5 is the tile's edge."""
ZONES = len(ZONE_EDGES) - 1
LUMA, RED, BLUE = slice(0, ZONES), slice(ZONES, 2 * ZONES), slice(2 * ZONES, 3 * ZONES)
"""Features: log brightness, log(red / green) and log(blue / mean of red and green) of each ring..."""
TEXTURE = slice(3 * ZONES, 3 * ZONES + ZONES + 1)
"""...then log contrast of brightness in all rings but the innermost and of red / green in two of them."""
COLOUR_TEXTURE_ZONES = slice(2, 4)
FEATURES = TEXTURE.stop
LOG_OFFSET = 6
"""Grey levels added before the logarithm, so that black noise does not dominate."""
CONTRAST_FLOOR = 2e-4
"""Variance of log brightness that noise makes anyhow (about 1.4 %)."""

STEPS = 4
"""Rounds of expectation-maximisation; eight read no better."""
SHARPNESS = 0.5
"""Weight of the look's likelihood: features are less independent than the Gaussian says."""
RATIO_LIMIT = 2.0
"""Log likelihood ratio of print to tile at which its effect starts to level off."""
FREEDOM = 20.0
"""Degrees of freedom of Student's t."""
TRUSTED_DISTANCE = 2.0
"""Squared Mahalanobis distance per feature up to which a place teaches light and looks with full weight."""
LIGHT_SLOPE_PRIOR = 8.0
"""How strongly the light is taken to be even across a board, in places' worth of evidence."""
BLUR_PRIOR = 30.0
"""How strongly contrast is taken to be as usual, in units of evidence."""
OFF_COLOUR = 0.004
"""Prior of each of the five wrong types on a space: one tile in fifty lies on a wrong colour."""
MISPRINT = 1e-4
"""Prior of each wrong printed colour where the duchy is known."""

PRINTING_SPREAD = np.r_[np.full(ZONES, 0.3), np.full(2 * ZONES, 0.12), np.full(ZONES + 1, 0.4)] ** 2
"""Least variance between printings that all looks of a kind share (a white face or none, ...)."""
TILE_SPREAD = np.r_[np.full(ZONES, 0.12), np.full(2 * ZONES, 0.08), np.full(ZONES + 1, 0.25)] ** 2
"""Least variance between printings of a single tile look. These floors stand for the printings never seen."""
PRINT_SPREAD = TILE_SPREAD / 2
"""The same for prints, which differ less in one printing: one face, one frame, another colour."""
LOOK_SPREAD = np.repeat([PRINT_SPREAD, TILE_SPREAD], TYPES, axis=0)
PLACE_SPREAD = np.r_[np.full(ZONES, 0.06), np.full(2 * ZONES, 0.03), np.full(ZONES + 1, 0.15)] ** 2
"""Variance added between places of one look in one picture."""


@dataclass(frozen=True)
class LooksPrior:
    """What is known of the looks before a picture is seen."""

    mean: np.ndarray
    """(12, FEATURES)."""
    look_variance: np.ndarray
    """(12, FEATURES): how printings differ in one look."""
    printing_variance: np.ndarray
    """(2, FEATURES): how printings differ in all prints together, and in all tiles."""
    covariance: np.ndarray
    """(2, FEATURES, FEATURES): how places of one look differ within a picture, for prints and tiles."""

    @classmethod
    def load(cls, path: Path = SHIPPED / "space_looks.json") -> LooksPrior:
        data = json.loads(path.read_text(encoding="utf-8"))
        return cls(*(np.array(data[f]) for f in ("mean", "look_variance", "printing_variance", "covariance")))


@cache
def shipped_looks() -> LooksPrior:
    return LooksPrior.load()


def _ring_weights() -> np.ndarray:
    """(PATCH_PX**2, ZONES) float32: averages the pixels of each ring."""
    steps = (np.arange(PATCH_PX) - (PATCH_PX - 1) / 2) * (PATCH_SPAN / PATCH_PX)
    x, y = np.meshgrid(steps, steps)
    slanted = y * np.sqrt(3) / 2
    distance = np.maximum(np.abs(x), np.maximum(np.abs(x / 2 + slanted), np.abs(x / 2 - slanted))).ravel()
    rings = [(distance >= low) & (distance < high) for low, high in pairwise(ZONE_EDGES)]
    return np.stack([ring / ring.sum() for ring in rings], axis=1).astype(np.float32)


_RINGS = _ring_weights()
_INSIDE = _RINGS.any(axis=1)
_RINGS = _RINGS[_INSIDE]
_LOG = np.log(np.arange(256) + LOG_OFFSET).astype(np.float32)


def describe(patches: np.ndarray) -> np.ndarray:
    """Features of places, none of which depends on how a tile is turned: (n, S, S, 3) uint8 BGR -> (n, FEATURES)."""
    logs = _LOG[patches.reshape(len(patches), -1, 3)[:, _INSIDE]]
    blue, green, red = (logs[..., channel] @ _RINGS for channel in range(3))
    luma = logs.mean(axis=2)
    return np.concatenate(
        [
            (blue + green + red) / 3,
            red - green,
            blue - (green + red) / 2,
            _contrast(luma)[:, 1:],
            _contrast(logs[..., 2] - logs[..., 1])[:, COLOUR_TEXTURE_ZONES],
        ],
        axis=1,
    ).astype(float)


def _contrast(values: np.ndarray) -> np.ndarray:
    variance = (values**2) @ _RINGS - (values @ _RINGS) ** 2
    return 0.5 * np.log(np.maximum(variance, 0) + CONTRAST_FLOOR)


@dataclass(frozen=True)
class LookReading:
    """What one picture's places look like."""

    ratio: np.ndarray
    """(n,) log likelihood ratio of a bare print to a tile."""
    belief: np.ndarray
    """(n, 12), rows sum to 1."""
    distance: np.ndarray
    """(n,) squared Mahalanobis distance per feature to the looks believed; about 1 for a clear place."""


def read_looks(
    features: np.ndarray,
    board: np.ndarray,
    position: np.ndarray,
    empty_odds: np.ndarray,
    colours: np.ndarray,
    prior: LooksPrior,
) -> LookReading:
    """Finds light and looks of a picture.

    *features* (n, FEATURES); *board* (n,) int, which board (one light each) a place belongs to; *position*
    (n, 2) on that board, of order 1; *empty_odds* (n,) log odds that a place is empty, by other evidence;
    *colours* (n, 12) prior of each look, prints and tiles each summing to 1.
    """
    within = prior.covariance + np.diag(PLACE_SPREAD)
    spread = np.repeat(np.diagonal(within, axis1=1, axis2=2), TYPES, axis=0)
    look_variance = np.maximum(prior.look_variance, LOOK_SPREAD)
    printing_variance = np.maximum(prior.printing_variance, PRINTING_SPREAD)
    basis = np.column_stack([np.ones(len(position)), position])
    log_colours = np.log(colours)
    belief, _ = _believe(np.zeros_like(colours), log_colours, empty_odds)
    informed = colours[:, PRINTS].max(axis=1).min() > 0.5
    mean, doubt = prior.mean, look_variance + np.repeat(printing_variance, TYPES, axis=0)
    trust = np.ones(len(features))
    for step in range(STEPS):
        expected, precision = belief @ mean, 1 / (belief @ (spread + (look_variance if step else doubt)))
        lit = features - fit_light(features - expected, trust[:, None] * precision, basis, board)
        likelihood, squared = _compare(lit, mean, np.repeat(within, TYPES, axis=0), doubt)
        if step or not informed:
            belief, ratio = _believe(SHARPNESS * likelihood, log_colours, empty_odds)
            distance = (belief * squared).sum(axis=1) / FEATURES
            trust = np.minimum(1, TRUSTED_DISTANCE / np.maximum(distance, TRUSTED_DISTANCE))
        mean, doubt = _learn(
            lit, belief * trust[:, None], prior.mean, spread, look_variance, printing_variance
        )
    return LookReading(ratio, belief, distance)


def _believe(
    log_likelihood: np.ndarray, log_colours: np.ndarray, empty_odds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Belief in each look, (n, 12), and the log ratio of print to tile, (n,), which counts only up to a limit."""
    weighted = log_likelihood + log_colours
    prints, tiles = weighted[:, PRINTS], weighted[:, TILES]
    ratio = np.logaddexp.reduce(prints, axis=1) - np.logaddexp.reduce(tiles, axis=1)
    empty = 1 / (1 + np.exp(-(empty_odds + levelled(ratio))))
    return np.hstack([_normalised(prints) * empty[:, None], _normalised(tiles) * (1 - empty[:, None])]), ratio


def levelled(ratio: np.ndarray) -> np.ndarray:
    """A log ratio that levels off: looks alone never outweigh a printed face that is clearly there or not."""
    return RATIO_LIMIT * np.arctan(ratio / RATIO_LIMIT)


def fit_light(residual: np.ndarray, weight: np.ndarray, basis: np.ndarray, board: np.ndarray) -> np.ndarray:
    """Brightness and colour of the light at each place (a plane per board) and blur of the picture: (n, FEATURES)."""
    light = np.zeros_like(residual)
    for one in np.unique(board):
        here = board == one
        for channel in (LUMA, RED, BLUE):
            w = weight[here, channel]
            total = w.sum(axis=1)
            prior = np.diag([1e-6, LIGHT_SLOPE_PRIOR, LIGHT_SLOPE_PRIOR]) * total.mean()
            a = basis[here]
            plane = np.linalg.solve(
                a.T @ (a * total[:, None]) + prior, a.T @ (w * residual[here, channel]).sum(axis=1)
            )
            light[here, channel] = (a @ plane)[:, None]
    w = weight[:, TEXTURE]
    light[:, TEXTURE] = (w * residual[:, TEXTURE]).sum(axis=0) / (w.sum(axis=0) + BLUR_PRIOR)
    return light


def _compare(
    features: np.ndarray, mean: np.ndarray, within: np.ndarray, doubt: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Log density (Student's t) and squared Mahalanobis distance of every place to every look: two (n, 12)."""
    covariance = within + np.einsum("kd,de->kde", doubt, np.eye(FEATURES))
    away = features[None] - mean[:, None]
    squared = np.einsum("knd,kde,kne->nk", away, np.linalg.inv(covariance), away, optimize=True)
    log_volume = np.linalg.slogdet(covariance)[1] / 2
    return -(FREEDOM + FEATURES) / 2 * np.log1p(squared / FREEDOM) - log_volume, squared


def _learn(
    lit: np.ndarray,
    weight: np.ndarray,
    prior_mean: np.ndarray,
    spread: np.ndarray,
    look_variance: np.ndarray,
    printing_variance: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Means of the looks in this picture and the variance they are known with, both (12, FEATURES)."""
    count = weight.sum(axis=0)[:, None]
    residual = weight.T @ lit / np.maximum(count, 1e-9) - prior_mean
    mean, doubt = np.empty_like(prior_mean), np.empty_like(prior_mean)
    for kind, looks in enumerate((PRINTS, TILES)):
        precision = count[looks] / (spread[looks] + count[looks] * look_variance[looks])
        shared_doubt = 1 / (precision.sum(axis=0) + 1 / printing_variance[kind])
        shared = shared_doubt * (precision * residual[looks]).sum(axis=0)
        evidence, belief = count[looks] / spread[looks], 1 / look_variance[looks]
        own = (residual[looks] - shared) * evidence / (belief + evidence)
        mean[looks] = prior_mean[looks] + shared + own
        doubt[looks] = 1 / (belief + evidence) + shared_doubt
    return mean, doubt


def _normalised(log_weights: np.ndarray) -> np.ndarray:
    weights = np.exp(log_weights - log_weights.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)
