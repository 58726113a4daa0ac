"""The tiles of trade routes: three squares each, with a number and a bonus (S777-781).

Six of the twelve were seen in print (see the facts). The others are known from the owner, or square by square from
play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from calibration.games.burgundy.facts import TradeRoutesFact
from calibration.games.burgundy.facts.trade_routes import SQUARES

from ...rules.owner_print import AnswerError
from ...rules.tiles import GOODS

if TYPE_CHECKING:
    from calibration.fields import Field

LETTERS = "abcdefghijkl"
"""Names of ours for the tiles of a box, as none is printed on them."""


class Square(NamedTuple):
    """What is printed on a square; a number of 0 if nobody has reported it."""

    number: int = 0
    bonus: str = ""

    @property
    def is_known(self) -> bool:
        return bool(self.number)


UNKNOWN = Square()
RouteTile: TypeAlias = tuple[Square, ...]
"""Three squares, from the left."""
UNKNOWN_TILE: RouteTile = (UNKNOWN,) * SQUARES


@dataclass(frozen=True)
class TradePrint:
    """What is printed for trade routes in every copy."""

    tiles_per_player: Mapping[int, int]
    """By number of all players (S777)."""
    bonuses: tuple[str, ...]
    """All bonuses that a square may have."""
    seen: Mapping[str, RouteTile]
    """Tiles that were seen in print, by a name of ours; the owner's copy may have others."""

    @classmethod
    def from_facts(cls, facts: TradeRoutesFact) -> TradePrint:
        seen = {
            name: tuple(Square(*square) for square in tile.squares) for name, tile in facts.seen_tiles.items()
        }
        return cls(facts.tiles_per_player, facts.bonuses, seen)

    def check_tiles(self, tiles: Mapping[str, Sequence[Sequence[Any]]]) -> None:
        """Checks that one box may have these *tiles*, by letter.

        :raises AnswerError: if it cannot.
        """
        for letter, squares in tiles.items():
            if letter not in LETTERS or len(letter) != 1:
                raise AnswerError(
                    "no_trade_tile",
                    f"no trade route tile {letter!r}: a box has {len(LETTERS)}, called {LETTERS[0]} to {LETTERS[-1]}",
                    letter=letter,
                )
            self._check_squares(letter, squares)
        contents: dict[RouteTile, str] = {}
        for letter, squares in tiles.items():
            other = contents.setdefault(route_tile(squares), letter)
            if other != letter:
                raise AnswerError(
                    "trade_tile_twice",
                    f"trade route tiles {other} and {letter} have the same squares; no tile is there twice",
                    letter=letter,
                    other=other,
                )

    def _check_squares(self, letter: str, squares: Sequence[Sequence[Any]]) -> None:
        if len(squares) != SQUARES or any(len(square) != len(Square._fields) for square in squares):
            raise AnswerError(
                "other_trade_tile_size",
                f"trade route tile {letter} needs {SQUARES} squares, each with a number and a bonus",
                letter=letter,
            )
        for number, bonus in squares:
            if number not in GOODS or bonus not in self.bonuses:
                raise AnswerError(
                    "no_trade_square",
                    f"trade route tile {letter}: no square has {number!r} and {bonus!r}; numbers are 1 to "
                    f"{GOODS[-1]}, bonuses {', '.join(self.bonuses)}",
                    letter=letter,
                    number=number,
                    bonus=bonus,
                    bonuses=", ".join(self.bonuses),
                )


def squares_in(tile: Field) -> list[list[Any]]:
    """Returns the squares of a tile from outside as plain data, which :meth:`TradePrint.check_tiles` is to check; the
    error of the field is raised if they are something else than pairs of a digit and a word."""
    pairs = (square.items(len(Square._fields)) for square in tile.items())
    return [[number.integer(0, 9), bonus.text()] for number, bonus in pairs]


def route_tile(squares: Sequence[Sequence[Any]]) -> RouteTile:
    """Returns the tile written as ``[[2, "take_building"], ...]``."""
    return tuple(Square(*square) for square in squares)


def to_json(tile: RouteTile) -> list[list[Any]]:
    """Returns a tile as plain data; a square that nobody has reported is ``[0, ""]``."""
    return [list(square) for square in tile]
