"""Why a move is illegal: :func:`validate` for any move or chance event; :func:`play` checks, then makes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from calibration.errors import CompanionError

from . import corrections, overrides
from .abilities import DICE, FREE_STEP_WHEN_PLACING, FREE_STEP_WHEN_TAKING, worker_costs
from .edition import OUTPOST, RECOVER, ROUNDS
from .effects import TAKEN_BY, apply
from .events import Event
from .legality import (
    ANY_TYPE,
    loads,
    open_spaces,
    reason_against_castle_action,
    reason_against_purchase,
    repeats_building,
    storage_full,
    types_sold,
    unconnected_castle_spaces,
)
from .moves import (
    BLACK_DEPOT,
    Adjust,
    Buy,
    Discard,
    EndTurn,
    Fill,
    InvalidMoveError,
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
    parse_move,
)
from .phases import START_GOODS
from .reason import Reason
from .state import DISCARD, FILL, ROLL, SETUP, TURN, GameState, Player
from .table_rules import LOSE, OPTIONAL
from .tiles import BLACK_BACK, CASTLE, GOODS, LABELS, SHIP, TOWN_HALL, WAREHOUSE, Tile, tile


class IllegalMoveError(CompanionError, ValueError):
    """The move cannot be made now."""

    def __init__(self, move: Move, reason: Reason) -> None:
        super().__init__(f"illegal move {str(move)!r}: {reason.code} {dict(reason.data)}")
        self.move = move
        self.reason = reason


def play(game: GameState, move: Move) -> list[Event]:
    """Makes *move* after checking it; returns its events.

    :raises IllegalMoveError: if it is illegal; the game is unchanged then.
    """
    if reason := validate(game, move):
        raise IllegalMoveError(move, reason)
    return apply(game, move)


def validate(game: GameState, move: Move) -> Reason | None:
    """Returns the first reason why *move* is illegal; None if it is legal."""
    if reason := _validate_form(move):
        return reason
    if isinstance(move, Override | Adjust):
        return VALIDATORS[type(move)](game, move)
    if game.stage not in STAGES_OF.get(type(move), (TURN,)):
        return Reason("wrong_stage", {"stage": game.stage, "move": move.word})
    return VALIDATORS[type(move)](game, move)


def _validate_form(move: Move) -> Reason | None:
    """Checks what no notation can express but a hand-made move may hold: unknown tiles, three dice, no space."""
    if type(move) not in VALIDATORS:
        return Reason("not_a_move")
    for label in _labels(move):
        if label not in LABELS:
            return Reason("no_such_tile", {"label": str(label)})
    return None if isinstance(move, Fill) or _can_be_written(move) else Reason("not_a_move")


def _can_be_written(move: Move) -> bool:
    try:
        return parse_move(str(move)) == move
    except (InvalidMoveError, TypeError):
        return False


def _labels(move: Move) -> Iterable[str]:
    """Returns the labels of the tiles that a move names."""
    if isinstance(move, Fill):
        return (label for labels in (*move.depots, move.black) for label in labels if label is not None)
    return (move.tile,) if isinstance(move, Take | Place | Buy | Discard) else ()


def _validate_effect(game: GameState, move: Move, effects: Collection[str]) -> Reason | None:
    """Checks that a move without a die has an open effect of one of these kinds."""
    if not game.pending:
        data = {"move": move.word}
        return Reason("needs_die", data) if hasattr(move, "die") else Reason("no_effect", data)
    if (effect := game.pending[-1].effect) not in effects:
        return Reason("other_choice_first", {"effect": effect, "move": move.word})
    return None


def _validate_die(game: GameState, die: int) -> Reason | None:
    if game.pending:
        return Reason("other_choice_first", {"effect": game.pending[-1].effect, "move": "die"})
    if die not in game.player.dice:
        return Reason("no_such_die", {"die": die, "dice": list(game.player.dice)})
    return None


def _validate_payment(
    game: GameState, move: Take | Place | Sell, value: int, free_by: int | None
) -> Reason | None:
    """Checks that changing the die to *value* costs exactly the workers that the move spends, and that they exist."""
    if move.die is None:
        return None if move.workers == 0 else Reason("workers_without_die")
    player = game.player
    needed = worker_costs(game.rules, player.monasteries, free_by)[move.die][value]
    data = {"die": move.die, "value": value, "needed": needed}
    if needed > player.workers:
        return Reason("not_enough_workers", {**data, "workers": player.workers})
    if needed != move.workers:
        return Reason("wrong_payment", {**data, "spent": move.workers})
    return None


def _validate_take(game: GameState, move: Take) -> Reason | None:
    if move.depot not in DICE:
        return Reason("no_such_depot")
    if move.die is None:
        if reason := _validate_effect(game, move, (CASTLE, *TAKEN_BY)):
            return reason
        effect = game.pending[-1].effect
        types: Collection[str] = TAKEN_BY.get(effect, ANY_TYPE)
    else:
        if reason := _validate_die(game, move.die):
            return reason
        effect, types = "", ANY_TYPE
    if reason := _validate_tile_at(game.depots[move.depot - 1], move):
        return reason
    if tile(move.tile).type not in types:
        return Reason("not_for_this_building", {"tile": move.tile, "effect": effect})
    if effect in TAKEN_BY and storage_full(game) and game.rules.full_storage_effect == LOSE:
        return Reason("effect_lost", {"effect": effect})
    return _validate_payment(game, move, move.depot, FREE_STEP_WHEN_TAKING)


def _validate_tile_at(depot: list[Tile | None], move: Take | Buy) -> Reason | None:
    there = depot[move.slot] if 0 <= move.slot < len(depot) else None
    if there is None or there.label != move.tile:
        return Reason("tile_not_there", {"tile": move.tile, "depot": move.depot, "number": move.slot + 1})
    return None


def _validate_place(game: GameState, move: Place) -> Reason | None:
    player = game.player
    if move.die is None:
        if reason := _validate_effect(game, move, (CASTLE, TOWN_HALL)):
            return reason
    elif reason := _validate_die(game, move.die):
        return reason
    stored = next((t for t in player.storage if t.label == move.tile), None)
    if stored is None:
        return Reason("tile_not_stored", {"tile": move.tile})
    if not 0 <= move.space < len(player.spaces):
        return Reason("no_such_space")
    space = player.duchy.spaces[move.space]
    if player.spaces[move.space] is not None:
        return Reason("space_taken")
    if space.tile_type != stored.type:
        return Reason("wrong_colour", {"tile": move.tile, "colour": space.tile_type})
    if not player.frontier >> move.space & 1:
        return Reason("not_adjacent")
    if not open_spaces(game, player, stored.type) >> move.space & 1:
        return Reason("not_linked", {"colour": stored.type})
    if repeats_building(player, stored, move.space):
        return Reason("building_twice", {"tile": move.tile})
    return _validate_payment(game, move, space.die, FREE_STEP_WHEN_PLACING[stored.type])


def _validate_sell(game: GameState, move: Sell) -> Reason | None:
    if move.die is None:
        if reason := _validate_effect(game, move, (CASTLE, WAREHOUSE)):
            return reason
    elif reason := _validate_die(game, move.die):
        return reason
    if move.goods not in GOODS or not game.player.goods[move.goods]:
        return Reason("no_such_goods", {"goods": move.goods})
    return _validate_payment(game, move, move.goods, None)


def _validate_take_workers(game: GameState, move: TakeWorkers) -> Reason | None:
    if move.die is None:
        return _validate_effect(game, move, (CASTLE,))
    return _validate_die(game, move.die)


def _validate_buy(game: GameState, move: Buy) -> Reason | None:
    if move.depot not in (BLACK_DEPOT, *DICE):
        return Reason("no_such_depot")
    if reason := reason_against_purchase(game, move.depot):
        return reason
    depot = game.black if move.depot == BLACK_DEPOT else game.depots[move.depot - 1]
    if reason := _validate_tile_at(depot, move):
        return reason
    if move.depot != BLACK_DEPOT and tile(move.tile).type not in types_sold(game):
        return Reason("not_for_this_building", {"tile": move.tile, "effect": "monastery_6"})
    return None


def _validate_recover(game: GameState, move: Recover) -> Reason | None:
    return _validate_with_pending(game, move) or reason_against_castle_action(game, RECOVER)


def _validate_outpost(game: GameState, move: Outpost) -> Reason | None:
    if reason := _validate_with_pending(game, move) or reason_against_castle_action(game, OUTPOST):
        return reason
    if reason := _validate_castle_on(game.player, move.space):
        return reason
    if game.player.spaces[move.space] is not None:
        return Reason("space_taken")
    if not unconnected_castle_spaces(game.player) >> move.space & 1:
        return Reason("is_adjacent")
    return None


def _validate_castle_on(player: Player, space: int) -> Reason | None:
    """Checks that there is such a space, and that castles go there."""
    if not 0 <= space < len(player.spaces):
        return Reason("no_such_space")
    tile_type = player.duchy.spaces[space].tile_type
    return None if tile_type == CASTLE else Reason("wrong_colour", {"tile": CASTLE, "colour": tile_type})


def _validate_take_goods(game: GameState, move: TakeGoods) -> Reason | None:
    if reason := _validate_effect(game, move, (SHIP,)):
        return reason
    if move in set(loads(game)):
        return None
    if any(d not in DICE for d in move.depots):
        return Reason("no_such_depot")
    return Reason("goods_do_not_fit", {"spaces": game.edition.goods_spaces})


def _validate_discard(game: GameState, move: Discard) -> Reason | None:
    if reason := _validate_effect(game, move, (DISCARD,)):
        return reason
    if all(t.label != move.tile for t in game.player.storage):
        return Reason("tile_not_stored", {"tile": move.tile})
    return None


def _validate_skip(game: GameState, move: Skip) -> Reason | None:
    if not game.pending:
        return Reason("no_effect", {"move": move.word})
    effect = game.pending[-1].effect
    if effect in (SHIP, DISCARD):
        return Reason("no_passing", {"effect": effect})
    if effect == CASTLE and game.rules.castle_action != OPTIONAL:
        return Reason("must_be_used", {"effect": CASTLE})
    return None


def _validate_with_pending(game: GameState, move: Move) -> Reason | None:
    """Checks that no choice is open, which has to be made first."""
    if game.pending:
        return Reason("other_choice_first", {"effect": game.pending[-1].effect, "move": move.word})
    return None


def _validate_start_castle(game: GameState, move: StartCastle) -> Reason | None:
    player = _player(game, move.player)
    if player is None:
        return Reason("no_such_player", {"expected": _colours(game)})
    if player.occupied:
        return Reason("castle_already_placed", {"player": move.player})
    return _validate_castle_on(player, move.space)


def _player(game: GameState, colour: str) -> Player | None:
    return next((p for p in game.players if p.colour == colour), None)


def _colours(game: GameState) -> list[str]:
    return [player.colour for player in game.players]


def _validate_start_goods(game: GameState, move: StartGoods) -> Reason | None:
    player = _player(game, move.player)
    if player is None:
        return Reason("no_such_player", {"expected": _colours(game)})
    missing = START_GOODS - sum(player.goods)
    if not missing:
        return Reason("goods_already_dealt", {"player": move.player})
    if not 1 <= len(move.goods) <= missing:
        return Reason("wrong_goods_count", {"expected": missing, "given": len(move.goods)})
    return _validate_goods_drawn(game, move.goods)


def _validate_goods_drawn(game: GameState, goods: tuple[int, ...]) -> Reason | None:
    for kind, count in Counter(goods).items():
        left = game.goods_supply[kind] if kind in GOODS else 0
        if count > left:
            return Reason("goods_not_in_supply", {"goods": kind, "given": count, "left": left})
    return None


def _validate_fill(game: GameState, move: Fill) -> Reason | None:
    board = game.main_board
    if len(move.depots) != len(board.depots):
        return Reason("wrong_depot_count", {"expected": len(board.depots), "given": len(move.depots)})
    for number, (labels, slots) in enumerate(zip(move.depots, board.depots, strict=True), 1):
        if len(labels) != len(slots):
            return _wrong_space_count(number, len(slots), len(labels))
        for label, slot in zip(labels, slots, strict=True):
            tile_type = slot.type_in(game.phase_letter)
            if label is not None and tile(label).type != tile_type:
                return Reason("wrong_slot_colour", {"tile": label, "depot": number, "colour": tile_type})
    if len(move.black) != len(game.black):
        return _wrong_space_count(BLACK_DEPOT, len(game.black), len(move.black))
    if len(move.goods) != ROUNDS:
        return Reason("wrong_goods_count", {"expected": ROUNDS, "given": len(move.goods)})
    drawn = Counter(tile(label) for depot in move.depots for label in depot if label is not None)
    drawn += Counter(tile(label, True) for label in move.black if label is not None)
    for t, count in drawn.items():
        left = game.supply.get(t, 0)
        if count > left:
            data = {
                "tile": t.label,
                "colour": BLACK_BACK if t.black else t.type,
                "given": count,
                "left": left,
            }
            return Reason("tile_not_in_supply", data)
    return _validate_unfilled(game, move, drawn) or _validate_goods_drawn(game, move.goods)


def _wrong_space_count(depot: int, expected: int, given: int) -> Reason:
    return Reason("wrong_space_count", {"depot": depot, "expected": expected, "given": given})


def _validate_unfilled(game: GameState, move: Fill, drawn: Counter[Tile]) -> Reason | None:
    """Checks that a slot stays empty only if its supply has run out."""
    for number, (labels, slots) in enumerate(zip(move.depots, game.main_board.depots, strict=True), 1):
        for label, slot in zip(labels, slots, strict=True):
            tile_type = slot.type_in(game.phase_letter)
            left = sum(n - drawn[t] for t, n in game.supply.items() if not t.black and t.type == tile_type)
            if label is None and left > 0:
                return Reason("slot_empty", {"depot": number, "colour": tile_type})
    left = sum(n - drawn[t] for t, n in game.supply.items() if t.black) - game.hidden_tiles
    if None in move.black and left > 0:
        return Reason("slot_empty", {"depot": BLACK_DEPOT, "colour": BLACK_BACK})
    return None


def _validate_roll(game: GameState, move: Roll) -> Reason | None:
    expected = _colours(game)
    if [colour for colour, _ in move.dice] != expected:
        return Reason("wrong_players", {"expected": expected})
    values = [move.white, *(v for _, dice in move.dice for v in dice)]
    if wrong := [v for v in values if v not in DICE]:
        return Reason("no_such_value", {"value": wrong[0]})
    return None


# --- what the current player may want to do ---------------------------------------------------------------


def illegal_moves_at(game: GameState, place: str) -> Iterator[tuple[Move, Reason]]:
    """Yields what the current player may want to do at a place of the table but cannot, with the reasons.

    Places are named as in a sighting (:mod:`.observation`). Of an action that several dice could pay for, only the
    cheapest is yielded.
    """
    if game.stage != TURN:
        return
    for ways in _actions_at(game, place.split(":")):
        reasons = [validate(game, move) for move in ways]
        if ways and None not in reasons:
            yield min(
                zip(ways, filter(None, reasons), strict=True), key=lambda way: getattr(way[0], "workers", 0)
            )


def _actions_at(game: GameState, place: list[str]) -> Iterator[list[Move]]:
    """Yields the ways to take each action there: with an open effect, else with any die."""
    player = game.player
    match place:
        case ["duchy", colour, index] if colour == player.colour and player.spaces[int(index)] is None:
            space = player.duchy.spaces[int(index)]
            for stored in {t.label: t for t in player.storage}.values():
                ways = _payments(game, space.die, FREE_STEP_WHEN_PLACING[stored.type])
                yield [Place(stored.label, space.index, *payment) for payment in ways]
        case ["depot", number, slot] if (there := game.depots[int(number) - 1][int(slot)]) is not None:
            ways = _payments(game, int(number), FREE_STEP_WHEN_TAKING)
            yield [Take(there.label, int(number), int(slot), *payment) for payment in ways]
        case ["black", slot] if (there := game.black[int(slot)]) is not None:
            yield [Buy(there.label, BLACK_DEPOT, int(slot))]


def _payments(game: GameState, value: int, free_by: int | None) -> list[tuple[int | None, int]]:
    """Returns die and workers of every way to pay for a value; if all dice are used, of a die with that value."""
    if game.pending:
        return [(None, 0)]
    costs = worker_costs(game.rules, game.player.monasteries, free_by)
    return [(die, costs[die][value]) for die in game.player.dice or [value]]


STAGES_OF: dict[type, tuple[str, ...]] = {
    StartCastle: (SETUP,),
    StartGoods: (SETUP,),
    Fill: (FILL,),
    Roll: (ROLL,),
}
"""Type of move -> its stages, if they are not a person's turn."""

VALIDATORS: dict[type, Callable[[GameState, Any], Reason | None]] = {
    Take: _validate_take,
    Place: _validate_place,
    Sell: _validate_sell,
    TakeWorkers: _validate_take_workers,
    TakeGoods: _validate_take_goods,
    Buy: _validate_buy,
    Discard: _validate_discard,
    Skip: _validate_skip,
    Recover: _validate_recover,
    Outpost: _validate_outpost,
    EndTurn: _validate_with_pending,
    StartCastle: _validate_start_castle,
    StartGoods: _validate_start_goods,
    Fill: _validate_fill,
    Roll: _validate_roll,
    Override: overrides.validate,
    Adjust: corrections.validate,
}
"""Type of move -> validator at its stage. Expansions add their own moves to both tables."""
