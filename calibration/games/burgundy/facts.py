"""Printed facts of the game: what is printed on its boards, tiles and cards, each fact with its source.

The facts are data (``data/*.json``); this module reads and checks them. A fact that nobody has seen in
print is the text ``"unknown"`` in the data and None here. Each fact has a confidence: ``two sources agree``, ``one
source``, ``inferred`` or ``unknown``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from calibration.board_kind import Spaces, read_spaces
from calibration.documents import read_json
from calibration.errors import CompanionError
from calibration.fields import Field

SHIPPED = Path(__file__).parent / "data"
"""The facts that come with the companion."""

TILE_TYPES = ("castle", "mine", "ship", "livestock", "building", "monastery")
"""The six types of hex tiles; each has its own colour, which its spaces have too."""
DUCHY_SPACES_BY_TYPE = {"castle": 4, "mine": 3, "ship": 6, "livestock": 6, "building": 12, "monastery": 6}
"""The same on every standard duchy (duchies.json, all boards)."""
DUCHY_SPACES = sum(DUCHY_SPACES_BY_TYPE.values())
"""Spaces of a standard duchy: rows of 4-5-6-7-6-5-4 hexes."""
BACKS = ("coloured", "black")
BASE_SET = "base"
FIRST_EXPANSION = "1st expansion"
DUCHY_SETS = (BASE_SET, FIRST_EXPANSION)
BASE_TILES = {"coloured": 124, "black": 40}
"""Hex tiles of the base game by back; the rule text counts 164."""
DEPOTS = 6
DEPOT_SLOTS = 4
PLAYERS = (2, 3, 4)
PHASES = ("A", "B", "C", "D", "E")
EDITIONS = ("special", "2019", "2011")
DIFFICULTIES = ("easy", "medium", "hard")
UNKNOWN = "unknown"
CONFIDENCES = ("two sources agree", "one source", "inferred", UNKNOWN)

MAX_POINTS = 100
"""More than any single printed award."""
MAX_TILES = 99
"""More than any printed count of one kind of tile."""

T = TypeVar("T")


class FactsError(CompanionError, ValueError):
    """Unusable or unknown facts; the message names the file, the field and the cure."""


@dataclass(frozen=True, slots=True)
class DuchyFact:
    """A printed personal board."""

    id: str
    """``se-3`` or ``2011-3``."""
    edition: str
    number: int
    set: str
    """``base`` or the expansion it belongs to."""
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


@dataclass(frozen=True, slots=True)
class TileFact:
    """Hex tiles that look the same, front and back."""

    type: str
    variant: str | None
    """Building, animals (``cow_3``) or monastery number; None if all tiles of the type are alike."""
    back: str
    """``coloured``, or ``black`` for the black depot."""
    count: int
    source: tuple[str, ...]
    confidence: str

    @property
    def label(self) -> str:
        """Returns the tile's name in sightings: ``mine``, ``building/bank``."""
        return self.type if self.variant is None else f"{self.type}/{self.variant}"


@dataclass(frozen=True, slots=True)
class MonasteryFact:
    """A monastery tile; its effect in a few words (the rule text has the authority)."""

    number: int
    set: str
    """``base`` or the expansion it belongs to."""
    back: str
    effect: Mapping[str, str]
    """By edition."""
    points: Mapping[str, int]
    """Points for each thing it counts, by edition; empty where it scores nothing at the end."""
    building: str | None
    """The building it counts, if any."""
    source: tuple[str, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class GoodsFact:
    """Goods tiles of one kind."""

    kind: int
    """The printed number: the die of their depot."""
    count: int
    colours: Mapping[str, str | None]
    """By edition; None if it is not known."""
    source: tuple[str, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class BonusTileFact:
    """The bonus tile for completing all spaces of one tile type."""

    tile_type: str
    place: int
    """1 for the first player to complete them, 2 for the second."""
    points: Mapping[int, int]
    """By number of players."""
    source: tuple[str, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class CountyHex:
    """A hex on a county card of the Châteauma."""

    tile_type: str | None
    """Tile type that the hex takes; None if it is unknown."""
    candidates: tuple[str, ...]
    """Types it may take where *tile_type* is None."""
    sells_goods: bool


@dataclass(frozen=True, slots=True)
class CountyCardFact:
    """A county card of the Châteauma."""

    number: int
    hexes: tuple[CountyHex, ...]
    """Top to bottom."""
    points: Mapping[str, int]
    """By difficulty: ``easy``, ``medium``, ``hard``."""
    source: tuple[str, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class AutomaBoardFact:
    """The Châteauma's own board."""

    edition: str
    spaces: Mapping[str, int]
    """Spaces by tile type."""
    symbols: Mapping[str, Mapping[str, int] | None]
    """Modifier -> number of spaces of each tile type that bear its symbol; None if it is unknown."""
    inventory_order: tuple[str, ...] | None
    """Tile types of the inventory from the top left; None if it is unknown."""
    source: tuple[str, ...]
    confidence: str
    symbols_source: tuple[str, ...]
    symbols_confidence: str


@dataclass(frozen=True, slots=True)
class Facts:
    """All printed facts."""

    duchies: Mapping[str, DuchyFact]
    main_boards: Mapping[tuple[str, int], MainBoardFact]
    tiles: tuple[TileFact, ...]
    """The base game's hex tiles."""
    monasteries: Mapping[int, MonasteryFact]
    """By number, including those of expansions."""
    goods: tuple[GoodsFact, ...]
    bonus_tiles: tuple[BonusTileFact, ...]
    area_points: Mapping[int, int]
    """Size of a completed area -> points."""
    phase_points: Mapping[str, int]
    """Phase in which an area is completed -> further points."""
    turn_order_spaces: int
    """Spaces of the turn order track, including the start."""
    county_cards: Mapping[int, CountyCardFact]
    automa_board: AutomaBoardFact

    def duchy(self, duchy_id: str) -> DuchyFact:
        """Returns the printed duchy *duchy_id*; raises :class:`FactsError` naming the known ones."""
        if duchy_id not in self.duchies:
            raise FactsError(
                f"no duchy {duchy_id!r} in the data; the known ones are {', '.join(self.duchies)}"
            )
        return self.duchies[duchy_id]

    def main_board(self, edition: str, players: int) -> MainBoardFact:
        """Returns the main board of *edition* for *players*; raises :class:`FactsError` naming the known ones."""
        if (edition, players) not in self.main_boards:
            known = ", ".join(f"{name} for {count}" for name, count in self.main_boards)
            raise FactsError(
                f"no main board {edition!r} for {players} players in the data; the known ones are {known} players"
            )
        return self.main_boards[edition, players]


def load_facts(folder: Path | None = None) -> Facts:
    """Reads and checks the facts in *folder*, by default those shipped with the companion.

    Raises :class:`FactsError` naming the file and the field that is wrong.
    """
    return _shipped() if folder is None else _read(folder)


@cache
def _shipped() -> Facts:
    return _read(SHIPPED)


def _read(folder: Path) -> Facts:
    main_board, tiles = _document(folder, "main_board.json"), _document(folder, "tiles.json")
    monasteries = _by_number(_document(folder, "monasteries.json")["monasteries"], _monastery)
    return Facts(
        duchies=_duchies(_document(folder, "duchies.json")["duchies"]),
        main_boards=_main_boards(main_board["boards"]),
        tiles=_tiles(tiles["tiles"], monasteries),
        monasteries=monasteries,
        goods=_goods(_document(folder, "goods.json")),
        bonus_tiles=_bonus_tiles(tiles["bonus_tiles"]),
        area_points=_area_points(main_board["area_points"]),
        phase_points=_phase_points(main_board["phase_points"]),
        turn_order_spaces=_turn_order_spaces(main_board["turn_order_track"]),
        county_cards=_by_number(_document(folder, "county_cards.json")["county_cards"], _county_card),
        automa_board=_automa_board(_document(folder, "chateauma.json")),
    )


def _document(folder: Path, name: str) -> Field:
    path = folder / name
    try:
        data = read_json(path, ValueError)
    except ValueError as error:
        raise FactsError(f"{error}; repair it") from error
    except OSError as error:
        raise FactsError(f"{name}: cannot be read in {folder}: {error.strerror}") from error
    return Field.document(data, name, FactsError)


# Fields common to all entries


def _source(field: Field, name: str = "source") -> tuple[str, ...]:
    return tuple(source.text() for source in field[name].items(at_least=1))


def _confidence(field: Field, name: str = "confidence") -> str:
    return field[name].text(CONFIDENCES)


def _by_number(field: Field, read: Callable[[Field], T]) -> dict[int, T]:
    """Returns the entries by their number, which must be unique."""
    entries: dict[int, T] = {}
    for entry in field.items(at_least=1):
        number = entry["number"].integer(1, MAX_TILES)
        if number in entries:
            entry["number"].fail(f"{number} occurs twice; give each entry its own number")
        entries[number] = read(entry)
    return entries


def _by_edition(field: Field, read: Callable[[Field], T]) -> dict[str, T]:
    """Returns a value by edition; a value that is not a table applies to every edition."""
    if isinstance(field.value, Mapping):
        field.only(EDITIONS)
        return {edition: read(field[edition]) for edition in EDITIONS}
    return {edition: read(field) for edition in EDITIONS}


def _points(field: Field) -> int:
    return field.integer(1, MAX_POINTS)


# Boards


def _duchies(field: Field) -> dict[str, DuchyFact]:
    duchies: dict[str, DuchyFact] = {}
    for entry in field.items(at_least=1):
        duchy = DuchyFact(
            id=entry["id"].text(),
            edition=entry["edition"].text(EDITIONS),
            number=entry["number"].integer(1, MAX_TILES),
            set=entry["set"].text(DUCHY_SETS),
            copies=entry["copies"].integer(1, MAX_TILES),
            spaces=read_spaces(entry["spaces"], TILE_TYPES, DUCHY_SPACES),
            source=_source(entry),
            confidence=_confidence(entry),
        )
        if duchy.id in duchies:
            entry["id"].fail(f"{duchy.id!r} occurs twice; give each duchy its own id")
        counted = Counter(tile_type for tile_type, _ in duchy.spaces)
        for tile_type, count in DUCHY_SPACES_BY_TYPE.items():
            if counted[tile_type] != count:
                entry["spaces"].fail(f"should have {count} {tile_type} spaces, has {counted[tile_type]}")
        duchies[duchy.id] = duchy
    return duchies


def _main_boards(field: Field) -> dict[tuple[str, int], MainBoardFact]:
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
    candidates = variant.get("black_candidates")
    return MainBoardFact(
        edition=entry["edition"].text(EDITIONS),
        players=players,
        depots=tuple(_depot(depot, players) for depot in entry["depots"].items(DEPOTS)),
        black_slots=_known(variant["black_slots"], lambda count: count.integer(1, MAX_TILES)),
        black_candidates=tuple(c.integer(1, MAX_TILES) for c in candidates.items()) if candidates else (),
        source=_source(entry),
        confidence=_confidence(variant),
        black_source=_source(variant, "black_source"),
        black_confidence=_confidence(variant, "black_confidence"),
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


def _known(field: Field, read: Callable[[Field], T]) -> T | None:
    """Returns the value; None if the data says it is unknown."""
    return None if field.value == UNKNOWN else read(field)


def _area_points(field: Field) -> dict[int, int]:
    _source(field), _confidence(field)
    points = field["points"].entries()
    if [size for size, _ in points] != [str(size) for size in range(1, len(points) + 1)]:
        field["points"].fail("should go through the sizes of an area in order, from 1")
    return {int(size): _points(value) for size, value in points}


def _phase_points(field: Field) -> dict[str, int]:
    _source(field), _confidence(field)
    field["points"].only(PHASES)
    return {phase: _points(field["points"][phase]) for phase in PHASES}


def _turn_order_spaces(field: Field) -> int:
    _source(field), _confidence(field)
    return field["start_spaces"].integer(1, MAX_TILES) + field["further_spaces"].integer(1, MAX_TILES)


# Tiles


def _tiles(field: Field, monasteries: Mapping[int, MonasteryFact]) -> tuple[TileFact, ...]:
    tiles: list[TileFact] = []
    for entry in field.items(len(TILE_TYPES)):
        tile_type, source, confidence = entry["type"].text(TILE_TYPES), _source(entry), _confidence(entry)
        if any(tile.type == tile_type for tile in tiles):
            entry["type"].fail(f"{tile_type!r} occurs twice; each type has one entry")
        totals = {back: entry[back].integer(1, MAX_TILES) for back in BACKS}
        counts = (
            _monastery_counts(monasteries) if tile_type == "monastery" else _variant_counts(entry, totals)
        )
        for back, total in totals.items():
            counted = sum(count for (_, of_back), count in counts.items() if of_back == back)
            if counted != total:
                entry[back].fail(f"is {total}, but the variants make {counted}")
        tiles += [
            TileFact(tile_type, variant, back, count, source, confidence)
            for (variant, back), count in counts.items()
        ]
    for back, total in BASE_TILES.items():
        counted = sum(tile.count for tile in tiles if tile.back == back)
        if counted != total:
            field.fail(f"should make {total} tiles with {back} back, make {counted}")
    return tuple(tiles)


def _variant_counts(entry: Field, totals: Mapping[str, int]) -> dict[tuple[str | None, str], int]:
    """Returns the number of tiles of each variant and back."""
    variants = entry.get("variants")
    if variants is None:
        return {(None, back): count for back, count in totals.items()}
    counts: dict[tuple[str | None, str], int] = {}
    for name, backs in variants.entries():
        backs.only(BACKS)
        counts |= {(name, back): count.integer(1, MAX_TILES) for back, count in backs.entries()}
    return counts


def _monastery_counts(monasteries: Mapping[int, MonasteryFact]) -> dict[tuple[str | None, str], int]:
    """Returns one tile for each monastery of the base game."""
    return {(str(m.number), m.back): 1 for m in monasteries.values() if m.set == BASE_SET}


def _monastery(entry: Field) -> MonasteryFact:
    points, building = entry.get("points"), entry.get("building")
    return MonasteryFact(
        number=entry["number"].integer(1, MAX_TILES),
        set=entry["set"].text(),
        back=entry["back"].text(BACKS),
        effect=_by_edition(entry["effect"], Field.text),
        points=_by_edition(points, _points) if points else {},
        building=building.text() if building else None,
        source=_source(entry),
        confidence=_confidence(entry),
    )


def _goods(document: Field) -> tuple[GoodsFact, ...]:
    goods: list[GoodsFact] = []
    for kind, entry in enumerate(document["goods"].items(6), start=1):
        colours = entry["colours"]
        colours.only(EDITIONS)
        goods.append(
            GoodsFact(
                kind=entry["kind"].integer(kind, kind),
                count=entry["count"].integer(1, MAX_TILES),
                colours={edition: _known(colours[edition], Field.text) for edition in EDITIONS},
                source=_source(document),
                confidence=_confidence(document),
            )
        )
    return tuple(goods)


def _bonus_tiles(field: Field) -> tuple[BonusTileFact, ...]:
    tile_types = [tile_type.text(TILE_TYPES) for tile_type in field["colours"].items(len(TILE_TYPES))]
    if len(set(tile_types)) < len(TILE_TYPES):
        field["colours"].fail("names a colour twice; each of the six has its own bonus tiles")
    return tuple(
        BonusTileFact(tile_type, place, points, _source(field), _confidence(field))
        for place, points in enumerate((_by_players(field["first"]), _by_players(field["second"])), start=1)
        for tile_type in tile_types
    )


def _by_players(field: Field) -> dict[int, int]:
    field.only([str(players) for players in PLAYERS])
    return {players: _points(field[str(players)]) for players in PLAYERS}


# The Châteauma


def _county_card(entry: Field) -> CountyCardFact:
    entry["points"].only(DIFFICULTIES)
    return CountyCardFact(
        number=entry["number"].integer(1, MAX_TILES),
        hexes=tuple(_county_hex(hex_) for hex_ in entry["hexes"].items(at_least=1)),
        points={level: _points(entry["points"][level]) for level in DIFFICULTIES},
        source=_source(entry),
        confidence=_confidence(entry),
    )


def _county_hex(field: Field) -> CountyHex:
    field.only(("colour", "candidates", "sells_goods"))
    candidates, sells = field.get("candidates"), field.get("sells_goods")
    return CountyHex(
        tile_type=_known(field["colour"], lambda tile_type: tile_type.text(TILE_TYPES)),
        candidates=tuple(one.text(TILE_TYPES) for one in candidates.items()) if candidates else (),
        sells_goods=sells.flag() if sells else False,
    )


def _automa_board(document: Field) -> AutomaBoardFact:
    return AutomaBoardFact(
        edition=document["edition"].text(EDITIONS),
        spaces=_by_type(document["spaces"]),
        symbols={modifier: _known(spaces, _by_type) for modifier, spaces in document["marks"].entries()},
        inventory_order=_known(
            document["inventory_order"],
            lambda order: tuple(one.text(TILE_TYPES) for one in order.items(len(TILE_TYPES))),
        ),
        source=_source(document),
        confidence=_confidence(document),
        symbols_source=_source(document, "marks_source"),
        symbols_confidence=_confidence(document, "marks_confidence"),
    )


def _by_type(field: Field) -> dict[str, int]:
    field.only(TILE_TYPES)
    return {tile_type: count.integer(1, MAX_TILES) for tile_type, count in field.entries()}
