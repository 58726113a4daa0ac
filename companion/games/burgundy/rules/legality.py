"""Which moves are legal: :func:`legal_moves` lists every decision of the current player exactly once.

Chance events (set-up goods, a phase's tiles, rolls) are reported, not chosen, and so never listed.
:mod:`.validation` gives the reason why a move is illegal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import combinations

from .abilities import DICE, FREE_STEP_WHEN_PLACING, FREE_STEP_WHEN_TAKING, has, worker_costs
from .board import bits
from .edition import RECOVER
from .effects import CASTLE_ACTION_POINTS, TAKEN_BY
from .moves import (
    BLACK_DEPOT,
    Buy,
    Discard,
    EndTurn,
    Move,
    Outpost,
    Place,
    Recover,
    Sell,
    Skip,
    StartCastle,
    Take,
    TakeGoods,
    TakeWorkers,
)
from .reason import Reason
from .state import DICE_PER_PLAYER, DISCARD, SETUP, TURN, GameState, Player
from .table_rules import BETWEEN_ACTIONS, FORBIDDEN, LOSE, ON, OPTIONAL, POOLED
from .tiles import BUILDING, CASTLE, GOODS, SHIP, TOWN_HALL, TYPES, WAREHOUSE, Tile, tile

ANY_TYPE = frozenset(TYPES)
NO_WORKERS = (0,) * 7


def legal_moves(game: GameState) -> list[Move]:
    """Returns every legal decision, each once."""
    if game.stage != TURN:
        choices = CHOICES_AT.get(game.stage)
        return choices(game) if choices else []
    if game.pending:
        return [*_CHOICES[game.pending[-1].effect](game), *_purchases(game)]
    return [*_dice_actions(game), *_castle_dice_actions(game), *_purchases(game), EndTurn()]


def _start_castles(game: GameState) -> list[Move]:
    return [
        StartCastle(player.colour, space)
        for player in game.players
        if not player.occupied
        for space in bits(player.duchy.of_type[CASTLE])
    ]


def _dice_actions(game: GameState) -> Iterator[Move]:
    for die in sorted(set(game.player.dice)):
        yield from _takes(game, die, ANY_TYPE)
        yield from _places(game, die)
        yield from _sales(game, die)
        yield TakeWorkers(die)


def _workers(game: GameState, die: int | None, free_by: int | None) -> tuple[int, ...]:
    """Returns the workers needed by value; an effect (no die) needs none."""
    return NO_WORKERS if die is None else worker_costs(game.rules, game.player.monasteries, free_by)[die]


def _takes(game: GameState, die: int | None, types: Collection[str]) -> list[Move]:
    workers, available = _workers(game, die, FREE_STEP_WHEN_TAKING), game.player.workers
    return [
        Take(there.label, number, slot, die, workers[number])
        for number, depot in enumerate(game.depots, 1)
        if workers[number] <= available
        for slot, there in enumerate(depot)
        if there is not None and there.type in types
    ]


def _places(game: GameState, die: int | None) -> Iterator[Move]:
    player = game.player
    spaces = player.duchy.spaces
    for stored in _distinct(player.storage):
        if open_ := open_spaces(game, player, stored.type):
            workers = _workers(game, die, FREE_STEP_WHEN_PLACING[stored.type])
            for space in bits(open_):
                needed = workers[spaces[space].die]
                if needed <= player.workers and not repeats_building(player, stored, space):
                    yield Place(stored.label, space, die, needed)


def open_spaces(game: GameState, player: Player, tile_type: str) -> int:
    """Returns the empty spaces whose type and neighbours allow a tile of this type (S346).

    Under the rule of linked castles a tile must touch a castle or a tile of its own type, so that a chain of its type
    leads to a castle; castles are exempt (S699-701, A1297-1299).
    """
    duchy = player.duchy
    spaces = player.frontier & duchy.of_type[tile_type]
    if spaces and tile_type != CASTLE and castles_linked(game, player):
        links = duchy.of_type[CASTLE] | duchy.of_type[tile_type]
        spaces &= duchy.around(links & player.occupied)
    return spaces


def castles_linked(game: GameState, player: Player) -> bool:
    """Returns whether the rule of linked castles applies to a player: only on duchies it was printed for (S705)."""
    return game.rules.castle_links == ON and player.duchy.linkable


def _distinct(tiles: Iterable[Tile]) -> Iterable[Tile]:
    return {t.label: t for t in tiles}.values()


def repeats_building(player: Player, stored: Tile, space: int) -> bool:
    """Returns whether the city would contain that building twice, which only monastery 1 allows (S425, S645)."""
    return (
        stored.type == BUILDING
        and not has(player.monasteries, 1)
        and player.has_building_in_city(str(stored.variant), space)
    )


def _sales(game: GameState, die: int | None) -> list[Move]:
    player, workers = game.player, _workers(game, die, None)
    return [
        Sell(kind, die, workers[kind])
        for kind in GOODS
        if player.goods[kind] and workers[kind] <= player.workers
    ]


def _purchases(game: GameState) -> Iterator[Move]:
    if reason_against_purchase(game, BLACK_DEPOT) is None:
        yield from _for_sale(game.black, BLACK_DEPOT, ANY_TYPE)
    # Monastery 6 opens all numbered depots alike.
    if has(game.player.monasteries, 6) and reason_against_purchase(game, DICE[0]) is None:
        types = types_sold(game)
        for number, depot in enumerate(game.depots, 1):
            yield from _for_sale(depot, number, types)


def _for_sale(depot: list[Tile | None], number: int, types: Collection[str]) -> Iterator[Move]:
    for slot, there in enumerate(depot):
        if there is not None and there.type in types:
            yield Buy(there.label, number, slot)


def types_sold(game: GameState) -> Collection[str]:
    """Returns the types that monastery 6 buys: buildings for workers, or any tile for silver in 2011 (S650, A861)."""
    return ANY_TYPE if game.edition.building_price_workers is None else (BUILDING,)


def reason_against_purchase(game: GameState, depot: int) -> Reason | None:
    """Returns why nothing can be bought from *depot* now (S578-582, S650); None if something can."""
    player, edition = game.player, game.edition
    if game.pending and (game.pending[-1].effect == DISCARD or game.rules.purchase == BETWEEN_ACTIONS):
        return Reason("other_choice_first", {"effect": game.pending[-1].effect, "move": Buy.word})
    if game.rules.full_storage_purchase == FORBIDDEN and storage_full(game):
        return Reason("storage_full")
    if depot != BLACK_DEPOT and not has(player.monasteries, 6):
        return Reason("needs_monastery_6")
    if depot == BLACK_DEPOT or edition.building_price_workers is None:
        if game.bought:
            return Reason("already_bought")
        if player.silver < edition.silver_price:
            return Reason("not_enough_silver", {"price": edition.silver_price, "silver": player.silver})
        return None
    if game.monastery_6_used:
        return Reason("monastery_6_used")
    if player.workers < edition.building_price_workers:
        data = {"needed": edition.building_price_workers, "workers": player.workers}
        return Reason("not_enough_workers_to_buy", data)
    return None


def storage_full(game: GameState) -> bool:
    """Returns whether the current player has no key space left."""
    return len(game.player.storage) >= game.edition.storage_spaces


def _castle_dice_actions(game: GameState) -> Iterator[Move]:
    """Yields what both dice and five points buy under the rule of linked castles."""
    if reason_against_castle_action(game, game.edition.castle_dice_action) is not None:
        return
    if game.edition.castle_dice_action == RECOVER:
        yield Recover()
    else:
        yield from map(Outpost, bits(unconnected_castle_spaces(game.player)))


def reason_against_castle_action(game: GameState, form: str) -> Reason | None:
    """Returns why this form of the two-dice castle action is illegal now (S703, A1308-1312); None if it is legal."""
    player = game.player
    if not castles_linked(game, player):
        return Reason("rule_not_in_play", {"rule": "castle_links"})
    if form != game.edition.castle_dice_action:
        return Reason("other_edition", {"move": game.edition.castle_dice_action})
    if len(player.dice) < DICE_PER_PLAYER:
        return Reason("needs_both_dice", {"dice": list(player.dice)})
    if player.score < CASTLE_ACTION_POINTS:
        return Reason("not_enough_points", {"needed": CASTLE_ACTION_POINTS, "score": player.score})
    if form == RECOVER:
        return None if game.set_aside else Reason("no_castle_set_aside")
    return None if tile(CASTLE) in player.storage else Reason("tile_not_stored", {"tile": CASTLE})


def unconnected_castle_spaces(player: Player) -> int:
    """Returns the empty castle spaces that touch no tile of the duchy."""
    return player.duchy.of_type[CASTLE] & ~player.occupied & ~player.frontier


def _castle_choices(game: GameState) -> Iterator[Move]:
    """Yields any of the four actions with a die of any value (S372)."""
    yield from _takes(game, None, ANY_TYPE)
    yield from _places(game, None)
    yield from _sales(game, None)
    yield TakeWorkers(None)
    if game.rules.castle_action == OPTIONAL:
        yield Skip()


def _building_choices(game: GameState) -> Iterator[Move]:
    if not (storage_full(game) and game.rules.full_storage_effect == LOSE):
        yield from _takes(game, None, TAKEN_BY[game.pending[-1].effect])
    yield Skip()


def _town_hall_choices(game: GameState) -> Iterator[Move]:
    yield from _places(game, None)
    yield Skip()


def _warehouse_choices(game: GameState) -> Iterator[Move]:
    yield from _sales(game, None)
    yield Skip()


def _discards(game: GameState) -> Iterator[Move]:
    for stored in _distinct(game.player.storage):
        yield Discard(stored.label)


def loads(game: GameState) -> Iterator[Move]:
    """Yields the goods of one depot, or with monastery 5 of two neighbouring ones pooled (S362-366, S649)."""
    depots: list[tuple[int, ...]] = [(d,) for d in DICE]
    if has(game.player.monasteries, 5):
        depots += [tuple(sorted((d, d % 6 + 1))) for d in DICE]
    nothing = False
    for chosen in depots:
        for kinds in _kinds_loaded(game, chosen):
            if not kinds:
                nothing = True
            elif all(any(game.depot_goods[d - 1][k] for k in kinds) for d in chosen):
                yield TakeGoods(chosen, kinds)
    if nothing:
        yield TakeGoods((), ())


def _kinds_loaded(game: GameState, depots: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yields every set of kinds that can be stored: always those already stored, new ones as far as spaces are free."""
    player = game.player
    there = [k for k in GOODS if any(game.depot_goods[d - 1][k] for d in depots)]
    known = [k for k in there if player.goods[k]]
    new = [k for k in there if not player.goods[k]]
    free = game.edition.goods_spaces - sum(count > 0 for count in player.goods)
    for chosen in combinations(new, min(free, len(new))):
        if len(depots) == 1 or game.rules.monastery_5 == POOLED or _fills_one_by_one(game, depots, chosen):
            yield tuple(sorted((*known, *chosen)))


def _fills_one_by_one(game: GameState, depots: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Returns whether one depot is loaded first: all its new kinds are taken, or they use all free spaces."""

    def all_that_fit(depot: int) -> bool:
        there = {k for k in GOODS if game.depot_goods[depot - 1][k] and not game.player.goods[k]}
        return there <= set(new) or set(new) <= there

    return any(map(all_that_fit, depots))


_CHOICES: dict[str, Callable[[GameState], Iterator[Move]]] = {
    CASTLE: _castle_choices,
    SHIP: loads,
    TOWN_HALL: _town_hall_choices,
    WAREHOUSE: _warehouse_choices,
    DISCARD: _discards,
    **dict.fromkeys(TAKEN_BY, _building_choices),
}

CHOICES_AT: dict[str, Callable[[GameState], list[Move]]] = {SETUP: _start_castles}
"""Stage other than a person's turn -> its decisions. Expansions add their own stages."""


def to_move(game: GameState) -> str | None:
    """Returns the colour of the current player; None while the game waits for something else."""
    deciding = game.stage == TURN or (game.stage in CHOICES_AT and game.stage != SETUP)
    return game.seat.colour if deciding else None
