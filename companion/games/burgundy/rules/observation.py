"""What a camera can see of a game, and which moves and chance events explain what it sees.

Places are named as in a sighting: ``duchy:red:17``, ``storage:red:0``, ``depot:3:1``, ``depot_goods:3:0``,
``black:2``, ``round:4``. A *group* is the name without its last number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from itertools import chain, combinations_with_replacement
from typing import Any

from .abilities import has
from .edition import ROUNDS
from .moves import (
    BLACK_DEPOT,
    Buy,
    Fill,
    Move,
    Outpost,
    Place,
    Roll,
    Sell,
    StartCastle,
    StartGoods,
    Take,
    TakeGoods,
)
from .phases import START_GOODS, is_set_up
from .state import FILL, ROLL, SETUP, WHITE, GameState, Player, Seat
from .tiles import CASTLE, EMPTY, GOODS, SHIP, Tile, goods_kind, goods_label

GOODS_GROUPS = ("goods", "depot_goods")
UNORDERED = ("storage", *GOODS_GROUPS)
"""Groups in which things may be in any order."""
DEPOT_GOODS_SPOTS = len(GOODS)


def visible_layout(game: GameState) -> dict[str, tuple[str, ...]]:
    """Returns the labels of everything that is visible, by group."""
    groups: dict[str, tuple[str, ...]] = {}
    for seat in game.seats:
        groups |= visible_layout_of(seat, game)
    for number, depot in enumerate(game.depots, 1):
        groups[f"depot:{number}"] = tuple(EMPTY if t is None else t.label for t in depot)
        groups[f"depot_goods:{number}"] = stacks(game.depot_goods[number - 1], DEPOT_GOODS_SPOTS)
    groups["black"] = tuple(EMPTY if t is None else t.label for t in game.black)
    used = ROUNDS - len(game.round_goods)
    groups["round"] = (EMPTY,) * used + tuple(map(goods_label, game.round_goods))
    return groups


@singledispatch
def visible_layout_of(seat: Seat, game: GameState) -> dict[str, tuple[str, ...]]:
    """Returns the labels of everything visible that belongs to a seat, by group."""
    raise NotImplementedError(type(seat).__name__)


@visible_layout_of.register
def _player_visible_layout_of(player: Player, game: GameState) -> dict[str, tuple[str, ...]]:
    storage = sorted(t.label for t in player.storage)
    return {
        f"duchy:{player.colour}": tuple(EMPTY if t is None else t.label for t in player.spaces),
        f"storage:{player.colour}": padded(storage, game.edition.storage_spaces),
        f"goods:{player.colour}": stacks(player.goods, game.edition.goods_spaces),
    }


def padded(labels: list[str], length: int) -> tuple[str, ...]:
    """Returns the labels, followed by empty places up to *length*."""
    return (*labels, *[EMPTY] * (length - len(labels)))


def stacks(goods: list[int], length: int) -> tuple[str, ...]:
    """Returns one label per kind: the height of a stack is not visible."""
    return padded([goods_label(kind) for kind in GOODS if goods[kind]], length)


def dice_in_play(game: GameState) -> dict[str, int]:
    """Returns how many dice of each colour are rolled at the start of each round."""
    return {**{player.colour: 2 for player in game.players}, WHITE: 1}


@dataclass(frozen=True, slots=True)
class ExpectedRoll:
    """A roll that the game waits for."""

    dice: Callable[[GameState], dict[str, int]]
    """How many of each colour."""
    move: Callable[[GameState, Mapping[str, Sequence[int]]], Move]
    """The chance event in which they show these values, by colour."""


def _roll(game: GameState, dice: Mapping[str, Sequence[int]]) -> Roll:
    pairs = tuple((p.colour, (dice[p.colour][0], dice[p.colour][1])) for p in game.players)
    return Roll(pairs, dice[WHITE][0])


EXPECTED_ROLLS: dict[str, ExpectedRoll] = {ROLL: ExpectedRoll(dice_in_play, _roll)}
"""Stage -> the roll that it waits for. Expansions add their own stages."""


@dataclass(frozen=True, slots=True)
class VisibleChange:
    """One visible effect that a move has for the rest of the turn."""

    place: str
    """A place, or an unordered group."""
    label: str
    """Label of what is there afterwards (``empty`` for a thing removed)."""
    removed: str = ""
    """For an unordered group: the label that is no longer in it."""


def visible_changes(game: GameState, move: Move) -> Iterator[VisibleChange]:
    """Yields the visible effects of *move*, without storage, where tiles come and go within a turn."""
    match move:
        case Take(depot=depot, slot=slot):
            yield VisibleChange(f"depot:{depot}:{slot}", EMPTY)
        case Buy(depot=depot, slot=slot):
            yield VisibleChange(f"black:{slot}" if depot == BLACK_DEPOT else f"depot:{depot}:{slot}", EMPTY)
        case Place(tile=label, space=space):
            yield VisibleChange(f"duchy:{game.seat.colour}:{space}", label)
        case Outpost(space=space):
            yield VisibleChange(f"duchy:{game.seat.colour}:{space}", CASTLE)
        case Sell(goods=kind) if not _may_sail(game):
            # With a ship the same kind may be loaded again before anybody looks.
            yield VisibleChange(f"goods:{game.seat.colour}", EMPTY, goods_label(kind))
        case TakeGoods(depots=depots, kinds=kinds):
            for depot in depots:
                for kind in kinds:
                    if game.depot_goods[depot - 1][kind]:
                        yield VisibleChange(f"depot_goods:{depot}", EMPTY, goods_label(kind))


def visible_steps(game: GameState, move: Move) -> Iterator[VisibleChange]:
    """Yields what is taken and placed within *move*, in order, even if it is moved again."""
    if type(move) in STEPS_OF:
        yield from STEPS_OF[type(move)](game, move)


STEPS_OF: dict[type, Callable[[GameState, Any], Iterator[VisibleChange]]] = {}
"""Type of move that is a whole turn -> its visible steps. Expansions add their own."""


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


@dataclass(frozen=True, slots=True)
class ExpectedLayout:
    """Things on the table that the state does not contain yet, because chance or set-up brought them."""

    what: str
    player: str | None
    places: tuple[tuple[str, tuple[str, ...]], ...]
    """Places to read, each with the labels that are possible there."""
    moves_for: Callable[[tuple[str, ...]], Iterator[tuple[Move, ...]]]
    """Function from one label per place to every sequence of moves that leads to them."""
    remaining: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """How many of each label are in the supply, by kind of place (``depot``); a kind is missing if there are always
    enough."""


def expected_layouts(game: GameState) -> list[ExpectedLayout]:
    """Returns what chance or set-up puts on the table now; without rolls, because dice have no places."""
    if game.stage == SETUP:
        return [_start_layout(game, player) for player in game.players if not is_set_up(player)]
    if game.stage == FILL:
        return [_fill_layout(game)]
    return []


def _start_layout(game: GameState, player: Player) -> ExpectedLayout:
    """Returns a player's starting castle and goods, as far as the state does not contain them yet."""
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


def _fill_layout(game: GameState) -> ExpectedLayout:
    """Returns the tiles and goods that a phase begins with."""
    slot_types = {
        (number, i): slot.type_in(game.phase_letter)
        for number, depot in enumerate(game.main_board.depots, 1)
        for i, slot in enumerate(depot)
    }
    counts = Counter(slot_types.values())
    supply = {t: n for t, n in game.supply.items() if n}
    possible = {
        tile_type: _drawn({t: n for t, n in supply.items() if not t.black and t.type == tile_type}, slots)
        for tile_type, slots in counts.items()
    }
    places = [(f"depot:{number}:{i}", possible[tile_type]) for (number, i), tile_type in slot_types.items()]
    black = _drawn({t: n for t, n in supply.items() if t.black}, len(game.black) + game.hidden_tiles)
    places += [(f"black:{i}", black) for i in range(len(game.black))]
    goods = {goods_label(kind): game.goods_supply[kind] for kind in GOODS if game.goods_supply[kind]}
    places += [(f"round:{i}", tuple(goods)) for i in range(ROUNDS)]

    def moves_for(labels: tuple[str, ...]) -> Iterator[tuple[Move, ...]]:
        rest = iter(None if label == EMPTY else label for label in labels)
        depots = tuple(tuple(next(rest) for _ in depot) for depot in game.main_board.depots)
        black_labels = tuple(next(rest) for _ in range(len(game.black)))
        yield (Fill(depots, black_labels, tuple(goods_kind(str(label)) for label in rest)),)

    by_back = {
        kind: {t.label: n for t, n in supply.items() if t.black == (kind == "black")}
        for kind in ("depot", "black")
    }
    return ExpectedLayout("fill", None, tuple(places), moves_for, {**by_back, "round": goods})


def _drawn(supply: Mapping[Tile, int], slots: int) -> tuple[str, ...]:
    """Returns the labels possible on slots that are filled from a supply; some stay empty if it is too small."""
    labels = tuple(sorted({t.label for t in supply}))
    return labels if sum(supply.values()) >= slots else (EMPTY, *labels)
