"""Place a tile from storage on a space of the duchy (S344-348)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..abilities import FREE_STEP_WHEN_PLACING
from ..board import bits
from ..decision import Decision
from ..events import Event
from ..moves import InvalidMoveError, Move, parse_number, parse_payment, parse_tile, payment_text
from ..notation import word_of
from ..observation import VisibleChange
from ..placement import place_stored, repeats_building
from ..reason import Reason
from ..state import GameState, Pending
from ..storage import distinct
from ..tiles import tile
from .payment import (
    MOST_MOVES_CACHED,
    die_text,
    parse_short_payment,
    pay,
    validate_payment,
    validate_source,
    validate_workers,
    value_of,
    workers_needed,
)


@dataclass(frozen=True, slots=True)
class Place(Move):
    """Place a tile from storage on a space of the duchy."""

    word = "place"
    tile: str
    space: int
    die: int | None = None
    workers: int = 0

    def __str__(self) -> str:
        return f"place {self.tile} {self.space}{payment_text(self.die, self.workers)}"

    def labels(self) -> tuple[str]:
        return (self.tile,)


class PlaceDecision(Decision[Place]):
    move = Place

    def parse(self, words: list[str]) -> Place:
        return Place(parse_tile(words[0]), parse_number(words[1]), *parse_payment(words[2:]))

    def short(self, game: GameState, move: Place) -> str:
        space = game.player.duchy.spaces[move.space]
        return f"place {space.die} {word_of(move.tile)} {space.name}{die_text(move, space.die)}"

    def parse_short(self, game: GameState, words: list[str]) -> Place:
        value, label = parse_number(words[0]), game.ruleset.label_of_word[words[1]]
        space = game.player.duchy.space(words[2])
        if value != space.die:
            raise InvalidMoveError(f"{space.name} needs a {space.die}, not a {value}")
        free_by = FREE_STEP_WHEN_PLACING.get(tile(label).type)
        return Place(label, space.index, *parse_short_payment(game, words[3:], value, free_by))

    def by_die(self, game: GameState, die: int | None, pending: Pending | None = None) -> Iterator[Place]:
        player, shown = game.player, value_of(game, pending) if pending else die
        spaces, available = player.duchy.spaces, player.workers
        for stored in distinct(player.storage):
            if open_ := game.hooks.open_spaces(game, player, stored.type):
                workers = workers_needed(game, player, shown, FREE_STEP_WHEN_PLACING.get(stored.type))
                for space in bits(open_ & player.duchy.within(workers, available)):
                    if not repeats_building(player, stored, space):
                        yield _place(stored.label, space, die, workers[spaces[space].die])

    def by_effect(self, game: GameState, pending: Pending) -> Iterator[Place]:
        return self.by_die(game, None, pending)

    def reason_against_effect(self, game: GameState, pending: Pending, move: Place) -> Reason | None:
        spaces = game.player.duchy.spaces
        if not 0 <= move.space < len(spaces):
            return Reason("no_such_space")
        free_by = FREE_STEP_WHEN_PLACING.get(tile(move.tile).type)
        return validate_workers(game, move, value_of(game, pending), spaces[move.space].die, free_by)

    def validate(self, game: GameState, move: Place) -> Reason | None:
        if reason := validate_source(game, move):
            return reason
        player = game.player
        stored = next((t for t in player.storage if t.label == move.tile), None)
        if stored is None:
            return Reason("tile_not_stored", {"tile": move.tile})
        if not 0 <= move.space < len(player.spaces):
            return Reason("no_such_space")
        if player.spaces[move.space] is not None:
            return Reason("space_taken")
        if not game.hooks.open_spaces(game, player, stored.type) >> move.space & 1:
            return game.hooks.why_closed(game, player, stored, move.space)
        if repeats_building(player, stored, move.space):
            return Reason("building_twice", {"tile": move.tile})
        space = player.duchy.spaces[move.space]
        return validate_payment(game, move, space.die, FREE_STEP_WHEN_PLACING.get(stored.type))

    def apply(self, game: GameState, move: Place) -> list[Event]:
        pay(game, move)
        return place_stored(game, move.tile, move.space)

    def visible_changes(self, game: GameState, move: Place) -> Iterator[VisibleChange]:
        yield VisibleChange(f"duchy:{game.seat.side.colour}:{move.space}", move.tile)


_place = lru_cache(maxsize=MOST_MOVES_CACHED)(Place)
