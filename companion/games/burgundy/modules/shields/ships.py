"""Shield 5: with each ship all goods of one kind from all six depots as well (S916)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...rules.abilities import DICE
from ...rules.decision import Decision, Effect
from ...rules.decisions import Skip
from ...rules.decisions.payment import effect_missing, open_effect, use_effect
from ...rules.events import Event
from ...rules.gains import gain_goods
from ...rules.hooks import Hooks
from ...rules.moves import Move, parse_number
from ...rules.observation import VisibleChange
from ...rules.reason import Reason
from ...rules.state import GameState, Pending, Player
from ...rules.tiles import EMPTY, GOODS, SHIP, Tile, goods_label
from .state import holds

LOADS_MORE = 5
MORE_GOODS = "more_goods"
"""Effect of the shield, beside that of the ship."""


@dataclass(frozen=True, slots=True)
class LoadMore(Move):
    """Load all goods of a kind, wherever they lie."""

    word = "more"
    goods: int

    def __str__(self) -> str:
        return f"more {self.goods}"


EFFECT = Effect((LoadMore, Skip))


class LoadMoreDecision(Decision[LoadMore]):
    move = LoadMore

    def parse(self, words: list[str]) -> LoadMore:
        (kind,) = words
        return LoadMore(parse_number(kind))

    def by_effect(self, game: GameState, pending: Pending) -> Iterator[LoadMore]:
        return map(LoadMore, _kinds(game, game.player))

    def validate(self, game: GameState, move: LoadMore) -> Reason | None:
        if open_effect(game, move) is None:
            return effect_missing(game, move.word, could_use_die=False)
        if move.goods in _kinds(game, game.player):
            return None
        if move.goods in GOODS and _depots(game, move.goods):
            return Reason("no_room_for_goods", {"goods": move.goods, "spaces": game.edition.goods_spaces})
        return Reason("no_goods_there", {"goods": move.goods})

    def apply(self, game: GameState, move: LoadMore) -> list[Event]:
        use_effect(game, move)
        depots = _depots(game, move.goods)
        loaded = [move.goods for depot in depots for _ in range(game.depot_goods[depot - 1][move.goods])]
        for depot in depots:
            game.depot_goods[depot - 1][move.goods] = 0
        events = [Event("load", game.player.colour, data={"goods": loaded, "depots": depots})]
        gain_goods(game, game.player, loaded, events)
        return events

    def visible_changes(self, game: GameState, move: LoadMore) -> Iterator[VisibleChange]:
        for depot in _depots(game, move.goods):
            yield VisibleChange(f"depot_goods:{depot}", EMPTY, goods_label(move.goods))


def _depots(game: GameState, kind: int) -> list[int]:
    """Returns the depots with goods of a kind."""
    return [depot for depot in DICE if game.depot_goods[depot - 1][kind]]


def _kinds(game: GameState, player: Player) -> list[int]:
    """Returns the kinds of goods that lie at depots and fit: those that are stored, others while a space is free."""
    has_space = sum(count > 0 for count in player.goods) < game.edition.goods_spaces
    return [kind for kind in GOODS if _depots(game, kind) and (has_space or player.goods[kind])]


class ShipHooks(Hooks):
    """What the ship loads and what the shield adds to it share the spaces for goods, so either may come first."""

    def tile_effect(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        if placed.type == SHIP and holds(game, player, LOADS_MORE) and any(map(any, game.depot_goods)):
            game.pending.append(Pending(MORE_GOODS))
        super().tile_effect(game, player, placed, space, events)

    def open_effects(self, game: GameState) -> Sequence[Pending]:
        open_ = super().open_effects(game)
        both = game.pending[-2:]
        return both if {pending.effect for pending in both} == {SHIP, MORE_GOODS} else open_


def end_without_choice(game: GameState) -> None:
    """Ends the shield's effect, the last one that waits, where nothing is left to choose."""
    if not _kinds(game, game.player):
        game.pending.pop()
