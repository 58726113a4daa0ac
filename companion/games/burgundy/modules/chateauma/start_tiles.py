"""Chance at set-up: the tiles that modifier B puts face up in its duchy (S1227)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from ...rules.decision import ChanceEvent, Rng
from ...rules.events import Event
from ...rules.moves import Move
from ...rules.phases import begin_when_set_up, draw
from ...rules.reason import Reason
from ...rules.state import SETUP, GameState, Seat
from ...rules.tiles import BUILDING, CASTLE, MINE, tile
from .cards import FACE_UP_TILES
from .reveal_card import awaits_card
from .seat import Chateauma, automa

FACE_UP_TYPES = (BUILDING, MINE, CASTLE)
"""Tiles of modifier B, in the order of S1227."""


@dataclass(frozen=True, slots=True)
class StartTiles(Move):
    """Chance at set-up: the tiles that modifier B puts face up in its duchy."""

    word = "start-tiles"
    laid: tuple[str, ...]
    """Their labels."""

    def labels(self) -> tuple[str, ...]:
        return self.laid

    def __str__(self) -> str:
        return f"start-tiles {','.join(self.laid)}"


class StartTilesEvent(ChanceEvent[StartTiles]):
    move = StartTiles
    stages = (SETUP,)

    def parse(self, words: list[str]) -> StartTiles:
        return StartTiles(tuple(tile(label).label for label in words[0].split(",")))

    def validate(self, game: GameState, move: StartTiles) -> Reason | None:
        if not lacks_start_tiles(automa(game)):
            return Reason("no_start_tiles", {})
        if tuple(tile(label).type for label in move.laid) != FACE_UP_TYPES:
            return Reason("wrong_start_tiles", {"types": list(FACE_UP_TYPES)})
        for t, count in Counter(map(tile, move.laid)).items():
            if (left := game.supply.get(t, 0)) < count:
                data = {"tile": t.label, "colour": t.type, "given": count, "left": left}
                return Reason("tile_not_in_supply", data)
        return None

    def apply(self, game: GameState, move: StartTiles) -> list[Event]:
        """Puts a building, a mine and a castle face up in its duchy (S1227)."""
        seat = automa(game)
        for placed in map(tile, move.laid):
            draw(game, placed)
            seat.duchy[placed.type].append(placed)
        begin_when_set_up(game)
        return [Event("start_tiles", seat.colour, data={"laid": list(move.laid)})]

    def sample(self, game: GameState, seat: Seat, rng: Rng) -> StartTiles | None:
        if not isinstance(seat, Chateauma) or not lacks_start_tiles(seat):
            return None
        return StartTiles(tuple(_drawn(game, rng, tile_type) for tile_type in FACE_UP_TYPES))

    def unobserved(self, game: GameState) -> Iterator[StartTiles]:
        seat = automa(game)
        if awaits_card(seat) or not lacks_start_tiles(seat):
            return
        kinds = (
            {t.label for t, n in game.supply.items() if n and not t.black and t.type == one}
            for one in FACE_UP_TYPES
        )
        yield from map(StartTiles, product(*map(sorted, kinds)))


def lacks_start_tiles(seat: Chateauma) -> bool:
    """Returns whether the tiles of modifier B are still missing."""
    return FACE_UP_TILES in seat.modifiers and not seat.duchy[MINE]


def _drawn(game: GameState, rng: Rng, tile_type: str) -> str:
    bag = [t for t, n in game.supply.items() if t.type == tile_type and not t.black for _ in range(n)]
    return rng.choice(bag).label
