"""For both dice and five points: place a stored castle apart from all other tiles (A1308-1312)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...rules.board import bits
from ...rules.decision import Decision
from ...rules.decisions.payment import validate_nothing_pending
from ...rules.events import Event
from ...rules.moves import Move, parse_number
from ...rules.observation import VisibleChange
from ...rules.placement import place_stored, validate_castle_on
from ...rules.reason import Reason
from ...rules.state import GameState, Player
from ...rules.tiles import CASTLE, tile
from .dice_action import OUTPOST, pay_both_dice, reason_against_action


@dataclass(frozen=True, slots=True)
class Outpost(Move):
    """For both dice and five points: place a stored castle apart from all other tiles (A1308-1312)."""

    word = "outpost"
    space: int

    def __str__(self) -> str:
        return f"outpost {self.space}"


class OutpostDecision(Decision[Outpost]):
    move = Outpost

    def parse(self, words: list[str]) -> Outpost:
        return Outpost(parse_number(words[0]))

    def short(self, game: GameState, move: Outpost) -> str:
        return f"outpost {game.player.duchy.spaces[move.space].name}"

    def parse_short(self, game: GameState, words: list[str]) -> Outpost:
        (name,) = words
        return Outpost(game.player.duchy.space(name).index)

    def choices(self, game: GameState) -> Iterator[Outpost]:
        return map(Outpost, bits(_spaces_apart(game.player)) if _reason_against(game) is None else ())

    def validate(self, game: GameState, move: Outpost) -> Reason | None:
        if reason := validate_nothing_pending(game, move.word) or _reason_against(game):
            return reason
        if reason := validate_castle_on(game.player, move.space):
            return reason
        if game.player.spaces[move.space] is not None:
            return Reason("space_taken")
        return None if _spaces_apart(game.player) >> move.space & 1 else Reason("is_adjacent")

    def apply(self, game: GameState, move: Outpost) -> list[Event]:
        return [*pay_both_dice(game), *place_stored(game, CASTLE, move.space)]

    def visible_changes(self, game: GameState, move: Outpost) -> Iterator[VisibleChange]:
        yield VisibleChange(f"duchy:{game.seat.side.colour}:{move.space}", CASTLE)


def _reason_against(game: GameState) -> Reason | None:
    if reason := reason_against_action(game, OUTPOST):
        return reason
    return None if tile(CASTLE) in game.player.storage else Reason("tile_not_stored", {"tile": CASTLE})


def _spaces_apart(player: Player) -> int:
    """Returns the empty castle spaces that touch no tile of the duchy."""
    return player.duchy.of_type[CASTLE] & ~player.occupied & ~player.frontier
