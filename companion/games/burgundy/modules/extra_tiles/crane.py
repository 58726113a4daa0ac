"""The crane: a building that has the effect of any other, and counts as any one at the end (S719-727)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...rules.abilities import has
from ...rules.decision import Decision
from ...rules.decisions.payment import effect_missing, open_effect, use_effect
from ...rules.events import Event
from ...rules.moves import Move
from ...rules.reason import Reason
from ...rules.scoring import POINTS_PER_BUILDING
from ...rules.state import GameState, Pending, Player
from ...rules.tiles import BUILDING

CRANE = "crane"
LABEL = f"{BUILDING}/{CRANE}"


@dataclass(frozen=True, slots=True)
class Use(Move):
    """Use the crane that has just been placed as another building."""

    word = "use"
    effect: str
    """The building."""

    def __str__(self) -> str:
        return f"use {self.effect}"

    def labels(self) -> tuple[str]:
        return (f"{BUILDING}/{self.effect}",)


class UseDecision(Decision[Use]):
    move = Use

    def parse(self, words: list[str]) -> Use:
        (building,) = words
        return Use(building)

    def by_effect(self, game: GameState, pending: Pending) -> Iterator[Use]:
        return map(Use, game.hooks.usable_buildings(game, game.player))

    def reason_against_effect(self, game: GameState, pending: Pending, move: Use) -> Reason | None:
        if move.effect in game.hooks.usable_buildings(game, game.player):
            return None
        return Reason("building_does_nothing", {"tile": f"{BUILDING}/{move.effect}"})

    def validate(self, game: GameState, move: Use) -> Reason | None:
        pending = open_effect(game, move)
        if pending is None:
            return effect_missing(game, move.word, could_use_die=False)
        return self.reason_against_effect(game, pending, move)

    def apply(self, game: GameState, move: Use) -> list[Event]:
        use_effect(game, move)
        events = [Event("use", game.player.colour, data={"effect": move.effect})]
        game.hooks.use_building(game, game.player, move.effect, events)
        return events


def counts_for(game: GameState, player: Player) -> str | None:
    """Returns the source of the points that a placed crane brings at the end; None if it brings none."""
    return next(iter(points_at_end(game, player)), None)


def points_at_end(game: GameState, player: Player) -> dict[str, int]:
    """Returns the points of a placed crane at the end, by source: for one of the monasteries that count buildings.

    It is one building (S725), so that it counts for one of them, the first; all bring the same.
    """
    owned = [
        number for number in sorted(game.hooks.buildings_counted(game)) if has(player.monasteries, number)
    ]
    cranes = sum(t.variant == CRANE for t in player.placed(BUILDING)) if owned else 0
    return {f"monastery_{owned[0]}": POINTS_PER_BUILDING * cranes} if cranes else {}
