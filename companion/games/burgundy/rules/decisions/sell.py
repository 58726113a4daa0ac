"""Sell all goods of one kind (S563-568)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from ..abilities import has
from ..decision import Decision
from ..events import Event
from ..moves import Move, parse_number, parse_payment, payment_text
from ..observation import VisibleChange
from ..reason import Reason
from ..state import GameState, Pending
from ..tiles import EMPTY, GOODS, SHIP, Tile, goods_label
from .payment import (
    MOST_MOVES_CACHED,
    die_text,
    parse_short_payment,
    pay,
    validate_payment,
    validate_source,
    validate_workers,
    value_of,
    workers_needed,
)


@dataclass(frozen=True, slots=True)
class Sell(Move):
    """Sell all goods of one kind."""

    word = "sell"
    goods: int
    die: int | None = None
    workers: int = 0

    def __str__(self) -> str:
        return f"sell {self.goods}{payment_text(self.die, self.workers)}"


class SellDecision(Decision[Sell]):
    move = Sell

    def parse(self, words: list[str]) -> Sell:
        return Sell(parse_number(words[0]), *parse_payment(words[1:]))

    def short(self, game: GameState, move: Sell) -> str:
        return f"sell {move.goods}{die_text(move, move.goods)}"

    def parse_short(self, game: GameState, words: list[str]) -> Sell:
        kind = parse_number(words[0])
        return Sell(kind, *parse_short_payment(game, words[1:], kind, None))

    def by_die(self, game: GameState, die: int | None, pending: Pending | None = None) -> list[Sell]:
        player = game.player
        workers = workers_needed(game, player, value_of(game, pending) if pending else die, None)
        return [
            _sell(kind, die, workers[kind])
            for kind in GOODS
            if player.goods[kind] and workers[kind] <= player.workers
        ]

    def by_effect(self, game: GameState, pending: Pending) -> list[Sell]:
        return self.by_die(game, None, pending)

    def reason_against_effect(self, game: GameState, pending: Pending, move: Sell) -> Reason | None:
        if move.goods not in GOODS:
            return Reason("no_such_goods", {"goods": move.goods})
        return validate_workers(game, move, value_of(game, pending), move.goods, None)

    def validate(self, game: GameState, move: Sell) -> Reason | None:
        if reason := validate_source(game, move):
            return reason
        if move.goods not in GOODS or not game.player.goods[move.goods]:
            return Reason("no_such_goods", {"goods": move.goods})
        return validate_payment(game, move, move.goods, None)

    def apply(self, game: GameState, move: Sell) -> list[Event]:
        pay(game, move)
        return game.hooks.sell(game, game.player, move.goods)

    def visible_changes(self, game: GameState, move: Sell) -> Iterator[VisibleChange]:
        # With a ship the same kind may be loaded again before anybody looks.
        if not _may_sail(game):
            yield VisibleChange(f"goods:{game.seat.side.colour}", EMPTY, goods_label(move.goods))


_sell = lru_cache(maxsize=MOST_MOVES_CACHED)(Sell)


def _may_sail(game: GameState) -> bool:
    """Returns whether the current player may still place a ship after a sale: a stored one, or one to buy.

    A ship taken with the other die or by an effect stays in storage, because nothing is left to place it with.
    """
    within_reach: list[Tile | None] = [*game.player.storage]
    if not game.bought:
        within_reach += game.black
        if has(game.player.monasteries, 6):
            within_reach += chain(*game.depots)
    return any(t is not None and t.type == SHIP for t in within_reach)
