"""The course of a game: set-up, phases, rounds, turns and the end."""

from __future__ import annotations

from . import scoring
from .edition import PHASES, ROUNDS
from .events import Event
from .moves import EndTurn, Fill, Roll, StartCastle, StartGoods
from .powers import has
from .state import FILL, OVER, ROLL, TURN, Game, Player
from .tiles import CASTLE, MINE, Tile, tile

START_GOODS = 3
START_SILVER = 1


def start_castle(game: Game, move: StartCastle) -> list[Event]:
    """Lays a starting castle; it has no effect and scores nothing (S517)."""
    player = game.players[game.index(move.player)]
    castle = tile(CASTLE)
    _draw(game, castle)
    player.put(move.space, castle)
    _begin_when_set_up(game)
    return [Event("start_castle", player.colour, data={"space": move.space})]


def start_goods(game: Game, move: StartGoods) -> list[Event]:
    """Gives a player the goods dealt at set-up, stacked by kind (S247)."""
    player = game.players[game.index(move.player)]
    for kind in move.goods:
        game.goods_supply[kind] -= 1
        player.goods[kind] += 1
    _begin_when_set_up(game)
    return [Event("start_goods", player.colour, data={"goods": list(move.goods)})]


def is_set_up(player: Player) -> bool:
    """Whether a player has castle and goods."""
    return bool(player.occupied) and sum(player.goods) == START_GOODS


def _begin_when_set_up(game: Game) -> None:
    if not all(map(is_set_up, game.players)):
        return
    for index, player in enumerate(game.players):
        player.silver = START_SILVER
        player.workers = index + 1
    game.track[0] = list(reversed(range(len(game.players))))
    game.stage = FILL


def _draw(game: Game, drawn: Tile) -> None:
    game.supply = {**game.supply, drawn: game.supply[drawn] - 1}


def fill(game: Game, move: Fill) -> list[Event]:
    """Lays out a phase's tiles and goods; what was left on the main board goes to the box (S262-272)."""
    for depot in (*game.depots, game.black):
        for left in filter(None, depot):
            game.put_away(left)
            game.set_aside += left.type == CASTLE
    game.depots = [_lay_out(game, depot, black=False) for depot in move.depots]
    game.black = _lay_out(game, move.black, black=True)
    for kind in move.goods:
        game.goods_supply[kind] -= 1
    game.round_goods = list(move.goods)
    game.stage = ROLL
    return [Event("phase", data={"phase": game.phase_letter})]


def _lay_out(game: Game, labels: tuple[str | None, ...], *, black: bool) -> list[Tile | None]:
    """Draws tiles by their backs and lays them face up; from then on nobody can tell what back they have."""
    for label in filter(None, labels):
        _draw(game, tile(label, black))
    return [None if label is None else tile(label) for label in labels]


def roll(game: Game, move: Roll) -> list[Event]:
    """Gives everybody their dice and puts the round's goods into the white die's depot (S275-281)."""
    for colour, values in move.dice:
        game.players[game.index(colour)].dice = list(values)
    goods = game.round_goods.pop(0)
    game.depot_goods[move.white - 1][goods] += 1
    game.white = move.white
    game.acted = 0
    game.stage = TURN
    game.turn = game.first_player
    _begin_turn(game)
    return [
        Event("round", data={"phase": game.phase_letter, "round": game.round + 1}),
        Event("goods_arrive", data={"goods": goods, "depot": move.white}),
    ]


def _begin_turn(game: Game) -> None:
    game.bought = False
    game.monastery_6_used = False


def end_turn(game: Game, move: EndTurn) -> list[Event]:
    """Ends the turn; the next player is the first in order who has not had one this round (S283)."""
    events = [Event("turn_end", game.player.colour, data={"unused": list(game.player.dice)})]
    game.player.dice.clear()
    game.acted |= 1 << game.turn
    for index in game.order():
        if not game.acted >> index & 1:
            game.turn = index
            _begin_turn(game)
            return events
    _end_round(game, events)
    return events


def _end_round(game: Game, events: list[Event]) -> None:
    game.white = None
    game.acted = 0
    game.round += 1
    game.turn = game.first_player
    game.stage = ROLL
    _note_scores(game)
    if game.round == ROUNDS:
        _end_phase(game, events)


def _note_scores(game: Game) -> None:
    game.timeline = (*game.timeline, tuple(player.score for player in game.players))


def _end_phase(game: Game, events: list[Event]) -> None:
    """Mines pay, in the last phase too (S405, S586); then the next phase or the end."""
    for player in game.players:
        mines = len(player.placed(MINE))
        if not mines:
            continue
        player.silver += mines
        workers = mines if has(player.monasteries, 2) else 0
        player.workers += workers
        events.append(Event("mines", player.colour, data={"silver": mines, "workers": workers}))
    game.round = 0
    if game.phase + 1 < len(PHASES):
        game.phase += 1
        game.stage = FILL
        return
    game.stage = OVER
    scoring.score_end(game, events)
    _note_scores(game)
    events.append(Event("game_over", scoring.ranking(game)[0].colour))
