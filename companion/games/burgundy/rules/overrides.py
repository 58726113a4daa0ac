"""House rulings: the table decides, and the game goes on from what lies there, whatever the rules say.

A ruling names what is to lie where, or how much a player has:

* ``duchy:red:6``, ``depot:3:0``, ``black:1``: the label of a tile, or ``empty``;
* ``storage:red``: all labels there, or ``-``;
* ``goods:red``, ``depot_goods:3``: all goods there by kind (``1,1,4``), or ``-``;
* ``workers:red``, ``silver:red``, ``score:red``: a number.

Nothing appears or disappears: what a ruling takes away goes where the same ruling wants it, else into the box; what it
wants comes from there, else out of the box or the supply. What lies in the supply is as much as the phases to come need
(see :mod:`.coming`): a tile taken out of it is exchanged for one that the ruling takes away, where that is possible.
Placed tiles have no effect and score nothing. What was complete before a ruling has taken a tile of it away keeps the
points and the bonus tile that it brought, and brings none again when it is completed once more; who has taken the
points off, too, gives them back by hand. A tile that waits for a key space (S338) lies there for a ruling that
wants one like it, and goes to a key space that a ruling leaves free.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .corrections import MOST
from .events import Event
from .future_supply import goods_left, pile_of, piles, tiles_needed
from .moves import MOST_DIGITS, Override
from .observation import GOODS_GROUPS, visible_layout
from .reason import Reason
from .scoring import RULED, award, full_parts
from .state import DISCARD, OVER, SETUP, TURN, GameState, Seat
from .tiles import CASTLE, EMPTY, GOODS, LABELS, Tile, goods_kind, goods_label, is_goods, tile

COUNTERS = ("workers", "silver", "score")
_COUNT = re.compile("0|[1-9][0-9]{0,3999}")
"""How much of a counter, in no more digits than Python reads."""
NOTHING = "-"
"""How a ruling writes that nothing is to lie in a group."""
FAR_BEYOND = 10**MOST_DIGITS
"""More is told as this."""
BACKS = (False, True)
"""Whether the back of a tile is black."""


def to_show(game: GameState, shown: Mapping[str, Sequence[str]]) -> Override:
    """The ruling after which the groups *shown* look so; how high a stack of goods is stays as it was."""
    before = visible_layout(game)
    return Override(
        tuple(change for group, labels in shown.items() for change in _changes(game, group, before, labels))
    )


def _changes(
    game: GameState, group: str, before: Mapping[str, Sequence[str]], labels: Sequence[str]
) -> Iterator[tuple[str, str]]:
    lying = sorted(label for label in labels if label != EMPTY)
    if _kind(group) in GOODS_GROUPS and not all(map(is_goods, lying)):
        yield group, _joined(lying)  # no such ruling is possible: what speaks against it is told
    elif _kind(group) in GOODS_GROUPS:
        stacks = _stacks(game, group)
        kinds = sorted({goods_kind(label) for label in lying})
        goods = [kind for kind in kinds for _ in range(max(stacks[kind], 1))]
        if goods != [kind for kind in GOODS for _ in range(stacks[kind])]:
            yield group, _joined(map(str, goods))
    elif _kind(group) == "storage":
        if lying != sorted(label for label in before[group] if label != EMPTY):
            yield group, _joined(lying)
    else:
        for i, (was, label) in enumerate(zip(before[group], labels, strict=True)):
            if was != label:
                yield f"{group}:{i}", label


class _Exchange(NamedTuple):
    """What a ruling moves between the table, the supply and the box."""

    awaited: Counter[str]
    """What it wants that neither lies where it says nor waits for a key space."""
    supply: Counter[Tile]
    """The supply after it; less than nothing where there is not enough."""
    box: Counter[Tile]
    goods: list[int]
    """Supply of goods by kind."""
    uses_waiting: bool
    """Whether the tile that waits for a key space is among what it wants."""


# --- what speaks against it -------------------------------------------------------------------------------


def validate(game: GameState, move: Override) -> Reason | None:
    """What speaks against a ruling: only what cannot be on this table, or would leave too little for later phases."""
    named = Counter(what for what, _ in move.changes)
    for what, value in move.changes:
        if _read(game, what, value) is None or named[what] > 1:
            return Reason("ruling_unknown", {"what": what, "value": value})
    if game.stage in (SETUP, OVER):
        return Reason("wrong_stage", {"stage": game.stage, "move": move.word})
    if not move.earlier and (reason := impossible_reason(move)):
        return reason
    exchange = _exchange(game, move)
    for label, count in exchange.awaited.items():
        if count > _left(game, label):
            return Reason("ruling_none_left", {"tile": label})
    return None if move.earlier else _too_little_left(game, exchange)


def impossible_reason(move: Override) -> Reason | None:
    """Which number of a ruling is beyond what anybody ever has, in whatever game."""
    for what, value in move.changes:
        counter, _, colour = what.partition(":")
        if counter in COUNTERS and _COUNT.fullmatch(value) and int(value) > MOST:
            amount = [counter, min(int(value), FAR_BEYOND)]
            return Reason("adjust_beyond", {"player": colour, "amount": amount, "least": 0, "most": MOST})
    return None


def _too_little_left(game: GameState, exchange: _Exchange) -> Reason | None:
    """The phases to come must find what they need, unless this ruling takes nothing of it."""
    before, after, needed = piles(game.supply), piles(exchange.supply), tiles_needed(game)
    for pile, count in after.items():
        if count < before[pile] and count < needed[pile]:
            return Reason("tiles_needed", {"colour": pile})
    return goods_left(game, sum(game.goods_supply) - sum(exchange.goods))


def _exchange(game: GameState, move: Override) -> _Exchange:
    """What a ruling moves between the table, the supply and the box."""
    there, named = Counter[str](), Counter[str]()
    for what, value in move.changes:
        there.update(_lying(game, what))
        named.update(_read(game, what, value) or ())
    awaited, left = named - there, there - named
    waiting = "" if move.earlier else _waiting(game)
    uses_waiting = awaited[waiting] > 0
    if uses_waiting:
        awaited[waiting] -= 1
    exchange = _Exchange(
        +awaited, Counter(game.supply), Counter(game.box), game.goods_supply[:], uses_waiting
    )
    for label in sorted(awaited.elements()):
        if is_goods(label):
            exchange.goods[goods_kind(label)] -= 1
        else:
            _fetch(game, exchange, label, left, returns=not move.earlier)
    for label in left.elements():
        if is_goods(label):
            exchange.goods[goods_kind(label)] += 1
        else:
            exchange.box[tile(label)] += 1
    return exchange


def _waiting(game: GameState) -> str:
    """Label of the tile that waits for a key space, empty when none does."""
    return game.pending[-1].incoming if game.pending and game.pending[-1].effect == DISCARD else ""


def _fetch(game: GameState, exchange: _Exchange, label: str, left: Counter[str], *, returns: bool) -> None:
    """Takes a tile out of the box, and when none is there out of the supply.

    If it *returns* one, a tile of those *left* over goes into the same pile of the supply: where a market lies instead
    of a bank, it is the bank that has not been drawn.
    """
    for boxed in (tile(label, black) for black in BACKS):
        if exchange.box[boxed]:
            exchange.box[boxed] -= 1
            return
    supply = exchange.supply
    lying = [drawn for drawn in (tile(label, black) for black in BACKS) if supply[drawn]]
    pairs = [(drawn, other) for drawn in lying for other in _in_exchange(game, supply, drawn, left)]
    if returns and pairs:
        drawn, other = pairs[0]
        left[other.label] -= 1
        supply[other] += 1
        supply[drawn] -= 1
    elif lying:
        needed, there = tiles_needed(game), piles(supply)
        spare = [drawn for drawn in lying if there[pile_of(drawn)] > needed[pile_of(drawn)]]
        supply[(spare or lying)[0] if returns else lying[0]] -= 1


def _in_exchange(
    game: GameState, supply: Mapping[Tile, int], drawn: Tile, left: Counter[str]
) -> Iterator[Tile]:
    """Tiles of those *left* over that may have come from the same pile as *drawn*, the likest first."""
    tiles = (tile(label, drawn.black) for label in sorted(left) if left[label] and label in LABELS)
    fitting = (
        t for t in tiles if pile_of(t) == pile_of(drawn) and supply.get(t, 0) < game.edition.supply.get(t, 0)
    )
    yield from sorted(fitting, key=lambda t: t.type != drawn.type)


# --- reading ----------------------------------------------------------------------------------------------


def _read(game: GameState, what: str, value: str) -> list[str] | None:
    """What a change wants to lie there; None when there is no such place, thing or number."""
    parts = [] if value in (NOTHING, EMPTY) else value.split(",")
    match what.split(":"):
        case ["duchy", colour, index] if _is_one_of(index, _spaces(game, colour)):
            return _tiles(parts, most=1)
        case ["depot", number, slot] if _is_one_of(number, game.depots, first=1):
            return _tiles(parts, most=1) if _is_one_of(slot, game.depots[int(number) - 1]) else None
        case ["black", slot] if _is_one_of(slot, game.black):
            return _tiles(parts, most=1)
        case ["storage", colour] if _spaces(game, colour):
            return _tiles(parts, most=game.edition.storage_spaces)
        case ["goods", colour] if _spaces(game, colour) and len(set(parts)) <= game.edition.goods_spaces:
            return _goods(parts)
        case ["depot_goods", number] if _is_one_of(number, game.depot_goods, first=1):
            return _goods(parts)
        case [counter, colour] if counter in COUNTERS and _counts(game, colour, counter):
            return [] if _COUNT.fullmatch(value) else None
    return None


def _is_one_of(number: str, things: Sequence[object], first: int = 0) -> bool:
    """Whether *number*, as moves write it, counts one of *things*."""
    return number in map(str, range(first, first + len(things)))


def _tiles(labels: list[str], most: int) -> list[str] | None:
    return labels if len(labels) <= most and LABELS.issuperset(labels) else None


def _goods(kinds: list[str]) -> list[str] | None:
    return [goods_label(int(kind)) for kind in kinds] if set(kinds) <= set(map(str, GOODS)) else None


def _spaces(game: GameState, colour: str) -> Sequence[object]:
    """The spaces of a player's duchy; none when nobody plays that colour."""
    return next((player.spaces for player in game.players if player.colour == colour), ())


def _counts(game: GameState, colour: str, counter: str) -> bool:
    """Whether somebody plays that colour who has such a number; not everybody has workers."""
    return any(seat.colour == colour and hasattr(seat, counter) for seat in game.seats)


def _left(game: GameState, label: str) -> int:
    """How many of a thing are in the box and in the supply."""
    if is_goods(label):
        return game.goods_supply[goods_kind(label)]
    return sum(pile.get(tile(label, black), 0) for pile in (game.box, game.supply) for black in BACKS)


def _lying(game: GameState, what: str) -> list[str]:
    """What lies now where a change wants something."""
    match what.split(":"):
        case ["duchy", colour, index]:
            lying = [game.player_of(colour).spaces[int(index)]]
        case ["depot", number, slot]:
            lying = [game.depots[int(number) - 1][int(slot)]]
        case ["black", slot]:
            lying = [game.black[int(slot)]]
        case ["storage", colour]:
            lying = [*game.player_of(colour).storage]
        case [kind, _] if kind in GOODS_GROUPS:
            stacks = _stacks(game, what)
            return [goods_label(kind) for kind in GOODS for _ in range(stacks[kind])]
        case _:
            return []
    return [there.label for there in lying if there is not None]


def _stacks(game: GameState, group: str) -> list[int]:
    """Goods by kind in a group."""
    kind, owner = group.split(":")
    return _seat(game, owner).goods if kind == "goods" else game.depot_goods[int(owner) - 1]


def _seat(game: GameState, colour: str) -> Seat:
    return game.seats[game.index(colour)]


def _kind(group: str) -> str:
    return group.partition(":")[0]


def _joined(words: Iterable[str]) -> str:
    return ",".join(words) or NOTHING


# --- what it does -----------------------------------------------------------------------------------------


def apply(game: GameState, move: Override) -> list[Event]:
    """Makes the table as the ruling says."""
    events: list[Event] = []
    exchange = _exchange(game, move)
    full = [full_parts(player) for player in game.players]
    for what, value in move.changes:
        labels = _read(game, what, value)
        assert labels is not None
        _lay(game, what, labels, value, events)
    game.supply, game.goods_supply = {t: exchange.supply[t] for t in game.supply}, exchange.goods
    game.box = +exchange.box
    boxed = sum(game.box.get(tile(CASTLE, black), 0) for black in BACKS)
    game.set_aside = min(game.set_aside, boxed)
    if not move.earlier:
        _make_room(game, uses_waiting=exchange.uses_waiting)
        for seat, before in zip(game.players, full, strict=True):
            seat.ruled ^= before ^ full_parts(seat)
    player = game.player.colour if game.stage == TURN else None
    return [Event("ruling", player, data={"changes": [list(change) for change in move.changes]}), *events]


def _make_room(game: GameState, *, uses_waiting: bool) -> None:
    """A tile that waited for a key space lies where the ruling wants it, or on a key space that is free now."""
    if not (waiting := _waiting(game)):
        return
    is_room = len(game.player.storage) < game.edition.storage_spaces
    if uses_waiting or is_room:
        game.pending.pop()
    if is_room and not uses_waiting:
        game.player.store(tile(waiting))


def _lay(game: GameState, what: str, labels: list[str], value: str, events: list[Event]) -> None:
    there = tile(labels[0]) if labels and not is_goods(labels[0]) else None
    match what.split(":"):
        case ["duchy", colour, index]:
            game.player_of(colour).replace(int(index), there)
        case ["depot", number, slot]:
            game.depots[int(number) - 1][int(slot)] = there
        case ["black", slot]:
            game.black[int(slot)] = there
        case ["storage", colour]:
            player = game.player_of(colour)
            player.storage = []
            for label in labels:
                player.store(tile(label))
        case [kind, _] if kind in GOODS_GROUPS:
            counts = Counter(map(goods_kind, labels))
            _stacks(game, what)[:] = [counts[kind] for kind in range(len(game.goods_supply))]
        case ["score", colour]:
            seat = _seat(game, colour)
            award(game, seat, RULED, int(value) - seat.score, events)
        case [counter, colour]:
            setattr(_seat(game, colour), counter, int(value))
