"""Twilight: after the fifth round of a phase everybody may place stored tiles without a die, with all that follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.rules.board import bits
from companion.games.burgundy.rules.decision import Decision
from companion.games.burgundy.rules.decisions.payment import validate_nothing_pending
from companion.games.burgundy.rules.events import Event
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module
from companion.games.burgundy.rules.moves import Move, parse_number, parse_tile
from companion.games.burgundy.rules.observation import VisibleChange
from companion.games.burgundy.rules.phases import next_at_phase_end
from companion.games.burgundy.rules.placement import place_stored, repeats_building
from companion.games.burgundy.rules.reason import Reason
from companion.games.burgundy.rules.state import GameState
from companion.games.burgundy.rules.storage import distinct

STAGE = "twilight"


@dataclass(frozen=True, slots=True)
class PlaceLate(Move):
    """Place a stored tile."""

    word = "late"
    tile: str
    space: int

    def __str__(self) -> str:
        return f"late {self.tile} {self.space}"

    def labels(self) -> tuple[str]:
        return (self.tile,)


class PlaceLateDecision(Decision[PlaceLate]):
    move = PlaceLate
    stages = (STAGE,)

    def parse(self, words: list[str]) -> PlaceLate:
        label, space = words
        return PlaceLate(parse_tile(label), parse_number(space))

    def choices(self, game: GameState) -> Iterator[PlaceLate]:
        player = game.player
        for stored in distinct(player.storage):
            for space in bits(game.hooks.open_spaces(game, player, stored.type)):
                if not repeats_building(player, stored, space):
                    yield PlaceLate(stored.label, space)

    def validate(self, game: GameState, move: PlaceLate) -> Reason | None:
        if reason := validate_nothing_pending(game, move.word):
            return reason
        return None if move in list(self.choices(game)) else Reason("not_adjacent")

    def apply(self, game: GameState, move: PlaceLate) -> list[Event]:
        return place_stored(game, move.tile, move.space)

    def visible_changes(self, game: GameState, move: PlaceLate) -> Iterator[VisibleChange]:
        yield VisibleChange(f"duchy:{game.seat.side.colour}:{move.space}", move.tile)


@dataclass(frozen=True, slots=True)
class Rest(Move):
    """Place no more tiles."""

    word = "rest"
    ends_turn = True

    def __str__(self) -> str:
        return "rest"


class RestDecision(Decision[Rest]):
    move = Rest
    stages = (STAGE,)

    def parse(self, words: list[str]) -> Rest:
        return Rest(*words)

    def choices(self, game: GameState) -> tuple[Rest]:
        return (Rest(),)

    def validate(self, game: GameState, move: Rest) -> Reason | None:
        return validate_nothing_pending(game, move.word)

    def apply(self, game: GameState, move: Rest) -> list[Event]:
        events: list[Event] = []
        next_at_phase_end(game, events)
        return events


class TwilightHooks(Hooks):
    def stages_at_phase_end(self, game: GameState) -> Sequence[str]:
        return (*super().stages_at_phase_end(game), STAGE)


class TwilightModule(Module):
    id = "twilight"
    hooks = TwilightHooks
    decisions = (PlaceLateDecision(), RestDecision())


def create(facts: Facts) -> TwilightModule:
    return TwilightModule()
