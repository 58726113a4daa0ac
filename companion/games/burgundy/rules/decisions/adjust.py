"""Counts corrected by hand: workers, silver, goods, points and the marker of turn order.

An adjustment names what is counted for one player, and the difference:

* ``workers``, ``silver``: there are always enough of them (S83);
* ``score``: the marker; the score sheet lists these points apart;
* ``goods:4``, ``sold:4``: goods of a kind, stored or sold; more of them come from the supply, and fewer go back there;
* ``track``: the marker of turn order, by spaces; it is placed on top of its stack.

So only what is unlimited appears or disappears, and later phases have the goods that they need. A difference keeps its
meaning even if an earlier turn is corrected afterwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..decision import Decision
from ..events import Event
from ..future_supply import goods_shortage
from ..moves import MOST_DIGITS, Move
from ..phases import follow_track, has_begun, move_marker, position
from ..reason import Reason
from ..scoring import ADJUSTED, change_score
from ..state import OVER, SETUP, GameState, Player, Seat
from ..tiles import GOODS

BECAUSE = "because"
"""Word before the reason of a move; everything after it is the reason."""
_DIFFERENCE = re.compile(rf"([a-z]+(?::[1-9])?)([+-](?:0|[1-9][0-9]{{0,{MOST_DIGITS - 1}}}))")
SCORE, TRACK = "score", "track"
UNLIMITED = ("workers", "silver")
"""What a seat may have any number of."""
GOODS_COUNTERS = ("goods", "sold")
"""What a seat has by kind of goods."""
MOST = 999
"""Limit of workers, silver and points, which nobody ever reaches; who has more by an old override may get less."""


@dataclass(frozen=True, slots=True)
class Adjust(Move):
    """A correction of one player's counts by hand, and why (see this module)."""

    word = "adjust"
    player: str
    differences: tuple[tuple[str, int], ...]
    """What is counted, and the difference."""
    reason: str
    """In the players' own words, or a code for a usual reason."""
    earlier: bool = field(default=False, compare=False)
    """As for :class:`.Override`."""

    def __str__(self) -> str:
        changes = (f"{what}{by:+}" for what, by in self.differences)
        return " ".join(("adjust", self.player, *changes, BECAUSE, self.reason))

    def as_earlier_release(self) -> Adjust:
        return replace(self, earlier=True)


class AdjustDecision(Decision[Adjust]):
    move = Adjust
    stages = ()

    def parse(self, words: list[str]) -> Adjust:
        if BECAUSE not in words:
            raise ValueError(f"it ends with {BECAUSE!r} and the reason")
        reason = words.index(BECAUSE)
        changes = (_DIFFERENCE.fullmatch(word) for word in words[1:reason])
        pairs = tuple((change[1], int(change[2])) for change in changes if change)
        return Adjust(words[0], pairs, " ".join(words[reason + 1 :]))

    def validate(self, game: GameState, move: Adjust) -> Reason | None:
        return validate(game, move)

    def apply(self, game: GameState, move: Adjust) -> list[Event]:
        return apply(game, move)


class Count(NamedTuple):
    """How much a seat has of something, and the limits of a correction."""

    player: str
    what: str
    value: int
    least: int
    most: int


def counts(game: GameState) -> list[Count]:
    """Returns what can be adjusted now: nothing during set-up, only points once the game is over."""
    if game.stage == SETUP:
        return []
    return [count for seat in game.seats for count in _counts_of(game, seat)]


def _counts_of(game: GameState, seat: Seat) -> Iterator[Count]:
    yield Count(seat.colour, SCORE, seat.score, 0, max(MOST, seat.score))
    if game.stage == OVER:
        return
    for counter in UNLIMITED:
        if hasattr(seat, counter):  # not everybody has workers
            value = getattr(seat, counter)
            yield Count(seat.colour, counter, value, 0, max(MOST, value))
    for pile in GOODS_COUNTERS:
        for kind in GOODS:
            most = seat.goods[kind] + seat.sold[kind] + game.goods_supply[kind]
            yield Count(seat.colour, f"{pile}:{kind}", getattr(seat, pile)[kind], 0, most)
    yield Count(seat.colour, TRACK, position(game, game.index(seat.colour)), 0, len(game.track) - 1)


def of(game: GameState, player: str, changes: Mapping[str, int], reason: str) -> Adjust:
    """Returns the adjustment by *changes*; a marker that moves by 0 spaces is placed on top of its stack."""
    real = tuple((what, by) for what, by in changes.items() if by or what == TRACK)
    return Adjust(player, real, reason)


def validate(game: GameState, move: Adjust) -> Reason | None:
    """Returns why an adjustment is impossible on this table; None if it is possible."""
    known = {count.what: count for count in counts(game) if count.player == move.player}
    if game.stage == SETUP:
        return Reason("wrong_stage", {"stage": game.stage, "move": move.word})
    if not move.differences or not move.reason:
        return Reason("adjust_nothing")
    named = Counter(what for what, _ in move.differences)
    for what, by in move.differences:
        if what not in known or named[what] > 1:
            return Reason("adjust_unknown", {"what": what})
        if not known[what].least <= (now := known[what].value + by) <= known[what].most:
            limits = {"least": known[what].least, "most": known[what].most}
            return Reason("adjust_beyond", {"player": move.player, "amount": [what, now], **limits})
    if TRACK in named and has_begun(game):
        return Reason("adjust_turn_begun", {"player": game.seat.colour})
    return _validate_goods(game, move)


def _validate_goods(game: GameState, move: Adjust) -> Reason | None:
    """Checks that the supply has what is added and what later phases need, and that each stored kind has a space."""
    seat, stored = game.seats[game.index(move.player)], Counter[int]()
    needed: Counter[int] = Counter()
    for pile, kind, by in _goods_changes(move):
        needed[kind] += by
        stored[kind] += by if pile == "goods" else 0
    for kind, count in needed.items():
        if count > (left := game.goods_supply[kind]):
            return Reason("goods_not_in_supply", {"goods": kind, "left": left, "given": count})
    if not move.earlier and (reason := goods_shortage(game, needed.total())):
        return reason
    spaces = game.edition.goods_spaces
    if isinstance(seat, Player) and sum(seat.goods[kind] + stored[kind] > 0 for kind in GOODS) > spaces:
        return Reason("adjust_no_room", {"player": move.player, "spaces": spaces})
    return None


def _goods_changes(move: Adjust) -> Iterator[tuple[str, int, int]]:
    """Pile, kind and difference of each change that concerns goods."""
    for what, by in move.differences:
        pile, _, kind = what.partition(":")
        if pile in GOODS_COUNTERS:
            yield pile, int(kind), by


def apply(game: GameState, move: Adjust) -> list[Event]:
    """Corrects the counts."""
    index = game.index(move.player)
    seat, changes = game.seats[index], dict(move.differences)
    points, first = changes.get(SCORE, 0), game.first_player
    data = {"differences": [list(pair) for pair in move.differences], "reason": move.reason}
    events = [Event("adjust", seat.colour, points, data)]
    change_score(game, seat, ADJUSTED, points, events)
    for counter in UNLIMITED:
        if counter in changes:
            setattr(seat, counter, getattr(seat, counter) + changes[counter])
    for pile, kind, by in _goods_changes(move):
        getattr(seat, pile)[kind] += by
        game.goods_supply[kind] -= by
    if TRACK in changes:
        move_marker(game, index, position(game, index) + changes[TRACK], events)
        follow_track(game)
        if game.first_player != first:
            events.append(Event("white_die", game.seats[game.first_player].colour))
    if game.stage == OVER:
        game.score_history = (*game.score_history[:-1], tuple(seat.score for seat in game.seats))
    return events
