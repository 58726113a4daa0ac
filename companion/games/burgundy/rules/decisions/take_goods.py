"""Load goods on a ship from its depots (S360-366, S649)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from ..abilities import DICE, has
from ..decision import Decision
from ..events import Event
from ..gains import gain_goods
from ..moves import Move, numbers_text, parse_numbers
from ..observation import VisibleChange
from ..reason import Reason
from ..state import GameState, Pending
from ..table_rules import POOLED
from ..tiles import EMPTY, GOODS, goods_label
from .payment import effect_missing, open_effect, use_effect


@dataclass(frozen=True, slots=True)
class TakeGoods(Move):
    """Load goods on a ship from its depots (two with monastery 5); *kinds* are those that fit."""

    word = "goods"
    depots: tuple[int, ...]
    kinds: tuple[int, ...]

    def __str__(self) -> str:
        return f"goods {numbers_text(self.depots)} {numbers_text(self.kinds)}"


class TakeGoodsDecision(Decision[TakeGoods]):
    move = TakeGoods

    def parse(self, words: list[str]) -> TakeGoods:
        return TakeGoods(parse_numbers(words[0]), parse_numbers(words[1]))

    def by_effect(self, game: GameState, pending: Pending) -> Iterator[TakeGoods]:
        return _loads(game)

    def validate(self, game: GameState, move: TakeGoods) -> Reason | None:
        if open_effect(game, move) is None:
            return effect_missing(game, move.word, could_use_die=False)
        if move in set(_loads(game)):
            return None
        if any(d not in DICE for d in move.depots):
            return Reason("no_such_depot")
        return Reason("goods_do_not_fit", {"spaces": game.edition.goods_spaces})

    def apply(self, game: GameState, move: TakeGoods) -> list[Event]:
        use_effect(game, move)
        player, there = game.player, [game.depot_goods[depot - 1] for depot in move.depots]
        loaded = [kind for kind in GOODS if kind in move.kinds for goods in there for _ in range(goods[kind])]
        for goods in there:
            for kind in move.kinds:
                goods[kind] = 0
        events = [Event("load", player.colour, data={"goods": loaded, "depots": list(move.depots)})]
        gain_goods(game, player, loaded, events)
        return events

    def visible_changes(self, game: GameState, move: TakeGoods) -> Iterator[VisibleChange]:
        for depot in move.depots:
            for kind in move.kinds:
                if game.depot_goods[depot - 1][kind]:
                    yield VisibleChange(f"depot_goods:{depot}", EMPTY, goods_label(kind))


def _loads(game: GameState) -> Iterator[TakeGoods]:
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
