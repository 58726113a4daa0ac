"""Which moves are legal, and why a move is not.

:func:`legal_moves` lists every decision of the player in turn exactly once; chance events (set-up goods, a phase's
tiles, rolls) are reported, not chosen, and so never listed, but :func:`why_not` checks them too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from .duchy import bits
from .edition import ROUNDS
from .effects import TAKEN_BY, apply
from .events import Event
from .flow import START_GOODS
from .moves import (
    BLACK_DEPOT,
    Buy,
    Discard,
    EndTurn,
    Fill,
    Move,
    Place,
    Roll,
    Sell,
    Skip,
    StartCastle,
    StartGoods,
    Take,
    TakeGoods,
    TakeWorkers,
)
from .powers import FREE_STEP_WHEN_PLACING, FREE_STEP_WHEN_TAKING, has, worker_costs
from .state import FILL, ROLL, SETUP, TURN, Game, Player
from .tiles import BUILDING, CASTLE, GOODS, SHIP, TOWN_HALL, TYPES, WAREHOUSE, Tile, tile

DICE = range(1, 7)
ANY_TYPE = frozenset(TYPES)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is not legal: a stable code and what its sentence needs."""

    code: str
    data: Mapping[str, Any] = field(default_factory=dict)


class IllegalMoveError(ValueError):
    """The move cannot be made now."""

    def __init__(self, move: Move, reason: Reason) -> None:
        super().__init__(f"illegal move {str(move)!r}: {reason.code} {dict(reason.data)}")
        self.move = move
        self.reason = reason


def play(game: Game, move: Move) -> list[Event]:
    """Makes *move* after checking it.

    :raises IllegalMoveError: when it is not legal; the game is unchanged then.
    """
    if reason := why_not(game, move):
        raise IllegalMoveError(move, reason)
    return apply(game, move)


# --- what can be chosen -----------------------------------------------------------------------------------


def legal_moves(game: Game) -> list[Move]:
    """Every legal decision, each once."""
    if game.stage == SETUP:
        return list(_start_castles(game))
    if game.stage != TURN:
        return []
    if game.pending:
        effect = game.pending[-1].effect
        choices = list(_CHOICES[effect](game))
        return choices if effect == "discard" else [*choices, *_purchases(game)]
    return [*_dice_actions(game), *_purchases(game), EndTurn()]


def _start_castles(game: Game) -> Iterator[Move]:
    for player in game.players:
        if not player.occupied:
            for space in bits(player.duchy.of_colour[CASTLE]):
                yield StartCastle(player.colour, space)


def _dice_actions(game: Game) -> Iterator[Move]:
    player = game.player
    for die in sorted(set(player.dice)):
        yield from _takes(game, die, ANY_TYPE)
        yield from _places(game, die)
        yield from _sales(game, die)
        yield TakeWorkers(die)


def _takes(game: Game, die: int | None, types: Collection[str]) -> Iterator[Move]:
    player = game.player
    costs = worker_costs(player.monasteries, FREE_STEP_WHEN_TAKING)
    for number, depot in enumerate(game.depots, 1):
        workers = costs[die][number] if die else 0
        if workers <= player.workers:
            for slot, there in enumerate(depot):
                if there is not None and there.type in types:
                    yield Take(there.label, number, slot, die, workers)


def _places(game: Game, die: int | None) -> Iterator[Move]:
    player = game.player
    duchy = player.duchy
    for stored in _distinct(player.storage):
        spaces = player.frontier & duchy.of_colour[stored.type]
        if not spaces:
            continue
        costs = worker_costs(player.monasteries, FREE_STEP_WHEN_PLACING[stored.type])
        for space in bits(spaces):
            workers = costs[die][duchy.spaces[space].die] if die else 0
            if workers <= player.workers and not _repeats_building(player, stored, space):
                yield Place(stored.label, space, die, workers)


def _distinct(tiles: Iterable[Tile]) -> Iterable[Tile]:
    return {t.label: t for t in tiles}.values()


def _repeats_building(player: Player, stored: Tile, space: int) -> bool:
    """Whether the city would hold that building twice, which only monastery 1 allows (S425, S645)."""
    return (
        stored.type == BUILDING
        and not has(player.monasteries, 1)
        and player.has_building_in_city(str(stored.variant), space)
    )


def _sales(game: Game, die: int | None) -> Iterator[Move]:
    player = game.player
    costs = worker_costs(player.monasteries, None)
    for kind in GOODS:
        workers = costs[die][kind] if die else 0
        if player.goods[kind] and workers <= player.workers:
            yield Sell(kind, die, workers)


def _purchases(game: Game) -> Iterator[Move]:
    for depot in (BLACK_DEPOT, *DICE):
        if _purchase_refused(game, depot) is None:
            tiles = game.black if depot == BLACK_DEPOT else game.depots[depot - 1]
            for slot, there in enumerate(tiles):
                if there is not None and (depot == BLACK_DEPOT or _sold_from_depot(game, there)):
                    yield Buy(there.label, depot, slot)


def _sold_from_depot(game: Game, there: Tile) -> bool:
    """With monastery 6: buildings for workers, or any tile where it widens the silver purchase (S650, A861)."""
    return game.edition.building_price_workers is None or there.type == BUILDING


def _castle_choices(game: Game) -> Iterator[Move]:
    """Any of the four actions with a die of any value (S372)."""
    yield from _takes(game, None, ANY_TYPE)
    yield from _places(game, None)
    yield from _sales(game, None)
    yield TakeWorkers(None)
    yield Skip()


def _building_choices(game: Game) -> Iterator[Move]:
    yield from _takes(game, None, TAKEN_BY[game.pending[-1].effect])
    yield Skip()


def _town_hall_choices(game: Game) -> Iterator[Move]:
    yield from _places(game, None)
    yield Skip()


def _warehouse_choices(game: Game) -> Iterator[Move]:
    yield from _sales(game, None)
    yield Skip()


def _discards(game: Game) -> Iterator[Move]:
    for stored in _distinct(game.player.storage):
        yield Discard(stored.label)


def _loads(game: Game) -> Iterator[Move]:
    """Goods of one depot, or with monastery 5 of two neighbouring ones pooled (S362-366, S649)."""
    depots: list[tuple[int, ...]] = [(d,) for d in DICE]
    if has(game.player.monasteries, 5):
        depots += [tuple(sorted((d, d % 6 + 1))) for d in DICE]
    nothing = False
    for chosen in depots:
        there = [d for d in chosen if any(game.depot_goods[d - 1])]
        loads = list(_kinds_loaded(game, chosen)) if len(there) == len(chosen) else [()]
        for kinds in loads:
            if kinds and all(any(game.depot_goods[d - 1][k] for k in kinds) for d in chosen):
                yield TakeGoods(chosen, kinds)
            elif not kinds and len(chosen) == 1:
                nothing = True
    if nothing:
        yield TakeGoods((), ())


def _kinds_loaded(game: Game, depots: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every set of kinds that can be stored: those already stored always, new ones as far as spaces are free."""
    player = game.player
    there = [k for k in GOODS if any(game.depot_goods[d - 1][k] for d in depots)]
    known = [k for k in there if player.goods[k]]
    new = [k for k in there if not player.goods[k]]
    free = game.edition.goods_spaces - sum(count > 0 for count in player.goods)
    for chosen in combinations(new, min(free, len(new))):
        yield tuple(sorted((*known, *chosen)))


_CHOICES: dict[str, Callable[[Game], Iterator[Move]]] = {
    CASTLE: _castle_choices,
    SHIP: _loads,
    TOWN_HALL: _town_hall_choices,
    WAREHOUSE: _warehouse_choices,
    "discard": _discards,
    **dict.fromkeys(TAKEN_BY, _building_choices),
}


# --- why not ----------------------------------------------------------------------------------------------


def why_not(game: Game, move: Move) -> Reason | None:
    """The first reason against *move*, or None when it is legal."""
    expected = _STAGE_OF.get(type(move), TURN)
    if game.stage != expected:
        return Reason("wrong_stage", {"stage": game.stage, "move": move.word})
    return _WHY_NOT[type(move)](game, move)


def _why_not_effect(game: Game, move: Move, effects: Collection[str]) -> Reason | None:
    """A move without a die needs an effect that waits for it."""
    if not game.pending:
        return Reason("no_effect", {"move": move.word})
    if (effect := game.pending[-1].effect) not in effects:
        return Reason("other_choice_first", {"effect": effect, "move": move.word})
    return None


def _why_not_die(game: Game, die: int) -> Reason | None:
    if game.pending:
        return Reason("other_choice_first", {"effect": game.pending[-1].effect, "move": "die"})
    if die not in game.player.dice:
        return Reason("no_such_die", {"die": die, "dice": list(game.player.dice)})
    return None


def _why_not_payment(game: Game, move: Take | Place | Sell, value: int, free_by: int | None) -> Reason | None:
    """The die read as *value* must cost just the workers that the move spends, and they must be there."""
    if move.die is None:
        return None if move.workers == 0 else Reason("workers_without_die")
    player = game.player
    needed = worker_costs(player.monasteries, free_by)[move.die][value]
    data = {"die": move.die, "value": value, "needed": needed, "workers": player.workers}
    if needed > player.workers:
        return Reason("not_enough_workers", data)
    if needed != move.workers:
        return Reason("wrong_payment", {**data, "spent": move.workers})
    return None


def _why_not_take(game: Game, move: Take) -> Reason | None:
    if move.depot not in DICE:
        return Reason("no_such_depot", {"depot": move.depot})
    if move.die is None:
        if reason := _why_not_effect(game, move, (CASTLE, *TAKEN_BY)):
            return reason
        effect = game.pending[-1].effect
        types: Collection[str] = TAKEN_BY.get(effect, ANY_TYPE)
    else:
        if reason := _why_not_die(game, move.die):
            return reason
        effect, types = "", ANY_TYPE
    if reason := _why_not_there(game.depots[move.depot - 1], move):
        return reason
    if tile(move.tile).type not in types:
        return Reason("not_for_this_building", {"tile": move.tile, "effect": effect})
    return _why_not_payment(game, move, move.depot, FREE_STEP_WHEN_TAKING)


def _why_not_there(depot: list[Tile | None], move: Take | Buy) -> Reason | None:
    there = depot[move.slot] if 0 <= move.slot < len(depot) else None
    if there is None or there.label != move.tile:
        return Reason("tile_not_there", {"tile": move.tile, "depot": move.depot})
    return None


def _why_not_place(game: Game, move: Place) -> Reason | None:
    player = game.player
    if move.die is None:
        if reason := _why_not_effect(game, move, (CASTLE, TOWN_HALL)):
            return reason
    elif reason := _why_not_die(game, move.die):
        return reason
    stored = next((t for t in player.storage if t.label == move.tile), None)
    if stored is None:
        return Reason("tile_not_stored", {"tile": move.tile})
    if not 0 <= move.space < len(player.spaces):
        return Reason("no_such_space", {"space": move.space})
    space = player.duchy.spaces[move.space]
    if player.spaces[move.space] is not None:
        return Reason("space_taken", {"space": move.space})
    if space.colour != stored.type:
        return Reason("wrong_colour", {"tile": move.tile, "colour": space.colour})
    if not player.frontier >> move.space & 1:
        return Reason("not_adjacent", {"space": move.space})
    if _repeats_building(player, stored, move.space):
        return Reason("building_twice", {"tile": move.tile})
    return _why_not_payment(game, move, space.die, FREE_STEP_WHEN_PLACING[stored.type])


def _why_not_sell(game: Game, move: Sell) -> Reason | None:
    if move.die is None:
        if reason := _why_not_effect(game, move, (CASTLE, WAREHOUSE)):
            return reason
    elif reason := _why_not_die(game, move.die):
        return reason
    if move.goods not in GOODS or not game.player.goods[move.goods]:
        return Reason("no_such_goods", {"goods": move.goods})
    return _why_not_payment(game, move, move.goods, None)


def _why_not_take_workers(game: Game, move: TakeWorkers) -> Reason | None:
    if move.die is None:
        return _why_not_effect(game, move, (CASTLE,))
    return _why_not_die(game, move.die)


def _purchase_refused(game: Game, depot: int) -> Reason | None:
    """Why nothing can be bought from *depot* now (S578-582, S650)."""
    player, edition = game.player, game.edition
    if game.pending and game.pending[-1].effect == "discard":
        return Reason("other_choice_first", {"effect": "discard", "move": Buy.word})
    if depot != BLACK_DEPOT and not has(player.monasteries, 6):
        return Reason("needs_monastery_6")
    if depot == BLACK_DEPOT or edition.building_price_workers is None:
        if game.bought:
            return Reason("already_bought")
        if player.silver < edition.silver_price:
            return Reason("not_enough_silver", {"price": edition.silver_price, "silver": player.silver})
        return None
    if game.monastery_6_used:
        return Reason("already_bought")
    if player.workers < edition.building_price_workers:
        data = {"needed": edition.building_price_workers, "workers": player.workers}
        return Reason("not_enough_workers", data)
    return None


def _why_not_buy(game: Game, move: Buy) -> Reason | None:
    if move.depot not in (BLACK_DEPOT, *DICE):
        return Reason("no_such_depot", {"depot": move.depot})
    if reason := _purchase_refused(game, move.depot):
        return reason
    depot = game.black if move.depot == BLACK_DEPOT else game.depots[move.depot - 1]
    if reason := _why_not_there(depot, move):
        return reason
    if move.depot != BLACK_DEPOT and not _sold_from_depot(game, tile(move.tile)):
        return Reason("not_for_this_building", {"tile": move.tile, "effect": "monastery_6"})
    return None


def _why_not_take_goods(game: Game, move: TakeGoods) -> Reason | None:
    if reason := _why_not_effect(game, move, (SHIP,)):
        return reason
    if move in set(_loads(game)):
        return None
    if any(d not in DICE for d in move.depots):
        return Reason("no_such_depot", {"depot": next(d for d in move.depots if d not in DICE)})
    return Reason("goods_do_not_fit", {"depots": list(move.depots), "goods": list(move.kinds)})


def _why_not_discard(game: Game, move: Discard) -> Reason | None:
    if reason := _why_not_effect(game, move, ("discard",)):
        return reason
    if all(t.label != move.tile for t in game.player.storage):
        return Reason("tile_not_stored", {"tile": move.tile})
    return None


def _why_not_skip(game: Game, move: Skip) -> Reason | None:
    return _why_not_effect(game, move, (CASTLE, TOWN_HALL, WAREHOUSE, *TAKEN_BY))


def _why_not_end_turn(game: Game, move: EndTurn) -> Reason | None:
    if game.pending:
        return Reason("other_choice_first", {"effect": game.pending[-1].effect, "move": EndTurn.word})
    return None


def _why_not_start_castle(game: Game, move: StartCastle) -> Reason | None:
    player = _player(game, move.player)
    if player is None:
        return Reason("no_such_player", {"player": move.player})
    if player.occupied:
        return Reason("castle_already_placed", {"player": move.player})
    if not 0 <= move.space < len(player.spaces):
        return Reason("no_such_space", {"space": move.space})
    colour = player.duchy.spaces[move.space].colour
    return None if colour == CASTLE else Reason("wrong_colour", {"tile": CASTLE, "colour": colour})


def _player(game: Game, colour: str) -> Player | None:
    return next((p for p in game.players if p.colour == colour), None)


def _why_not_start_goods(game: Game, move: StartGoods) -> Reason | None:
    player = _player(game, move.player)
    if player is None:
        return Reason("no_such_player", {"player": move.player})
    if any(player.goods):
        return Reason("goods_already_dealt", {"player": move.player})
    if len(move.goods) != START_GOODS:
        return Reason("wrong_count", {"expected": START_GOODS, "given": len(move.goods)})
    return _why_not_goods_drawn(game, move.goods)


def _why_not_goods_drawn(game: Game, goods: tuple[int, ...]) -> Reason | None:
    for kind, count in Counter(goods).items():
        if kind not in GOODS or count > game.goods_supply[kind]:
            return Reason("goods_not_in_supply", {"goods": kind})
    return None


def _why_not_fill(game: Game, move: Fill) -> Reason | None:
    board = game.main_board
    if len(move.depots) != len(board.depots):
        return Reason("wrong_count", {"expected": len(board.depots), "given": len(move.depots)})
    for number, (labels, slots) in enumerate(zip(move.depots, board.depots, strict=True), 1):
        if len(labels) != len(slots):
            return Reason("wrong_count", {"expected": len(slots), "given": len(labels)})
        for label, slot in zip(labels, slots, strict=True):
            colour = slot.colour_in(game.phase_letter)
            if label is not None and tile(label).type != colour:
                return Reason("wrong_slot_colour", {"tile": label, "depot": number, "colour": colour})
    if len(move.black) != len(game.black):
        return Reason("wrong_count", {"expected": len(game.black), "given": len(move.black)})
    if len(move.goods) != ROUNDS:
        return Reason("wrong_count", {"expected": ROUNDS, "given": len(move.goods)})
    drawn = Counter(tile(label) for depot in move.depots for label in depot if label is not None)
    drawn += Counter(tile(label, True) for label in move.black if label is not None)
    for t, count in drawn.items():
        if count > game.supply.get(t, 0):
            return Reason("tile_not_in_supply", {"tile": t.label, "black": t.black})
    return _why_not_unfilled(game, move, drawn) or _why_not_goods_drawn(game, move.goods)


def _why_not_unfilled(game: Game, move: Fill, drawn: Counter[Tile]) -> Reason | None:
    """A slot may stay empty only when its supply has run out."""
    for number, (labels, slots) in enumerate(zip(move.depots, game.main_board.depots, strict=True), 1):
        for label, slot in zip(labels, slots, strict=True):
            colour = slot.colour_in(game.phase_letter)
            left = sum(n - drawn[t] for t, n in game.supply.items() if not t.black and t.type == colour)
            if label is None and left > 0:
                return Reason("slot_empty", {"depot": number, "colour": colour})
    left = sum(n - drawn[t] for t, n in game.supply.items() if t.black)
    if None in move.black and left > 0:
        return Reason("slot_empty", {"depot": BLACK_DEPOT, "colour": "black"})
    return None


def _why_not_roll(game: Game, move: Roll) -> Reason | None:
    expected = [player.colour for player in game.players]
    given = [colour for colour, _ in move.dice]
    if given != expected:
        return Reason("wrong_players", {"expected": expected, "given": given})
    values = [move.white, *(v for _, dice in move.dice for v in dice)]
    if wrong := [v for v in values if v not in DICE]:
        return Reason("no_such_value", {"value": wrong[0]})
    return None


_STAGE_OF: dict[type, str] = {StartCastle: SETUP, StartGoods: SETUP, Fill: FILL, Roll: ROLL}

_WHY_NOT: dict[type, Callable[[Game, Any], Reason | None]] = {
    Take: _why_not_take,
    Place: _why_not_place,
    Sell: _why_not_sell,
    TakeWorkers: _why_not_take_workers,
    TakeGoods: _why_not_take_goods,
    Buy: _why_not_buy,
    Discard: _why_not_discard,
    Skip: _why_not_skip,
    EndTurn: _why_not_end_turn,
    StartCastle: _why_not_start_castle,
    StartGoods: _why_not_start_goods,
    Fill: _why_not_fill,
    Roll: _why_not_roll,
}
