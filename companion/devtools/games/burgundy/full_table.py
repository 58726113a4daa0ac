"""Time to read a complete table of four: every place for tiles and goods, on a drawn table full of them.

This is the first reading of a game; later ones only read what changed.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING

from calibration.board_kind import kind_of
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from calibration.table_file import TableFile
    from hardware.virtual_table import TableLayout
    from vision.gallery import Gallery

MS_PER_S = 1e3
PLAYERS = PLAYER_COLOURS[:4]
REPEATS = 7
TILE_SHARE, BUILT = 0.7, 0.5
"""Shares of occupied places beside the duchies, and of occupied spaces on them."""


@dataclass(frozen=True)
class FullTableFigures:
    """Medians of processor time in ms, and what was read."""

    size: tuple[int, int]
    places: int
    """Number of places, including those for goods."""
    right: int
    """Of *places*, with a gallery."""
    types_ms: float
    """Tiles to their types: no gallery, no places for goods."""
    gallery_ms: float
    everything_ms: float
    """With a gallery, dice, and finding the boards again."""


def measure_full_table(seed: int = 1) -> FullTableFigures:
    import random

    from calibration.table_file import parse
    from hardware.scene import Scene
    from hardware.virtual_table import VirtualTable, sample_layout
    from vision.reader import TableReader

    rng, layout, gallery = random.Random(seed), sample_layout(PLAYERS), learnt_gallery(seed)
    with VirtualTable(layout, seed=seed) as virtual:
        table = parse(virtual.table_file(), "the drawn table")
        truth = random_layout(layout, gallery.labels, rng)
        virtual.show(Scene(places=truth))
        frame = virtual.read()
    read = TableReader(table, gallery).read_places(
        frame
    )  # the first reading loads the networks and prepares the gallery
    height, width = frame.shape[:2]
    return FullTableFigures(
        (width, height),
        len(read),
        sum(
            read[f"{name}:{i}"].best == label for name, all_ in truth.items() for i, label in enumerate(all_)
        ),
        _median_ms(table, None, lambda reader: reader.read_places(frame)),
        _median_ms(table, gallery, lambda reader: reader.read_places(frame)),
        _median_ms(table, gallery, lambda reader: reader.read(frame)),
    )


def learnt_gallery(seed: int, layout: TableLayout | None = None) -> Gallery:
    """Returns a gallery of an owner's tiles, learnt from drawn pictures of them, and of the empty places of a table."""
    from calibration.table_file import parse
    from hardware.virtual_table import enrolment_frames
    from vision.gallery import Gallery
    from vision.reader import enrol_places

    gallery = Gallery()
    for frame, sheet, labels in enrolment_frames(seed, layout=layout):
        enrol_places(gallery, frame, parse(sheet, "the drawn sheet"), labels)
    return gallery


def random_layout(
    layout: TableLayout, labels: frozenset[str], rng: random.Random
) -> dict[str, tuple[str, ...]]:
    """Returns group -> labels on its places: goods on square ones, tiles of the right type on duchies."""
    from vision.sighting import EMPTY

    goods = sorted(label for label in labels if label.startswith("goods/"))
    tiles = sorted(labels - {EMPTY, *goods})

    def some(among: list[str], share: float) -> str:
        return rng.choice(among) if rng.random() < share else EMPTY

    placed = {
        group.name: tuple(
            some(goods if group.shape == "square" else tiles, TILE_SHARE) for _ in group.centres_mm
        )
        for group in layout.groups
    }
    return placed | {
        f"duchy:{board.player}": tuple(
            some([tile for tile in tiles if kind_of(tile) == colour], BUILT) for colour, _ in board.spaces
        )
        for board in layout.boards
    }


def _median_ms(table: TableFile, gallery: Gallery | None, read: Callable[..., object]) -> float:
    from vision.reader import TableReader

    times = []
    for _ in range(REPEATS):
        reader = TableReader(table, gallery)
        started = process_time()
        read(reader)
        times.append((process_time() - started) * MS_PER_S)
    return statistics.median(times)
