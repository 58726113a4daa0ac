"""Counts put right by hand: the table knows better how many workers, silver, goods and points somebody has.

An adjustment names what is counted of one player, and by how much more or less:

* ``workers``, ``silver``: there are always enough of them (S83);
* ``score``: the marker; the score sheet tells these points apart;
* ``goods:4``, ``sold:4``: goods of a kind, stored or sold; more of them come from the supply, and fewer go back there;
* ``track``: the marker of turn order, by spaces; it comes to lie on top of its stack.

So nothing appears or disappears but what is not limited, and the phases to come find the goods that they need. A
difference tells what is meant even when an earlier turn is put right later on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .events import Event
from .future_supply import goods_left
from .moves import Adjust
from .phases import follow_track, has_begun, move_marker, position
from .reason import Reason
from .scoring import ADJUSTED, award
from .state import OVER, SETUP, GameState, Player, Seat
from .tiles import GOODS

SCORE, TRACK = "score", "track"
PURSES = ("workers", "silver")
"""What a seat may have any number of."""
PILES = ("goods", "sold")
"""What a seat has by kind of goods."""
MOST = 999
"""Workers, silver or points beyond what anybody ever has; who has more by an earlier ruling may be given less."""


class Count(NamedTuple):
    """How much a seat has of something."""

    player: str
    what: str
    value: int
    least: int
    most: int


def counts(game: GameState) -> list[Count]:
    """What may be adjusted now: nothing during set-up, only points once the game is over."""
    if game.stage == SETUP:
        return []
    return [count for seat in game.seats for count in _counts_of(game, seat)]


def _counts_of(game: GameState, seat: Seat) -> Iterator[Count]:
    yield Count(seat.colour, SCORE, seat.score, 0, max(MOST, seat.score))
    if game.stage == OVER:
        return
    for purse in PURSES:
        if hasattr(seat, purse):  # not everybody has workers
            value = getattr(seat, purse)
            yield Count(seat.colour, purse, value, 0, max(MOST, value))
    for pile in PILES:
        for kind in GOODS:
            most = seat.goods[kind] + seat.sold[kind] + game.goods_supply[kind]
            yield Count(seat.colour, f"{pile}:{kind}", getattr(seat, pile)[kind], 0, most)
    yield Count(seat.colour, TRACK, position(game, game.index(seat.colour)), 0, len(game.track) - 1)


def of(game: GameState, player: str, changes: Mapping[str, int], reason: str) -> Adjust:
    """The adjustment of what *changes*; a marker that moves by no space is laid on top of its stack."""
    real = tuple((what, by) for what, by in changes.items() if by or what == TRACK)
    return Adjust(player, real, reason)


def validate(game: GameState, move: Adjust) -> Reason | None:
    """What speaks against an adjustment: only what cannot be on this table."""
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
    return _why_not_goods(game, move)


def _why_not_goods(game: GameState, move: Adjust) -> Reason | None:
    """The supply must hold what is added and what later phases need; each kind that a person stores needs a space."""
    seat, stored = game.seats[game.index(move.player)], Counter[int]()
    awaited: Counter[int] = Counter()
    for pile, kind, by in _of_piles(move):
        awaited[kind] += by
        stored[kind] += by if pile == "goods" else 0
    for kind, count in awaited.items():
        if count > (left := game.goods_supply[kind]):
            return Reason("goods_not_in_supply", {"goods": kind, "left": left, "given": count})
    if not move.earlier and (reason := goods_left(game, awaited.total())):
        return reason
    spaces = game.edition.goods_spaces
    if isinstance(seat, Player) and sum(seat.goods[kind] + stored[kind] > 0 for kind in GOODS) > spaces:
        return Reason("adjust_no_room", {"player": move.player, "spaces": spaces})
    return None


def _of_piles(move: Adjust) -> Iterator[tuple[str, int, int]]:
    """Pile, kind and difference of each change that concerns goods."""
    for what, by in move.differences:
        pile, _, kind = what.partition(":")
        if pile in PILES:
            yield pile, int(kind), by


def apply(game: GameState, move: Adjust) -> list[Event]:
    """Makes the counts as the table says."""
    index = game.index(move.player)
    seat, changes = game.seats[index], dict(move.differences)
    points, first = changes.get(SCORE, 0), game.first_player
    told = {"differences": [list(pair) for pair in move.differences], "reason": move.reason}
    events = [Event("adjust", seat.colour, points, told)]
    award(game, seat, ADJUSTED, points, events)
    for purse in PURSES:
        if purse in changes:
            setattr(seat, purse, getattr(seat, purse) + changes[purse])
    for pile, kind, by in _of_piles(move):
        getattr(seat, pile)[kind] += by
        game.goods_supply[kind] -= by
    if TRACK in changes:
        move_marker(game, index, position(game, index) + changes[TRACK])
        follow_track(game)
        if game.first_player != first:
            events.append(Event("white_die", game.seats[game.first_player].colour))
    if game.stage == OVER:
        game.score_history = (*game.score_history[:-1], tuple(seat.score for seat in game.seats))
    return events
