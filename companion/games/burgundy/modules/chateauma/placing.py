"""Benefits of tiles placed face up on a county card that place no further tile (S1147-1168)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...rules.events import Event
from ...rules.gains import gain_goods
from ...rules.phases import advance
from ...rules.tiles import (
    BANK,
    BOARDING_HOUSE,
    BUILDING,
    CARPENTER,
    CASTLE,
    CHURCH,
    GOODS,
    LIVESTOCK,
    MARKET,
    MINE,
    MONASTERY,
    SHIP,
    WAREHOUSE,
    WATCHTOWER,
    Tile,
)
from .context import Turn, clockwise
from .extension import Benefit
from .selling import sell

BANK_SILVER = 2
"""S1155."""
BOARDING_HOUSE_POINTS = 2
"""S1156."""
WATCHTOWER_POINTS = 4
"""S1162."""
SEARCHED_TYPES = {
    CARPENTER: (BUILDING,),
    CHURCH: (CASTLE, MINE, MONASTERY),
    MARKET: (SHIP, LIVESTOCK),
}
"""Building -> types it takes into the inventory; a later one only if no depot has the earlier (S1157-1159)."""


def _bank(turn: Turn, placed: Tile) -> None:
    turn.step("pays_silver", effect=BANK, silver=BANK_SILVER)
    turn.pay(BANK_SILVER)


def _boarding_house(turn: Turn, placed: Tile) -> None:
    turn.step("pays_points", effect=BOARDING_HOUSE, number=BOARDING_HOUSE_POINTS)
    turn.score("boarding_house", "boarding_houses", BOARDING_HOUSE_POINTS)


def _watchtower(turn: Turn, placed: Tile) -> None:
    turn.step("pays_points", effect=WATCHTOWER, number=WATCHTOWER_POINTS)
    turn.score("watchtower", "watchtowers", WATCHTOWER_POINTS)


def _warehouse(turn: Turn, placed: Tile) -> None:
    turn.step("warehouse")
    sell(turn)


def _search_tile(turn: Turn, placed: Tile) -> None:
    """Takes a tile into the inventory: by type first, then from the white die's depot on (S1157-1159)."""
    building = str(placed.variant)
    for number, tile_type in enumerate(SEARCHED_TYPES[building]):
        turn.step("looks_for_next" if number else "looks_for", type=tile_type, depot=turn.white)
        for depot in clockwise(turn.white):
            for slot, there in enumerate(turn.game.depots[depot - 1]):
                if there is not None and there.type == tile_type:
                    turn.step("found", depot=depot, type=tile_type)
                    take_to_inventory(turn, depot, slot)
                    return
    turn.step("found_nothing", effect=building)
    turn.add_event("no_benefit", effect=building)


def take_to_inventory(turn: Turn, depot: int, slot: int) -> None:
    """Takes a tile of a numbered depot into the inventory."""
    taken = turn.take(depot, slot)
    turn.seat.stored.append(taken)
    turn.add_event("stock", tile=taken.label, depot=depot, slot=slot)


def _livestock(turn: Turn, placed: Tile) -> None:
    """Scores both cards and the duchy as one pasture, in which the new tile counts once (S1164-1166)."""
    score_herd(turn, placed, turn.seat.herd(placed.animal))


def score_herd(turn: Turn, placed: Tile, herd: Sequence[Tile]) -> None:
    """Scores the livestock that counts when a tile of it has been placed, the new one included."""
    points = sum(t.animals for t in herd)
    turn.step("herd", animal=placed.animal, tiles=len(herd), points=points)
    turn.score("livestock", "livestock", points, animal=placed.animal, tiles=len(herd))


def _ship(turn: Turn, placed: Tile) -> None:
    """Takes the goods of the fullest depot, the first from the white die on; the marker always advances (S1168)."""
    counts = {depot: sum(turn.game.depot_goods[depot - 1]) for depot in clockwise(turn.white)}
    most = max(counts.values())
    fullest = [depot for depot, count in counts.items() if count == most]
    if most:
        code = "fullest_depot" if len(fullest) == 1 else "fullest_of_several"
        turn.step(code, depot=fullest[0], count=most, white=turn.white)
        _load(turn, fullest[0])
    else:
        turn.step("no_goods_lying")
        turn.add_event("no_benefit", effect=SHIP)
    events: list[Event] = []
    advance(turn.game, events)
    turn.step("ship_advances")
    turn.add_events(events)


def _load(turn: Turn, depot: int) -> None:
    """Takes all goods of a depot; there is a space for each kind (S1076)."""
    goods = turn.game.depot_goods[depot - 1]
    loaded = [kind for kind in GOODS for _ in range(goods[kind])]
    turn.game.depot_goods[depot - 1] = [0] * len(goods)
    turn.add_event("load", goods=loaded, depots=[depot])
    gain_goods(turn.game, turn.seat, loaded, turn.events)


BENEFITS: Mapping[str, Benefit] = {
    BANK: _bank,
    BOARDING_HOUSE: _boarding_house,
    WATCHTOWER: _watchtower,
    WAREHOUSE: _warehouse,
    **dict.fromkeys(SEARCHED_TYPES, _search_tile),
    LIVESTOCK: _livestock,
    SHIP: _ship,
}
"""Building or tile type -> its benefit."""
