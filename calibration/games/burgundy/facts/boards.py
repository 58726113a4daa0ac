"""The personal boards, and the main board with its depots and tables of points."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from calibration.board_kind import Spaces, read_spaces
from calibration.fields import Field

from .common import (
    BASE_SET,
    BORDER_POSTS,
    CHAMPIONSHIP,
    DEPOTS,
    EDITIONS,
    FIRST_EXPANSION,
    MAX_TILES,
    PHASES,
    PLAYERS,
    SPECIAL_EDITION,
    TILE_TYPES,
    read_confidence,
    read_points,
    read_source,
    unless_unknown,
)

DUCHY_SPACES_BY_TYPE = {"castle": 4, "mine": 3, "ship": 6, "livestock": 6, "building": 12, "monastery": 6}
"""The same on every standard duchy (duchies.json, all boards)."""
DUCHY_SPACES = sum(DUCHY_SPACES_BY_TYPE.values())
"""Spaces of a standard duchy: rows of 4-5-6-7-6-5-4 hexes."""
DUCHY_SETS = (BASE_SET, FIRST_EXPANSION, CHAMPIONSHIP, SPECIAL_EDITION, BORDER_POSTS)
DEPOT_SLOTS = 4


@dataclass(frozen=True, slots=True)
class DuchyFact:
    """A printed personal board."""

    id: str
    """``se-3`` or ``2011-3``."""
    edition: str
    number: int
    set: str
    """One of :data:`DUCHY_SETS`."""
    copies: int
    """Number in one box."""
    spaces: Spaces
    source: tuple[str, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A hex slot of a numbered depot that is filled for the given number of players."""

    tile_type: str
    alternative: str | None = None
    """Type that takes its place in *alternative_phases*, if any."""
    alternative_phases: tuple[str, ...] = ()
    place: int = 0
    """Index of the hex in the depot, from 0, in the order of the data."""

    def tile_type_in(self, phase: str) -> str:
        """Returns the type of the tile that this slot takes in *phase*."""
        return self.alternative if self.alternative and phase in self.alternative_phases else self.tile_type


@dataclass(frozen=True, slots=True)
class MainBoardFact:
    """The depots of the main board for one number of players."""

    edition: str
    players: int
    depots: tuple[tuple[Slot, ...], ...]
    """Slots of depots 1 to 6."""
    black_slots: int | None
    """Hexes of the black depot; None if the sources disagree."""
    black_candidates: tuple[int, ...]
    """Numbers found in sources where *black_slots* is None, best supported first."""
    source: tuple[str, ...]
    confidence: str
    black_source: tuple[str, ...]
    black_confidence: str

    @property
    def likeliest_black_slots(self) -> int:
        """Returns the hexes of the black depot; where the sources disagree, the number that is best supported."""
        return self.black_candidates[0] if self.black_slots is None else self.black_slots


def read_duchies(field: Field) -> dict[str, DuchyFact]:
    """Returns the personal boards by id."""
    duchies: dict[str, DuchyFact] = {}
    for entry in field.items(at_least=1):
        duchy = DuchyFact(
            id=entry["id"].text(),
            edition=entry["edition"].text(EDITIONS),
            number=entry["number"].integer(1, MAX_TILES),
            set=entry["set"].text(DUCHY_SETS),
            copies=entry["copies"].integer(1, MAX_TILES),
            spaces=read_spaces(entry["spaces"], TILE_TYPES, DUCHY_SPACES),
            source=read_source(entry),
            confidence=read_confidence(entry),
        )
        if duchy.id in duchies:
            entry["id"].fail(f"{duchy.id!r} occurs twice; give each duchy its own id")
        counted = Counter(tile_type for tile_type, _ in duchy.spaces)
        for tile_type, count in DUCHY_SPACES_BY_TYPE.items():
            if counted[tile_type] != count:
                entry["spaces"].fail(f"should have {count} {tile_type} spaces, has {counted[tile_type]}")
        duchies[duchy.id] = duchy
    return duchies


def read_main_boards(field: Field) -> dict[tuple[str, int], MainBoardFact]:
    """Returns the main boards by edition and number of players."""
    boards: dict[tuple[str, int], MainBoardFact] = {}
    for entry in field.items(at_least=1):
        for variant in entry["by_players"].items(at_least=1):
            board = _main_board(entry, variant)
            if (board.edition, board.players) in boards:
                variant["players"].fail(f"{board.players} occurs twice for edition {board.edition}")
            boards[board.edition, board.players] = board
    return boards


def _main_board(entry: Field, variant: Field) -> MainBoardFact:
    players = variant["players"].integer(min(PLAYERS), max(PLAYERS))
    black_slots = unless_unknown(variant["black_slots"], lambda count: count.integer(1, MAX_TILES))
    candidates = variant["black_candidates"].items(at_least=1) if black_slots is None else ()
    return MainBoardFact(
        edition=entry["edition"].text(EDITIONS),
        players=players,
        depots=tuple(_depot(depot, players) for depot in entry["depots"].items(DEPOTS)),
        black_slots=black_slots,
        black_candidates=tuple(candidate.integer(1, MAX_TILES) for candidate in candidates),
        source=read_source(entry),
        confidence=read_confidence(variant),
        black_source=read_source(variant, "black_source"),
        black_confidence=read_confidence(variant, "black_confidence"),
    )


def _depot(field: Field, players: int) -> tuple[Slot, ...]:
    """Returns the slots of a depot that are filled for *players*: as many as there are players."""
    slots = tuple(
        _slot(slot, players, place)
        for place, slot in enumerate(field.items(DEPOT_SLOTS))
        if slot["from_players"].integer(min(PLAYERS), max(PLAYERS)) <= players
    )
    if len(slots) != players:
        field.fail(f"should fill {players} slots with {players} players, fills {len(slots)}")
    return slots


def _slot(field: Field, players: int, place: int) -> Slot:
    tile_type = field["colour"].text(TILE_TYPES)
    instead = field.get("three_players_instead")
    if instead is None or players != 3:
        return Slot(tile_type, place=place)
    phases = tuple(phase.text(PHASES) for phase in instead["phases"].items(at_least=1))
    return Slot(tile_type, instead["colour"].text(TILE_TYPES), phases, place)


def read_area_points(field: Field) -> dict[int, int]:
    """Returns the points for a completed area by its size."""
    read_source(field), read_confidence(field)
    points = field["points"].entries()
    if [size for size, _ in points] != [str(size) for size in range(1, len(points) + 1)]:
        field["points"].fail("should go through the sizes of an area in order, from 1")
    return {int(size): read_points(value) for size, value in points}


def read_phase_points(field: Field) -> dict[str, int]:
    """Returns the further points for a completed area by phase."""
    read_source(field), read_confidence(field)
    field["points"].only(PHASES)
    return {phase: read_points(field["points"][phase]) for phase in PHASES}


def read_turn_order_spaces(field: Field) -> int:
    """Returns the number of spaces of the turn order track, including the start."""
    read_source(field), read_confidence(field)
    return field["start_spaces"].integer(1, MAX_TILES) + field["further_spaces"].integer(1, MAX_TILES)
