"""A frame to a sighting: every place that the table file declares, and the dice."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from calibration.table_file import TableFile
from vision.boards.registration import Registered, register
from vision.boards.spaces import FRAMED_SHARE, BoardPatches, read_spaces
from vision.changes import PlaceMemory
from vision.gallery import Gallery
from vision.geometry import SPACE_INDEX, MarkerView, hexgrid
from vision.places import gallery_places, space_places
from vision.sighting import EMPTY, DieReading, PlaceReading, Sighting
from vision.table_dice import DICE_COLOURS, dice_on
from vision.view import TableView, view_of

PRINTED_FACE_REACH = 0.25
"""Hex pitches around the middle of a bare space within which a die face is taken for the printed one."""
EXAMPLES = 6
"""Pictures of one kind of tile that are learnt in play: of each way it looks in some light."""
UNSEEN = PlaceReading({EMPTY: 0.0}, hidden=True)
"""A place whose position is not known in this frame."""


class FrameSizeError(ValueError):
    """A frame of another shape than the table file was made for."""


def fitted(frame: np.ndarray, table: TableFile) -> np.ndarray:
    """*frame* at the size that the table file's pixels refer to; :exc:`FrameSizeError` when the shape differs."""
    height, width = frame.shape[:2]
    wanted_width, wanted_height = table.image_size
    if (width, height) == table.image_size:
        return frame
    if abs(width * wanted_height - height * wanted_width) > max(width, wanted_width):
        raise FrameSizeError(
            f"the picture is {width} x {height} but its table file is for {wanted_width} x {wanted_height}: "
            "give the table file made for this camera, or calibrate again"
        )
    return cv2.resize(frame, table.image_size, interpolation=cv2.INTER_AREA)


def board_patches(
    frame: np.ndarray, table: TableFile, view: TableView | None = None
) -> list[BoardPatches | None]:
    """Each duchy of *table* cut out of *frame* (BGR, of the table's image size), None where it cannot be placed."""
    view = view or view_of(frame, table)
    cut: list[BoardPatches | None] = []
    for board in table.boards:
        plane = view.duchy(board)
        cut.append(BoardPatches(*plane.patches(frame, hexgrid(), 1.0), board.spaces) if plane else None)
    return cut


@dataclass
class TableReader:
    """Reads settled frames of one table, following boards and a camera that are nudged.

    Without a *gallery*, duchies are read to tile types, and places off the duchies are left out.
    """

    table: TableFile
    """With the boards where they were seen last."""
    gallery: Gallery | None = None
    view: TableView | None = field(default=None, init=False)
    """Where things lay in the frame read last."""
    _memory: PlaceMemory = field(default_factory=PlaceMemory, init=False)
    _learnt: int = field(default=0, init=False)
    """Examples in the gallery when the memory was begun."""

    def read(self, frame: np.ndarray, only: Collection[str] | None = None) -> Sighting:
        """Reads *frame*, (H, W, 3) uint8 BGR.

        *only* names the groups (``depot:1``) or places (``depot:1:0``) to read; dice are always read, their boxes
        in px of the table file's image size. Boards are looked for anew when all is read.
        Raises :exc:`FrameSizeError` when the frame cannot be of this table file.
        """
        start = time.perf_counter()
        frame = fitted(frame, self.table)
        self.view = view_of(frame, self.table)
        found = register(frame, self.table, self.view) if only is None else Registered(self.table)
        if found.nudged:
            self.table = found.table
            self.view = view_of(frame, self.table)
        places = self._duchies(frame, only) | self._places(frame, only)
        for player in found.lost:
            places |= {f"duchy:{player}:{i}": UNSEEN for i in range(len(SPACE_INDEX))}
        dice = dice_on(frame, self.table, self.view, DICE_COLOURS)
        dice = tuple(die for die in dice if not self._is_print(die, places))
        ms = (time.perf_counter() - start) * 1000
        return Sighting(places, dice, ms, found.nudged, found.lost)

    def read_places(self, frame: np.ndarray) -> dict[str, PlaceReading]:
        """Reads all places of *frame* and no dice, the boards being where they were seen last."""
        frame = fitted(frame, self.table)
        self.view = view_of(frame, self.table)
        return self._duchies(frame, None) | self._places(frame, None)

    def teach(self, frame: np.ndarray, labels: Mapping[str, str]) -> int:
        """Adds to the gallery what the places *labels* (``depot:1:0`` -> tile that certainly lies there) look like.

        Only what is in sight and of the right type is learnt, and only until there are EXAMPLES of a tile; returns how
        many were. A table without a gallery learns nothing.
        """
        if self.gallery is None or self.view is None:
            return 0
        frame, counts, learnt = fitted(frame, self.table), self.gallery.counts(), 0
        for group, patches, framed in _cut_groups(frame, self.table, self.view):
            for i, patch in enumerate(patches):
                label = labels.get(f"{group}:{i}", EMPTY)
                if label == EMPTY or counts[label] >= EXAMPLES or framed[i] < FRAMED_SHARE:
                    continue
                if self._memory.agrees(f"{group}:{i}", label):
                    self.gallery.learn(patch, label)
                    counts[label] += 1
                    learnt += 1
        return learnt

    def _duchies(self, frame: np.ndarray, only: Collection[str] | None) -> dict[str, PlaceReading]:
        wanted = {b.player: _wanted(f"duchy:{b.player}", len(SPACE_INDEX), only) for b in self.table.boards}
        if not any(wanted.values()):
            return {}
        places: dict[str, PlaceReading] = {}
        for board, cut in zip(self.table.boards, board_patches(frame, self.table, self.view), strict=True):
            group, indices = f"duchy:{board.player}", wanted[board.player]
            if cut is None:
                places |= {f"{group}:{i}": UNSEEN for i in indices}
                continue
            names = [f"{group}:{i}" for i in indices]
            stale = self._stale(names, cut.patches[indices], only)
            if stale.any():
                rows = np.array(indices)[stale].tolist()
                (spaces,) = read_spaces([cut])
                told = space_places(cut, spaces, self.gallery, rows)
                readings = {f"{group}:{i}": place for i, place in told.items()}
                self._memory.keep(list(readings), cut.patches[rows], readings)
            places |= self._memory.recall(names)
        return places

    def _places(self, frame: np.ndarray, only: Collection[str] | None) -> dict[str, PlaceReading]:
        if self.gallery is None:
            return {}
        wanted = [(g, _wanted(g.name, len(g.centres_mm), only)) for g in self.table.places]
        wanted = [(group, indices) for group, indices in wanted if indices]
        if self.view.table is None:
            return {f"{group.name}:{i}": UNSEEN for group, indices in wanted for i in indices}
        places: dict[str, PlaceReading] = {}
        for shape, size_mm in sorted({(group.shape, group.size_mm) for group, _ in wanted}):
            alike = [
                (g, i) for g, indices in wanted if (g.shape, g.size_mm) == (shape, size_mm) for i in indices
            ]
            centres = np.array([group.centres_mm[i] for group, i in alike])
            names = [f"{group.name}:{i}" for group, i in alike]
            patches, framed = self.view.table.patches(frame, centres, size_mm)
            stale = self._stale(names, patches, only)
            if stale.any():
                again = [name for name, old in zip(names, stale, strict=True) if old]
                told = gallery_places(patches[stale], framed[stale], shape, self.gallery)
                self._memory.keep(again, patches[stale], dict(zip(again, told, strict=True)))
            places |= self._memory.recall(names)
        return places

    def _stale(self, names: list[str], patches: np.ndarray, only: Collection[str] | None) -> np.ndarray:
        """(N,) bool: places to be read: those that changed, or all that were asked for by name."""
        learnt = len(self.gallery) if self.gallery else 0
        if learnt != self._learnt:
            self._memory.forget()
            self._learnt = learnt
        return self._memory.stale(names, patches) if only is None else np.ones(len(names), bool)

    def _is_print(self, die: DieReading, places: Mapping[str, PlaceReading]) -> bool:
        """Whether a die is only the face printed on a space that is bare, or was not read; or art that shows none."""
        x, y, width, height = die.box
        middle = np.array([[x + width / 2, y + height / 2]])
        for board in self.table.boards:
            plane = self.view.duchy(board)
            if plane is None:
                continue
            distances = np.linalg.norm(hexgrid() - plane.from_frame(middle), axis=1)
            space = int(distances.argmin())
            place = places.get(f"duchy:{board.player}:{space}")
            no_die = place is None or die.value is None or place.probability(EMPTY) > 0.5
            if distances[space] < PRINTED_FACE_REACH and no_die:
                return True
        return False


def learn_places(
    gallery: Gallery, frame: np.ndarray, table: TableFile, labels: Mapping[str, str]
) -> MarkerView | None:
    """Teaches *gallery* the places of *frame* that *labels* (``depot:1:0`` -> label) names.

    Returns which markers were seen, since places that depend on missing ones are not learnt.
    """
    frame = fitted(frame, table)
    view = view_of(frame, table)
    for group, patches, framed in _cut_groups(frame, table, view):
        for i, patch in enumerate(patches):
            label = labels.get(f"{group}:{i}")
            if label is not None and framed[i] >= FRAMED_SHARE:
                gallery.learn(patch, label)
    return view.markers


def _cut_groups(
    frame: np.ndarray, table: TableFile, view: TableView
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Name, patches and framed shares of every group that can be placed."""
    for board, cut in zip(table.boards, board_patches(frame, table, view), strict=True):
        if cut is not None:
            yield f"duchy:{board.player}", cut.patches, cut.framed
    if view.table is not None:
        for group in table.places:
            yield group.name, *view.table.patches(frame, np.array(group.centres_mm), group.size_mm)


def _wanted(group: str, count: int, only: Collection[str] | None) -> list[int]:
    """Indices of the group's places to be read."""
    if only is None or group in only:
        return list(range(count))
    return [i for i in range(count) if f"{group}:{i}" in only]


def read_boards(frame: np.ndarray, table: TableFile, gallery: Gallery | None = None) -> dict[str, Any]:
    """Boards and dice of *frame* as the JSON shape ``{"ms", "boards": [...], "dice": [...]}``."""
    sighting = TableReader(table, gallery).read(frame, [f"duchy:{board.player}" for board in table.boards])
    boards = boards_json(table, sighting.places)
    return {"ms": round(sighting.ms, 1), "boards": boards, "dice": [die.to_json() for die in sighting.dice]}


def boards_json(table: TableFile, places: Mapping[str, PlaceReading]) -> list[dict[str, Any]]:
    """The duchies among *places* in the JSON shape ``[{"player", "spaces": [...]}]``."""
    return [
        {
            "player": board.player,
            "spaces": [
                _space_json(places[f"duchy:{board.player}:{i}"], at) for i, at in enumerate(SPACE_INDEX)
            ],
        }
        for board in table.boards
    ]


def _space_json(reading: PlaceReading, at: tuple[int, int]) -> dict[str, Any]:
    tile, confidence = None, reading.probabilities.get(EMPTY, 0.0)
    occupied = {label: p for label, p in reading.probabilities.items() if label != EMPTY}
    if sum(occupied.values()) > confidence:
        best = max(occupied, key=occupied.__getitem__)
        tile_type, _, variant = best.partition("/")
        tile, confidence = {"type": tile_type, "variant": variant or None}, occupied[best]
    row, col = at
    return {
        "row": row,
        "col": col,
        "tile": tile,
        "confidence": round(confidence, 4),
        "hidden": reading.hidden,
    }
