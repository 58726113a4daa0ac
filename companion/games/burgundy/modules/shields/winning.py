"""Take a shield: with a pair of dice (S902-904), or as a castle's action with shield 11 (S922)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...rules.abilities import DICE
from ...rules.decision import Decision
from ...rules.decisions.payment import (
    MOST_MOVES_CACHED,
    NO_WORKERS,
    effect_missing,
    open_effect,
    use_effect,
)
from ...rules.events import Event
from ...rules.moves import (
    InvalidMoveError,
    Move,
    numbers_text,
    parse_number,
    parse_numbers,
    parse_payment,
    payment_text,
)
from ...rules.observation import VisibleChange
from ...rules.reason import Reason
from ...rules.state import DICE_PER_PLAYER, GameState, Pending
from ...rules.tiles import CASTLE, EMPTY
from .setting_up import GROUP
from .state import castles, holds, lacks, look_of, put_on_castle, shields

FETCHES_SHIELD = 11
"""The shield with which a castle's action may be to take another one (S922)."""


@dataclass(frozen=True, slots=True)
class TakeShield(Move):
    """Take a shield from a depot for one's castle on a space."""

    word = "shield"
    number: int
    depot: int
    space: int
    dice: tuple[int, ...] = ()
    """Dice that make the pair, the smaller first: both, the one beside that which shield 16 turns, or none."""
    workers: int = 0

    def __str__(self) -> str:
        dice = f" dice {numbers_text(self.dice)}" if self.dice else ""
        return f"shield {self.number} {self.depot} {self.space}{dice}{payment_text(None, self.workers)}"


class TakeShieldDecision(Decision[TakeShield]):
    move = TakeShield

    def parse(self, words: list[str]) -> TakeShield:
        number, depot, space, *rest = words
        dice: tuple[int, ...] = ()
        if rest[:1] == ["dice"]:
            dice, rest = parse_numbers(rest[1]), rest[2:]
        die, workers = parse_payment(rest)
        if die is not None:
            raise ValueError(rest[0])
        return TakeShield(parse_number(number), parse_number(depot), parse_number(space), dice, workers)

    def short(self, game: GameState, move: TakeShield) -> str:
        return f"shield {move.number} {game.player.duchy.spaces[move.space].name}"

    def parse_short(self, game: GameState, words: list[str]) -> TakeShield:
        number, name = words
        space = game.player.duchy.space(name).index
        moves = self.by_effect(game, game.pending[-1]) if game.pending else self.choices(game)
        requested = parse_number(number), space
        found = next((move for move in moves if (move.number, move.space) == requested), None)
        return found or _with_all_dice(game, *requested)

    def choices(self, game: GameState) -> Sequence[TakeShield]:
        player = game.player
        if len(player.dice) < DICE_PER_PLAYER:
            return ()
        one, other = player.dice
        # A pair takes at least the workers that make one die the other: mostly more than there are.
        if game.hooks.worker_costs(game, player, None)[one][other] > player.workers:
            return ()
        return _with_dice(game, (one, other) if one < other else (other, one))

    def by_effect(self, game: GameState, pending: Pending) -> Sequence[TakeShield]:
        if pending.effect == CASTLE:
            return _with_dice(game, ()) if holds(game, game.player, FETCHES_SHIELD) else ()
        return _with_dice(game, tuple(game.player.dice)) if game.player.dice else ()

    def reason_against_effect(self, game: GameState, pending: Pending, move: TakeShield) -> Reason | None:
        if pending.effect == CASTLE:
            return lacks(game, FETCHES_SHIELD) or _reason_against_dice(game, move, ())
        if not game.player.dice:
            return Reason("pair_needs_both_dice", {"dice": []})
        return _reason_against_dice(game, move, tuple(game.player.dice))

    def validate(self, game: GameState, move: TakeShield) -> Reason | None:
        if move.depot not in DICE:
            return Reason("no_such_depot")
        if move.number not in shields(game).at(move.depot):
            return Reason("shield_not_there", {"number": move.number, "depot": move.depot})
        if move.space not in castles(game.player):
            return Reason("no_castle_there")
        if pending := open_effect(game, move):
            return self.reason_against_effect(game, pending, move)
        if game.pending:
            return effect_missing(game, move.word, could_use_die=False)
        if len(game.player.dice) < DICE_PER_PLAYER:
            return Reason("pair_needs_both_dice", {"dice": list(game.player.dice)})
        return _reason_against_dice(game, move, tuple(sorted(game.player.dice)))

    def apply(self, game: GameState, move: TakeShield) -> list[Event]:
        player, state = game.player, shields(game)
        if game.pending:
            use_effect(game, move)
        for die in move.dice:
            player.dice.remove(die)
        player.workers -= move.workers
        state.take_from(move.depot, move.number)
        data = {"number": move.number, "depot": move.depot, "space": move.space}
        events = [Event("take_shield", player.colour, data=data)]
        put_on_castle(game, player, move.space, move.number, events)
        return events

    def visible_changes(self, game: GameState, move: TakeShield) -> Iterator[VisibleChange]:
        yield VisibleChange(f"{GROUP}:{move.depot}:{_place(game, move)}", EMPTY)
        yield VisibleChange(f"duchy:{game.seat.side.colour}:{move.space}", look_of(move.number))


_take_shield = lru_cache(maxsize=MOST_MOVES_CACHED)(TakeShield)


def _with_all_dice(game: GameState, number: int, space: int) -> TakeShield:
    """Returns the move by which a shield is taken with all dice that are left, whether or not that is legal."""
    depot = next((depot for depot in DICE if number in shields(game).at(depot)), None)
    if depot is None:
        raise InvalidMoveError(f"shield {number} lies at none of the depots")
    dice = tuple(sorted(game.player.dice))
    return TakeShield(number, depot, space, dice, _workers(game, dice)[depot])


def _place(game: GameState, move: TakeShield) -> int:
    return shields(game).depots[move.depot - 1].index(move.number)


def _with_dice(game: GameState, dice: tuple[int, ...]) -> list[TakeShield]:
    """Returns every shield that these dice pay for, for every castle."""
    player = game.player
    payable = _payable(shields(game).depots, _workers(game, dice), player.workers)
    if not payable:  # as in most turns
        return []
    return [
        _take_shield(number, depot, space, dice, needed)
        for space in castles(player)
        for number, depot, needed in payable
    ]


@lru_cache(maxsize=MOST_MOVES_CACHED)  # asked at every turn, while shields seldom move
def _payable(
    depots: Sequence[Sequence[int | None]], needed: Sequence[int], workers: int
) -> list[tuple[int, int, int]]:
    """Returns the number of each shield for which *workers* are enough, its depot, and those *needed* there."""
    return [
        (number, depot, needed[depot])
        for depot, places in enumerate(depots, 1)
        if needed[depot] <= workers
        for number in places
        if number is not None
    ]


def _workers(game: GameState, dice: tuple[int, ...]) -> Sequence[int]:
    """Returns by depot the workers that change all *dice* to its number (S904); index 0 is not used."""
    if not dice:
        return NO_WORKERS
    costs = game.hooks.worker_costs(game, game.player, None)
    return _sums(tuple([costs[die] for die in dice]))


@lru_cache(maxsize=MOST_MOVES_CACHED)
def _sums(costs: tuple[Sequence[int], ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*costs, strict=True)))


def _reason_against_dice(game: GameState, move: TakeShield, dice: tuple[int, ...]) -> Reason | None:
    """Checks that a move is paid for by exactly these dice, and by the workers that they need."""
    if move.dice != dice:
        return Reason("no_such_pair", {"dice": list(dice)})
    needed = _workers(game, dice)[move.depot]
    data = {"value": move.depot, "needed": needed}
    if needed > game.player.workers:
        return Reason("not_enough_workers_for_pair", {**data, "workers": game.player.workers})
    return None if move.workers == needed else Reason("wrong_pair_payment", {**data, "spent": move.workers})
