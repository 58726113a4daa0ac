"""Everything that can neither appear nor disappear in a game of Burgundy, wherever it is."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Protocol, runtime_checkable

from companion.games.burgundy.modules.chateauma import Chateauma
from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.tiles import GOODS, goods_label


@runtime_checkable
class HasComponents(Protocol):
    """The state of a module that has tiles of its own."""

    def components(self) -> Counter[str]:
        """Returns its tiles that are neither in supply and box nor on the table."""
        ...


def components(game: GameState) -> Counter[str]:
    """Returns every tile and goods tile, wherever it is; what nobody has looked at counts as supply."""
    there: Counter[str] = Counter()
    for pile in (game.supply, game.box):
        for t, count in pile.items():
            there[t.label] += count
    on_table = chain(
        *game.depots,
        game.black,
        *(side.spaces for side in game.player_sides),
        *(p.storage for p in game.players),
    )
    there.update(t.label for t in on_table if t is not None)
    there.update(pending.incoming for pending in game.pending if pending.incoming)
    for kind in GOODS:
        stacks = [
            game.goods_supply,
            *game.depot_goods,
            *(stack for side in game.sides for stack in (side.goods, side.sold)),
        ]
        there[goods_label(kind)] += sum(stack[kind] for stack in stacks) + game.round_goods.count(kind)
    for seat in game.seats:
        if isinstance(seat, Chateauma):
            there.update(t.label for t in (*seat.stored, *seat.jokers, *chain(*seat.duchy.values())))
            there.update(
                placed.tile.label
                for card in seat.cards
                if card
                for placed in card.tiles
                if placed is not None
            )
    for added in game.module_states.values():
        if isinstance(added, HasComponents):
            there += added.components()
    return +there
