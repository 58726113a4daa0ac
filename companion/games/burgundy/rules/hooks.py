"""What a module may change: every method is the base rule, which a module's class overrides.

A module's class inherits from :class:`Hooks` and calls ``super()`` for what it does not change. A ruleset makes one
class of those of its modules, so that each calls the next, and the last one the base rule (see :mod:`.ruleset`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import effects, observation, phases, scoring, setup_steps, text_board, view
from .abilities import WorkerCosts, silver_from_sale, worker_costs, workers_from_sale
from .board import Area
from .edition import Edition
from .events import Event
from .gains import GOODS_SOLD, gain
from .observation import VisibleChange
from .reason import Reason
from .state import GameState, Pending, Player, Seat
from .tiles import EMPTY, Tile

if TYPE_CHECKING:
    from .moves import Move
    from .reminders import Reminder


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

    def is_board_set_up(self, game: GameState) -> bool:
        """Returns whether everything lies on the main board and beside it that lies there before the first phase."""
        return True

    def steps_before_game(self, game: GameState) -> Iterator[setup_steps.Step]:
        """Yields what people set up on the main board and beside it before the first phase, after the bonus tiles."""
        yield from ()

    def steps_before_phase(self, game: GameState) -> Iterator[setup_steps.Step]:
        """Yields what people set up before a phase, after its tiles and goods."""
        yield from ()

    # The black depot

    def black_depot(self, game: GameState) -> Sequence[Tile | None]:
        """Returns the tiles on the spaces of the black depot, and behind them those that modules sell beside it."""
        return game.black

    def take_from_black_depot(self, game: GameState, slot: int) -> Tile:
        """Takes one of the tiles of :meth:`black_depot`."""
        taken = game.black[slot]
        assert taken is not None
        game.black[slot] = None
        return taken

    def removal_from_black_depot(self, game: GameState, slot: int) -> observation.VisibleChange:
        """Returns the visible effect of taking one of the tiles of :meth:`black_depot`."""
        return observation.VisibleChange(f"black:{slot}", EMPTY)

    def tiles_beside_depots(self, game: GameState) -> Mapping[str, int]:
        """Returns how many tiles of each pile of the supply a phase needs besides those in the depots."""
        return {}

    # Storage

    def storage_size(self, stored: Tile) -> int:
        """Returns how many key spaces a tile needs."""
        return 1

    def storage_spaces(self, game: GameState, player: Player) -> int:
        """Returns how many key spaces a player has."""
        return game.edition.storage_spaces

    # Placing

    def open_spaces(self, game: GameState, player: Player, tile_type: str) -> int:
        """Returns the empty spaces whose type and neighbours allow a tile of this type (S346-348), as a bit set."""
        printed = player.duchy.of_type.get(tile_type)
        # Asked for every stored tile of every position, and most types are printed.
        return player.frontier & (game.ruleset.spaces_for(player, tile_type) if printed is None else printed)

    def why_closed(self, game: GameState, player: Player, stored: Tile, space: int) -> Reason:
        """Returns why an empty space that is not among :meth:`open_spaces` takes no such tile."""
        tile_type = player.duchy.spaces[space].tile_type
        if not game.ruleset.spaces_for(player, stored.type) >> space & 1:
            return Reason("wrong_colour", {"tile": stored.label, "colour": tile_type})
        return Reason("not_adjacent")

    def tile_effect(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        """Does what a tile does when it has just been placed, before areas are scored."""
        effects.PLACED[placed.type](game, player, placed, space, events)

    def usable_buildings(self, game: GameState, player: Player) -> Iterator[str]:
        """Yields the buildings whose effect would do something now."""
        return effects.usable_buildings(game, player)

    def use_building(self, game: GameState, player: Player, building: str, events: list[Event]) -> None:
        """Does what a building does, or opens the choice of its effect (S421-502)."""
        effects.use_building(game, player, building, events)

    def after_placing(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        """Does what follows once a placed tile has had its effect and its area has been scored."""

    def area_size(self, game: GameState, player: Player, area: Area) -> int:
        """Returns the size by which an area scores (S513)."""
        return area.size

    def pasture(self, game: GameState, player: Player, space: int) -> int:
        """Returns the spaces with whose livestock a tile on a space scores (S409-417), as a bit set."""
        return player.duchy.area_of[space].spaces

    def livestock_points(self, game: GameState, player: Player, space: int) -> tuple[int, int]:
        """Returns the points for the livestock just placed on a space, and how many tiles score them (S409-417)."""
        return scoring.livestock_points(game, player, space)

    # Dice

    def worker_costs(self, game: GameState, player: Player, free_by: int | None) -> WorkerCosts:
        """Returns the workers that change a die, as ``costs[die][value]``; *free_by* is as in :func:`.worker_costs`."""
        return worker_costs(game.rules.monastery_8, player.monasteries, free_by)

    # Choices

    def open_effects(self, game: GameState) -> Sequence[Pending]:
        """Returns the waiting effects of which one is chosen next: the last one opened."""
        return game.pending[-1:]

    # Gains

    def sale(self, game: GameState, player: Player, count: int) -> scoring.Sale:
        """Returns what selling so many goods of one kind brings (S563-568)."""
        return scoring.Sale(
            count * game.played_as,
            silver_from_sale(player.monasteries),
            workers_from_sale(player.monasteries),
        )

    def sell(self, game: GameState, player: Player, kind: int) -> list[Event]:
        """Sells all goods of a kind: silver per sale, points per tile by number of players (S563-568)."""
        count = player.goods[kind]
        player.goods[kind] = 0
        player.sold[kind] += count
        points, silver, workers = self.sale(game, player, count)
        data = {"goods": kind, "count": count, "silver": silver, "workers": workers}
        events = [Event("sell", player.colour, points, data)]
        gain(game, player, events, silver=silver, workers=workers)
        scoring.award(game, player, "sales", points, events)
        self.gained(game, player, GOODS_SOLD, count, events)
        return events

    def gained(self, game: GameState, seat: Seat, what: str, amount: int, events: list[Event]) -> None:
        """Does what follows from a gain of one of :data:`.gains.GAINS`, once the seat has it."""

    def bonus_tile_points(self, game: GameState, seat: Seat, printed: int) -> int:
        """Returns the points that a bonus tile brings a seat (S519)."""
        return printed

    # Turn order

    def stack_markers(self, game: GameState, space: int, events: list[Event]) -> None:
        """Arranges the markers on a space of the turn order track after one of them was put on top."""

    # Whatever happens

    def out_of_turn_moves(self, game: GameState) -> Iterable[Move]:
        """Returns what others than the current player may do now, as the moves that name them."""
        return ()

    # Rounds and phases

    def phase_begins(self, game: GameState, events: list[Event]) -> None:
        """Does what follows once a phase's tiles and goods are turned up."""

    def round_begins(self, game: GameState, events: list[Event]) -> None:
        """Does what follows a roll, before the first turn of the round."""

    def stages_at_phase_end(self, game: GameState) -> Sequence[str]:
        """Returns the stages between the fifth round and the end of its phase, in order."""
        return ()

    def usual_move(self, game: GameState) -> Move | None:
        """Returns what the current player usually does at one of these stages, if that changes nothing on the table."""
        return None

    def decides(self, game: GameState, seat: Seat) -> bool:
        """Returns whether a seat has anything to decide at the current stage, one of :meth:`stages_at_phase_end`."""
        return isinstance(seat, Player)

    def phase_ends(self, game: GameState, events: list[Event]) -> None:
        """Does what is due at the end of a phase, before the main board is cleared or the game scored."""
        phases.pay_mines(game, events)

    def mine_income(self, game: GameState, seat: Seat) -> tuple[int, int]:
        """Returns silver and workers for a seat's mines at the end of a phase."""
        return phases.player_mine_income(_person(seat))

    # The end

    def buildings_counted(self, game: GameState) -> Mapping[int, str]:
        """Returns the building that each monastery counts at the end, by the number of the monastery (S677-679)."""
        return game.edition.points_per_building

    def monastery_points(self, game: GameState, player: Player) -> dict[str, int]:
        """Returns the points of a person's monasteries if the game ended now, by source (S671-689)."""
        return scoring.monastery_points(game, player)

    def final_points(self, game: GameState, seat: Seat) -> dict[str, int]:
        """Returns the points of a seat if the game ended now, by source."""
        return scoring.player_final_points(game, _person(seat))

    def ranking_key(self, game: GameState, index: int) -> tuple[int, ...]:
        """Returns what a seat is ranked by; less is better."""
        return scoring.ranking_key(game, index)

    # What bots and reminders make of a position

    def evaluate(self, game: GameState, player: Player) -> float:
        """Returns the value, in points, of what modules add to a person's position (see :mod:`.evaluation`)."""
        return 0.0

    def reminders(self, game: GameState, moves: Sequence[Move]) -> Iterator[Reminder]:
        """Yields what the current player would miss by ending the turn now, after *moves* of it."""
        yield from ()

    # What is seen and shown

    def override_to_show(self, game: GameState, place: str, label: str) -> Iterator[tuple[str, str]]:
        """Yields the changes of an override after which a place looks like *label* (see :mod:`.decisions.override`)."""
        yield place, label

    def visible_layout_of(self, game: GameState, seat: Seat) -> dict[str, tuple[str, ...]]:
        """Returns the labels of everything visible that belongs to a seat, by group."""
        return observation.layout_of_player(game, _person(seat))

    def visible_layout_of_board(self, game: GameState) -> dict[str, tuple[str, ...]]:
        """Returns the labels of everything visible on the main board and beside it, by group."""
        return observation.layout_of_main_board(game)

    def further_changes(self, game: GameState, move: Move) -> Iterable[VisibleChange]:
        """Returns the visible effects of a move, lasting until the end of the turn, that its own rules do not know."""
        return ()

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
