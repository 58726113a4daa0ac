"""Shields 14 and 15: at the end of a phase a tile of a depot goes directly into the duchy, with effects (S925-926)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...rules.abilities import DICE
from ...rules.board import bits
from ...rules.decision import Decision
from ...rules.decisions.depots import depot_text, parse_source, removal, take_out, tiles_in, validate_tile_at
from ...rules.decisions.payment import validate_nothing_pending
from ...rules.events import Event
from ...rules.hooks import Hooks
from ...rules.moves import BLACK_DEPOT, Move, parse_number, parse_slot, parse_tile
from ...rules.notation import word_of
from ...rules.observation import VisibleChange
from ...rules.phases import next_at_phase_end
from ...rules.placement import place_tile, repeats_building
from ...rules.reason import Reason
from ...rules.state import GameState, Player, Seat
from ...rules.tiles import tile
from .state import decides_for_side, holds, lacks, shields

FREE_PLACEMENT = "free_placement"
"""Stage at which these shields are used."""
FROM_NUMBERED, FROM_BLACK = 14, 15
DEPOTS = {FROM_NUMBERED: tuple(DICE), FROM_BLACK: (BLACK_DEPOT,)}
"""Shield -> the depots from which it lays a tile."""


@dataclass(frozen=True, slots=True)
class PlaceFreely(Move):
    """Lay a tile of a depot directly in the duchy."""

    word = "free"
    tile: str
    depot: int
    slot: int
    space: int

    def __str__(self) -> str:
        return f"free {self.tile} {self.depot}.{self.slot} {self.space}"

    def labels(self) -> tuple[str]:
        return (self.tile,)


class PlaceFreelyDecision(Decision[PlaceFreely]):
    move = PlaceFreely
    stages = (FREE_PLACEMENT,)

    def parse(self, words: list[str]) -> PlaceFreely:
        label, slot, space = words
        return PlaceFreely(parse_tile(label), *parse_slot(slot), parse_number(space))

    def short(self, game: GameState, move: PlaceFreely) -> str:
        depot = depot_text(game, move.tile, move.depot, move.slot)
        return f"free {depot} {word_of(move.tile)} {game.player.duchy.spaces[move.space].name}"

    def parse_short(self, game: GameState, words: list[str]) -> PlaceFreely:
        where, word, name = words
        return PlaceFreely(*parse_source(game, where, word), game.player.duchy.space(name).index)

    def choices(self, game: GameState) -> Iterator[PlaceFreely]:
        return _possible(game, game.player)

    def validate(self, game: GameState, move: PlaceFreely) -> Reason | None:
        if reason := validate_nothing_pending(game, move.word):
            return reason
        number = next((n for n, depots in DEPOTS.items() if move.depot in depots), None)
        if number is None:
            return Reason("no_such_depot")
        if reason := lacks(game, number):
            return reason
        if number in shields(game).placed_freely:
            return Reason("shield_has_placed", {"number": number})
        return validate_tile_at(game, move.tile, move.depot, move.slot) or _reason_against_space(game, move)

    def apply(self, game: GameState, move: PlaceFreely) -> list[Event]:
        state = shields(game)
        used = next(number for number, depots in DEPOTS.items() if move.depot in depots)
        state.placed_freely |= {used}
        taken = take_out(game, move.depot, move.slot)
        data = {"tile": taken.label, "depot": move.depot}
        return [Event("take", game.player.colour, data=data), *place_tile(game, taken, move.space)]

    def visible_changes(self, game: GameState, move: PlaceFreely) -> Iterator[VisibleChange]:
        yield removal(game, move.depot, move.slot)
        yield VisibleChange(f"duchy:{game.seat.side.colour}:{move.space}", move.tile)


def _reason_against_space(game: GameState, move: PlaceFreely) -> Reason | None:
    """Checks what binds a tile though no number does: colour, neighbours and the buildings of a city (S925)."""
    player, laid = game.player, tile(move.tile)
    if not 0 <= move.space < len(player.spaces):
        return Reason("no_such_space")
    if player.spaces[move.space] is not None:
        return Reason("space_taken")
    if not game.hooks.open_spaces(game, player, laid.type) >> move.space & 1:
        return game.hooks.why_closed(game, player, laid, move.space)
    if repeats_building(player, laid, move.space):
        return Reason("building_twice", {"tile": move.tile})
    return None


def _possible(game: GameState, player: Player) -> Iterator[PlaceFreely]:
    """Yields what a person may lay with the shields that have not laid anything yet."""
    for number, depots in DEPOTS.items():
        if not holds(game, player, number) or number in shields(game).placed_freely:
            continue
        for depot in depots:
            for slot, there in enumerate(tiles_in(game, depot)):
                if there is not None:
                    for space in bits(game.hooks.open_spaces(game, player, there.type)):
                        if not repeats_building(player, there, space):
                            yield PlaceFreely(there.label, depot, slot, space)


@dataclass(frozen=True, slots=True)
class PlaceNoMore(Move):
    """Lay no more tiles."""

    word = "done"
    ends_turn = True

    def __str__(self) -> str:
        return "done"


class PlaceNoMoreDecision(Decision[PlaceNoMore]):
    move = PlaceNoMore
    stages = (FREE_PLACEMENT,)

    def parse(self, words: list[str]) -> PlaceNoMore:
        return PlaceNoMore(*words)

    def choices(self, game: GameState) -> tuple[PlaceNoMore]:
        return (PlaceNoMore(),)

    def validate(self, game: GameState, move: PlaceNoMore) -> Reason | None:
        return validate_nothing_pending(game, move.word)

    def apply(self, game: GameState, move: PlaceNoMore) -> list[Event]:
        has_placed = bool(shields(game).placed_freely)
        shields(game).placed_freely = frozenset()
        declined = Event("skip", game.player.colour, data={"effect": FREE_PLACEMENT})
        events = [] if has_placed else [declined]
        next_at_phase_end(game, events)
        return events


class FreePlacementHooks(Hooks):
    """These shields are used before the upkeep is paid, in the order of the track."""

    def stages_at_phase_end(self, game: GameState) -> Sequence[str]:
        return (*super().stages_at_phase_end(game), FREE_PLACEMENT)

    def decides(self, game: GameState, seat: Seat) -> bool:
        if game.stage == FREE_PLACEMENT:
            return isinstance(seat, Player) and decides_for_side(seat) and any(_possible(game, seat))
        return super().decides(game, seat)
