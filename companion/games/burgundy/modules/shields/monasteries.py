"""Shields 6 and 10: another player's monasteries count too, and monasteries bring double at the end (S917, S921)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ...rules.decision import Decision
from ...rules.events import Event
from ...rules.hooks import Hooks
from ...rules.legality import to_move
from ...rules.moves import Move
from ...rules.reason import Reason
from ...rules.state import OVER, GameState, Player, Seat
from ...rules.tiles import MONASTERY, Tile
from ..chateauma import Chateauma
from .state import ID, Shields, holder_of, holds, shields

COPIES = 6
DOUBLES_MONASTERIES = 10
NOT_COPIED = 27
"""The monastery that counts only for whoever has placed it (S917)."""


@dataclass(frozen=True, slots=True)
class Copy(Move):
    """Name the player whose monasteries are to count for *player* too; possible at any time, once."""

    word = "copy"
    player: str
    named: str

    def __str__(self) -> str:
        return f"copy {self.player} {self.named}"

    def with_players(self, colours: Mapping[str, str]) -> Copy:
        player, named = (colours.get(colour, colour) for colour in (self.player, self.named))
        return replace(self, player=player, named=named)


class CopyDecision(Decision[Copy]):
    move = Copy
    stages = ()
    interrupts = True
    log_prior = -6.0

    def parse(self, words: list[str]) -> Copy:
        return Copy(*words)

    def choices(self, game: GameState) -> Iterable[Copy]:
        if COPIES not in game.module_states[ID].held:  # type: ignore[attr-defined]  # asked at every decision
            return ()
        moves = possible(game)
        return moves if moves and moves[0].player == to_move(game) else ()

    def validate(self, game: GameState, move: Copy) -> Reason | None:
        if game.stage == OVER:
            return Reason("wrong_stage", {"stage": game.stage, "move": move.word})
        holder = holder_of(game, COPIES)
        if holder is None or move.player != holder.colour:
            return Reason("needs_shield", {"number": COPIES})
        if shields(game).copied:
            return Reason("copied_already", {"named": shields(game).copied})
        if move not in possible(game):
            return Reason("copies_another", {"expected": _others(game, holder)})
        return None

    def apply(self, game: GameState, move: Copy) -> list[Event]:
        shields(game).copied = move.named
        return [Event("copy", move.player, data={"named": move.named})]


def possible(game: GameState) -> list[Copy]:
    """Returns whom the owner of shield 6 may name, if nobody is named."""
    holder = holder_of(game, COPIES)
    if holder is None or shields(game).copied or game.stage == OVER:
        return []
    return [Copy(holder.colour, other) for other in _others(game, holder)]


def _others(game: GameState, holder: Player) -> list[str]:
    return [side.colour for side in game.sides if side is not holder]


class MonasteryHooks(Hooks):
    """Monasteries of the player who is named are in effect for the shield's owner as long as the shield is held."""

    def out_of_turn_moves(self, game: GameState) -> Iterator[Move]:
        yield from super().out_of_turn_moves(game)
        moves = possible(game)
        if moves and moves[0].player != to_move(game):
            yield from moves

    def monastery_points(self, game: GameState, player: Player) -> dict[str, int]:
        points = super().monastery_points(game, player)
        if not holds(game, player, DOUBLES_MONASTERIES):
            return points
        return {source: 2 * value for source, value in points.items()}


def update_copies(game: GameState, state: Shields) -> None:
    """Makes those monasteries count that are in effect now; without the shield nobody is named any more."""
    holder = holder_of(game, COPIES)
    if holder is None:
        count_own_monasteries(game)
        state.copied = None
    elif state.copied:
        copied = _in_effect(_side(game, state.copied)) & ~(1 << NOT_COPIED)
        holder.monasteries = _placed(holder) | copied


def count_own_monasteries(game: GameState) -> None:
    """Makes everybody's own monasteries count, and no others."""
    for side in game.player_sides:
        side.monasteries = _placed(side)


def _side(game: GameState, colour: str) -> Seat:
    return next(side for side in game.sides if side.colour == colour)


def _in_effect(seat: Seat) -> int:
    """Returns the monasteries of somebody who copies none: of the Châteauma also those on its cards (S1252)."""
    if isinstance(seat, Chateauma):
        return _numbers(seat.in_play())
    assert isinstance(seat, Player)
    return seat.monasteries


def _placed(player: Player) -> int:
    return _numbers(filter(None, player.spaces))


def _numbers(tiles: Iterable[Tile]) -> int:
    """Returns the monasteries among tiles as a bit set."""
    return sum(1 << t.number for t in tiles if t.type == MONASTERY)
