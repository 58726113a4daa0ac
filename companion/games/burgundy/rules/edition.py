"""An edition: every printed number the rules need, as data. Two editions differ in values, not in code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .tiles import Tile

PHASES = "ABCDE"
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Slot:
    """One hexagonal space of a depot."""

    tile_type: str
    other_type: str | None = None
    """Type that it takes instead in *other_phases* (depot 6 with three players, S603)."""
    other_phases: str = ""

    def type_in(self, phase: str) -> str:
        """Returns the type that fills the slot in *phase*."""
        return self.other_type if self.other_type and phase in self.other_phases else self.tile_type


@dataclass(frozen=True, slots=True)
class MainBoard:
    """The depots of the main board for one number of players."""

    depots: tuple[tuple[Slot, ...], ...]
    """Slots of depots 1 to 6."""
    black_slots: int
    black_candidates: tuple[int, ...] = ()
    """Numbers that sources give for *black_slots*, the likeliest first; empty if it is known."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The printed numbers of one edition."""

    name: str
    supply: Mapping[Tile, int]
    """How many of each tile the box holds (S18-23)."""
    main_boards: Mapping[int, MainBoard]
    """Main board by number of players."""
    area_points: Mapping[int, int]
    """Points for a completed area by its size (S513)."""
    phase_points: Mapping[str, int]
    """Points for a completed area by phase (S515)."""
    bonus_points: tuple[Mapping[int, int], Mapping[int, int]]
    """Value of the first and second bonus tile by number of players (S519)."""
    goods_per_kind: int = 7
    track_spaces: int = 7
    """Spaces of the turn order track, the starting one included."""
    storage_spaces: int = 3
    goods_spaces: int = 3
    silver_price: int = 2
    """Price of a tile of the black depot (S582)."""
    building_price_workers: int | None = 2
    """Price with monastery 6 in workers; None if silver buys from every depot instead."""
    table_rules: Mapping[str, str] = field(default_factory=dict)
    """Table rules with another default (see :mod:`.table_rules`)."""
    points_tile_from: tuple[int, int] = (101, 200)
    """Points from which the points tile shows 100, and 200 (S521, A692)."""
    points_per_building: Mapping[int, str] = field(default_factory=dict)
    """Monastery number -> building that it counts at the end (S679)."""
    points_per_sold_kind: int = 2
    """Monastery 15 (S671)."""
    points_per_bonus_tile: int = 3
    """Monastery 26 (S689)."""
