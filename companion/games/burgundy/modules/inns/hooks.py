"""What inns change in the base rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from typing import Any

from ...rules.board import Area, bits
from ...rules.decisions import Place
from ...rules.events import Event
from ...rules.hooks import Hooks
from ...rules.legality import legal_moves
from ...rules.moves import Move
from ...rules.observation import VisibleChange
from ...rules.phases import draw
from ...rules.reason import Reason
from ...rules.reminders import Reminder
from ...rules.scoring import area_name, area_points, completion_points, has_scored
from ...rules.setup_steps import Step
from ...rules.state import GameState, Player, Seat
from ...rules.tiles import EMPTY, Tile, tile
from .stack import GROUP, INN, stack_of

INNS_PER_PHASE = 1
"""S765."""
MOST_CACHED = 4096
"""Sets of spaces whose indices are remembered."""
_INN = tile(INN)
STEP_IN_STORAGE = 0.5
"""Share of the points by which it enlarges the best area that a stored inn is worth to a bot, times the square of how
full the area is. Set by hand."""


class InnHooks(Hooks):
    """The rules of games with inns."""

    # For sale beside the black depot

    def phase_begins(self, game: GameState, events: list[Event]) -> None:
        """Lays an inn on those that are left from before (S765)."""
        super().phase_begins(game, events)
        if game.supply[_INN]:  # an override may have used the last ones
            draw(game, _INN)
            stack_of(game).count += 1

    def tiles_beside_depots(self, game: GameState) -> Mapping[str, int]:
        return {**super().tiles_beside_depots(game), INN: INNS_PER_PHASE}

    def black_depot(self, game: GameState) -> Sequence[Tile | None]:
        """Returns the tiles of the depot and the inn on top: it is bought like any other (S767)."""
        return [*super().black_depot(game), stack_of(game).top]

    def take_from_black_depot(self, game: GameState, slot: int) -> Tile:
        if slot < len(super().black_depot(game)):
            return super().take_from_black_depot(game, slot)
        stack_of(game).count -= 1
        return _INN

    def removal_from_black_depot(self, game: GameState, slot: int) -> VisibleChange:
        if slot < len(super().black_depot(game)):
            return super().removal_from_black_depot(game, slot)
        return VisibleChange(f"{GROUP}:0", INN if stack_of(game).count > 1 else EMPTY)

    # In a duchy

    def why_closed(self, game: GameState, player: Player, stored: Tile, space: int) -> Reason:
        if stored.type == INN and _has_inn(player, player.duchy.area_of[space]):
            return Reason("inn_in_area")
        return super().why_closed(game, player, stored, space)

    def tile_effect(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        if placed.type != INN:  # an inn has none (S771)
            super().tile_effect(game, player, placed, space, events)

    def area_size(self, game: GameState, player: Player, area: Area) -> int:
        """Returns one more for an area with an inn (S773)."""
        return super().area_size(game, player, area) + _has_inn(player, area)

    # What bots and reminders make of a position

    def evaluate(self, game: GameState, player: Player) -> float:
        stored = player.storage.count(_INN)
        gains = (_gain(game, player, area) for area in player.duchy.areas) if stored else ()
        return super().evaluate(game, player) + STEP_IN_STORAGE * sum(nlargest(stored, gains))

    def reminders(self, game: GameState, moves: Sequence[Move]) -> Iterator[Reminder]:
        """Yields the stored inn that would complete the area that brings most now."""
        yield from super().reminders(game, moves)
        closing = [
            (_points_with_inn(game, game.player, area), -move.workers, move)
            for move in legal_moves(game)
            if isinstance(move, Place) and move.tile == INN and (area := _completed(game.player, move.space))
        ]
        if closing:
            points, _, move = max(closing, key=lambda one: one[:2])
            usual = sum(completion_points(game, game.player, game.player.duchy.area_of[move.space]))
            yield Reminder("inn_completes", {"space": move.space, "points": points, "usual": usual})

    # What is seen and shown

    def steps_before_phase(self, game: GameState) -> Iterator[Step]:
        yield from super().steps_before_phase(game)
        if game.supply[_INN]:
            yield {"step": "inn"}

    def visible_layout_of_board(self, game: GameState) -> dict[str, tuple[str, ...]]:
        return {**super().visible_layout_of_board(game), GROUP: (INN if stack_of(game).count else EMPTY,)}

    def view_of_board(self, game: GameState) -> dict[str, Any]:
        return {**super().view_of_board(game), GROUP: stack_of(game).to_json()}

    def view_of(self, game: GameState, seat: Seat) -> dict[str, dict[str, Any]]:
        """Adds to each area of a person what completing it would bring with an inn, None if it can have none."""
        view = super().view_of(game, seat)
        if isinstance(seat, Player):
            for area, shown in zip(seat.duchy.areas, view["players"]["areas"], strict=True):
                shown["points_with_inn"] = _points_with_inn(game, seat, area) if shown["left"] else None
        return view


def spaces_for_inn(player: Player) -> int:
    """Returns every space but those of areas that have an inn (S769), as a bit set."""
    return sum(area.spaces for area in player.duchy.areas if not _has_inn(player, area))


def _has_inn(player: Player, area: Area) -> bool:
    """Returns whether one of the tiles in an area is an inn; asked for every area of every position of a search."""
    return _INN in map(player.spaces.__getitem__, _spaces_of(area.spaces & player.occupied))


@lru_cache(maxsize=MOST_CACHED)
def _spaces_of(spaces: int) -> tuple[int, ...]:
    return tuple(bits(spaces))


def _completed(player: Player, space: int) -> Area | None:
    """Returns the area that a tile on an empty space completes; None if it completes none."""
    area = player.duchy.area_of[space]
    return None if area.spaces & ~player.occupied & ~(1 << space) else area


def _points_with_inn(game: GameState, player: Player, area: Area) -> int | None:
    """Returns the points for completing an area with an inn in it now; None if it can have none."""
    if _has_inn(player, area):
        return None
    if has_scored(player, area_name(area)):
        return 0
    size = game.hooks.area_size(game, player, area) + 1
    return area_points(game, size) + game.edition.phase_points[game.phase_letter]


def _gain(game: GameState, player: Player, area: Area) -> float:
    """Returns what an inn adds to the points of an area, times the square of how full it is."""
    full = (area.spaces & player.occupied).bit_count() / area.size
    if full == 1 or _has_inn(player, area):
        return 0.0
    size = game.hooks.area_size(game, player, area)
    return full * full * (area_points(game, size + 1) - area_points(game, size))
