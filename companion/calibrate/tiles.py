"""Learning the owner's tiles from pictures of them: which come next, and what was learnt so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.errors import CompanionError

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import TableFile
    from vision.boards.loose import BareTable
    from vision.gallery import Gallery
    from vision.geometry import Plane

EXAMPLES_PER_KIND = 3
"""Pictures of each kind of tile."""
BATCH = 8
"""Tiles laid out at a time: two rows that a hand lays in no time."""
GOODS = "goods"
BARE_PICTURES = 2
"""Of each bare square for goods."""
LEAST_LIKELY = 0.02
"""A tile that the camera takes for another type more surely than this leaves room for is asked about; a back is of no
type."""


class TileCountError(CompanionError, ValueError):
    """Not as many tiles are seen as should lie there: beside the boards, or *goods* on their squares."""

    def __init__(self, seen: int, expected: int, *, goods: bool = False) -> None:
        super().__init__(f"{seen} tiles are seen where {expected} should lie")
        self.seen, self.expected, self.goods = seen, expected, goods


@dataclass(frozen=True, slots=True)
class TilesInPicture:
    """Tiles in one picture, in the order in which they were to be laid."""

    patches: np.ndarray
    """(N, PATCH_PX, PATCH_PX, 3) uint8 BGR."""
    doubts: tuple[int, ...]
    """Indices of those that look like another type of tile."""


class TileEnrolment:
    """Represents what a gallery has learnt of *labels*, kept in the file *path* after every picture.

    Tiles are laid beside the boards; goods on the squares of *table*, without which they cannot be learnt.
    """

    def __init__(self, labels: Sequence[str], path: Path, table: TableFile) -> None:
        """:raises vision.gallery.GalleryError: when the file that is there is no gallery."""
        from vision.changes import PlaceMemory
        from vision.gallery import Gallery

        self.path, self.table = path, table
        self.gallery: Gallery = Gallery.load(path) if path.exists() else Gallery()
        groups = [group for group in table.places if group.shape == "square"]
        self.squares = tuple(f"{group.name}:{i}" for group in groups for i in range(len(group.centres_mm)))
        self.labels = tuple(label for label in labels if self.squares or not _are_goods([label]))
        self._bare_table: BareTable
        """Before any tile lay beside the boards; there from :meth:`observe_empty_table` on."""
        self._bare = PlaceMemory()
        """The squares before any goods lay on them."""

    @property
    def progress(self) -> tuple[int, int]:
        """Pictures of tiles that were learnt, and how many there are to be."""
        return sum(min(n, EXAMPLES_PER_KIND) for n in self._counts().values()), EXAMPLES_PER_KIND * len(
            self.labels
        )

    def next_batch(self) -> tuple[str, ...]:
        """The labels to lay out next, those that have been seen least first; empty when all is learnt."""
        counts = self._counts()
        wanting = [label for label in self.labels if counts[label] < EXAMPLES_PER_KIND]
        fewest = min((counts[label] for label in wanting), default=0)
        least = [label for label in wanting if counts[label] == fewest]
        alike = [label for label in least if _are_goods([label]) == _are_goods(least)]
        return tuple(alike[: len(self.squares) if _are_goods(alike) else BATCH])

    def places_for(self, batch: Sequence[str]) -> tuple[str, ...]:
        """Squares on which the goods of *batch* are to be laid; none for tiles, which lie beside the boards."""
        return self.squares[: len(batch)] if _are_goods(batch) else ()

    def _counts(self) -> Counter[str]:
        known = self.gallery.counts()
        return Counter({label: known.get(label, 0) for label in self.labels})

    def observe_empty_table(self, frame: np.ndarray) -> None:
        """Remembers the table before any tile is laid beside the boards: what is printed there is no tile.

        :raises PlaneError: when the table is not seen.
        """
        from vision.boards.loose import BareTable
        from vision.gallery import BARE_SQUARE
        from vision.reader import fit_to_table
        from vision.sighting import EMPTY, PlaceReading

        frame = fit_to_table(frame, self.table)
        self._bare_table = BareTable(frame, self._plane(frame))
        patches, bare = self._square_patches(frame), PlaceReading({EMPTY: 1.0})
        self._bare.store(self.squares, patches, dict.fromkeys(self.squares, bare))
        if self.gallery.counts()[BARE_SQUARE] < BARE_PICTURES * len(self.squares):
            for patch in patches:
                self.gallery.add_example(patch, BARE_SQUARE)

    def _square_patches(self, frame: np.ndarray) -> np.ndarray:
        from vision.patches import place_patches

        groups = [group for group in self.table.places if group.shape == "square"]
        return place_patches(frame, self._plane(frame), groups).patches

    def _plane(self, frame: np.ndarray) -> Plane:
        from vision.geometry import PlaneError
        from vision.view import view_of

        plane = view_of(frame, self.table).table
        if plane is None:
            raise PlaneError("where the table lies cannot be told: uncover its markers, or calibrate it")
        return plane

    def find_tiles(self, frame: np.ndarray, batch: Sequence[str]) -> TilesInPicture:
        """Finds the tiles of *batch* in *frame*.

        :raises TileCountError: when there are more or fewer.
        :raises ValueError: when the table is not seen.
        """
        from vision.reader import fit_to_table

        frame = fit_to_table(frame, self.table)
        return self._look_at_goods(frame, batch) if _are_goods(batch) else self._look_beside(frame, batch)

    def _look_at_goods(self, frame: np.ndarray, batch: Sequence[str]) -> TilesInPicture:
        """Goods lie on the first squares, in order."""
        names, patches = self.places_for(batch), self._square_patches(frame)[: len(batch)]
        laid = self._bare.changed(names, patches)
        if not laid.all():
            raise TileCountError(int(laid.sum()), len(batch), goods=True)
        return TilesInPicture(patches, ())

    def _look_beside(self, frame: np.ndarray, batch: Sequence[str]) -> TilesInPicture:
        import numpy as np

        from calibration.facts import TILE_TYPES
        from vision.boards.loose import loose_tiles
        from vision.boards.spaces import predict_places
        from vision.patches import board_patches
        from vision.view import view_of

        view = view_of(frame, self.table)
        tiles = loose_tiles(frame, self.table, view, self._bare_table)
        if len(tiles.patches) != len(batch):
            raise TileCountError(len(tiles.patches), len(batch))
        duchy = next(cut for cut in board_patches(frame, self.table, view) if cut is not None)
        types = predict_places(duchy.with_places(tiles.patches, tiles.framed)).tile_types[-len(batch) :]
        kinds = [label.split("/")[0] for label in batch]
        likely = [
            row[TILE_TYPES.index(kind)] if kind in TILE_TYPES else 1.0
            for row, kind in zip(types, kinds, strict=True)
        ]
        return TilesInPicture(tiles.patches, tuple(np.flatnonzero(np.array(likely) < LEAST_LIKELY).tolist()))

    def learn(self, shown: TilesInPicture, batch: Sequence[str]) -> None:
        """Takes the tiles *shown* for those of *batch* and keeps them."""
        for patch, label in zip(shown.patches, batch, strict=True):
            self.gallery.add_example(patch, label)
        self.gallery.save(self.path)


def _are_goods(labels: Sequence[str]) -> bool:
    """Whether all *labels* are of goods."""
    return all(label.split("/")[0] == GOODS for label in labels)
