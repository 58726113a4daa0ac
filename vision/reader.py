"""Reads a frame to a sighting: every place of the table file, and the dice."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from calibration.board_kind import kind_of
from calibration.board_shape import row_and_column
from calibration.table_file import SHAPES, BoardPlan, TableFile

from .bare_looks import BareLooks
from .boards.card_spaces import CardSpaces
from .boards.loose import pitch_mm
from .boards.reading import FRAMED_SHARE, BoardPatches, SpaceReadings, read_spaces
from .boards.registration import Registered, register
from .candidates import Candidates
from .changes import PlaceMemory
from .expected import ExpectedCard
from .gallery import KINDS, Gallery
from .geometry import MarkerView, PlaneError
from .patches import PlacePatches, all_patches, board_patches, pictures, place_patches, selected_indices
from .places import gallery_places, space_places, token_patch
from .sighting import EMPTY, DieReading, FrameSizeError, PlaceReading, Sighting
from .table_dice import DICE_COLOURS, dice_on, space_centres_at
from .view import TableView, view_of

PICTURE_PX = 96
"""Side of the pictures of places for people."""
EXAMPLES = 6
"""Examples of one label that are added during play: of different light and positions."""
HIDDEN = PlaceReading({EMPTY: 0.0}, hidden=True)
"""A place with an unknown position in this frame."""
CERTAINLY_EMPTY = PlaceReading({EMPTY: 0.99})
"""A place that looks as it did when it was empty."""


def fit_to_table(frame: np.ndarray, table: TableFile) -> np.ndarray:
    """Returns *frame* at the size of the table file; raises :exc:`FrameSizeError` when the aspect ratio differs."""
    height, width = frame.shape[:2]
    table_width, table_height = table.image_size
    if (width, height) == table.image_size:
        return frame
    if abs(width * table_height - height * table_width) > max(width, table_width):
        raise FrameSizeError(
            f"the picture is {width} x {height} but its table file is for {table_width} x {table_height}: "
            "give the table file made for this camera, or calibrate again"
        )
    return cv2.resize(frame, table.image_size, interpolation=cv2.INTER_AREA)


@dataclass
class TableReader:
    """Reads still frames of one table, and follows boards and a camera that were nudged.

    Without a *gallery*, only the types of tiles are read, and places for goods are omitted.
    """

    table: TableFile
    """The table file, updated with the latest positions of the boards and of the spaces of cards."""
    gallery: Gallery | None = None
    expected: Callable[[], Mapping[str, ExpectedCard]] | None = None
    """Returns the cards that should lie in the card areas now (``card:AREA``), if known."""
    labels: Collection[str] | None = None
    """Labels of everything that the game has; whatever is learnt by default."""
    awaited_dice: Callable[[], Mapping[str, int]] | None = None
    """Returns how many dice of each colour must be on the table now, if known."""
    view: TableView | None = field(default=None, init=False)
    """Positions in the latest frame."""
    _memory: PlaceMemory = field(init=False)
    _bare: BareLooks = field(default_factory=BareLooks, init=False)
    _examples: int = field(default=0, init=False)
    """Size of the gallery when the memory was started."""

    def __post_init__(self) -> None:
        self._cards = CardSpaces(self.table.card_areas_mm)
        self._memory = PlaceMemory(self._is_token)

    def read(
        self,
        frame: np.ndarray,
        only: Collection[str] | None = None,
        dice: Sequence[DieReading] | None = None,
    ) -> Sighting:
        """Reads *frame*, (H, W, 3) uint8 BGR.

        *only* names the groups (``GROUP:1``) or places (``GROUP:1:0``) to read. *dice* are those of the frame, with
        boxes in px of the table file's image size, if they have been read already. Boards are searched again when
        everything is read.

        Raises :exc:`FrameSizeError` when the frame does not fit this table file.
        """
        start = time.perf_counter()
        frame = fit_to_table(frame, self.table)
        view = view_of(frame, self.table)
        found = register(frame, self.table, view) if only is None else Registered(self.table)
        if found.nudged:
            self.table = found.table
            view = view_of(frame, self.table)
        self.view = view
        not_found = self._follow_cards(frame, view) if only is None else []
        places = self._all_places(frame, view, only)
        for board in self.table.boards:
            if board.player in found.lost:
                places |= dict.fromkeys(board.places, HIDDEN)
        if dice is None:
            dice = dice_on(frame, self.table, view, DICE_COLOURS, self.awaited_dice and self.awaited_dice())
        on_table = tuple(die for die in dice if not self._is_print(die, places, view))
        ms = (time.perf_counter() - start) * 1000
        return Sighting(places, on_table, ms, found.nudged, found.lost, tuple(not_found))

    def pictures(self, frame: np.ndarray, names: Collection[str]) -> dict[str, np.ndarray]:
        """Returns pictures of the places *names* in *frame* for people: (PICTURE_PX, PICTURE_PX, 3) uint8 BGR each."""
        frame = fit_to_table(frame, self.table)
        return pictures(frame, self.table, view_of(frame, self.table), names, PICTURE_PX)

    def read_places(self, frame: np.ndarray) -> dict[str, PlaceReading]:
        """Reads all places of *frame* but no dice, with the boards at their latest positions."""
        frame = fit_to_table(frame, self.table)
        self.view = view_of(frame, self.table)
        return self._all_places(frame, self.view, None)

    def add_examples(self, frame: np.ndarray, labels: Mapping[str, str]) -> int:
        """Adds the appearance of the places *labels* (place -> tile that is certainly there) to the gallery.

        Only visible places of the right type are added, up to EXAMPLES per label; of a tile with a token on it, the
        token. Returns the number added, 0 without a gallery.
        """
        if self.gallery is None or self.view is None:
            return 0
        cut = all_patches(fit_to_table(frame, self.table), self.table, self.view)
        by_look_only = {
            f"{group.name}:{i}"
            for group in self.table.places
            if group.shape in KINDS
            for i in range(len(group.centres_mm))
        }
        counts, added = self.gallery.counts(), 0
        for name, patch, framed in zip(cut.names.tolist(), cut.patches, cut.framed, strict=True):
            label, example = self._token_on(labels.get(name, EMPTY), patch)
            if label == EMPTY or counts[label] >= EXAMPLES or framed < FRAMED_SHARE:
                continue
            # Nothing but the look tells what lies on such a place, so that a new thing there is never recognised.
            is_new = not counts[label]
            if (is_new and name in by_look_only) or self._agrees(name, labels[name], is_new):
                self.gallery.add_example(example, label)
                counts[label] += 1
                added += 1
        return added

    def learn_bare(self, frame: np.ndarray, labels: Mapping[str, str]) -> None:
        """Remembers how the spaces of boards look that are certainly empty by *labels* (place -> what lies there)."""
        empty = {name for name, label in labels.items() if label == EMPTY and self._memory.may_be_empty(name)}
        if self.view is None or not any(empty.intersection(board.places) for board in self.table.boards):
            return
        cuts = board_patches(fit_to_table(frame, self.table), self.table, self.view)
        for board, cut in zip(self.table.boards, cuts, strict=True):
            if cut is not None:
                rows = [
                    i
                    for i, name in enumerate(board.places)
                    if name in empty and cut.framed[i] >= FRAMED_SHARE
                ]
                self._bare.learn([board.places[i] for i in rows], cut.patches[rows])

    def _agrees(self, name: str, label: str, is_new: bool) -> bool:
        """Returns whether the place *name* was visible in its latest reading and showed such a tile."""
        if not is_new:
            return self._memory.agrees(name, label)
        types = {tile_type for board in self.table.boards for tile_type in board.kind.types}
        return self._memory.agrees_with_new(name, label, has_type=kind_of(label) in types)

    def _is_token(self, label: str) -> bool:
        """Returns whether a label is that of a token, or of a tile with one on it."""
        return any(
            label.startswith(f"{name}/") or kind.token_on(label, name)
            for board in self.table.boards
            for name, kind in board.kind.tokens.items()
        )

    def _token_on(self, label: str, patch: np.ndarray) -> tuple[str, np.ndarray]:
        """Returns the label and the picture of the token on a tile; those of the tile if there is none."""
        for board in self.table.boards:
            for name, kind in board.kind.tokens.items():
                if token := kind.token_on(label, name):
                    return token, token_patch(patch, kind.width)
        return label, patch

    def _follow_cards(self, frame: np.ndarray, view: TableView) -> list[str]:
        """Finds the spaces of cards, which become places of the table; returns the names of the groups not found."""
        if view.table is None or not self.table.boards or not self.table.card_areas_mm:
            return []
        try:
            pitch = pitch_mm(self.table, view)
        except PlaneError:  # no board is located, so that the size of a space is unknown
            return []
        not_found = self._cards.follow(frame, view.table, pitch, self.expected and self.expected())
        others = [group for group in self.table.places if not group.name.startswith("card:")]
        self.table = replace(self.table, places=(*others, *self._cards.groups.values()))
        return not_found

    def _hidden_cards(self, only: Collection[str] | None) -> list[str]:
        """Returns the first place of each card area whose spaces were not found, to be reported as hidden."""
        groups = [f"card:{name}" for name in self.table.card_areas_mm]
        return [f"{g}:0" for g in groups if g not in self._cards.groups and selected_indices(g, 1, only)]

    def _all_places(
        self, frame: np.ndarray, view: TableView, only: Collection[str] | None
    ) -> dict[str, PlaceReading]:
        """Returns the readings of the places that *only* names; only those that changed are read again."""
        examples = len(self.gallery) if self.gallery else 0
        if examples != self._examples:
            self._memory.forget()
            self._examples = examples
        # Goods and tokens are read by the gallery alone; without one, places for them are left out.
        shapes = ("hex",) if self.gallery is None else SHAPES
        groups = [group for group in self.table.places if group.shape in shapes]
        places: dict[str, PlaceReading] = {}
        if view.table is None:
            names = [
                f"{g.name}:{i}" for g in groups for i in selected_indices(g.name, len(g.centres_mm), only)
            ]
            places, beside = dict.fromkeys(names, HIDDEN), PlacePatches.none()
        else:
            beside, *others = (
                place_patches(frame, view.table, [g for g in groups if g.shape == shape], only)
                for shape in shapes
            )
            for shape, cut in zip(shapes[1:], others, strict=True):
                self._read_by_gallery(cut[self._stale(cut, only)], shape)
                places |= self._memory.recall(cut.names.tolist())
        bare = self._cards.bare(beside)
        places |= dict.fromkeys(bare, CERTAINLY_EMPTY) | dict.fromkeys(self._hidden_cards(only), HIDDEN)
        return places | self._hexagons(frame, view, beside[~np.isin(beside.names, bare)], only)

    def _hexagons(
        self, frame: np.ndarray, view: TableView, beside: PlacePatches, only: Collection[str] | None
    ) -> dict[str, PlaceReading]:
        """Reads the boards, and the places *beside* them together with one of the boards."""
        boards = {board.player: board for board in self.table.boards}
        chosen = {
            player: selected_indices(board.place_group, len(board.places), only)
            for player, board in boards.items()
        }
        if not len(beside.names) and not any(chosen.values()):
            return {}
        cuts = dict(zip(chosen, board_patches(frame, self.table, view), strict=True))
        placed = {player: cut for player, cut in cuts.items() if cut is not None}
        again = beside[self._stale(beside, only)]
        host = max(placed, key=lambda player: placed[player].framed.sum(), default=None)
        for player, cut in placed.items():
            self._read_board(
                boards[player], cut, chosen[player], again if player == host else again[:0], only
            )
        if host is None:
            self._read_by_gallery(again, "hex")
        names = {player: [boards[player].places[i] for i in indices] for player, indices in chosen.items()}
        hidden = {name: HIDDEN for player in names if player not in placed for name in names[player]}
        seen = [name for player in placed for name in names[player]]
        return hidden | self._memory.recall(seen + beside.names.tolist())

    def _read_board(
        self,
        board: BoardPlan,
        cut: BoardPatches,
        chosen: list[int],
        beside: PlacePatches,
        only: Collection[str] | None,
    ) -> None:
        """Reads the *chosen* spaces that changed, and all places *beside*."""
        cut_places = PlacePatches(np.array(board.places), cut.patches, cut.framed) + beside
        spaces = np.array(chosen, int)
        stale = spaces[self._stale(cut_places[spaces], only)]
        rows = [*stale.tolist(), *range(len(board.places), len(cut_places.names))]
        if rows:
            cut = cut.with_places(beside.patches, beside.framed)
            read = self._with_bare_looks(read_spaces(cut), cut_places, stale)
            backs = [i for i in rows if str(cut_places.names[i]).partition(":")[0] in board.kind.face_down]
            by_row = space_places(cut, read, self.gallery, rows, backs, self._candidates)
            readings = {str(cut_places.names[i]): place for i, place in by_row.items()}
            self._memory.store(list(readings), cut_places.patches[rows], readings)

    def _with_bare_looks(self, read: SpaceReadings, places: PlacePatches, rows: np.ndarray) -> SpaceReadings:
        """Returns *read*, in which the spaces *rows* are also compared with how they look without a tile."""
        empty, compared = read.empty.copy(), places[rows]
        empty[rows] = self._bare.weigh(compared.names.tolist(), compared.patches, empty[rows])
        return replace(read, empty=empty)

    def _read_by_gallery(self, places: PlacePatches, shape: str) -> None:
        """Reads places by the gallery only."""
        hidden, names = [HIDDEN] * len(places.names), places.names.tolist()
        readings = (
            gallery_places(places.patches, places.framed, shape, self.gallery, self._candidates)
            if self.gallery
            else hidden
        )
        self._memory.store(names, places.patches, dict(zip(names, readings, strict=True)))

    @property
    def _candidates(self) -> Candidates:
        return Candidates.of(self.gallery, self.labels)

    def _stale(self, places: PlacePatches, only: Collection[str] | None) -> np.ndarray:
        """Returns (N,) bool: places to read, which are those that changed, or all that were asked for by name."""
        if only is not None or not len(places.names):
            return np.ones(len(places.names), bool)
        return self._memory.stale(places.names.tolist(), places.patches)

    def _is_print(self, die: DieReading, places: Mapping[str, PlaceReading], view: TableView) -> bool:
        """Returns whether *die* is only a face printed on a space that is empty or was not read, or artwork without a
        value."""
        at = [places.get(name) for name in space_centres_at(die, self.table, view)]
        return any(place is None or die.value is None or place.probability(EMPTY) > 0.5 for place in at)


def enrol_places(
    gallery: Gallery, frame: np.ndarray, table: TableFile, labels: Mapping[str, str]
) -> MarkerView | None:
    """Adds the places of *frame* that *labels* (place -> label) names to *gallery*.

    Returns the visible markers: places that depend on missing ones are not added.
    """
    frame = fit_to_table(frame, table)
    view = view_of(frame, table)
    cut = all_patches(frame, table, view)
    for name, patch, framed in zip(cut.names.tolist(), cut.patches, cut.framed, strict=True):
        if name in labels and framed >= FRAMED_SHARE:
            gallery.add_example(patch, labels[name])
    return view.markers


def read_boards(frame: np.ndarray, table: TableFile, gallery: Gallery | None = None) -> dict[str, Any]:
    """Returns boards and dice of *frame* in the JSON shape ``{"ms", "boards": [...], "dice": [...]}``."""
    sighting = TableReader(table, gallery).read(frame, [board.place_group for board in table.boards])
    boards = boards_json(table, sighting.places)
    return {"ms": round(sighting.ms, 1), "boards": boards, "dice": [die.to_json() for die in sighting.dice]}


def boards_json(table: TableFile, places: Mapping[str, PlaceReading]) -> list[dict[str, Any]]:
    """Returns the boards among *places* in the JSON shape ``[{"player", "spaces": [...]}]``."""
    return [
        {
            "player": board.player,
            "spaces": [
                {**_position_json(name), **_space_json(places[place])}
                for name, place in zip(board.shape.names, board.places, strict=True)
            ],
        }
        for board in table.boards
    ]


def _position_json(name: str) -> dict[str, Any]:
    """Returns row and column of a space, from 0, or its name if it is not named after them."""
    where = row_and_column(name)
    return {"name": name} if where is None else {"row": where[0], "col": where[1]}


def _space_json(reading: PlaceReading) -> dict[str, Any]:
    tile, confidence = None, reading.probabilities.get(EMPTY, 0.0)
    occupied = {label: p for label, p in reading.probabilities.items() if label != EMPTY}
    if sum(occupied.values()) > confidence:
        best = max(occupied, key=occupied.__getitem__)
        tile_type, _, variant = best.partition("/")
        tile, confidence = {"type": tile_type, "variant": variant or None}, occupied[best]
    return {
        "tile": tile,
        "confidence": round(confidence, 4),
        "hidden": reading.hidden,
    }
