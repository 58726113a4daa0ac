"""Monastery 27: its owner's marker is on top of whatever shares its space (S711-713)."""

from __future__ import annotations

from ...rules.abilities import has
from ...rules.events import Event
from ...rules.state import GameState, Player, Seat
from ...rules.tiles import MONASTERY

NUMBER = 27
LABEL = f"{MONASTERY}/{NUMBER}"


def keep_on_top(game: GameState, space: int, events: list[Event]) -> None:
    """Puts the markers of its owner on top of a space of the track, in the order in which they lie."""
    before = game.track[space]
    owners = [index for index in before if _owns(game.seats[index])]
    game.track[space] = [*(index for index in before if index not in owners), *owners]
    if game.track[space] != before:
        events.append(Event("on_top", game.seats[game.track[space][-1]].colour))


def lift(game: GameState, events: list[Event]) -> None:
    """Puts the markers of its owner on top when it has been placed; that may bring the white die (S277)."""
    first = game.first_player
    for space in range(len(game.track)):
        keep_on_top(game, space, events)
    if game.first_player != first:
        events.append(Event("white_die", game.seats[game.first_player].colour))


def _owns(seat: Seat) -> bool:
    return isinstance(seat, Player) and has(seat.monasteries, NUMBER)
