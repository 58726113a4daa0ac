"""What each move does. :func:`apply` does not check legality; :func:`.validation.play` does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import abilities, corrections, overrides, phases
from .events import Event
from .moves import (
    BLACK_DEPOT,
    Adjust,
    Buy,
    Discard,
    EndTurn,
    Fill,
    Move,
    Outpost,
    Override,
    Place,
    Recover,
    Roll,
    Sell,
    Skip,
    StartCastle,
    StartGoods,
    Take,
    TakeGoods,
    TakeWorkers,
)
from .scoring import CASTLE_DICE_ACTION, award, livestock_points, score_completion
from .state import DISCARD, GameState, Pending, Player
from .table_rules import BETWEEN_ACTIONS
from .tiles import (
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
    TOWN_HALL,
    WAREHOUSE,
    WATCHTOWER,
    Tile,
    tile,
)

BOARDING_HOUSE_WORKERS = 4
BANK_SILVER = 2
WATCHTOWER_POINTS = 4
CASTLE_ACTION_POINTS = 5
"""Price of the two-dice castle action, besides the dice (S703, A1312)."""
TAKEN_BY = {
    MARKET: (SHIP, LIVESTOCK),
    CARPENTER: (BUILDING,),
    CHURCH: (MINE, MONASTERY, CASTLE),
}
"""Building -> tile types it takes from a numbered depot (S433-477)."""


def apply(game: GameState, move: Move) -> list[Event]:
    """Makes *move* and returns what happened.

    .. warning:: Legality is not checked; an illegal move leaves an impossible state.
    """
    return APPLY[type(move)](game, move)


def _take(game: GameState, move: Take) -> list[Event]:
    _pay(game, move)
    taken = game.depots[move.depot - 1][move.slot]
    assert taken is not None
    game.depots[move.depot - 1][move.slot] = None
    _store(game, taken)
    return [Event("take", game.player.colour, data={"tile": taken.label, "depot": move.depot})]


def _buy(game: GameState, move: Buy) -> list[Event]:
    player = game.player
    depot = game.black if move.depot == BLACK_DEPOT else game.depots[move.depot - 1]
    bought = depot[move.slot]
    assert bought is not None
    depot[move.slot] = None
    if move.depot == BLACK_DEPOT or game.edition.building_price_workers is None:
        player.silver -= game.edition.silver_price
        game.bought = True
    else:
        player.workers -= game.edition.building_price_workers
        game.monastery_6_used = True
    _store(game, bought)
    return [Event("buy", player.colour, data={"tile": bought.label, "depot": move.depot})]


def _store(game: GameState, incoming: Tile) -> None:
    """Puts a tile into storage; if that is full the player has to discard one first (S338)."""
    player = game.player
    if len(player.storage) < game.edition.storage_spaces:
        player.store(incoming)
    else:
        game.pending.append(Pending(DISCARD, incoming.label))


def _discard(game: GameState, move: Discard) -> list[Event]:
    incoming = tile(game.pending.pop().incoming)
    game.return_to_box(_from_storage(game.player, move.tile))
    game.player.store(incoming)
    return [Event("discard", game.player.colour, data={"tile": move.tile})]


def _from_storage(player: Player, label: str) -> Tile:
    taken = tile(label)
    player.storage.remove(taken)
    return taken


def _pay(game: GameState, move: Take | Place | Sell | TakeWorkers) -> None:
    """Uses the die and its workers, or the effect that replaces a die."""
    if move.die is None:
        game.pending.pop()
        return
    game.player.dice.remove(move.die)
    game.player.workers -= getattr(move, "workers", 0)


def _place(game: GameState, move: Place) -> list[Event]:
    _pay(game, move)
    return _place_stored(game, move.tile, move.space)


def _place_stored(game: GameState, label: str, space: int) -> list[Event]:
    """Places a stored tile on a space, with everything that follows at once."""
    player = game.player
    placed = _from_storage(player, label)
    player.put(space, placed)
    events = [Event("place", player.colour, data={"tile": placed.label, "space": space})]
    _PLACED[placed.type](game, player, placed, space, events)
    score_completion(game, player, space, events)
    return events


def _recover(game: GameState, move: Recover) -> list[Event]:
    events = _pay_both_dice(game)
    castle = tile(CASTLE)
    game.set_aside -= 1
    game.box = {**game.box, castle: game.box[castle] - 1}
    _store(game, castle)
    return [*events, Event("recover", game.player.colour)]


def _outpost(game: GameState, move: Outpost) -> list[Event]:
    return [*_pay_both_dice(game), *_place_stored(game, CASTLE, move.space)]


def _pay_both_dice(game: GameState) -> list[Event]:
    """Pays for the castle action of linked castles (S703, A1312)."""
    player = game.player
    player.dice.clear()
    events = [Event("pay_points", player.colour, -CASTLE_ACTION_POINTS)]
    award(game, player, CASTLE_DICE_ACTION, -CASTLE_ACTION_POINTS, events)
    return events


def _placed_nothing(game: GameState, player: Player, placed: Tile, space: int, events: list[Event]) -> None:
    """Does nothing: mines pay at the end of the phase; monasteries change rules from now on."""


def _placed_castle(game: GameState, player: Player, placed: Tile, space: int, events: list[Event]) -> None:
    game.pending.append(Pending(CASTLE))


def _placed_livestock(game: GameState, player: Player, placed: Tile, space: int, events: list[Event]) -> None:
    points, tiles = livestock_points(player, space)
    events.append(Event("livestock", player.colour, points, {"animal": placed.animal, "tiles": tiles}))
    award(game, player, "livestock", points, events)


def _placed_ship(game: GameState, player: Player, placed: Tile, space: int, events: list[Event]) -> None:
    """Moves the marker at once (S368), and opens the choice of goods if there are any (S360)."""
    phases.advance(game, events)
    if any(map(any, game.depot_goods)):
        game.pending.append(Pending(SHIP))


def _placed_building(game: GameState, player: Player, placed: Tile, space: int, events: list[Event]) -> None:
    building = placed.variant
    if building == BOARDING_HOUSE:
        player.workers += BOARDING_HOUSE_WORKERS
        events.append(Event("workers", player.colour, data={"workers": BOARDING_HOUSE_WORKERS, "silver": 0}))
    elif building == BANK:
        player.silver += BANK_SILVER
        events.append(Event("silver", player.colour, data={"silver": BANK_SILVER}))
    elif building == WATCHTOWER:
        events.append(Event("watchtower", player.colour, WATCHTOWER_POINTS))
        award(game, player, "watchtowers", WATCHTOWER_POINTS, events)
    elif _has_choice(game, player, str(building)):
        game.pending.append(Pending(str(building)))


def _has_choice(game: GameState, player: Player, building: str) -> bool:
    """Returns whether there is anything to choose; else the effect is lost (S502)."""
    if building == WAREHOUSE:
        return any(player.goods)
    if building == TOWN_HALL:
        return bool(player.storage) or _can_buy(game, player)
    awaited = TAKEN_BY[building]
    return any(t is not None and t.type in awaited for depot in game.depots for t in depot)


def _can_buy(game: GameState, player: Player) -> bool:
    """Returns whether a tile can still be bought for the effect, if that is allowed (S580)."""
    if game.rules.purchase == BETWEEN_ACTIONS:
        return False
    edition, monastery_6 = game.edition, abilities.has(player.monasteries, 6)
    numbered = [t for depot in game.depots for t in depot if t is not None] if monastery_6 else []
    price = edition.building_price_workers
    if price is None:
        for_workers, for_silver = False, any(game.black) or bool(numbered)
    else:
        affordable = not game.monastery_6_used and player.workers >= price
        for_workers, for_silver = affordable and any(t.type == BUILDING for t in numbered), any(game.black)
    return for_workers or (for_silver and not game.bought and player.silver >= edition.silver_price)


_PLACED: dict[str, Callable[[GameState, Player, Tile, int, list[Event]], None]] = {
    CASTLE: _placed_castle,
    MINE: _placed_nothing,
    SHIP: _placed_ship,
    LIVESTOCK: _placed_livestock,
    BUILDING: _placed_building,
    MONASTERY: _placed_nothing,
}


def _sell(game: GameState, move: Sell) -> list[Event]:
    """Sells the whole stack: silver per sale, points per tile by number of players (S563-568)."""
    _pay(game, move)
    player = game.player
    count = player.goods[move.goods]
    player.goods[move.goods] = 0
    player.sold[move.goods] += count
    silver, workers = (
        abilities.silver_from_sale(player.monasteries),
        abilities.workers_from_sale(player.monasteries),
    )
    player.silver += silver
    player.workers += workers
    points = count * len(game.seats)
    data = {"goods": move.goods, "count": count, "silver": silver, "workers": workers}
    events = [Event("sell", player.colour, points, data)]
    award(game, player, "sales", points, events)
    return events


def _take_workers(game: GameState, move: TakeWorkers) -> list[Event]:
    _pay(game, move)
    player = game.player
    workers = abilities.workers_from_action(player.monasteries)
    silver = abilities.silver_from_action(player.monasteries)
    player.workers += workers
    player.silver += silver
    return [Event("workers", player.colour, data={"workers": workers, "silver": silver})]


def _take_goods(game: GameState, move: TakeGoods) -> list[Event]:
    game.pending.pop()
    player = game.player
    loaded = [0] * 7
    for depot in move.depots:
        goods = game.depot_goods[depot - 1]
        for kind in move.kinds:
            loaded[kind] += goods[kind]
            goods[kind] = 0
    for kind in GOODS:
        player.goods[kind] += loaded[kind]
    data = {"goods": [kind for kind in GOODS for _ in range(loaded[kind])], "depots": list(move.depots)}
    return [Event("load", player.colour, data=data)]


def _skip(game: GameState, move: Skip) -> list[Event]:
    return [Event("skip", game.player.colour, data={"effect": game.pending.pop().effect})]


APPLY: dict[type, Callable[[GameState, Any], list[Event]]] = {
    Take: _take,
    Place: _place,
    Sell: _sell,
    TakeWorkers: _take_workers,
    TakeGoods: _take_goods,
    Buy: _buy,
    Recover: _recover,
    Outpost: _outpost,
    Discard: _discard,
    Skip: _skip,
    EndTurn: phases.end_turn,
    StartCastle: phases.start_castle,
    StartGoods: phases.start_goods,
    Fill: phases.fill,
    Roll: phases.roll,
    Override: overrides.apply,
    Adjust: corrections.apply,
}
"""Type of move -> function that makes it. Expansions add their own moves."""
