"""Why a move is illegal: :func:`validate` for any move or chance event; :func:`play` checks, then makes it."""

from __future__ import annotations

from collections.abc import Iterator

from calibration.errors import CompanionError

from .abilities import FREE_STEP_WHEN_PLACING, FREE_STEP_WHEN_TAKING
from .decisions.buy import Buy
from .decisions.depots import removal, tiles_in
from .decisions.fill import Fill
from .decisions.payment import open_effect, ways_to_pay
from .decisions.place import Place
from .decisions.take import Take
from .events import Event
from .moves import BLACK_DEPOT, InvalidMoveError, Move
from .notation import parse_move
from .observation import visible_layout
from .reason import Reason
from .state import TURN, GameState
from .storage import distinct


class IllegalMoveError(CompanionError, ValueError):
    """The move cannot be made now."""

    def __init__(self, move: Move, reason: Reason) -> None:
        super().__init__(f"illegal move {str(move)!r}: {reason.code} {dict(reason.data)}")
        self.move = move
        self.reason = reason


def play(game: GameState, move: Move) -> list[Event]:
    """Makes *move* after checking it; returns its events.

    :raises IllegalMoveError: if it is illegal; the game is unchanged then.
    """
    if reason := validate(game, move):
        raise IllegalMoveError(move, reason)
    return apply(game, move)


def apply(game: GameState, move: Move) -> list[Event]:
    """Makes *move* and returns what happened.

    .. warning:: Legality is not checked; an illegal move leaves an impossible state.
    """
    events = game.ruleset.decisions[type(move)].apply(game, move)
    for follow in game.ruleset.consequences:
        follow(game, events)
    return events


def validate(game: GameState, move: Move) -> Reason | None:
    """Returns the first reason why *move* is illegal; None if it is legal."""
    if reason := _validate_form(game, move):
        return reason
    decision = game.ruleset.decision_of(move)
    if decision.stages and game.stage not in decision.stages and not open_effect(game, move):
        return Reason("wrong_stage", {"stage": game.stage, "move": move.word})
    return decision.validate(game, move)


def _validate_form(game: GameState, move: Move) -> Reason | None:
    """Checks what no notation can express but a hand-made move may hold: unknown tiles, three dice, no space."""
    ruleset = game.ruleset
    if type(move) in ruleset.not_in_play:
        return ruleset.not_in_play[type(move)].why_not_in_play(move)
    if type(move) not in ruleset.decisions:
        return Reason("not_a_move")
    for label in move.labels():
        if label not in ruleset.labels:
            return Reason("no_such_tile", {"label": str(label)})
    return None if isinstance(move, Fill) or _can_be_written(game, move) else Reason("not_a_move")


def _can_be_written(game: GameState, move: Move) -> bool:
    try:
        return parse_move(game.ruleset.decision_by_word, game.ruleset.labels, str(move)) == move
    except (InvalidMoveError, TypeError):
        return False


# --- what the current player may want to do ---------------------------------------------------------------


def illegal_moves_at(game: GameState, place: str) -> Iterator[tuple[Move, Reason]]:
    """Yields what the current player may want to do at a place of the table but cannot, with the reasons.

    Places are named as in a sighting (:mod:`.observation`). Of an action that several dice could pay for, only the
    cheapest is yielded. There is nothing at a place that the table does not have.
    """
    group, _, index = place.rpartition(":")
    if game.stage != TURN or index not in map(str, range(len(visible_layout(game).get(group, ())))):
        return
    for ways in _actions_at(game, place.split(":")):
        reasons = [validate(game, move) for move in ways]
        if ways and None not in reasons:
            yield min(
                zip(ways, filter(None, reasons), strict=True), key=lambda way: getattr(way[0], "workers", 0)
            )


def _actions_at(game: GameState, place: list[str]) -> Iterator[list[Move]]:
    """Yields the ways to take each action there: with an open effect, else with any die."""
    player = game.player
    match place:
        case ["duchy", colour, index] if colour == player.side.colour and player.spaces[int(index)] is None:
            space = player.duchy.spaces[int(index)]
            for stored in distinct(player.storage):
                ways = ways_to_pay(game, space.die, FREE_STEP_WHEN_PLACING.get(stored.type))
                yield [Place(stored.label, space.index, *payment) for payment in ways]
        case ["depot", number, slot] if (there := game.depots[int(number) - 1][int(slot)]) is not None:
            ways = ways_to_pay(game, int(number), FREE_STEP_WHEN_TAKING)
            yield [Take(there.label, int(number), int(slot), *payment) for payment in ways]
        case _:
            for black_slot, there in enumerate(tiles_in(game, BLACK_DEPOT)):
                if there is not None and removal(game, BLACK_DEPOT, black_slot).place == ":".join(place):
                    yield [Buy(there.label, BLACK_DEPOT, black_slot)]
