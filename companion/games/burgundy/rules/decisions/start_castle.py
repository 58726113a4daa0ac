"""Set-up: a player places the starting castle (S249, S517)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..board import bits
from ..decision import Decision
from ..events import Event
from ..moves import Move, parse_number
from ..phases import begin_when_set_up, draw
from ..placement import validate_castle_on
from ..reason import Reason
from ..state import SETUP, GameState
from ..tiles import CASTLE, tile


@dataclass(frozen=True, slots=True)
class StartCastle(Move):
    """Set-up: a player places the starting castle."""

    word = "castle"
    player: str
    space: int

    def __str__(self) -> str:
        return f"castle {self.player} {self.space}"


class StartCastleDecision(Decision[StartCastle]):
    move = StartCastle
    stages = (SETUP,)

    def parse(self, words: list[str]) -> StartCastle:
        return StartCastle(words[0], parse_number(words[1]))

    def short(self, game: GameState, move: StartCastle) -> str:
        return f"castle {move.player} {game.player_of(move.player).duchy.spaces[move.space].name}"

    def parse_short(self, game: GameState, words: list[str]) -> StartCastle:
        colour, name = words
        return StartCastle(colour, game.player_of(colour).duchy.space(name).index)

    def choices(self, game: GameState) -> Iterator[StartCastle]:
        for player in game.player_sides:
            if not player.occupied:
                for space in bits(player.duchy.of_type[CASTLE]):
                    yield StartCastle(player.colour, space)

    def validate(self, game: GameState, move: StartCastle) -> Reason | None:
        player = game.person(move.player)
        if player is None:
            return Reason("no_such_player", {"expected": [player.colour for player in game.players]})
        if player.occupied:
            return Reason("castle_already_placed", {"player": move.player})
        return validate_castle_on(player, move.space)

    def apply(self, game: GameState, move: StartCastle) -> list[Event]:
        """Places the castle; it has no effect and scores nothing (S517)."""
        player = game.player_of(move.player)
        castle = tile(CASTLE)
        draw(game, castle)
        player.put(move.space, castle)
        begin_when_set_up(game)
        return [Event("start_castle", player.colour, data={"space": move.space})]
