"""House rulings: the table decides, and the game goes on from what lies there, whatever the rules say.

A ruling names what is to lie where, or how much a player has:

* ``duchy:red:6``, ``depot:3:0``, ``black:1``: the label of a tile, or ``empty``;
* ``storage:red``: all labels there, or ``-``;
* ``goods:red``, ``depot_goods:3``: all goods there by kind (``1,1,4``), or ``-``;
* ``workers:red``, ``silver:red``, ``score:red``: a number.

Nothing appears or disappears: what a ruling takes away goes where the same ruling wants it, else into the box; what it
wants comes from there, else out of the box or the supply. Placed tiles have no effect and score nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from .events import Event
from .moves import Ruling
from .reason import Reason
from .scoring import RULED, award
from .sight import EMPTY, GOODS_GROUPS, goods_label, kind_of, visible
from .state import OVER, SETUP, TURN, Game, Seat
from .tiles import CASTLE, GOODS, LABELS, tile

COUNTERS = ("workers", "silver", "score")
NOTHING = "-"
"""How a ruling writes that nothing is to lie in a group."""


def to_show(game: Game, shown: Mapping[str, Sequence[str]]) -> Ruling:
    """The ruling after which the groups *shown* look so; how high a stack of goods is stays as it was."""
    before = visible(game)
    return Ruling(
        tuple(change for group, labels in shown.items() for change in _changes(game, group, before, labels))
    )


def _changes(
    game: Game, group: str, before: Mapping[str, Sequence[str]], labels: Sequence[str]
) -> Iterator[tuple[str, str]]:
    lying = sorted(label for label in labels if label != EMPTY)
    if _kind(group) in GOODS_GROUPS:
        stacks = _stacks(game, group)
        kinds = sorted({kind_of(label) for label in lying})
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


def why_not(game: Game, move: Ruling) -> Reason | None:
    """What speaks against a ruling: only what cannot be on this table."""
    if game.stage in (SETUP, OVER):
        return Reason("wrong_stage", {"stage": game.stage, "move": move.word})
    wanted: Counter[str] = Counter()
    named = Counter(what for what, _ in move.changes)
    for what, value in move.changes:
        labels = _read(game, what, value)
        if labels is None or named[what] > 1:
            return Reason("ruling_unknown", {"what": what, "value": value})
        wanted.update(labels)
    there = Counter(label for what, _ in move.changes for label in _lying(game, what))
    for label, count in (wanted - there).items():
        if count > _left(game, label):
            return Reason("ruling_none_left", {"tile": label})
    return None


def _read(game: Game, what: str, value: str) -> list[str] | None:
    """What a change wants to lie there; None when there is no such place, thing or number."""
    parts = [] if value in (NOTHING, EMPTY) else value.split(",")
    match what.split(":"):
        case ["duchy", colour, index] if _number(index) < len(_spaces(game, colour)):
            return _tiles(parts, most=1)
        case ["depot", number, slot] if 1 <= _number(number) <= len(game.depots):
            return _tiles(parts, most=1) if _number(slot) < len(game.depots[int(number) - 1]) else None
        case ["black", slot] if _number(slot) < len(game.black):
            return _tiles(parts, most=1)
        case ["storage", colour] if _spaces(game, colour):
            return _tiles(parts, most=game.edition.storage_spaces)
        case ["goods", colour] if _spaces(game, colour) and len(set(parts)) <= game.edition.goods_spaces:
            return _goods(parts)
        case ["depot_goods", number] if 1 <= _number(number) <= len(game.depot_goods):
            return _goods(parts)
        case [counter, colour] if counter in COUNTERS and _counts(game, colour, counter):
            return [] if value.isdecimal() else None
    return None


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 10**6


def _tiles(labels: list[str], most: int) -> list[str] | None:
    return labels if len(labels) <= most and LABELS.issuperset(labels) else None


def _goods(kinds: list[str]) -> list[str] | None:
    known = all(kind.isdecimal() and int(kind) in GOODS for kind in kinds)
    return [goods_label(int(kind)) for kind in kinds] if known else None


def _spaces(game: Game, colour: str) -> Sequence[object]:
    """The spaces of a player's duchy; none when nobody plays that colour."""
    return next((player.spaces for player in game.players if player.colour == colour), ())


def _counts(game: Game, colour: str, counter: str) -> bool:
    """Whether somebody plays that colour who has such a number; not everybody has workers."""
    return any(seat.colour == colour and hasattr(seat, counter) for seat in game.seats)


def _left(game: Game, label: str) -> int:
    """How many of a thing are in the box and in the supply."""
    if label.startswith("goods/"):
        return game.goods_supply[kind_of(label)]
    return sum(pile.get(tile(label, black), 0) for pile in (game.box, game.supply) for black in (False, True))


def _lying(game: Game, what: str) -> list[str]:
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


def _stacks(game: Game, group: str) -> list[int]:
    """Goods by kind in a group."""
    kind, owner = group.split(":")
    return _seat(game, owner).goods if kind == "goods" else game.depot_goods[int(owner) - 1]


def _seat(game: Game, colour: str) -> Seat:
    return game.seats[game.index(colour)]


def _kind(group: str) -> str:
    return group.partition(":")[0]


def _joined(words: Iterable[str]) -> str:
    return ",".join(words) or NOTHING


def apply(game: Game, move: Ruling) -> list[Event]:
    """Makes the table as the ruling says."""
    events: list[Event] = []
    taken = Counter(label for what, _ in move.changes for label in _lying(game, what))
    wanted: Counter[str] = Counter()
    for what, value in move.changes:
        labels = _read(game, what, value)
        assert labels is not None
        wanted.update(labels)
        _lay(game, what, labels, value, events)
    for label, count in (taken - wanted).items():
        _put_away(game, label, count)
    for label, count in (wanted - taken).items():
        _fetch(game, label, count)
    player = game.player.colour if game.stage == TURN else None
    return [Event("ruling", player, data={"changes": [list(change) for change in move.changes]}), *events]


def _lay(game: Game, what: str, labels: list[str], value: str, events: list[Event]) -> None:
    there = tile(labels[0]) if labels and not labels[0].startswith("goods/") else None
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
            counts = Counter(map(kind_of, labels))
            _stacks(game, what)[:] = [counts[kind] for kind in range(len(game.goods_supply))]
        case ["score", colour]:
            seat = _seat(game, colour)
            award(game, seat, RULED, int(value) - seat.score, events)
        case [counter, colour]:
            setattr(_seat(game, colour), counter, int(value))


def _put_away(game: Game, label: str, count: int) -> None:
    if label.startswith("goods/"):
        game.goods_supply[kind_of(label)] += count
        return
    for _ in range(count):
        game.put_away(tile(label))


def _fetch(game: Game, label: str, count: int) -> None:
    """Takes tiles out of the box, and when none are left out of the supply; goods come from their supply."""
    if label.startswith("goods/"):
        game.goods_supply[kind_of(label)] -= count
        return
    for _ in range(count):
        for name, black in (("box", False), ("box", True), ("supply", False), ("supply", True)):
            pile: Mapping[object, int] = getattr(game, name)
            if left := pile.get(tile(label, black), 0):
                setattr(game, name, {**pile, tile(label, black): left - 1})
                break
    boxed = sum(game.box.get(tile(CASTLE, black), 0) for black in (False, True))
    game.set_aside = min(game.set_aside, boxed)
