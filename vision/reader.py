"""A frame to a sighting: every place that the table file declares, and the dice."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from calibration.facts import COLOURS
from calibration.table_file import BoardPlan, Colour, Polygon, TableFile
from vision.dice import measure_dice, read_dice
from vision.gallery import Gallery
from vision.geometry import SPACE_INDEX, Lens, MarkerView, Plane, duchy_plane, find_markers, hexgrid
from vision.sighting import EMPTY, DieReading, PlaceReading, Sighting
from vision.spaces import FRAMED_SHARE, BoardPatches, SpaceReadings, read_spaces

RECOGNISED = 0.8
"""A place that the gallery recognises with less probability is hidden: it looks like nothing learnt."""
UNLIKE_LEARNT = 0.1
"""Share of places that look like nothing learnt though they were: a figure of a castle, blur, a shadow."""
LEAST_DOUBT = 0.01
"""Doubt about a space that never goes away: its evidence was weighed on tables without a hand over it."""
PRINTED_FACE_REACH = 0.25
"""Hex pitches around the middle of a bare space within which a die face is taken for the printed one."""
DICE_COLOURS = ("red", "blue", "green", "black", "yellow", "white")
"""Bodies of the dice in the box: one colour per player, and the white die."""
OVEREXPOSED = 250
"""A channel from here on says only that there was more light than the camera can tell."""
UNSEEN = PlaceReading({EMPTY: 0.0}, hidden=True)
"""A place whose position is not known in this frame."""


class FrameSizeError(ValueError):
    """A frame of another shape than the table file was made for."""


@dataclass(frozen=True)
class TableView:
    """Where things lie in one frame."""

    lens: Lens | None
    markers: MarkerView | None
    """None when the table has no markers."""

    @property
    def table(self) -> Plane | None:
        return self.markers.plane if self.markers else None

    def duchy(self, board: BoardPlan) -> Plane | None:
        """The board's plane; None when it depends on markers that are not seen."""
        if board.anchors is not None:
            return duchy_plane(board.anchors, self.lens)
        if self.table is None:
            return None
        return duchy_plane(self.table.to_frame(np.array(board.anchors_mm)), self.lens)


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


def view_of(frame: np.ndarray, table: TableFile) -> TableView:
    lens = Lens.of(table.camera) if table.camera else None
    return TableView(lens, find_markers(frame, table.markers, lens) if table.markers else None)


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


def space_readings(
    frame: np.ndarray, table: TableFile, view: TableView
) -> dict[str, tuple[BoardPatches, SpaceReadings]]:
    """Player -> duchy as cut and as read, for the duchies that can be placed."""
    cut = {
        board.player: patches
        for board, patches in zip(table.boards, board_patches(frame, table, view), strict=True)
        if patches is not None
    }
    return {
        player: (patches, reading)
        for (player, patches), reading in zip(cut.items(), read_spaces(list(cut.values())), strict=True)
    }


def dice_areas(table: TableFile, view: TableView) -> dict[str, Polygon]:
    """The dice areas that have a name, in frame px."""
    if view.table is None:
        return {}
    return {
        name: tuple((float(x), float(y)) for x, y in view.table.to_frame(np.array(area)))
        for name, area in table.dice_areas_mm.items()
    }


def dice_polygons(table: TableFile, view: TableView) -> tuple[Polygon, ...]:
    """All declared dice areas in frame px; none means that dice may lie anywhere."""
    return (*table.dice_areas, *dice_areas(table, view).values())


def white_in(frame: np.ndarray, table: TableFile, view: TableView) -> tuple[float, ...] | None:
    """BGR 0..255 of the white area in *frame*; None when there is none, it is not seen, or it is overexposed."""
    area = table.white_area
    if table.white_area_mm and view.table:
        area = view.table.to_frame(np.array(table.white_area_mm))
    if area is None:
        return None
    inside = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(area).astype(np.int32)], 255)
    if not inside.any():
        return None
    white = np.median(frame[inside > 0], axis=0)
    return tuple(white.tolist()) if white.max() < OVEREXPOSED else None


def dice_on(
    frame: np.ndarray, table: TableFile, view: TableView, colours: Collection[str] | None
) -> tuple[DieReading, ...]:
    """The dice in *frame*, of the table's image size, in the areas of *table*; *colours* where it tells none.

    A die in the area of a colour has that colour, however the lamp shows it.
    """
    dice = read_dice(
        frame,
        areas=dice_polygons(table, view) or None,
        colours=table.dice_colours or colours,
        white=white_in(frame, table, view),
    )
    owners = dice_areas(table, view)
    return tuple(replace(die, colour=_owner(die, owners) or die.colour) for die in dice)


def measure_dice_on(frame: np.ndarray, table: TableFile, view: TableView) -> list[tuple[str | None, Colour]]:
    """Of each die, row by row: the colour in whose area it lies, and its body where white is 255."""
    measured = measure_dice(
        frame, areas=dice_polygons(table, view) or None, white=white_in(frame, table, view)
    )
    owners = dice_areas(table, view)
    return [(_owner(die, owners), body) for die, body in measured]


def _owner(die: DieReading, areas: Mapping[str, Polygon]) -> str | None:
    """Name of the area, called by a dice colour, in which the middle of a die lies."""
    x, y, width, height = die.box
    middle = (x + width / 2, y + height / 2)
    for name, area in areas.items():
        if name in DICE_COLOURS and cv2.pointPolygonTest(np.array(area, np.float32), middle, False) >= 0:
            return name
    return None


@dataclass
class TableReader:
    """Reads settled frames of one table; markers are looked for in every frame, so a nudged camera is followed.

    Without a *gallery*, duchies are read to tile types, and places off the duchies are left out.
    """

    table: TableFile
    gallery: Gallery | None = None
    view: TableView | None = field(default=None, init=False)
    """Where things lay in the frame read last."""

    def read(self, frame: np.ndarray, only: Collection[str] | None = None) -> Sighting:
        """Reads *frame*, (H, W, 3) uint8 BGR.

        *only* names the groups (``depot:1``) or places (``depot:1:0``) to read; dice are always read, their boxes
        in px of the table file's image size.
        Raises :exc:`FrameSizeError` when the frame cannot be of this table file.
        """
        start = time.perf_counter()
        frame = fitted(frame, self.table)
        self.view = view_of(frame, self.table)
        places = self._duchies(frame, only) | self._places(frame, only)
        dice = dice_on(frame, self.table, self.view, DICE_COLOURS)
        dice = tuple(die for die in dice if not self._is_print(die, places))
        return Sighting(places, dice, (time.perf_counter() - start) * 1000)

    def _duchies(self, frame: np.ndarray, only: Collection[str] | None) -> dict[str, PlaceReading]:
        wanted = {b.player: _wanted(f"duchy:{b.player}", len(SPACE_INDEX), only) for b in self.table.boards}
        if not any(wanted.values()):
            return {}
        places: dict[str, PlaceReading] = {}
        readings = space_readings(frame, self.table, self.view)
        for player, indices in wanted.items():
            group = f"duchy:{player}"
            if player not in readings:
                places |= {f"{group}:{i}": UNSEEN for i in indices}
                continue
            patches, spaces = readings[player]
            told = space_places(patches, spaces, self.gallery, indices)
            places |= {f"{group}:{i}": place for i, place in told.items()}
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
            patches, framed = self.view.table.patches(frame, centres, size_mm)
            labels = self.gallery.classify_all(patches, [labels_for(shape, self.gallery)] * len(alike))
            places |= {
                f"{group.name}:{i}": PlaceReading(
                    told, bool(share < FRAMED_SHARE) or sum(told.values()) < RECOGNISED
                )
                for (group, i), told, share in zip(alike, labels, framed, strict=True)
            }
        return places

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


def labels_for(shape: str, gallery: Gallery) -> frozenset[str]:
    """What the gallery knows that can lie on a place of *shape*: goods tiles are square, all others hexagons."""
    goods = shape == "square"
    return frozenset(
        label for label in gallery.labels if label == EMPTY or label.startswith("goods/") == goods
    )


def space_places(
    cut: BoardPatches, spaces: SpaceReadings, gallery: Gallery | None, indices: Sequence[int]
) -> dict[int, PlaceReading]:
    """What lies on the spaces *indices*; the gallery, when given, tells the variants and has a say about the rest."""
    empty = np.clip(spaces.empty, LEAST_DOUBT, 1 - LEAST_DOUBT)
    types = ((1 - LEAST_DOUBT) * spaces.types + LEAST_DOUBT / len(COLOURS)) * (1 - empty)[:, None]
    by_type = {
        i: {EMPTY: float(empty[i]), **dict(zip(COLOURS, types[i].tolist(), strict=True))} for i in indices
    }
    if gallery is None:
        return {i: PlaceReading(told, bool(spaces.hidden[i])) for i, told in by_type.items()}
    known = frozenset(label for label in gallery.labels if label == EMPTY or label.split("/")[0] in COLOURS)
    looks = gallery.classify_all(cut.patches[list(indices)], [known] * len(indices))
    print_known = EMPTY in gallery.labels
    places = {}
    for i, looks_like in zip(indices, looks, strict=True):
        strange = sum(looks_like.values()) < RECOGNISED
        bare = spaces.empty[i] > 0.5 and not (print_known or spaces.hidden[i])
        told = _combined(by_type[i], looks_like, print_known=print_known)
        places[i] = PlaceReading(told, strange and not bare)
    return places


def _combined(
    by_type: Mapping[str, float], looks_like: Mapping[str, float], *, print_known: bool
) -> dict[str, float]:
    """Product of what the space says (empty, types) and what the gallery says (labels).

    What looks like nothing learnt may be a bare space whose print the gallery does not know, or, seldom, a tile.
    """
    stranger = max(0.0, 1 - sum(looks_like.values()))
    joint = {label: by_type[label.split("/")[0]] * p for label, p in looks_like.items()}
    for label, p in by_type.items():
        unlike = 1.0 if label == EMPTY and not print_known else UNLIKE_LEARNT
        joint[label] = joint.get(label, 0.0) + p * stranger * unlike
    total = sum(joint.values())
    return {label: p / total for label, p in joint.items()} if total > 0 else dict(by_type)


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
    boards = [
        {
            "player": b.player,
            "spaces": [
                _space_json(sighting.places[f"duchy:{b.player}:{i}"], at) for i, at in enumerate(SPACE_INDEX)
            ],
        }
        for b in table.boards
    ]
    return {"ms": round(sighting.ms, 1), "boards": boards, "dice": [die.to_json() for die in sighting.dice]}


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
