"""Points: during play, at the end, and who has won."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .abilities import has
from .board import Area, bits
from .events import Event
from .gains import BONUS_TILE, POINTS
from .state import GameState, Player, Seat
from .table_rules import FEWEST_EMPTY
from .tiles import BUILDING, LIVESTOCK, Tile

GOODS_AT_END = "goods_left"
SILVER_AT_END = "silver_left"
WORKERS_AT_END = "workers_left"
POINTS_PER_BUILDING = 4
"""Of the kind that a monastery counts (S677-679)."""
RULED = "ruling"
ADJUSTED = "adjusted"
LARGEST_AREA = 10
"""Size of the largest area: 8 in print, and what modules enlarge it by."""
AREA_POINTS_BEYOND_PRINT = {9: 45, 10: 55}
"""Points of areas that modules enlarge (S773, S799)."""
SOURCES = (
    *(f"area_{size}" for size in range(1, LARGEST_AREA + 1)),
    "phase",
    "bonus_tiles",
    "livestock",
    "watchtowers",
    "sales",
    GOODS_AT_END,
    SILVER_AT_END,
    WORKERS_AT_END,
    "monasteries",
    *(f"monastery_{n}" for n in range(15, 27)),
    RULED,
    ADJUSTED,
)
"""Where points come from, in the order of the score sheet. Modules add their own (see :class:`.module.Module`)."""


class Sale(NamedTuple):
    """What a sale brings."""

    points: int
    silver: int
    workers: int


def with_sources(added: Iterable[Mapping[str, str]]) -> tuple[str, ...]:
    """Returns :data:`SOURCES` with those of modules, each behind the source that it names; several may share one."""
    sources = list(SOURCES)
    for sources_of_module in added:
        for source, after in sources_of_module.items():
            if source not in sources:
                sources.insert(sources.index(after) + 1, source)
    return tuple(sources)


def award(game: GameState, player: Seat, source: str, points: int, events: list[Event]) -> None:
    """Gives a seat points, as a gain (see :mod:`.gains`)."""
    if points:
        change_score(game, player, source, points, events)
        game.hooks.gained(game, player, POINTS, points, events)


def change_score(game: GameState, player: Seat, source: str, points: int, events: list[Event]) -> None:
    """Moves a seat's score marker and enters the points on its score sheet.

    This alone is no gain: it is enough for points that are paid, overridden or adjusted, which may be negative.
    """
    if not points:
        return
    shown = points_tile(game, player)
    player.score += points
    player.points[source] = player.points.get(source, 0) + points
    if points_tile(game, player) != shown:
        events.append(Event("points_tile", player.colour, data={"shows": points_tile(game, player)}))


def points_tile(game: GameState, player: Seat) -> int:
    """Returns what a player's points tile shows by how often the marker has gone round: 0, 100 or 200 (S521)."""
    return 100 * sum(player.score >= threshold for threshold in game.edition.points_tile_from)


def livestock_points(game: GameState, player: Player, space: int) -> tuple[int, int]:
    """Returns the points for the livestock just placed on *space*, and how many tiles score them.

    Every tile with the same animal in the same pasture counts, including the new one (S409-417).
    """
    new = player.spaces[space]
    assert new is not None
    pasture = game.hooks.pasture(game, player, space)
    herd = [t for t in livestock_in(player, pasture) if t.animal == new.animal]
    return herd_points(player, herd), len(herd)


def livestock_in(player: Player, pasture: int) -> list[Tile]:
    """Returns the livestock on a set of spaces."""
    tiles = (player.spaces[i] for i in bits(pasture & player.occupied))
    return [t for t in tiles if t is not None and t.type == LIVESTOCK]


def herd_points(player: Player, herd: Sequence[Tile]) -> int:
    """Returns the points of tiles that score together; monastery 7 adds one for each (S651)."""
    return sum(t.animals for t in herd) + len(herd) * has(player.monasteries, 7)


def score_completion(game: GameState, player: Player, space: int, events: list[Event]) -> None:
    """Scores area, phase and bonus tile if the tile on *space* completes them (S513-519)."""
    area = player.duchy.area_of[space]
    if area.spaces & ~player.occupied:
        return
    size_points, phase_points = completion_points(game, player, area)
    kind = "area_again" if has_scored(player, area_name(area)) else "area"
    area_size = game.hooks.area_size(game, player, area)
    data = {"colour": area.tile_type, "size": area_size}
    events.append(Event(kind, player.colour, size_points + phase_points, data))
    award(game, player, f"area_{area_size}", size_points, events)
    award(game, player, "phase", phase_points, events)
    filled = {area_name(area)}
    if not player.duchy.of_type[area.tile_type] & ~player.occupied:
        filled.add(area.tile_type)
        if not has_scored(player, area.tile_type):
            take_bonus_tile(game, player, area.tile_type, events)
    player.ruled -= filled


def area_name(area: Area) -> str:
    """Returns the name of an area, from its type and first space: ``mine:12``."""
    return f"{area.tile_type}:{next(bits(area.spaces))}"


def full_parts(player: Player) -> frozenset[str]:
    """Returns what is full in a duchy: areas by name, and tile types with no empty space left."""
    areas = [area_name(area) for area in player.duchy.areas if not area.spaces & ~player.occupied]
    tile_types = [
        tile_type
        for tile_type, spaces in player.duchy.of_type.items()
        if spaces and not spaces & ~player.occupied
    ]
    return frozenset(areas + tile_types)


def has_scored(player: Player, part: str) -> bool:
    """Returns whether an area or a tile type has scored already, though an override has opened it again."""
    return part in player.ruled


def completion_points(game: GameState, player: Player, area: Area) -> tuple[int, int]:
    """Returns the points for completing an area now: for its size, and for the phase (S513-515); 0 if it has scored."""
    if has_scored(player, area_name(area)):
        return 0, 0
    size = game.hooks.area_size(game, player, area)
    return area_points(game, size), game.edition.phase_points[game.phase_letter]


def area_points(game: GameState, size: int) -> int:
    """Returns the points for an area of this size (S513); larger ones than are printed come from modules."""
    return game.edition.area_points.get(size) or AREA_POINTS_BEYOND_PRINT[size]


def bonus_tile_points(game: GameState, seat: Seat, left: int) -> int:
    """Returns the points of a seat's next bonus tile of two, of which so many are *left*; 0 if both are gone (S519)."""
    if not left:
        return 0
    return game.hooks.bonus_tile_points(game, seat, game.edition.bonus_points[2 - left][game.played_as])


def take_bonus_tile(game: GameState, seat: Seat, tile_type: str, events: list[Event]) -> None:
    """Gives a seat that has filled all spaces of a type the first or second bonus tile, if one is left (S519)."""
    left = game.bonus_tiles_left[tile_type]
    if not left:
        return
    points = bonus_tile_points(game, seat, left)
    game.bonus_tiles_left = {**game.bonus_tiles_left, tile_type: left - 1}
    seat.bonus_tiles.append(tile_type)
    events.append(Event("bonus_tile", seat.colour, points, {"colour": tile_type, "first": left == 2}))
    award(game, seat, "bonus_tiles", points, events)
    game.hooks.gained(game, seat, BONUS_TILE, 1, events)


def monastery_points(game: GameState, player: Player) -> dict[str, int]:
    """Returns the points of monasteries 15 to 26 if the game ended now, by source (S671-689)."""
    edition = game.edition
    buildings = [t.variant for t in player.placed(BUILDING)]
    animals = {t.animal for t in player.placed(LIVESTOCK)}
    values = {
        15: edition.points_per_sold_kind * sum(count > 0 for count in player.sold),
        24: 4 * len(animals),
        25: sum(player.sold),
        26: edition.points_per_bonus_tile * len(player.bonus_tiles),
        **{
            number: POINTS_PER_BUILDING * buildings.count(building)
            for number, building in game.hooks.buildings_counted(game).items()
        },
    }
    owned = sorted(number for number in values if has(player.monasteries, number))
    return {f"monastery_{number}": values[number] for number in owned if values[number]}


def player_final_points(game: GameState, player: Player) -> dict[str, int]:
    """Returns the points of a person if the game ended now, by source (S592-597)."""
    left = {
        GOODS_AT_END: sum(player.goods),
        SILVER_AT_END: player.silver,
        WORKERS_AT_END: player.workers // 2,
    }
    return {source: value for source, value in left.items() if value} | game.hooks.monastery_points(
        game, player
    )


def score_end(game: GameState, events: list[Event]) -> None:
    """Scores the end of the game for everybody."""
    for side in game.sides:
        for source, value in game.hooks.final_points(game, side).items():
            events.append(Event("final", side.colour, value, {"source": source}))
            award(game, side, source, value, events)


def ranking(game: GameState) -> list[Seat]:
    """Returns the seats, the winner first: most points, then fewest empty spaces, then furthest behind (S599).

    Seats that share a side follow each other, at the place of the best.
    """
    keys = {seat: game.hooks.ranking_key(game, index) for index, seat in enumerate(game.seats)}
    best = {side: min(keys[seat] for seat in game.seats if seat.side is side) for side in game.sides}
    sides = sorted(game.sides, key=lambda side: best[side])
    return [seat for side in sides for seat in game.seats if seat.side is side]


def ranking_key(game: GameState, index: int) -> tuple[int, ...]:
    """Returns what a seat is ranked by; less is better."""
    seat, order = game.seats[index], game.order()
    empty = seat.empty_spaces if game.rules.tie_break == FEWEST_EMPTY else -seat.empty_spaces
    return -seat.score, not seat.wins_ties_as, empty, -order.index(index) if index in order else 0


def tie_break(game: GameState) -> dict[str, Any] | None:
    """Returns what decided between the players with most points; None if there is only one (S599).

    ``by`` is :attr:`.Seat.wins_ties_as`, ``spaces`` (``count`` and ``next`` are empty spaces of the first two) or
    ``track``.
    """
    winner, *ranked = ranking(game)
    others = [seat for seat in ranked if seat.score == winner.score and seat.side is not winner.side]
    if not others:
        return None
    data = {"player": winner.colour, "players": [seat.colour for seat in others], "points": winner.score}
    if winner.wins_ties_as:
        return {"by": winner.wins_ties_as, **data}
    if others[0].empty_spaces == winner.empty_spaces:
        return {"by": "track", **data}
    return {"by": "spaces", **data, "count": winner.empty_spaces, "next": others[0].empty_spaces}
