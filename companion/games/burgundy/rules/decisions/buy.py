"""Buy a tile: from the black depot for silver (S578-582), or from a numbered depot by monastery 6 (S650)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ..abilities import DICE, has
from ..decision import Decision
from ..events import Event
from ..moves import BLACK_DEPOT, Move, parse_slot, parse_tile
from ..notation import word_of
from ..observation import VisibleChange
from ..purchases import can_pay, has_room, reason_against_purchase, types_sold
from ..reason import Reason
from ..state import GameState
from ..storage import receive
from ..tiles import tile
from .depots import depot_text, parse_source, removal, take_out, tiles_in, validate_tile_at


@dataclass(frozen=True, slots=True)
class Buy(Move):
    """Buy a tile: from the black depot for silver, or from a numbered depot by monastery 6."""

    word = "buy"
    tile: str
    depot: int
    slot: int

    def __str__(self) -> str:
        return f"buy {self.tile} {self.depot}.{self.slot}"

    def labels(self) -> tuple[str]:
        return (self.tile,)


class BuyDecision(Decision[Buy]):
    move = Buy
    interrupts = True

    def parse(self, words: list[str]) -> Buy:
        return Buy(parse_tile(words[0]), *parse_slot(words[1]))

    def short(self, game: GameState, move: Buy) -> str:
        return f"buy {depot_text(game, move.tile, move.depot, move.slot)} {word_of(move.tile)}"

    def parse_short(self, game: GameState, words: list[str]) -> Buy:
        where, word = words
        return Buy(*parse_source(game, where, word))

    def choices(self, game: GameState) -> Iterator[Buy]:
        if _is_possible(game, BLACK_DEPOT):
            yield from _for_sale(game, BLACK_DEPOT)
        # Monastery 6 opens all numbered depots alike.
        if has(game.player.monasteries, 6) and _is_possible(game, DICE[0]):
            types = types_sold(game)
            for depot in DICE:
                yield from _for_sale(game, depot, types)

    def validate(self, game: GameState, move: Buy) -> Reason | None:
        if move.depot not in (BLACK_DEPOT, *DICE):
            return Reason("no_such_depot")
        if reason := reason_against_purchase(game, move.depot) or validate_tile_at(
            game, move.tile, move.depot, move.slot
        ):
            return reason
        if not has_room(game, tile(move.tile)):
            return Reason("storage_full")
        if move.depot != BLACK_DEPOT and tile(move.tile).type not in types_sold(game):
            return Reason("not_for_this_building", {"tile": move.tile, "effect": "monastery_6"})
        return None

    def apply(self, game: GameState, move: Buy) -> list[Event]:
        player = game.player
        bought = take_out(game, move.depot, move.slot)
        if move.depot == BLACK_DEPOT or game.edition.building_price_workers is None:
            player.silver -= game.edition.silver_price
            game.bought = True
        else:
            player.workers -= game.edition.building_price_workers
            game.monastery_6_used = True
        receive(game, bought)
        return [Event("buy", player.colour, data={"tile": bought.label, "depot": move.depot})]

    def visible_changes(self, game: GameState, move: Buy) -> Iterator[VisibleChange]:
        yield removal(game, move.depot, move.slot)


def _is_possible(game: GameState, depot: int) -> bool:
    # Asked at every decision, and most often the money is lacking.
    return can_pay(game, depot) and reason_against_purchase(game, depot) is None


def _for_sale(game: GameState, depot: int, types: Collection[str] | None = None) -> Iterator[Buy]:
    """Yields the purchases from a depot: of these *types*, or of any, also one that no space is printed for."""
    for slot, there in enumerate(tiles_in(game, depot)):
        if there is not None and (types is None or there.type in types) and has_room(game, there):
            yield Buy(there.label, depot, slot)
