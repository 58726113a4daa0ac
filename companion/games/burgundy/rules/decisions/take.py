"""Take a tile from a numbered depot into storage (S334-338)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..abilities import DICE, FREE_STEP_WHEN_TAKING
from ..decision import ANY_TYPE, Decision
from ..events import Event
from ..moves import Move, parse_payment, parse_slot, parse_tile, payment_text
from ..notation import word_of
from ..observation import VisibleChange
from ..reason import Reason
from ..state import GameState, Pending
from ..storage import is_full, receive
from ..table_rules import LOSE
from ..tiles import tile
from .depots import depot_text, parse_source, removal, take_out, validate_tile_at
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
class Take(Move):
    """Take a tile from a numbered depot into storage."""

    word = "take"
    tile: str
    depot: int
    slot: int
    die: int | None = None
    workers: int = 0

    def __str__(self) -> str:
        return f"take {self.tile} {self.depot}.{self.slot}{payment_text(self.die, self.workers)}"

    def labels(self) -> tuple[str]:
        return (self.tile,)


class TakeDecision(Decision[Take]):
    move = Take

    def parse(self, words: list[str]) -> Take:
        return Take(parse_tile(words[0]), *parse_slot(words[1]), *parse_payment(words[2:]))

    def short(self, game: GameState, move: Take) -> str:
        depot = depot_text(game, move.tile, move.depot, move.slot)
        return f"take {depot} {word_of(move.tile)}{die_text(move, move.depot)}"

    def parse_short(self, game: GameState, words: list[str]) -> Take:
        label, depot, slot = parse_source(game, words[0], words[1])
        return Take(label, depot, slot, *parse_short_payment(game, words[2:], depot, FREE_STEP_WHEN_TAKING))

    def by_die(self, game: GameState, die: int | None, pending: Pending | None = None) -> list[Take]:
        player, shown, types = game.player, die, ANY_TYPE
        if pending:
            shown, types = value_of(game, pending), game.ruleset.effects[pending.effect].takes
        workers, available = workers_needed(game, player, shown, FREE_STEP_WHEN_TAKING), player.workers
        return [
            _take(there.label, number, slot, die, workers[number])
            for number, depot in enumerate(game.depots, 1)
            if workers[number] <= available
            for slot, there in enumerate(depot)
            if there is not None and there.type in types
        ]

    def by_effect(self, game: GameState, pending: Pending) -> list[Take]:
        return [move for move in self.by_die(game, None, pending) if not _is_lost(game, pending, move)]

    def reason_against_effect(self, game: GameState, pending: Pending, move: Take) -> Reason | None:
        if tile(move.tile).type not in game.ruleset.effects[pending.effect].takes:
            return Reason("not_for_this_building", {"tile": move.tile, "effect": pending.effect})
        if _is_lost(game, pending, move):
            return Reason("effect_lost", {"effect": pending.effect})
        if move.depot not in DICE:
            return Reason("no_such_depot")
        return validate_workers(game, move, value_of(game, pending), move.depot, FREE_STEP_WHEN_TAKING)

    def validate(self, game: GameState, move: Take) -> Reason | None:
        if move.depot not in DICE:
            return Reason("no_such_depot")
        if reason := validate_source(game, move) or validate_tile_at(game, move.tile, move.depot, move.slot):
            return reason
        return validate_payment(game, move, move.depot, FREE_STEP_WHEN_TAKING)

    def apply(self, game: GameState, move: Take) -> list[Event]:
        pay(game, move)
        taken = take_out(game, move.depot, move.slot)
        receive(game, taken)
        return [Event("take", game.player.colour, data={"tile": taken.label, "depot": move.depot})]

    def visible_changes(self, game: GameState, move: Take) -> Iterator[VisibleChange]:
        yield removal(game, move.depot, move.slot)


_take = lru_cache(maxsize=MOST_MOVES_CACHED)(Take)


def _is_lost(game: GameState, pending: Pending, move: Take) -> bool:
    """Returns whether a building's effect is lost because the storage has no room for the tile."""
    return (
        game.ruleset.effects[pending.effect].is_lost_without_room
        and game.rules.full_storage_effect == LOSE
        and is_full(game, game.player, tile(move.tile))
    )
