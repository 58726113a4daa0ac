"""Cuts places out of a frame: those of the boards, and those beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from calibration.table_file import PlaceGroup, TableFile

from .boards.reading import BoardPatches
from .geometry import PATCH_PX, Plane, hexgrid
from .rows import Rows
from .view import TableView, view_of


@dataclass(frozen=True, slots=True)
class PlacePatches(Rows):
    """Patches of places, with their names."""

    names: np.ndarray
    """(N,) str."""
    patches: np.ndarray
    """(N, PATCH_PX, PATCH_PX, 3) uint8 BGR."""
    framed: np.ndarray
    """(N,) share of each patch inside the frame."""

    @classmethod
    def none(cls) -> PlacePatches:
        return cls(np.empty(0, str), np.empty((0, PATCH_PX, PATCH_PX, 3), np.uint8), np.empty(0))


def selected_indices(group: str, count: int, only: Collection[str] | None) -> list[int]:
    """Returns the indices of the *count* places of *group* that *only* names, as a group or as places; all for None."""
    if only is None or group in only:
        return list(range(count))
    return [i for i in range(count) if f"{group}:{i}" in only]


def board_patches(
    frame: np.ndarray, table: TableFile, view: TableView | None = None
) -> list[BoardPatches | None]:
    """Returns each board of *table* cut out of *frame* (BGR, of the table's image size); None for one that cannot be
    located."""
    view = view or view_of(frame, table)
    cut: list[BoardPatches | None] = []
    for board in table.boards:
        plane = view.plane_of(board)
        cut.append(
            BoardPatches(
                *plane.patches(frame, hexgrid(board.shape), 1.0), board.spaces, board.kind, board.shape
            )
            if plane
            else None
        )
    return cut


def place_patches(
    frame: np.ndarray, plane: Plane, groups: Iterable[PlaceGroup], only: Collection[str] | None = None
) -> PlacePatches:
    """Returns the places of *groups* that *only* names, cut out of *frame* with the table's *plane*."""
    cut = PlacePatches.none()
    for group in groups:
        indices = selected_indices(group.name, len(group.centres_mm), only)
        if indices:
            centres, turn = np.array(group.centres_mm)[indices], np.radians(group.turn_deg)
            patches, framed = plane.patches(frame, centres, group.size_mm, turn=float(turn))
            cut += PlacePatches(np.array([f"{group.name}:{i}" for i in indices]), patches, framed)
    return cut


def pictures(
    frame: np.ndarray, table: TableFile, view: TableView, names: Collection[str], side: int
) -> dict[str, np.ndarray]:
    """Returns the places *names* with a known position in *frame*, each as (side, side, 3) uint8 BGR."""
    cut: dict[str, np.ndarray] = {}

    def add(plane: Plane | None, group: str, centres: np.ndarray, size: float, turn: float) -> None:
        chosen = [i for i in range(len(centres)) if f"{group}:{i}" in names]
        if plane is not None and chosen:
            patches, _ = plane.patches(frame, centres[chosen], size, side=side, turn=turn)
            cut.update({f"{group}:{i}": patch for i, patch in zip(chosen, patches, strict=True)})

    for place in table.places:
        add(
            view.table,
            place.name,
            np.array(place.centres_mm),
            place.size_mm,
            float(np.radians(place.turn_deg)),
        )
    for board in table.boards:
        add(view.plane_of(board), board.place_group, hexgrid(board.shape), 1.0, 0.0)
    return cut


def all_patches(frame: np.ndarray, table: TableFile, view: TableView) -> PlacePatches:
    """Returns every place of *table* with a known position in *frame*."""
    cut = place_patches(frame, view.table, table.places) if view.table else PlacePatches.none()
    for board, patches in zip(table.boards, board_patches(frame, table, view), strict=True):
        if patches is not None:
            cut += PlacePatches(np.array(board.places), patches.patches, patches.framed)
    return cut
