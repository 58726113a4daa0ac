"""Which spaces of the duchies hold which type of tile, for all boards of a picture together.

Evidence that every printing gives: the die face printed in the middle of an empty space
(:mod:`vision.printed_die`), and that empty spaces of one colour, and tiles of one type, look alike within a
picture (:mod:`vision.looks`). A logistic regression weighs it; its few weights come with the looks.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from calibration.facts import COLOURS, SHIPPED, Spaces, load_facts
from vision.geometry import hexgrid
from vision.looks import (
    MISPRINT,
    OFF_COLOUR,
    PRINTS,
    TILES,
    TYPES,
    LookReading,
    LooksPrior,
    describe,
    levelled,
    read_looks,
    shipped_looks,
)
from vision.printed_die import agreement, best_faces, grey_patches, own_face, pip_scores

BURNT_LEVEL, BURNT_SHARE = 235, 0.1
"""A place is hidden by glare when this share of it has all three channels at this level or above. On the
shared pictures half of all mistakes lay in such places, of which four in five were mistaken."""
STRANGE_DISTANCE = 4.0
"""Squared Mahalanobis distance per feature beyond which something else (a hand) covers the place."""
FRAMED_SHARE = 0.6
"""Share of the patch that must lie inside the frame (the hexagon fills 0.69 of its patch)."""
CLEAR_FACE, STANDARD_SHARE = 0.6, 0.6
"""Correlation of a face that is clearly read, and the share of those that must show the standard numbers."""
SAME_DUCHY, OTHER_DUCHY = 0.75, 0.2
"""Mean belief in a shipped duchy's colours that identifies it, and by how much the next one must be behind."""
TEACHERS = 4.0
"""Weight of agreeing empty spaces beyond which more do not make the picture's own face more certain."""


@dataclass(frozen=True)
class BoardPatches:
    """One duchy cut out of a frame."""

    patches: np.ndarray
    """(37, PATCH_PX, PATCH_PX, 3) uint8 BGR, reading order."""
    framed: np.ndarray
    """(37,) share of each patch inside the frame."""
    spaces: Spaces | None
    """Printed colour and die of the 37 spaces, or None when not known."""


@dataclass(frozen=True)
class SpaceReadings:
    """What lies on the spaces of one duchy."""

    empty: np.ndarray
    """(37,) probability that no tile lies there."""
    types: np.ndarray
    """(37, 6) probability of each type (order of COLOURS) if a tile lies there."""
    hidden: np.ndarray
    """(37,) bool: a hand, glare or the frame's edge hides the space."""


@dataclass(frozen=True)
class EvidenceWeights:
    """Logistic regressions on the evidence for an empty space; the last weight is the constant."""

    face: np.ndarray
    """From the printed face alone: :func:`face_evidence` -> log odds."""
    all: np.ndarray
    """From all evidence together: ``Evidence.all`` -> log odds."""


@cache
def shipped_weights() -> EvidenceWeights:
    data = json.loads((SHIPPED / "space_looks.json").read_text(encoding="utf-8"))["weights"]
    return EvidenceWeights(np.array(data["face"]), np.array(data["all"]))


def read_spaces(
    boards: Sequence[BoardPatches],
    looks: LooksPrior | None = None,
    weights: EvidenceWeights | None = None,
) -> list[SpaceReadings]:
    """Reads all duchies of one picture; they share printing and lens, not light."""
    if not boards:
        return []
    looks, weights = looks or shipped_looks(), weights or shipped_weights()
    evidence = gather(boards, looks, weights)
    recognised = [
        board if board.spaces else _recognised(board, colours)
        for board, colours in zip(boards, evidence.colours, strict=True)
    ]
    if any(after.spaces and not before.spaces for before, after in zip(boards, recognised, strict=True)):
        evidence = gather(recognised, looks, weights)
    burnt = burnt_share(np.concatenate([board.patches for board in boards]))
    framed = np.concatenate([board.framed for board in boards])
    empty = 1 / (1 + np.exp(-log_odds(weights.all, evidence.all)))
    empty = _discount(empty, np.minimum(burnt / BURNT_SHARE, 1))
    hidden = (framed < FRAMED_SHARE) | (burnt > BURNT_SHARE) | (evidence.looks.distance > STRANGE_DISTANCE)
    parts = (np.split(values, len(boards)) for values in (empty, evidence.types, hidden))
    return [SpaceReadings(*one) for one in zip(*parts, strict=True)]


def _discount(empty: np.ndarray, glare: np.ndarray) -> np.ndarray:
    """Where glare (0..1) voids the evidence, a space is as likely empty as the picture's clear ones are.

    All boards count together: players are about equally far in the game.
    """
    clear = 1 - glare
    share = ((empty * clear).sum() + 1) / (clear.sum() + 2)
    return clear * empty + glare * share


@dataclass(frozen=True)
class Evidence:
    """What speaks for and against a tile on each space of a picture."""

    face: np.ndarray
    """(n, 2) of the printed face."""
    all: np.ndarray
    """(n, 6) of face, looks and agreement with the other spaces."""
    types: np.ndarray
    """(n, 6) probability of each type if there is a tile."""
    looks: LookReading

    @property
    def colours(self) -> np.ndarray:
        """(boards, 37, 6) how likely each space is printed, or covered by a tile, in each colour."""
        belief = self.looks.belief
        return (belief[:, PRINTS] + belief[:, TILES]).reshape(-1, len(hexgrid()), TYPES)


def gather(boards: Sequence[BoardPatches], looks: LooksPrior, weights: EvidenceWeights) -> Evidence:
    """All evidence about the spaces of a picture's boards, in order."""
    patches = np.concatenate([board.patches for board in boards])
    grey = grey_patches(patches)
    scores = pip_scores(grey)
    numbers = printed_numbers(boards, scores)
    face = face_evidence(scores, numbers)
    odds = log_odds(weights.face, face)
    grid = hexgrid() / 3
    board, position = np.repeat(np.arange(len(boards)), len(grid)), np.tile(grid, (len(boards), 1))
    seen = read_looks(describe(patches), board, position, odds, colour_prior(printed_colours(boards)), looks)
    agree, teachers = agreement(grey, numbers, seen.belief[:, PRINTS].sum(axis=1))
    teachers = np.minimum(teachers, TEACHERS) / TEACHERS
    everything = np.column_stack([face, levelled(seen.ratio), agree, agree * teachers, teachers])
    types = seen.belief[:, TILES] / seen.belief[:, TILES].sum(axis=1, keepdims=True)
    return Evidence(face, everything, types, seen)


def face_evidence(scores: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """(n, 2): correlation with the expected face (Fisher's z) and its margin over other faces."""
    own, margin = own_face(scores, numbers)
    return np.column_stack([np.arctanh(np.clip(own, -0.97, 0.97)), margin])


def log_odds(weights: np.ndarray, evidence: np.ndarray) -> np.ndarray:
    return evidence @ weights[:-1] + weights[-1]


@cache
def standard_dice() -> np.ndarray:
    """The 37 printed dice of every standard duchy: all editions have the same numbers in the same places."""
    return np.array([die for _, die in load_facts().duchy("se-1").spaces])


def printed_numbers(boards: Sequence[BoardPatches], scores: np.ndarray) -> np.ndarray:
    """(n,) int printed die of each space; of an unknown duchy the standard ones, unless it shows others."""
    seen, strength = (np.split(a, len(boards)) for a in best_faces(scores))
    numbers = []
    for board, shown, strong in zip(boards, seen, strength, strict=True):
        clear = strong >= CLEAR_FACE
        if board.spaces:
            numbers.append([die for _, die in board.spaces])
        elif (shown == standard_dice())[clear].mean() >= STANDARD_SHARE if clear.any() else True:
            numbers.append(standard_dice())
        else:
            numbers.append(shown)
    return np.concatenate(numbers)


def printed_colours(boards: Sequence[BoardPatches]) -> np.ndarray:
    """(n,) int printed colour of each space as an index in COLOURS, -1 when not known."""
    unknown = [-1] * len(hexgrid())
    return np.concatenate([[COLOURS.index(c) for c, _ in b.spaces] if b.spaces else unknown for b in boards])


def _recognised(board: BoardPatches, colours: np.ndarray) -> BoardPatches:
    """The board with the spaces of the shipped duchy that it clearly is, if any; *colours* is (37, 6) belief."""
    layouts = list({duchy.spaces for duchy in load_facts().duchies.values()})
    indices = np.array([[COLOURS.index(c) for c, _ in spaces] for spaces in layouts])
    agreement_with = colours[np.arange(len(colours)), indices].mean(axis=1)
    second, best = np.sort(agreement_with)[-2:]
    if best < SAME_DUCHY or best - second < OTHER_DUCHY:
        return board
    return replace(board, spaces=layouts[int(agreement_with.argmax())])


def colour_prior(colours: np.ndarray) -> np.ndarray:
    """(n, 12) prior of each look, separately for prints and for tiles (both halves sum to 1)."""
    prior = np.full((len(colours), 2 * TYPES), 1 / TYPES)
    known = np.flatnonzero(colours >= 0)
    for looks, wrong in ((PRINTS, MISPRINT), (TILES, OFF_COLOUR)):
        prior[known, looks] = wrong
        prior[known, looks.start + colours[known]] = 1 - (TYPES - 1) * wrong
    return prior


def burnt_share(patches: np.ndarray) -> np.ndarray:
    """(n,) share of each patch that is burnt to white."""
    return (patches.min(axis=3) >= BURNT_LEVEL).mean(axis=(1, 2))
