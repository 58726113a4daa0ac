"""The course of a game: set-up, phases, rounds, turns and the end."""

from __future__ import annotations

from functools import singledispatch

from . import scoring
from .abilities import has
from .edition import PHASES, ROUNDS
from .events import Event
from .moves import EndTurn, Fill, Roll, StartCastle, StartGoods
from .state import DICE_PER_PLAYER, FILL, OVER, ROLL, SETUP, GameState, Player, Seat
from .tiles import CASTLE, MINE, Tile, tile

START_GOODS = 3
START_SILVER = 1


def start_castle(game: GameState, move: StartCastle) -> list[Event]:
    """Places a starting castle; it has no effect and scores nothing (S517)."""
    player = game.player_of(move.player)
    castle = tile(CASTLE)
    draw(game, castle)
    player.put(move.space, castle)
    begin_when_set_up(game)
    return [Event("start_castle", player.colour, data={"space": move.space})]


def start_goods(game: GameState, move: StartGoods) -> list[Event]:
    """Gives a player goods dealt at set-up, stacked by kind (S241)."""
    player = game.player_of(move.player)
    for kind in move.goods:
        game.goods_supply[kind] -= 1
        player.goods[kind] += 1
    begin_when_set_up(game)
    return [Event("start_goods", player.colour, data={"goods": list(move.goods)})]


@singledispatch
def is_set_up(seat: Seat) -> bool:
    """Returns whether a seat has everything that it gets before the first phase: a person, castle and goods."""
    raise NotImplementedError(type(seat).__name__)


@is_set_up.register
def _player_is_set_up(player: Player) -> bool:
    return bool(player.occupied) and sum(player.goods) == START_GOODS


def begin_when_set_up(game: GameState) -> None:
    """Ends the set-up once everybody is ready: silver for all, workers by place in the order (S243-245)."""
    if not all(map(is_set_up, game.seats)):
        return
    for index, seat in enumerate(game.seats):
        seat.silver = START_SILVER
        if isinstance(seat, Player):
            seat.workers = index + 1
    game.track[0] = list(reversed(range(len(game.seats))))
    game.stage = FILL


def draw(game: GameState, drawn: Tile) -> None:
    """Takes a tile out of the supply."""
    game.supply = {**game.supply, drawn: game.supply[drawn] - 1}


def fill(game: GameState, move: Fill) -> list[Event]:
    """Puts a phase's tiles and goods on the main board; what was left there goes to the box (S262-271)."""
    for depot in (*game.depots, game.black):
        for discarded in filter(None, depot):
            game.return_to_box(discarded)
            game.set_aside += discarded.type == CASTLE
    game.depots = [_drawn(game, depot, black=False) for depot in move.depots]
    game.black = _drawn(game, move.black, black=True)
    for kind in move.goods:
        game.goods_supply[kind] -= 1
    game.round_goods = list(move.goods)
    game.stage = ROLL
    return [Event("phase", data={"phase": game.phase_letter})]


def _drawn(game: GameState, labels: tuple[str | None, ...], *, black: bool) -> list[Tile | None]:
    """Draws tiles by their backs and returns them face up; from then on their backs are unknown."""
    for label in filter(None, labels):
        draw(game, tile(label, black))
    return [None if label is None else tile(label) for label in labels]


def roll(game: GameState, move: Roll) -> list[Event]:
    """Gives everybody their dice and puts the round's goods into the white die's depot (S275-281)."""
    for player, (_, values) in zip(game.players, move.dice, strict=True):
        player.dice = list(values)
    goods = game.round_goods.pop(0)
    game.depot_goods[move.white - 1][goods] += 1
    game.white = move.white
    game.acted = 0
    game.turn = game.first_player
    _begin_turn(game)
    return [
        Event("round", data={"phase": game.phase_letter, "round": game.round + 1}),
        Event("goods_arrive", data={"goods": goods, "depot": move.white}),
    ]


def _begin_turn(game: GameState) -> None:
    game.stage = game.seat.first_stage
    game.bought = False
    game.monastery_6_used = False


def end_turn(game: GameState, move: EndTurn) -> list[Event]:
    """Ends a person's turn."""
    events = [Event("turn_end", game.player.colour, data={"unused": list(game.player.dice)})]
    game.player.dice.clear()
    next_turn(game, events)
    return events


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
            _begin_turn(game)
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
    move_marker(game, game.turn, min(position(game, game.turn) + 1, len(game.track) - 1))
    events.append(Event("advance", colour))
    if game.first_player != first:
        events.append(Event("white_die", colour))


def position(game: GameState, index: int) -> int:
    """Returns the space of a seat's marker on the turn order track."""
    return next(i for i, space in enumerate(game.track) if index in space)


def move_marker(game: GameState, index: int, space: int) -> None:
    """Moves a seat's marker on top of the stack on a space."""
    game.track[position(game, index)].remove(index)
    game.track[space].append(index)


def _end_round(game: GameState, events: list[Event]) -> None:
    game.white = None
    game.acted = 0
    game.round += 1
    game.turn = game.first_player
    game.stage = ROLL
    _record_scores(game)
    if game.round == ROUNDS:
        _end_phase(game, events)


def _record_scores(game: GameState) -> None:
    game.score_history = (*game.score_history, tuple(seat.score for seat in game.seats))


def _end_phase(game: GameState, events: list[Event]) -> None:
    """Pays for mines, in the last phase too (S405, S586), and begins the next phase or ends the game."""
    for seat in game.seats:
        pay_mines(seat, events)
    game.round = 0
    if game.phase + 1 < len(PHASES):
        game.phase += 1
        game.stage = FILL
        return
    game.stage = OVER
    scoring.score_end(game, events)
    _record_scores(game)
    events.append(Event("game_over", scoring.ranking(game)[0].colour))


def pay_mines(seat: Seat, events: list[Event]) -> None:
    """Pays for a seat's mines at the end of a phase."""
    silver, workers = mine_income(seat)
    if not silver:
        return
    seat.silver += silver
    if isinstance(seat, Player):
        seat.workers += workers
    events.append(Event("mines", seat.colour, data={"silver": silver, "workers": workers}))


@singledispatch
def mine_income(seat: Seat) -> tuple[int, int]:
    """Returns silver and workers for a seat's mines at the end of a phase (S405; workers: monastery 2)."""
    raise NotImplementedError(type(seat).__name__)


@mine_income.register
def _player_mine_income(player: Player) -> tuple[int, int]:
    mines = len(player.placed(MINE))
    return mines, mines if has(player.monasteries, 2) else 0
