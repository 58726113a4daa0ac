"""What a placed tile does at once, and the choices that effects open (S344-502)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from . import abilities, phases
from .events import Event
from .gains import gain
from .scoring import award
from .state import TURN, GameState, Pending, Player
from .table_rules import BETWEEN_ACTIONS
from .tiles import (
    BANK,
    BOARDING_HOUSE,
    BUILDING,
    BUILDINGS,
    CARPENTER,
    CASTLE,
    CHURCH,
    LIVESTOCK,
    MARKET,
    MINE,
    MONASTERY,
    SHIP,
    TOWN_HALL,
    WAREHOUSE,
    WATCHTOWER,
    Tile,
)

BOARDING_HOUSE_WORKERS = 4
BANK_SILVER = 2
WATCHTOWER_POINTS = 4
TAKEN_BY = {
    MARKET: frozenset((SHIP, LIVESTOCK)),
    CARPENTER: frozenset((BUILDING,)),
    CHURCH: frozenset((MINE, MONASTERY, CASTLE)),
}
"""Building -> tile types it takes from a numbered depot (S433-477)."""
WITHOUT_CHOICE = (BOARDING_HOUSE, BANK, WATCHTOWER)
"""Buildings that pay at once (S485-497)."""


def _placed_nothing(game: GameState, player: Player, placed: Tile, space: int, events: list[Event]) -> None:
    """Does nothing: mines pay at the end of the phase; monasteries change rules from now on."""


def _placed_castle(game: GameState, player: Player, placed: Tile, space: int, events: list[Event]) -> None:
    game.pending.append(Pending(CASTLE))


def _placed_livestock(game: GameState, player: Player, placed: Tile, space: int, events: list[Event]) -> None:
    points, tiles = game.hooks.livestock_points(game, player, space)
    events.append(Event("livestock", player.colour, points, {"animal": placed.animal, "tiles": tiles}))
    award(game, player, "livestock", points, events)


def _placed_ship(game: GameState, player: Player, placed: Tile, space: int, events: list[Event]) -> None:
    """Moves the marker at once (S368), and opens the choice of goods if there are any (S360)."""
    phases.advance(game, events)
    if any(map(any, game.depot_goods)):
        game.pending.append(Pending(SHIP))


def _placed_building(game: GameState, player: Player, placed: Tile, space: int, events: list[Event]) -> None:
    game.hooks.use_building(game, player, str(placed.variant), events)


def usable_buildings(game: GameState, player: Player) -> Iterator[str]:
    """Yields the buildings of the base game whose effect would do something now."""
    return (name for name in BUILDINGS if name in WITHOUT_CHOICE or has_choice(game, player, name))


def use_building(game: GameState, player: Player, building: str, events: list[Event]) -> None:
    """Does what a building does at once, or opens the choice of its effect; without any choice it is lost (S502)."""
    if building == BOARDING_HOUSE:
        events.append(Event("workers", player.colour, data={"workers": BOARDING_HOUSE_WORKERS, "silver": 0}))
        gain(game, player, events, workers=BOARDING_HOUSE_WORKERS)
    elif building == BANK:
        events.append(Event("silver", player.colour, data={"silver": BANK_SILVER}))
        gain(game, player, events, silver=BANK_SILVER)
    elif building == WATCHTOWER:
        events.append(Event("watchtower", player.colour, WATCHTOWER_POINTS))
        award(game, player, "watchtowers", WATCHTOWER_POINTS, events)
    elif has_choice(game, player, building):
        game.pending.append(Pending(building))


def has_choice(game: GameState, player: Player, building: str) -> bool:
    """Returns whether there is anything to choose for a building whose effect is a choice."""
    if building == WAREHOUSE:
        return any(player.goods)
    if building == TOWN_HALL:
        return bool(player.storage) or _can_buy(game, player)
    awaited = TAKEN_BY[building]
    return any(t is not None and t.type in awaited for depot in game.depots for t in depot)


def _can_buy(game: GameState, player: Player) -> bool:
    """Returns whether a tile can still be bought for the effect, if that is allowed (S580)."""
    if game.stage != TURN or game.rules.purchase == BETWEEN_ACTIONS:
        return False
    edition, monastery_6 = game.edition, abilities.has(player.monasteries, 6)
    black = game.hooks.black_depot(game)
    numbered = [t for depot in game.depots for t in depot if t is not None] if monastery_6 else []
    price = edition.building_price_workers
    if price is None:
        for_workers, for_silver = False, any(black) or bool(numbered)
    else:
        affordable = not game.monastery_6_used and player.workers >= price
        for_workers, for_silver = affordable and any(t.type == BUILDING for t in numbered), any(black)
    return for_workers or (for_silver and not game.bought and player.silver >= edition.silver_price)


PLACED: dict[str, Callable[[GameState, Player, Tile, int, list[Event]], None]] = {
    CASTLE: _placed_castle,
    MINE: _placed_nothing,
    SHIP: _placed_ship,
    LIVESTOCK: _placed_livestock,
    BUILDING: _placed_building,
    MONASTERY: _placed_nothing,
}
"""Tile type -> what placing such a tile does."""
