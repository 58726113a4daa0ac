"""Positions for the tests of the shields: a turn in which no shield lies anywhere, to be furnished as needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from companion.games.burgundy.modules.shields.state import Shields, held_by, label_of, put_on_castle
from companion.games.burgundy.modules.shields.state import shields as shields_of
from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.state import TURN, Player
from companion.games.burgundy.rules.tiles import CASTLE, tile
from tests.support.module_positions import module_turn
from tests.support.positions import CENTRE, finish_round, follow_rules, take_all


def shield_turn(
    dice: tuple[int, int] = (1, 2), *, also: Sequence[str] = (), castle: int = CENTRE, **options: Any
) -> GameState:
    """Returns red's first turn of a game with shields, as :func:`.module_turn` does, in which nobody owns anything.

    *also* are further modules. Everybody has a castle on space *castle*. All shields are in the box.
    """
    game = module_turn(["shields", *also], dice, castle=castle, **options)
    for player in game.players:
        take_all(player)
    without_shields(game)
    return game


def without_shields(game: GameState) -> None:
    """Puts all shields of the depots back into the box."""
    state = shields_of(game)
    for number in filter(None, chain(*state.depots)):
        game.return_to_box(tile(label_of(number)))
    state.depots = tuple((None,) * len(places) for places in state.depots)


def at_depots(game: GameState, depots: Mapping[int, Sequence[int]]) -> None:
    """Lays shields of the box at depots."""
    for depot, numbers in depots.items():
        for place, number in enumerate(numbers):
            shields_of(game).put_at(depot, place, _out_of_box(game, number))


def hold(game: GameState, player: Player, *numbers: int) -> None:
    """Gives a person shields of the box, on castles, of which there are enough then."""
    bearing = held_by(game, player)
    free = (space for space in _castle_spaces(player) if space not in bearing)
    for number, space in zip(numbers, free, strict=False):
        if player.spaces[space] is None:
            player.put(space, tile(CASTLE))
        put_on_castle(game, player, space, _out_of_box(game, number), [])
    follow_rules(game)


def held(game: GameState, player: Player) -> list[int]:
    """Returns the numbers of a person's shields, sorted."""
    return sorted(held_by(game, player).values())


def state_of(game: GameState) -> Shields:
    """Returns the shields of a game."""
    return shields_of(game)


def end_phase(game: GameState, phase: int = 0) -> None:
    """Ends a phase's last round without another action, up to the first decision after it."""
    game.phase, game.round = phase, 4
    assert game.stage == TURN
    finish_round(game)


def _castle_spaces(player: Player) -> Iterator[int]:
    """Yields the spaces of castles that lie, then those for more."""
    spaces = [s.index for s in player.duchy.spaces if s.tile_type == CASTLE]
    yield from sorted(spaces, key=lambda space: (player.spaces[space] is None, space))


def _out_of_box(game: GameState, number: int) -> int:
    shield = tile(label_of(number))
    game.box = {**game.box, shield: game.box[shield] - 1}
    return number
