"""Chance at set-up: the goods that a player was dealt (S241)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from ..decision import ChanceEvent, Rng
from ..events import Event
from ..moves import Move, numbers_text, parse_numbers
from ..observation import ExpectedLayout
from ..phases import START_GOODS, begin_when_set_up
from ..reason import Reason
from ..state import SETUP, GameState, Player, Seat
from ..supply import goods_in_bag, take_from, validate_goods_drawn
from ..tiles import CASTLE, EMPTY, GOODS, goods_kind, goods_label
from .start_castle import StartCastle


@dataclass(frozen=True, slots=True)
class StartGoods(Move):
    """Chance at set-up: the goods that a player was dealt, all at once or one by one."""

    word = "start-goods"
    player: str
    goods: tuple[int, ...]

    def __str__(self) -> str:
        return f"start-goods {self.player} {numbers_text(self.goods)}"


class StartGoodsEvent(ChanceEvent[StartGoods]):
    move = StartGoods
    stages = (SETUP,)

    def parse(self, words: list[str]) -> StartGoods:
        return StartGoods(words[0], parse_numbers(words[1]))

    def validate(self, game: GameState, move: StartGoods) -> Reason | None:
        player = game.person(move.player)
        if player is None:
            return Reason("no_such_player", {"expected": [player.colour for player in game.players]})
        missing = START_GOODS - sum(player.goods)
        if not missing:
            return Reason("goods_already_dealt", {"player": move.player})
        if not 1 <= len(move.goods) <= missing:
            return Reason("wrong_goods_count", {"expected": missing, "given": len(move.goods)})
        return validate_goods_drawn(game, move.goods)

    def apply(self, game: GameState, move: StartGoods) -> list[Event]:
        """Gives the player the goods, stacked by kind (S241)."""
        player = game.player_of(move.player)
        for kind in move.goods:
            game.goods_supply[kind] -= 1
            player.goods[kind] += 1
        begin_when_set_up(game)
        return [Event("start_goods", player.colour, data={"goods": list(move.goods)})]

    def sample(self, game: GameState, seat: Seat, rng: Rng) -> StartGoods | None:
        missing = START_GOODS - sum(seat.goods) if isinstance(seat, Player) else 0
        if not missing:
            return None
        bag = goods_in_bag(game)
        return StartGoods(seat.colour, tuple(sorted(take_from(bag, rng) for _ in range(missing))))

    def expected_layouts(self, game: GameState) -> Iterator[ExpectedLayout]:
        """Yields each player's starting castle and goods, as far as the state does not contain them yet."""
        for player in game.player_sides:
            if not game.hooks.is_set_up(player):
                yield _start_layout(game, player)


def _start_layout(game: GameState, player: Player) -> ExpectedLayout:
    castles = [] if player.occupied else [s.index for s in player.duchy.spaces if s.tile_type == CASTLE]
    known = Counter({kind: player.goods[kind] for kind in GOODS if player.goods[kind]})
    spots = 0 if known.total() == START_GOODS else game.edition.goods_spaces
    goods = [goods_label(kind) for kind in GOODS if game.goods_supply[kind] or known[kind]]
    places: list[tuple[str, tuple[str, ...]]]
    places = [(f"duchy:{player.colour}:{i}", (EMPTY, CASTLE)) for i in castles]
    places += [(f"goods:{player.colour}:{i}", (EMPTY, *goods)) for i in range(spots)]

    def moves_for(labels: tuple[str, ...]) -> Iterator[tuple[Move, ...]]:
        built = [i for i, label in zip(castles, labels, strict=False) if label == CASTLE]
        if castles and len(built) != 1:
            return
        castle = tuple(StartCastle(player.colour, space) for space in built)
        for dealt in _goods_dealt(labels[len(castles) :], known) if spots else [()]:
            yield castle + ((StartGoods(player.colour, dealt),) if dealt else ())

    return ExpectedLayout("start", player.colour, tuple(places), moves_for)


def _goods_dealt(labels: tuple[str, ...], known: Counter[int]) -> Iterator[tuple[int, ...]]:
    """Yields the goods that may have been dealt beside those *known*, given the labels of the stacks.

    Equal goods are stacked (S241), so the height of each stack remains open.
    """
    stacks = sorted(goods_kind(label) for label in labels if label != EMPTY)
    if not stacks or len(set(stacks)) != len(stacks):
        return
    for more in combinations_with_replacement(stacks, START_GOODS - len(stacks)):
        owned = Counter((*stacks, *more))
        if known <= owned:
            yield tuple(sorted((owned - known).elements()))
