"""Overrides of shields: at the depots and on castles."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules.module import OverridablePlace
from ...rules.state import GameState, Player
from ...rules.tiles import CASTLE, Tile
from .setting_up import GROUP
from .state import held_by, label_of, shields

ON_CASTLE = "shield"
"""Kind of the places on castles: ``shield:red:18``."""


class AtDepot:
    """A place at a depot: ``shields:3:0``."""

    def has(self, game: GameState, names: Sequence[str]) -> bool:
        depots = shields(game).depots
        match names:
            case [depot, place] if depot in map(str, range(1, len(depots) + 1)):
                return place in map(str, range(len(depots[int(depot) - 1])))
        return False

    def tiles(self, game: GameState, names: Sequence[str]) -> list[str]:
        number = shields(game).depots[int(names[0]) - 1][int(names[1])]
        return [] if number is None else [label_of(number)]

    def may_hold(self, game: GameState, names: Sequence[str], labels: Sequence[str]) -> bool:
        return _is_one_shield(game, labels)

    def put(self, game: GameState, names: Sequence[str], labels: Sequence[str]) -> None:
        shields(game).put_at(int(names[0]), int(names[1]), next(map(_number, labels), None))


class OnCastle:
    """A castle's shield: ``shield:red:18``."""

    def has(self, game: GameState, names: Sequence[str]) -> bool:
        match names:
            case [colour, space] if side := _side(game, colour):
                return space in map(str, range(len(side.spaces)))
        return False

    def tiles(self, game: GameState, names: Sequence[str]) -> list[str]:
        colour, space = names
        there = held_by(game, game.player_of(colour)).get(int(space))
        return [] if there is None else [label_of(there)]

    def may_hold(self, game: GameState, names: Sequence[str], labels: Sequence[str]) -> bool:
        side = _side(game, names[0])
        has_castle = side is not None and _is_castle(side.spaces[int(names[1])])
        return not labels or (has_castle and _is_one_shield(game, labels))

    def put(self, game: GameState, names: Sequence[str], labels: Sequence[str]) -> None:
        where, state = (names[0], int(names[1])), shields(game)
        others = {number: there for number, there in state.held.items() if there != where}
        state.held = others | {_number(label): where for label in labels}


PLACES: dict[str, OverridablePlace] = {GROUP: AtDepot(), ON_CASTLE: OnCastle()}


def _side(game: GameState, colour: str) -> Player | None:
    return next((side for side in game.player_sides if side.colour == colour), None)


def _is_castle(there: Tile | None) -> bool:
    return there is not None and there.type == CASTLE


def _is_one_shield(game: GameState, labels: Sequence[str]) -> bool:
    return len(labels) <= 1 and all(label in map(label_of, shields(game).printed.shields) for label in labels)


def _number(label: str) -> int:
    return int(label.rpartition("/")[2])
