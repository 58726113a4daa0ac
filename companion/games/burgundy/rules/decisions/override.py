"""Overrides (house rulings): the players decide how the table is, whatever the rules say, and the game goes on.

An override names what is where, or how much a player has:

* ``duchy:red:6``, ``depot:3:0``, ``black:1``: the label of a tile, or ``empty``;
* ``storage:red``: all labels there, or ``-``;
* ``goods:red``, ``depot_goods:3``: all goods there by kind (``1,1,4``), or ``-``;
* ``workers:red``, ``silver:red``, ``score:red``: a number.

Nothing appears or disappears: what an override removes goes where the same override puts it, else into the box; what it
adds comes from there, else from the box or the supply. The supply keeps what later phases need (see
:mod:`.future_supply`): a tile taken from it is exchanged for one that the override removes, if possible. Placed tiles
have no effect and score nothing. What was complete before an override removed one of its tiles keeps its points and its
bonus tile, and brings none again when it is completed once more; whoever has taken the points off as well corrects them
by hand. A tile that waits for a key space (S338) is used for an override that adds one like it, and goes to a key space
that an override leaves free.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from ..decision import Decision
from ..events import Event
from ..future_supply import goods_shortage, pile_of, piles, tiles_needed
from ..moves import MOST_DIGITS, Move
from ..observation import GOODS_GROUPS, visible_layout
from ..reason import Reason
from ..scoring import RULED, change_score, full_parts
from ..state import DISCARD, OVER, SETUP, TURN, GameState, Seat
from ..storage import is_full, labels_by_space, labels_by_tile
from ..tiles import CASTLE, EMPTY, GOODS, Tile, goods_kind, goods_label, is_goods, tile
from .adjust import MOST

if TYPE_CHECKING:
    from ..module import OverridablePlace

COUNTERS = ("workers", "silver", "score")
_COUNT = re.compile("0|[1-9][0-9]{0,3999}")
"""Amount of a counter, with no more digits than Python parses."""
NOTHING = "-"
"""Written for an empty group."""
FAR_BEYOND = 10**MOST_DIGITS
"""Larger amounts are reported as this."""
GOODS_LABELS = frozenset(map(goods_label, GOODS))
BACKS = (False, True)
"""Whether the back of a tile is black."""


@dataclass(frozen=True, slots=True)
class Override(Move):
    """A decision of the players against the rules: what is where, or how much a player has (see this module)."""

    word = "ruling"
    changes: tuple[tuple[str, str], ...]
    earlier: bool = field(default=False, compare=False)
    """Whether it has the effect that earlier releases gave it (see :meth:`as_earlier_release`)."""

    def __str__(self) -> str:
        return " ".join(("ruling", *(f"{what}={value}" for what, value in self.changes)))

    def as_earlier_release(self) -> Override:
        return replace(self, earlier=True)

    def with_players(self, colours: Mapping[str, str]) -> Override:
        return replace(
            self, changes=tuple((_with_players(what, colours), value) for what, value in self.changes)
        )


def _with_players(what: str, colours: Mapping[str, str]) -> str:
    """Renames the player in ``duchy:red:6``; what is before the first colon is a kind of place, even ``black``."""
    kind, *names = what.split(":")
    return ":".join((kind, *(colours.get(name, name) for name in names)))


class OverrideDecision(Decision[Override]):
    move = Override
    stages = ()

    def parse(self, words: list[str]) -> Override:
        changes = (word.partition("=") for word in words)
        return Override(tuple((what, value) for what, _, value in changes))

    def validate(self, game: GameState, move: Override) -> Reason | None:
        return validate(game, move)

    def apply(self, game: GameState, move: Override) -> list[Event]:
        return apply(game, move)


def override_to(game: GameState, shown: Mapping[str, Sequence[str]]) -> Override:
    """Returns the override after which groups look as in *shown*; the heights of stacks of goods stay."""
    before = visible_layout(game)
    return Override(
        tuple(change for group, labels in shown.items() for change in _changes(game, group, before, labels))
    )


def _changes(
    game: GameState, group: str, before: Mapping[str, Sequence[str]], labels: Sequence[str]
) -> Iterator[tuple[str, str]]:
    present = sorted(label for label in labels if label != EMPTY)
    if _kind(group) in GOODS_GROUPS and not all(map(is_goods, present)):
        yield group, _joined(present)  # impossible: validation gives the reason
    elif _kind(group) in GOODS_GROUPS:
        stacks = _stacks(game, group)
        kinds = sorted({goods_kind(label) for label in present})
        goods = [kind for kind in kinds for _ in range(max(stacks[kind], 1))]
        if goods != [kind for kind in GOODS for _ in range(stacks[kind])]:
            yield group, _joined(map(str, goods))
    elif _kind(group) == "storage":
        if present != sorted(label for label in before[group] if label != EMPTY):
            yield group, _joined(sorted(labels_by_tile(game, present)))
    else:
        for i, (was, label) in enumerate(zip(before[group], labels, strict=True)):
            if was != label:
                yield from game.hooks.override_to_show(game, f"{group}:{i}", label)


class _Exchange(NamedTuple):
    """What an override moves between the table, the supply and the box."""

    missing: Counter[str]
    """Labels to add that neither the override removes elsewhere nor wait for a key space."""
    supply: Counter[Tile]
    """Supply afterwards; negative if there is not enough."""
    box: Counter[Tile]
    goods: list[int]
    """Supply of goods by kind."""
    uses_waiting: bool
    """Whether the tile that waits for a key space is used."""


# --- validation -------------------------------------------------------------------------------------------


def validate(game: GameState, move: Override) -> Reason | None:
    """Returns why an override is impossible here or leaves too little for later phases; None if it is possible."""
    named = Counter(what for what, _ in move.changes)
    for (what, value), labels in zip(move.changes, _labels_of(game, move), strict=True):
        if labels is None or named[what] > 1:
            return Reason("ruling_unknown", {"what": what, "value": value})
    if game.stage in (SETUP, OVER):
        return Reason("wrong_stage", {"stage": game.stage, "move": move.word})
    if not move.earlier and (reason := impossible_reason(move)):
        return reason
    exchange = _exchange(game, move)
    for label, count in exchange.missing.items():
        if count > _available(game, label):
            return Reason("ruling_none_left", {"tile": label})
    return None if move.earlier else _supply_shortage(game, exchange)


def impossible_reason(move: Override) -> Reason | None:
    """Returns the reason if a number is more than anybody ever has; None if none is."""
    for what, value in move.changes:
        counter, _, colour = what.partition(":")
        if counter in COUNTERS and _COUNT.fullmatch(value) and int(value) > MOST:
            amount = [counter, min(int(value), FAR_BEYOND)]
            return Reason("adjust_beyond", {"player": colour, "amount": amount, "least": 0, "most": MOST})
    return None


def _supply_shortage(game: GameState, exchange: _Exchange) -> Reason | None:
    """Checks that later phases have what they need, unless this override takes none of it."""
    before, after, needed = piles(game.supply), piles(exchange.supply), tiles_needed(game)
    for pile, count in after.items():
        if count < before[pile] and count < needed[pile]:
            return Reason("tiles_needed", {"colour": pile})
    return goods_shortage(game, sum(game.goods_supply) - sum(exchange.goods))


def _exchange(game: GameState, move: Override) -> _Exchange:
    """What an override moves between the table, the supply and the box."""
    there, named = Counter[str](), Counter[str]()
    for (what, _), labels in zip(move.changes, _labels_of(game, move), strict=True):
        there.update(_present(game, what))
        named.update(labels or ())
    missing, removed = named - there, there - named
    waiting = "" if move.earlier else _waiting(game)
    uses_waiting = missing[waiting] > 0
    if uses_waiting:
        missing[waiting] -= 1
    exchange = _Exchange(
        +missing, Counter(game.supply), Counter(game.box), game.goods_supply[:], uses_waiting
    )
    for label in sorted(missing.elements()):
        if is_goods(label):
            exchange.goods[goods_kind(label)] -= 1
        else:
            _fetch(game, exchange, label, removed, returns=not move.earlier)
    for label in removed.elements():
        if is_goods(label):
            exchange.goods[goods_kind(label)] += 1
        else:
            exchange.box[tile(label)] += 1
    return exchange


def _waiting(game: GameState) -> str:
    """Returns the label of the tile that waits for a key space; empty if none does."""
    return game.pending[-1].incoming if game.pending and game.pending[-1].effect == DISCARD else ""


def _fetch(game: GameState, exchange: _Exchange, label: str, removed: Counter[str], *, returns: bool) -> None:
    """Takes a tile out of the box, or out of the supply if the box has none.

    With *returns*, one of the *removed* tiles goes back to the same pile of the supply: if a market is there instead
    of a bank, it is the bank that has not been drawn.
    """
    for boxed in (tile(label, black) for black in BACKS):
        if exchange.box[boxed]:
            exchange.box[boxed] -= 1
            return
    supply = exchange.supply
    present = [drawn for drawn in (tile(label, black) for black in BACKS) if supply[drawn]]
    pairs = [(drawn, other) for drawn in present for other in _in_exchange(game, supply, drawn, removed)]
    if returns and pairs:
        drawn, other = pairs[0]
        removed[other.label] -= 1
        supply[other] += 1
        supply[drawn] -= 1
    elif present:
        needed, there = tiles_needed(game), piles(supply)
        spare = [drawn for drawn in present if there[pile_of(drawn)] > needed[pile_of(drawn)]]
        supply[(spare or present)[0] if returns else present[0]] -= 1


def _in_exchange(
    game: GameState, supply: Mapping[Tile, int], drawn: Tile, removed: Counter[str]
) -> Iterator[Tile]:
    """Yields the *removed* tiles that may come from the same pile as *drawn*, those of its type first."""
    tiles = (tile(label, drawn.black) for label in sorted(removed) if removed[label] and not is_goods(label))
    fitting = (
        t for t in tiles if pile_of(t) == pile_of(drawn) and supply.get(t, 0) < game.ruleset.supply.get(t, 0)
    )
    yield from sorted(fitting, key=lambda t: t.type != drawn.type)


# --- parsing ----------------------------------------------------------------------------------------------


def _labels_of(game: GameState, move: Override) -> list[list[str] | None]:
    """Returns what :func:`_parse` makes of each change.

    Which places of modules there are may depend on tiles: they are looked for on the table as the other changes leave
    it.
    """
    of_modules = [_of_module(game, _kind(what)) is not None for what, _ in move.changes]
    table = game
    if any(of_modules):
        table = game.copy()
        for (what, value), is_of_module in zip(move.changes, of_modules, strict=True):
            if not is_of_module and (labels := _parse(game, what, value)) is not None:
                _set(table, what, labels, value, [])
    return [
        _parse(table if is_of_module else game, what, value)
        for (what, value), is_of_module in zip(move.changes, of_modules, strict=True)
    ]


def _parse(game: GameState, what: str, value: str) -> list[str] | None:
    """Returns the labels that a change puts there; None if there is no such place, thing or number."""
    parts = [] if value in (NOTHING, EMPTY) else value.split(",")
    match what.split(":"):
        case ["duchy", colour, index] if _is_one_of(index, _spaces(game, colour)):
            return _tiles(game, parts, most=1)
        case ["depot", number, slot] if _is_one_of(number, game.depots, first=1):
            return _tiles(game, parts, most=1) if _is_one_of(slot, game.depots[int(number) - 1]) else None
        case ["black", slot] if _is_one_of(slot, game.black):
            return _tiles(game, parts, most=1)
        case ["storage", colour] if game.person(colour):
            return _stored(game, parts, game.hooks.storage_spaces(game, game.player_of(colour)))
        case ["goods", colour] if _spaces(game, colour) and len(set(parts)) <= game.edition.goods_spaces:
            return _goods(parts)
        case ["depot_goods", number] if _is_one_of(number, game.depot_goods, first=1):
            return _goods(parts)
        case [counter, colour] if counter in COUNTERS and _has_counter(game, colour, counter):
            return [] if _COUNT.fullmatch(value) else None
        case [kind, *names] if place := _of_module(game, kind):
            fits = place.has(game, names) and place.may_hold(game, names, parts)
            return parts if fits and _are_known(game, parts) else None
    return None


def _of_module(game: GameState, kind: str) -> OverridablePlace | None:
    """Returns the kind of places that a module adds by this name; None if none does."""
    return next((m.overridable[kind] for m in game.ruleset.modules if kind in m.overridable), None)


def _is_one_of(number: str, items: Sequence[object], first: int = 0) -> bool:
    """Returns whether *number*, as written in moves, is the number of one of *items*."""
    return number in map(str, range(first, first + len(items)))


def _tiles(game: GameState, labels: list[str], most: int) -> list[str] | None:
    return labels if len(labels) <= most and game.ruleset.hexagonal.issuperset(labels) else None


def _are_known(game: GameState, labels: list[str]) -> bool:
    """Returns whether the game has all these tiles and goods."""
    return all(label in game.ruleset.labels or label in GOODS_LABELS for label in labels)


def _stored(game: GameState, labels: list[str], spaces: int) -> list[str] | None:
    stored = _tiles(game, labels, most=spaces)
    return stored if stored is not None and len(labels_by_space(game, map(tile, stored))) <= spaces else None


def _goods(kinds: list[str]) -> list[str] | None:
    return [goods_label(int(kind)) for kind in kinds] if set(kinds) <= set(map(str, GOODS)) else None


def _spaces(game: GameState, colour: str) -> Sequence[object]:
    """Returns the spaces of a duchy; none if no person's side has that colour."""
    return next((side.spaces for side in game.player_sides if side.colour == colour), ())


def _has_counter(game: GameState, colour: str, counter: str) -> bool:
    """Returns whether a seat of that colour has this counter; not every seat has workers."""
    return any(seat.colour == colour and hasattr(seat, counter) for seat in game.seats)


def _available(game: GameState, label: str) -> int:
    """Returns how many of a thing are in the box and in the supply."""
    if is_goods(label):
        return game.goods_supply[goods_kind(label)]
    return sum(pile.get(tile(label, black), 0) for pile in (game.box, game.supply) for black in BACKS)


def _present(game: GameState, what: str) -> list[str]:
    """Returns the labels that are there now."""
    match what.split(":"):
        case ["duchy", colour, index]:
            present = [game.player_of(colour).spaces[int(index)]]
        case ["depot", number, slot]:
            present = [game.depots[int(number) - 1][int(slot)]]
        case ["black", slot]:
            present = [game.black[int(slot)]]
        case ["storage", colour]:
            present = [*game.player_of(colour).storage]
        case [kind, _] if kind in GOODS_GROUPS:
            stacks = _stacks(game, what)
            return [goods_label(kind) for kind in GOODS for _ in range(stacks[kind])]
        case [kind, *names] if place := _of_module(game, kind):
            return [*place.tiles(game, names)]
        case _:
            return []
    return [there.label for there in present if there is not None]


def _stacks(game: GameState, group: str) -> list[int]:
    """Returns the goods by kind in a group."""
    kind, owner = group.split(":")
    return _seat(game, owner).goods if kind == "goods" else game.depot_goods[int(owner) - 1]


def _seat(game: GameState, colour: str) -> Seat:
    return game.seats[game.index(colour)]


def _kind(group: str) -> str:
    return group.partition(":")[0]


def _joined(words: Iterable[str]) -> str:
    return ",".join(words) or NOTHING


# --- making it --------------------------------------------------------------------------------------------


def apply(game: GameState, move: Override) -> list[Event]:
    """Makes the table as the override says."""
    events: list[Event] = []
    exchange = _exchange(game, move)
    full = [full_parts(side) for side in game.player_sides]
    for (what, value), labels in zip(move.changes, _labels_of(game, move), strict=True):
        assert labels is not None
        _set(game, what, labels, value, events)
    game.supply, game.goods_supply = {t: exchange.supply[t] for t in game.supply}, exchange.goods
    game.box = +exchange.box
    boxed = sum(game.box.get(tile(CASTLE, black), 0) for black in BACKS)
    game.set_aside = min(game.set_aside, boxed)
    if not move.earlier:
        _resolve_waiting(game, uses_waiting=exchange.uses_waiting)
        for seat, before in zip(game.player_sides, full, strict=True):
            seat.ruled ^= before ^ full_parts(seat)
    player = game.player.colour if game.stage == TURN else None
    return [Event("ruling", player, data={"changes": [list(change) for change in move.changes]}), *events]


def _resolve_waiting(game: GameState, *, uses_waiting: bool) -> None:
    """Resolves the waiting tile if the override has used it or has left a key space free for it."""
    if not (waiting := _waiting(game)):
        return
    is_room = not is_full(game, game.player, tile(waiting))
    if uses_waiting or is_room:
        game.pending.pop()
    if is_room and not uses_waiting:
        game.player.store(tile(waiting))


def _set(game: GameState, what: str, labels: list[str], value: str, events: list[Event]) -> None:
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
            change_score(game, seat, RULED, int(value) - seat.score, events)
        case [counter, colour] if counter in COUNTERS:
            setattr(_seat(game, colour), counter, int(value))
        case [kind, *names] if place := _of_module(game, kind):
            place.put(game, names, labels)
