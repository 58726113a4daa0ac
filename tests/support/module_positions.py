"""Positions of games with modules of the box, to be filled as those of :mod:`tests.support.positions`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.burgundy.rules import GameState, Move
from companion.games.burgundy.rules.decisions import StartCastle, StartGoods
from companion.games.burgundy.rules.state import ROLL, Player
from companion.games.burgundy.rules.tiles import tile
from tests.support.modules import setup_of
from tests.support.positions import CENTRE, RULES, USUAL, dealt, finish_round, rolled


def module_setup(
    modules: Sequence[str],
    *,
    players: int = 2,
    duchy: str = "se-1",
    rules: Mapping[str, str] = USUAL,
    castle: int | None = None,
    **more: Any,
) -> GameState:
    """Returns a game with *modules* that waits for its first tiles, as :func:`.positions.set_up` does.

    *more* are their parts of the set-up.
    """
    game = RULES.new(setup_of(duchy, players, modules=list(modules), rules=rules, **more))
    for player in game.players:
        RULES.play(game, StartCastle(player.colour, start_space(player, castle)))
        RULES.play(game, StartGoods(player.colour, (1, 2, 3)))
    return game


def start_space(player: Player, castle: int | None) -> int:
    """Returns the space *castle*; by default the centre or, where no castle goes there, the first space for one."""
    spaces = [space.index for space in player.duchy.spaces if space.tile_type == "castle"]
    return castle if castle is not None else CENTRE if CENTRE in spaces else spaces[0]


def module_turn(
    modules: Sequence[str], dice: tuple[int, int] = (1, 2), *, white: int = 1, **options: Any
) -> GameState:
    """Returns red's first turn of a game with *modules*, as :func:`.positions.on_turn` does."""
    game = module_setup(modules, **options)
    while game.stage != ROLL:
        RULES.play(game, dealt(game))
    RULES.play(game, rolled(game, dice, white=white))
    clear_board(game)
    game.player.goods = [0] * 7
    game.player.workers = game.player.silver = 0
    return game


def clear_board(game: GameState) -> None:
    """Takes every tile and all goods off the depots; what modules sell beside them stays."""
    game.depots = [[None] * len(depot) for depot in game.depots]
    game.black = [None] * len(game.black)
    game.depot_goods = [[0] * 7 for _ in game.depot_goods]


def next_round(game: GameState, *dice: tuple[int, int], white: int = 1) -> list[Move]:
    """Ends the round and, if the phase is over, deals the next one; then rolls. Returns the chance events."""
    finish_round(game)
    events = []
    while game.stage != ROLL:
        events.append(dealt(game))
        RULES.play(game, events[-1])
    RULES.play(game, rolled(game, *dice, white=white))
    return events


def cover_all_but(player: Player, *spaces: int, tile_type: str | None = None) -> None:
    """Covers every empty space of a duchy, or those for one type, with castles but these, without any effect."""
    for space in player.duchy.spaces:
        if space.index in spaces or player.spaces[space.index] is not None:
            continue
        if tile_type in (None, space.tile_type):
            player.put(space.index, tile("mine"))
