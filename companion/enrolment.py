"""Learning the owner's tiles from pictures of them: which come next, and what was learnt so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import TableFile
    from vision.gallery import Gallery

EXAMPLES = 3
"""Pictures of each kind of tile."""
BATCH = 8
"""Tiles laid out at a time: two rows that a hand lays in no time."""
LEAST_LIKELY = 0.02
"""A tile that the camera takes for another type more surely than this leaves room for is asked about."""


class CountError(ValueError):
    """Not as many tiles are seen as should lie there."""

    def __init__(self, seen: int, expected: int) -> None:
        super().__init__(f"{seen} tiles are seen where {expected} should lie")
        self.seen, self.expected = seen, expected


@dataclass(frozen=True, slots=True)
class Shown:
    """Tiles in one picture, in the order in which they were to be laid."""

    patches: np.ndarray
    """(N, PATCH_PX, PATCH_PX, 3) uint8 BGR."""
    doubts: tuple[int, ...]
    """Indices of those that look like another type of tile."""


class Enrolment:
    """Represents what a gallery has learnt of *labels*, kept in the file *path* after every picture."""

    def __init__(self, labels: Sequence[str], path: Path) -> None:
        """:raises vision.gallery.GalleryError: when the file that is there is no gallery."""
        from vision.gallery import Gallery

        self.labels, self.path = tuple(labels), path
        self.gallery: Gallery = Gallery.load(path) if path.exists() else Gallery()
        self._before: np.ndarray | None = None
        """(N, 2) mm: what looked like a tile before any was laid."""

    @property
    def progress(self) -> tuple[int, int]:
        """Pictures of tiles that were learnt, and how many there are to be."""
        return sum(min(n, EXAMPLES) for n in self._counts().values()), EXAMPLES * len(self.labels)

    def next_batch(self) -> tuple[str, ...]:
        """The labels to lay out next, those that have been seen least first; empty when all is learnt."""
        counts = self._counts()
        wanting = [label for label in self.labels if counts[label] < EXAMPLES]
        fewest = min((counts[label] for label in wanting), default=0)
        return tuple(label for label in wanting if counts[label] == fewest)[:BATCH]

    def _counts(self) -> Counter[str]:
        known = self.gallery.counts()
        return Counter({label: known.get(label, 0) for label in self.labels})

    def look_at_table(self, frame: np.ndarray, table: TableFile) -> None:
        """Remembers the table before any tile is laid beside the boards: what is printed there is no tile.

        :raises ValueError: when the table is not seen.
        """
        from vision.boards.loose import loose_tiles
        from vision.reader import fitted
        from vision.view import view_of

        frame = fitted(frame, table)
        self._before, _ = loose_tiles(frame, table, view_of(frame, table))

    def look(self, frame: np.ndarray, table: TableFile, batch: Sequence[str]) -> Shown:
        """Finds the tiles of *batch* in *frame*.

        :raises CountError: when there are more or fewer.
        :raises ValueError: when the table is not seen.
        """
        import numpy as np

        from calibration.facts import COLOURS
        from vision.boards.loose import laid_since, loose_tiles
        from vision.boards.networks import OFF_BOARD, known_of, shipped_networks
        from vision.reader import fitted
        from vision.view import view_of

        frame = fitted(frame, table)
        view = view_of(frame, table)
        centres, width = loose_tiles(frame, table, view)
        if self._before is not None:
            centres = laid_since(self._before, centres, width)
        if len(centres) != len(batch) or view.table is None:
            raise CountError(len(centres), len(batch))
        patches, _ = view.table.patches(frame, centres, width)
        unknown = np.full(len(batch), -1)
        known = known_of(np.full(len(batch), OFF_BOARD), unknown, unknown)
        types = shipped_networks().read_places(patches, known).types
        likely = types[np.arange(len(batch)), [COLOURS.index(label.split("/")[0]) for label in batch]]
        return Shown(patches, tuple(np.flatnonzero(likely < LEAST_LIKELY).tolist()))

    def learn(self, shown: Shown, batch: Sequence[str]) -> None:
        """Takes the tiles *shown* for those of *batch* and keeps them."""
        for patch, label in zip(shown.patches, batch, strict=True):
            self.gallery.learn(patch, label)
        self.gallery.save(self.path)
