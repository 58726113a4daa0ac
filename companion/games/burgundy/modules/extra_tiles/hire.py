"""Monastery 28: silver for workers, at any time (S715-717)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...rules.abilities import has
from ...rules.decision import Decision
from ...rules.events import Event
from ...rules.gains import gain
from ...rules.legality import to_move
from ...rules.moves import Move
from ...rules.reason import Reason
from ...rules.state import OVER, SETUP, GameState, Player
from ...rules.tiles import MONASTERY

NUMBER = 28
LABEL = f"{MONASTERY}/{NUMBER}"
PRICE = 1
"""In silver."""
WORKERS = 2


@dataclass(frozen=True, slots=True)
class Hire(Move):
    """Buy workers: the current player, or another *player*."""

    word = "hire"
    player: str | None = None

    def __str__(self) -> str:
        return "hire" if self.player is None else f"hire {self.player}"


class HireDecision(Decision[Hire]):
    move = Hire
    stages = ()
    interrupts = True
    log_prior = -4.0

    def parse(self, words: list[str]) -> Hire:
        return Hire(*words)

    def choices(self, game: GameState) -> tuple[Hire, ...]:
        seat = game.seat
        if not (isinstance(seat, Player) and seat.monasteries >> NUMBER & 1):  # asked at every decision
            return ()
        return () if self.validate(game, Hire()) else (Hire(),)

    def validate(self, game: GameState, move: Hire) -> Reason | None:
        if game.stage in (SETUP, OVER):
            return Reason("wrong_stage", {"stage": game.stage, "move": move.word})
        player = _buyer(game, move)
        if player is None:
            return Reason("hire_who")
        if not has(player.monasteries, NUMBER):
            return Reason("needs_monastery_28")
        if player.silver < PRICE:
            return Reason("not_enough_silver", {"price": PRICE, "silver": player.silver})
        return None

    def apply(self, game: GameState, move: Hire) -> list[Event]:
        player = _buyer(game, move)
        assert player is not None
        player.silver -= PRICE
        events = [Event("hire", player.colour, data={"workers": WORKERS, "price": PRICE})]
        gain(game, player, events, workers=WORKERS)
        return events


def out_of_turn(game: GameState) -> Iterator[Hire]:
    """Yields the purchases that others than the current player may make."""
    decision = game.ruleset.decisions[Hire]
    for player in game.players:
        if decision.validate(game, move := Hire(player.colour)) is None:
            yield move


def _buyer(game: GameState, move: Hire) -> Player | None:
    """Returns who buys; None if the move does not name the one it means as it should: others, but not the current."""
    current = to_move(game)
    colour = current if move.player is None else move.player
    return None if colour is None or colour == move.player == current else game.person(colour)
