"""Training examples of the space reader: the places of a photographed scene, cut out with a table file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np

from ....boards.networks import OFF_BOARD
from ....geometry import Plane, anchor_points
from ....training.colours import Generator
from .scenes import Scene, any_scenes
from .tables import PLACES, UNKNOWN
from .targets import finder_example

MISPLACED = 0.03
"""Standard deviation in pitches of the corners in a table file: a millimetre."""


@dataclass(slots=True)
class Examples:
    """Places of many scenes, PLACES rows each."""

    patches: np.ndarray
    """(S, PLACES, PATCH_PX, PATCH_PX, 3) uint8 BGR."""
    there: np.ndarray
    """(S, PLACES) bool: False for rows that only fill up."""
    position: np.ndarray
    """(S, PLACES, 2) float32 in pitches from the centre of the board, or OFF_BOARD."""
    space_type: np.ndarray
    """(S, PLACES) int8 printed tile type or UNKNOWN."""
    die: np.ndarray
    tile: np.ndarray
    """(S, PLACES) int8 type or UNKNOWN (bare)."""
    variant: np.ndarray
    hidden: np.ndarray
    """(S, PLACES) bool."""


def examples_of(scenes: list[Scene], rng: Generator) -> Examples:
    examples = [_example(scene, rng) for scene in scenes]
    return Examples(*(np.stack(column) for column in zip(*examples, strict=True)))


def _example(scene: Scene, rng: Generator) -> tuple[np.ndarray, ...]:
    corners = anchor_points()
    off = rng.normal(0, MISPLACED * rng.choice([0.3, 1.0]), (4, 2))
    plane = Plane.fit(corners, scene.plane.to_frame(corners + off))
    places = scene.places
    patches, framed = plane.patches(scene.frame, places.centres, 1.0)
    position = np.where(places.on_board[:, None], places.centres, OFF_BOARD).astype(np.float32)
    columns = (places.space_type, places.die, places.tile, places.variant)
    return (
        _filled(patches, 0),
        _filled(np.ones(len(position), bool), False),
        _filled(position, np.nan),
        *(_filled(column.astype(np.int8), UNKNOWN) for column in columns),
        _filled(scene.hidden | (framed < 0.6), True),
    )


def _filled(column: np.ndarray, padding: float) -> np.ndarray:
    full = np.full((PLACES, *column.shape[1:]), padding, column.dtype)
    full[: len(column)] = column
    return full


@dataclass(slots=True)
class FinderExamples:
    """Parts of scenes with the target output of the finder."""

    pictures: np.ndarray
    """(N, PICTURE, PICTURE, 3) uint8 BGR."""
    targets: np.ndarray
    """(N, CHANNELS, PICTURE / CELL, PICTURE / CELL) float16."""


E = TypeVar("E", Examples, FinderExamples)


def make_examples(seed: int, first: int, count: int, photos: int) -> tuple[Examples, FinderExamples]:
    """Returns the examples of scenes *first* to *first* + *count* of the series *seed*, each photographed *photos*
    times."""
    read, found = [], []
    for i in range(first, first + count):
        rng = np.random.default_rng((seed, i))
        scenes = any_scenes(rng, photos)
        read.append(examples_of(scenes, rng))
        found += [finder_example(scene, rng) for scene in scenes]
    return joined(read), FinderExamples(*(np.stack(column) for column in zip(*found, strict=True)))


def joined(parts: Sequence[E]) -> E:
    """Returns the concatenated rows of several examples of one kind."""
    kind = type(parts[0])
    return kind(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(kind)))
