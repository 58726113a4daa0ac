"""Enrolment of the owner's tiles: which tiles to photograph next, and examples for the gallery."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.board_kind import kind_of
from calibration.counting import counted
from calibration.errors import CompanionError

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import PlaceGroup, TableFile
    from vision.boards.loose import BareTable
    from vision.gallery import Gallery
    from vision.geometry import Plane

EXAMPLES_PER_KIND = 3
"""Pictures to take of each kind of tile."""
BATCH = 8
"""Tiles to place at a time: two short rows."""
BARE_PICTURES = 2
"""Pictures to take of each empty square for goods."""
MIN_PROBABILITY = 0.02
"""A tile whose own type is less probable than this is asked about; a back has no type."""


class TileCountError(CompanionError, ValueError):
    """More or fewer tiles are seen than were asked for: beside the boards, or on places for things of one *kind*."""

    def __init__(self, seen: int, expected: int, kind: str | None = None) -> None:
        super().__init__(f"{counted(seen, 'tile was', 'tiles were')} found instead of {expected}")
        self.seen, self.expected, self.kind = seen, expected, kind


@dataclass(frozen=True, slots=True)
class TilesInPicture:
    """Tiles in one picture, in the order that was asked for."""

    patches: np.ndarray
    """(N, PATCH_PX, PATCH_PX, 3) uint8 BGR."""
    doubts: tuple[int, ...]
    """Indices of tiles that look like another type."""


class TileEnrolment:
    """Represents the enrolment of the tiles *labels* in the gallery file *path*, which is saved after every picture.

    Tiles are placed beside the boards; goods and tokens at the places of their shape in *table*, without which they
    cannot be enrolled.
    """

    def __init__(self, labels: Sequence[str], path: Path, table: TableFile) -> None:
        """:raises vision.gallery.GalleryError: when the existing file is no gallery."""
        from vision.changes import PlaceMemory
        from vision.gallery import KINDS, Gallery

        self.path, self.table = path, table
        self.gallery: Gallery = Gallery.load(path) if path.exists() else Gallery()
        self._shapes = {kind: shape for shape, kind in KINDS.items()}
        """Kind of things -> the shape of their places; others have none of their own."""
        self.labels = tuple(
            label for label in labels if kind_of(label) not in self._shapes or self._spots(kind_of(label))
        )
        self._bare_table: BareTable
        """The table without tiles beside the boards; set by :meth:`observe_empty_table`."""
        self._bare = PlaceMemory()
        """The places of goods and tokens without them."""

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
        if not least:
            return ()
        own = self.kind_with_places(least[:1])
        alike = [label for label in least if self.kind_with_places([label]) == own]
        return tuple(alike[: BATCH if own is None else len(self._spots(own))])

    def kind_with_places(self, batch: Sequence[str]) -> str | None:
        """Returns the kind of the things of *batch* if they are placed at places of their own; None for tiles, which
        are placed beside the boards."""
        kind = kind_of(batch[0])
        return kind if kind in self._shapes else None

    def places_for(self, batch: Sequence[str]) -> tuple[str, ...]:
        """Returns the places for the things of *batch*; none for tiles."""
        kind = self.kind_with_places(batch)
        return () if kind is None else self._spots(kind)[: len(batch)]

    def _spots(self, kind: str) -> tuple[str, ...]:
        """Returns the places for things of a kind."""
        return tuple(
            f"{group.name}:{i}" for group in self._groups(kind) for i in range(len(group.centres_mm))
        )

    def _groups(self, kind: str) -> list[PlaceGroup]:
        return [group for group in self.table.places if group.shape == self._shapes[kind]]

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
        bare = PlaceReading({EMPTY: 1.0})
        for kind, shape in self._shapes.items():
            spots, patches = self._spots(kind), self._patches(frame, kind)
            self._bare.store(spots, patches, dict.fromkeys(spots, bare))
            if self.gallery.counts()[BARE[shape]] < BARE_PICTURES * len(spots):
                for patch in patches:
                    self.gallery.add_example(patch, BARE[shape])

    def _patches(self, frame: np.ndarray, kind: str) -> np.ndarray:
        """Returns the places for things of a kind: (N, PATCH_PX, PATCH_PX, 3) uint8 BGR."""
        from vision.patches import place_patches

        return place_patches(frame, self._plane(frame), self._groups(kind)).patches

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

        frame, kind = fit_to_table(frame, self.table), self.kind_with_places(batch)
        return (
            self._find_beside_boards(frame, batch)
            if kind is None
            else self._find_in_places(frame, batch, kind)
        )

    def _find_in_places(self, frame: np.ndarray, batch: Sequence[str], kind: str) -> TilesInPicture:
        """Finds things on the first places of their kind, in order."""
        names, patches = self.places_for(batch), self._patches(frame, kind)[: len(batch)]
        occupied = self._bare.changed(names, patches)
        if not occupied.all():
            raise TileCountError(int(occupied.sum()), len(batch), kind)
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
        kinds = [kind_of(label) for label in batch]
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
