"""Enrolment of the owner's tiles: which tiles to photograph next, and examples for the gallery."""

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
"""Pictures to take of each kind of tile."""
BATCH = 8
"""Tiles to place at a time: two short rows."""
GOODS = "goods"
BARE_PICTURES = 2
"""Pictures to take of each empty square for goods."""
MIN_PROBABILITY = 0.02
"""A tile whose own type is less probable than this is asked about; a back has no type."""


class TileCountError(CompanionError, ValueError):
    """More or fewer tiles are seen than were asked for, beside the boards or (*goods*) on their squares."""

    def __init__(self, seen: int, expected: int, *, goods: bool = False) -> None:
        super().__init__(f"{seen} tiles were found instead of {expected}")
        self.seen, self.expected, self.goods = seen, expected, goods


@dataclass(frozen=True, slots=True)
class TilesInPicture:
    """Tiles in one picture, in the order that was asked for."""

    patches: np.ndarray
    """(N, PATCH_PX, PATCH_PX, 3) uint8 BGR."""
    doubts: tuple[int, ...]
    """Indices of tiles that look like another type."""


class TileEnrolment:
    """Represents the enrolment of the tiles *labels* in the gallery file *path*, which is saved after every picture.

    Tiles are placed beside the boards; goods on the squares of *table*, without which they cannot be enrolled.
    """

    def __init__(self, labels: Sequence[str], path: Path, table: TableFile) -> None:
        """:raises vision.gallery.GalleryError: when the existing file is no gallery."""
        from vision.changes import PlaceMemory
        from vision.gallery import Gallery

        self.path, self.table = path, table
        self.gallery: Gallery = Gallery.load(path) if path.exists() else Gallery()
        groups = [group for group in table.places if group.shape == "square"]
        self.squares = tuple(f"{group.name}:{i}" for group in groups for i in range(len(group.centres_mm)))
        self.labels = tuple(label for label in labels if self.squares or not _are_goods([label]))
        self._bare_table: BareTable
        """The table without tiles beside the boards; set by :meth:`observe_empty_table`."""
        self._bare = PlaceMemory()
        """The squares without goods."""

    @property
    def progress(self) -> tuple[int, int]:
        """Returns the number of tile pictures learnt, and the number to learn."""
        return sum(min(n, EXAMPLES_PER_KIND) for n in self._counts().values()), EXAMPLES_PER_KIND * len(
            self.labels
        )

    def next_batch(self) -> tuple[str, ...]:
        """Returns the labels to photograph next, those with the fewest pictures; empty if enrolment is complete."""
        counts = self._counts()
        incomplete = [label for label in self.labels if counts[label] < EXAMPLES_PER_KIND]
        fewest = min((counts[label] for label in incomplete), default=0)
        least = [label for label in incomplete if counts[label] == fewest]
        alike = [label for label in least if _are_goods([label]) == _are_goods(least)]
        return tuple(alike[: len(self.squares) if _are_goods(alike) else BATCH])

    def places_for(self, batch: Sequence[str]) -> tuple[str, ...]:
        """Returns the squares for the goods of *batch*; none for tiles, which are placed beside the boards."""
        return self.squares[: len(batch)] if _are_goods(batch) else ()

    def _counts(self) -> Counter[str]:
        known = self.gallery.counts()
        return Counter({label: known.get(label, 0) for label in self.labels})

    def observe_empty_table(self, frame: np.ndarray) -> None:
        """Remembers the table without tiles beside the boards, so that its print is not taken for tiles.

        :raises PlaneError: when the table is not seen.
        """
        from vision.boards.loose import BareTable
        from vision.gallery import BARE
        from vision.reader import fit_to_table
        from vision.sighting import EMPTY, PlaceReading

        frame = fit_to_table(frame, self.table)
        self._bare_table = BareTable(frame, self._plane(frame))
        patches, bare = self._square_patches(frame), PlaceReading({EMPTY: 1.0})
        self._bare.store(self.squares, patches, dict.fromkeys(self.squares, bare))
        if self.gallery.counts()[BARE["square"]] < BARE_PICTURES * len(self.squares):
            for patch in patches:
                self.gallery.add_example(patch, BARE["square"])

    def _square_patches(self, frame: np.ndarray) -> np.ndarray:
        from vision.patches import place_patches

        groups = [group for group in self.table.places if group.shape == "square"]
        return place_patches(frame, self._plane(frame), groups).patches

    def _plane(self, frame: np.ndarray) -> Plane:
        from vision.geometry import PlaneError
        from vision.view import view_of

        plane = view_of(frame, self.table).table
        if plane is None:
            raise PlaneError("the table is not found: uncover its markers, or calibrate it")
        return plane

    def find_tiles(self, frame: np.ndarray, batch: Sequence[str]) -> TilesInPicture:
        """Finds the tiles of *batch* in *frame*.

        :raises TileCountError: when there are more or fewer.
        :raises ValueError: when the table is not seen.
        """
        from vision.reader import fit_to_table

        frame = fit_to_table(frame, self.table)
        return self._find_goods(frame, batch) if _are_goods(batch) else self._find_beside_boards(frame, batch)

    def _find_goods(self, frame: np.ndarray, batch: Sequence[str]) -> TilesInPicture:
        """Finds goods on the first squares, in order."""
        names, patches = self.places_for(batch), self._square_patches(frame)[: len(batch)]
        occupied = self._bare.changed(names, patches)
        if not occupied.all():
            raise TileCountError(int(occupied.sum()), len(batch), goods=True)
        return TilesInPicture(patches, ())

    def _find_beside_boards(self, frame: np.ndarray, batch: Sequence[str]) -> TilesInPicture:
        import numpy as np

        from vision.boards.loose import loose_tiles
        from vision.boards.reading import predict_places
        from vision.patches import board_patches
        from vision.view import view_of

        view = view_of(frame, self.table)
        tiles = loose_tiles(frame, self.table, view, self._bare_table)
        if len(tiles.patches) != len(batch):
            raise TileCountError(len(tiles.patches), len(batch))
        board = next(cut for cut in board_patches(frame, self.table, view) if cut is not None)
        types = predict_places(board.with_places(tiles.patches, tiles.framed)).tile_types[-len(batch) :]
        kinds = [label.split("/")[0] for label in batch]
        likely = [
            row[board.kind.types.index(kind)] if kind in board.kind.types else 1.0
            for row, kind in zip(types, kinds, strict=True)
        ]
        return TilesInPicture(
            tiles.patches, tuple(np.flatnonzero(np.array(likely) < MIN_PROBABILITY).tolist())
        )

    def learn(self, tiles: TilesInPicture, batch: Sequence[str]) -> None:
        """Adds *tiles* to the gallery as examples of *batch*, and saves it."""
        for patch, label in zip(tiles.patches, batch, strict=True):
            self.gallery.add_example(patch, label)
        self.gallery.save(self.path)


def _are_goods(labels: Sequence[str]) -> bool:
    """Whether all *labels* are of goods."""
    return all(label.split("/")[0] == GOODS for label in labels)
