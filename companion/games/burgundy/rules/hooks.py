"""What a module may change: every method is the base rule, which a module's class overrides.

A module's class inherits from :class:`Hooks` and calls ``super()`` for what it does not change. A ruleset makes one
class of those of its modules, so that each calls the next, and the last one the base rule (see :mod:`.ruleset`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from . import effects, observation, phases, scoring, setup_steps, text_board, view
from .abilities import silver_from_sale, worker_costs, workers_from_sale
from .board import Area
from .edition import Edition
from .events import Event
from .gains import GOODS_SOLD, gain
from .reason import Reason
from .state import GameState, Pending, Player, Seat
from .tiles import Tile


class Hooks:
    """The base rules that modules change."""

    # Seats and the main board

    def seat_counts(self, edition: Edition) -> Sequence[int]:
        """Returns how many seats a game may have, the fewest first."""
        return sorted(edition.main_boards)

    def played_as(self, seats: int) -> int:
        """Returns for how many players the main board, the bonus tiles and the sales of so many seats are printed."""
        return seats

    def copy_of(self, seats: Sequence[Seat]) -> list[Seat]:
        """Returns independent copies of seats; a module whose seats share a side copies it once."""
        return [seat.copy() for seat in seats]

    # Set-up

    def start_resources(self, game: GameState) -> None:
        """Gives everybody silver and workers when the set-up ends (S243-245)."""
        phases.give_start_resources(game)

    def is_set_up(self, seat: Seat) -> bool:
        """Returns whether a seat has everything that it gets before the first phase."""
        return phases.player_is_set_up(_person(seat))

    def start_steps(self, seat: Seat, place: int) -> Iterator[setup_steps.Step]:
        """Yields what people set up for a seat that is *place*-th in the order (see :mod:`.setup_steps`)."""
        return setup_steps.player_start_steps(_person(seat), place)

    # Storage

    def storage_size(self, stored: Tile) -> int:
        """Returns how many key spaces a tile needs."""
        return 1

    def storage_spaces(self, game: GameState, player: Player) -> int:
        """Returns how many key spaces a player has."""
        return game.edition.storage_spaces

    # Placing

    def spaces_for(self, player: Player, tile_type: str) -> int:
        """Returns the spaces on which a tile of this type may lie at all, as a bit set."""
        return player.duchy.of_type.get(tile_type, 0)

    def open_spaces(self, game: GameState, player: Player, tile_type: str) -> int:
        """Returns the empty spaces whose type and neighbours allow a tile of this type (S346), as a bit set."""
        return player.frontier & self.spaces_for(player, tile_type)

    def why_closed(self, game: GameState, player: Player, stored: Tile, space: int) -> Reason:
        """Returns why an empty space that is not among :meth:`open_spaces` takes no such tile."""
        tile_type = player.duchy.spaces[space].tile_type
        if not self.spaces_for(player, stored.type) >> space & 1:
            return Reason("wrong_colour", {"tile": stored.label, "colour": tile_type})
        return Reason("not_adjacent")

    def tile_effect(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        """Does what a tile does when it has just been placed, before areas are scored."""
        effects.PLACED[placed.type](game, player, placed, space, events)

    def after_placing(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        """Does what follows once a placed tile has had its effect and its area has been scored."""

    def area_size(self, game: GameState, player: Player, area: Area) -> int:
        """Returns the size by which an area scores (S513)."""
        return area.size

    # Dice

    def worker_costs(self, game: GameState, player: Player, free_by: int | None) -> Sequence[Sequence[int]]:
        """Returns the workers that change a die, as ``costs[die][value]``; *free_by* is as in :func:`.worker_costs`."""
        return worker_costs(game.rules.monastery_8, player.monasteries, free_by)

    # Choices

    def open_effects(self, game: GameState) -> Sequence[Pending]:
        """Returns the waiting effects of which one is chosen next: the last one opened."""
        return game.pending[-1:]

    # Gains

    def sell(self, game: GameState, player: Player, kind: int) -> list[Event]:
        """Sells all goods of a kind: silver per sale, points per tile by number of players (S563-568)."""
        count = player.goods[kind]
        player.goods[kind] = 0
        player.sold[kind] += count
        silver, workers = silver_from_sale(player.monasteries), workers_from_sale(player.monasteries)
        points = count * game.played_as
        data = {"goods": kind, "count": count, "silver": silver, "workers": workers}
        events = [Event("sell", player.colour, points, data)]
        gain(game, player, events, silver=silver, workers=workers)
        scoring.award(game, player, "sales", points, events)
        self.gained(game, player, GOODS_SOLD, count, events)
        return events

    def gained(self, game: GameState, seat: Seat, what: str, amount: int, events: list[Event]) -> None:
        """Does what follows from a gain of one of :data:`.gains.GAINS`, once the seat has it."""

    # Rounds and phases

    def round_begins(self, game: GameState, events: list[Event]) -> None:
        """Does what follows a roll, before the first turn of the round."""

    def stages_at_phase_end(self, game: GameState) -> Sequence[str]:
        """Returns the stages between the fifth round and the end of its phase, in order."""
        return ()

    def decides(self, game: GameState, seat: Seat) -> bool:
        """Returns whether a seat has anything to decide at the current stage, one of :meth:`stages_at_phase_end`."""
        return isinstance(seat, Player)

    def phase_ends(self, game: GameState, events: list[Event]) -> None:
        """Does what is due at the end of a phase, before the main board is cleared or the game scored."""
        phases.pay_mines(game, events)

    def mine_income(self, seat: Seat) -> tuple[int, int]:
        """Returns silver and workers for a seat's mines at the end of a phase."""
        return phases.player_mine_income(_person(seat))

    # The end

    def final_points(self, game: GameState, seat: Seat) -> dict[str, int]:
        """Returns the points of a seat if the game ended now, by source."""
        return scoring.player_final_points(game, _person(seat))

    def ranking_key(self, game: GameState, index: int) -> tuple[int, ...]:
        """Returns what a seat is ranked by; less is better."""
        return scoring.ranking_key(game, index)

    # What is seen and shown

    def visible_layout_of(self, game: GameState, seat: Seat) -> dict[str, tuple[str, ...]]:
        """Returns the labels of everything visible that belongs to a seat, by group."""
        return observation.layout_of_player(game, _person(seat))

    def visible_layout_of_board(self, game: GameState) -> dict[str, tuple[str, ...]]:
        """Returns the labels of everything visible on the main board and beside it, by group."""
        return observation.layout_of_main_board(game)

    def view_of(self, game: GameState, seat: Seat) -> dict[str, dict[str, Any]]:
        """Returns what a seat owns as plain data, under the name of the list of views that it belongs to."""
        return {"players": view.of_player(game, _person(seat))}

    def view_of_board(self, game: GameState) -> dict[str, Any]:
        """Returns what is on the main board and beside it as plain data."""
        return view.of_main_board(game)

    def text_board(self, seat: Seat) -> str:
        """Returns a seat's board as lines of text."""
        return text_board.draw(_person(seat))


def _person(seat: Seat) -> Player:
    """Returns a person's seat. Raises ``TypeError`` for a seat whose module has not overridden the rule."""
    if not isinstance(seat, Player):
        raise TypeError(f"no base rule for a {type(seat).__name__}")
    return seat
