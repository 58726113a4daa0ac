"""The extra tiles as a module: what they add to the base game and change in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from ...rules.decision import Effect
from ...rules.decisions import Skip
from ...rules.events import Event
from ...rules.hooks import Hooks
from ...rules.module import Module
from ...rules.moves import Move
from ...rules.reminders import Reminder
from ...rules.scoring import herd_points
from ...rules.setup_steps import Step
from ...rules.state import GameState, Pending, Player, Seat
from ...rules.tiles import Tile
from ..chateauma.extension import Benefit, Extension
from . import automa, crane, geese, hire, markers, valuing


class ExtraTilesHooks(Hooks):
    def steps_before_game(self, game: GameState) -> Iterator[Step]:
        yield from super().steps_before_game(game)
        yield {"step": ExtraTiles.id}

    def use_building(self, game: GameState, player: Player, building: str, events: list[Event]) -> None:
        if building == crane.CRANE:
            game.pending.append(Pending(crane.CRANE))
        else:
            super().use_building(game, player, building, events)

    def tile_effect(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        super().tile_effect(game, player, placed, space, events)
        if placed.label == markers.LABEL:
            markers.lift(game, events)

    def view_of(self, game: GameState, seat: Seat) -> dict[str, dict[str, Any]]:
        views = super().view_of(game, seat)
        if isinstance(seat, Player) and (source := crane.counts_for(game, seat)):
            views["players"] |= {"score_notes": {source: crane.CRANE}}
        return views

    def livestock_points(self, game: GameState, player: Player, space: int) -> tuple[int, int]:
        points, tiles = super().livestock_points(game, player, space)
        further = geese.further_livestock(game, player, space)
        return points + herd_points(player, further), tiles + len(further)

    def stack_markers(self, game: GameState, space: int, events: list[Event]) -> None:
        super().stack_markers(game, space, events)
        markers.keep_on_top(game, space, events)

    def out_of_turn_moves(self, game: GameState) -> Iterable[Move]:
        return [*super().out_of_turn_moves(game), *hire.out_of_turn(game)]

    def monastery_points(self, game: GameState, player: Player) -> dict[str, int]:
        return dict(
            Counter(super().monastery_points(game, player)) + Counter(crane.points_at_end(game, player))
        )

    def evaluate(self, game: GameState, player: Player) -> float:
        return super().evaluate(game, player) + valuing.value(game, player)

    def reminders(self, game: GameState, moves: Sequence[Move]) -> Iterator[Reminder]:
        yield from super().reminders(game, moves)
        yield from valuing.reminders(game)


class ExtraTiles(Module, Extension):
    """Monasteries 27 and 28, crane and geese. *supply* are the tiles of the box, by face and back."""

    id = "extra_tiles"
    editions = frozenset({"special"})
    hooks = ExtraTilesHooks
    decisions = (crane.UseDecision(), hire.HireDecision())
    effects: ClassVar[Mapping[str, Effect]] = {crane.CRANE: Effect((crane.Use, Skip))}
    labels = frozenset({markers.LABEL, hire.LABEL, crane.LABEL, geese.LABEL})
    events: ClassVar[Mapping[str, str]] = {"use": "S721-723", "hire": "S717", "on_top": "S713"}
    automa_benefits: ClassVar[Mapping[str, Benefit]] = automa.BENEFITS
    automa_steps: ClassVar[Mapping[str, str]] = automa.STEPS

    def __init__(self, supply: Mapping[Tile, int]) -> None:
        self._supply = supply

    def supply(self, edition: str) -> Mapping[Tile, int]:
        return self._supply
