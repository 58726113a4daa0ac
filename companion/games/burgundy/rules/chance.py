"""Chance events: which one a game waits for, and how to sample it. The random generator is passed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Protocol, TypeVar

from .edition import ROUNDS
from .moves import Fill, Move, Roll, StartGoods
from .phases import START_GOODS
from .state import FILL, ROLL, SETUP, GameState, Player, Seat
from .tiles import GOODS, Tile

T = TypeVar("T")


class Rng(Protocol):
    """A source of randomness, such as :class:`random.Random`."""

    def randint(self, a: int, b: int) -> int: ...

    def choice(self, seq: Sequence[T]) -> T: ...


def sample(game: GameState, rng: Rng) -> Move | None:
    """Returns the next chance event, drawn with *rng*; None if the game waits for a decision."""
    sampled = SAMPLED_AT.get(game.stage)
    return sampled(game, rng) if sampled else None


def _sample_setup(game: GameState, rng: Rng) -> Move | None:
    for seat in game.seats:
        if event := sample_setup(seat, game, rng):
            return event
    return None


@singledispatch
def sample_setup(seat: Seat, game: GameState, rng: Rng) -> Move | None:
    """Returns the next chance event of a seat's set-up; None if it needs no more."""
    raise NotImplementedError(type(seat).__name__)


@sample_setup.register
def _player_sample_setup(player: Player, game: GameState, rng: Rng) -> Move | None:
    missing = START_GOODS - sum(player.goods)
    return StartGoods(player.colour, tuple(sorted(_sample_goods(game, rng, missing)))) if missing else None


def _sample_roll(game: GameState, rng: Rng) -> Roll:
    dice = tuple((player.colour, (rng.randint(1, 6), rng.randint(1, 6))) for player in game.players)
    return Roll(dice, rng.randint(1, 6))


def _sample_goods(game: GameState, rng: Rng, count: int) -> tuple[int, ...]:
    bag = [kind for kind in GOODS for _ in range(game.goods_supply[kind])]
    return tuple(_draw(bag, rng) for _ in range(count))


def _sample_fill(game: GameState, rng: Rng) -> Fill:
    bag = [t for t, count in game.supply.items() for _ in range(count)]
    black = [t for t in bag if t.black]
    by_type = {
        tile_type: [t for t in bag if not t.black and t.type == tile_type]
        for tile_type in {t.type for t in bag}
    }
    depots = tuple(
        tuple(_draw_label(by_type.get(slot.type_in(game.phase_letter), []), rng) for slot in slots)
        for slots in game.main_board.depots
    )
    black_labels = tuple(_draw_label(black, rng, game.hidden_tiles) for _ in range(len(game.black)))
    return Fill(depots, black_labels, _sample_goods(game, rng, ROUNDS))


def _draw(bag: list[T], rng: Rng) -> T:
    drawn = rng.choice(bag)
    bag.remove(drawn)
    return drawn


def _draw_label(bag: list[Tile], rng: Rng, reserved: int = 0) -> str | None:
    """Draws a tile from the bag, but not the last *reserved*, which are elsewhere, unseen."""
    return _draw(bag, rng).label if len(bag) > reserved else None


SAMPLED_AT: dict[str, Callable[[GameState, Rng], Move | None]] = {
    SETUP: _sample_setup,
    FILL: _sample_fill,
    ROLL: _sample_roll,
}
"""Stage -> function that samples its chance event. Expansions add their own stages."""
