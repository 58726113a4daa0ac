"""The course of a game: set-up, phases, rounds, turns and the end."""

from __future__ import annotations

from . import scoring
from .abilities import has
from .edition import PHASES, ROUNDS
from .events import Event
from .gains import gain
from .state import DICE_PER_PLAYER, FILL, OVER, ROLL, SETUP, GameState, Player
from .tiles import MINE, Tile

START_GOODS = 3
START_SILVER = 1


def player_is_set_up(player: Player) -> bool:
    """Returns whether a person has everything that people get before the first phase: castle and goods."""
    return bool(player.occupied) and sum(player.goods) == START_GOODS


def begin_when_set_up(game: GameState) -> None:
    """Ends the set-up once everybody is ready."""
    if not (game.hooks.is_board_set_up(game) and all(map(game.hooks.is_set_up, game.seats))):
        return
    game.hooks.start_resources(game)
    game.track[0] = list(reversed(range(len(game.seats))))
    game.stage = FILL


def give_start_resources(game: GameState) -> None:
    """Gives everybody silver, and people workers by their place in the order (S243-245)."""
    for index, seat in enumerate(game.seats):
        seat.silver = START_SILVER
        if isinstance(seat, Player):
            seat.workers = index + 1


def draw(game: GameState, *drawn: Tile) -> None:
    """Takes tiles out of the supply."""
    supply = {**game.supply}
    for t in drawn:
        supply[t] -= 1
    game.supply = supply


def begin_turn(game: GameState) -> None:
    """Begins the turn of the current seat."""
    game.stage = game.seat.first_stage
    game.bought = False
    game.monastery_6_used = False


def next_turn(game: GameState, events: list[Event]) -> None:
    """Begins the turn of the first in order who has not had one this round (S283); else ends the round."""
    game.acted |= 1 << game.turn
    if not _begin_next_turn(game):
        _end_round(game, events)


def _begin_next_turn(game: GameState) -> bool:
    """Begins the turn of the first in order who has not had one this round; returns whether there is one."""
    for index in game.order():
        if not game.acted >> index & 1:
            game.turn = index
            begin_turn(game)
            return True
    return False


def has_begun(game: GameState) -> bool:
    """Returns whether somebody is in the middle of a turn."""
    if game.stage in (SETUP, FILL, ROLL, OVER):
        return False
    used = isinstance(game.seat, Player) and len(game.seat.dice) < DICE_PER_PLAYER
    spent = game.bought or game.monastery_6_used or bool(game.pending)
    return game.stage != game.seat.first_stage or used or spent


def follow_track(game: GameState) -> None:
    """Gives the turn, if it has not begun, to whoever is first in order after markers were moved by hand."""
    if game.stage in (FILL, ROLL):
        game.turn = game.first_player
    else:
        _begin_next_turn(game)


def advance(game: GameState, events: list[Event]) -> None:
    """Moves the current player's marker on top of the next stack; that may bring the white die (S368)."""
    first, colour = game.first_player, game.seat.colour
    move_marker(game, game.turn, min(position(game, game.turn) + 1, len(game.track) - 1), events)
    events.append(Event("advance", colour))
    if game.first_player != first:
        events.append(Event("white_die", colour))


def position(game: GameState, index: int) -> int:
    """Returns the space of a seat's marker on the turn order track."""
    return next(i for i, space in enumerate(game.track) if index in space)


def move_marker(game: GameState, index: int, space: int, events: list[Event]) -> None:
    """Moves a seat's marker on top of the stack on a space."""
    game.track[position(game, index)].remove(index)
    game.track[space].append(index)
    game.hooks.stack_markers(game, space, events)


def _end_round(game: GameState, events: list[Event]) -> None:
    game.acted = 0
    game.round += 1
    game.turn = game.first_player
    game.stage = ROLL
    _record_scores(game)
    if game.round == ROUNDS:
        end_phase(game, events)
    else:
        game.white = None


def _record_scores(game: GameState) -> None:
    game.score_history = (*game.score_history, tuple(seat.score for seat in game.seats))


def end_phase(game: GameState, events: list[Event], after: str | None = None) -> None:
    """Goes on with the end of a phase after the stage *after*, None for the last turn of the fifth round.

    The white die keeps its value, and the phase its points, until every stage that modules add is over.
    """
    game.acted = 0
    stages = game.hooks.stages_at_phase_end(game)
    for stage in stages if after is None else stages[stages.index(after) + 1 :]:
        game.stage = stage
        if _next_to_decide(game):
            return
    game.turn = game.first_player
    _finish_phase(game, events)


def next_at_phase_end(game: GameState, events: list[Event]) -> None:
    """Gives a stage that modules add to the end of a phase to the next in order who decides there; else ends it."""
    game.acted |= 1 << game.turn
    if not _next_to_decide(game):
        end_phase(game, events, after=game.stage)


def _next_to_decide(game: GameState) -> bool:
    """Finds the first in order who has not decided at this stage, and returns whether there is one."""
    for index in game.order():
        if not game.acted >> index & 1 and game.hooks.decides(game, game.seats[index]):
            game.turn = index
            return True
    return False


def _finish_phase(game: GameState, events: list[Event]) -> None:
    """Pays what is due, and prepares the next phase or ends the game."""
    game.hooks.phase_ends(game, events)
    game.white = None
    game.round = 0
    if game.phase + 1 < len(PHASES):
        game.phase += 1
        game.stage = FILL
        return
    game.stage = OVER
    scoring.score_end(game, events)
    _record_scores(game)
    events.append(Event("game_over", scoring.ranking(game)[0].colour))


def pay_mines(game: GameState, events: list[Event]) -> None:
    """Pays for everybody's mines at the end of a phase, in the last one too (S405, S586)."""
    for side in game.sides:
        silver, workers = game.hooks.mine_income(game, side)
        if silver:
            events.append(Event("mines", side.colour, data={"silver": silver, "workers": workers}))
            gain(game, side, events, silver=silver, workers=workers)


def player_mine_income(player: Player) -> tuple[int, int]:
    """Returns silver and workers for a person's mines at the end of a phase (S405; workers: monastery 2)."""
    mines = len(player.placed(MINE))
    return mines, mines if has(player.monasteries, 2) else 0
