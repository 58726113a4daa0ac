"""What the owner is asked about trade routes: the tiles of the box, which are also learnt from what people report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...rules.owner_print import PrintKind
from .routes import MODULE, is_unknown, routes_of
from .tiles import LETTERS, TradePrint, squares_in, to_json

if TYPE_CHECKING:
    from calibration.fields import Field

    from ...rules.state import GameState


class TradeTiles(PrintKind):
    """The tiles of the box by a letter of ours: three squares from the left, each with its number and its bonus.

    Null removes a tile that was answered by mistake.
    """

    name = MODULE

    def __init__(self, printed: TradePrint) -> None:
        self._printed = printed

    def parse(self, answer: Field) -> dict[str, list[list[Any]] | None]:
        return {letter: None if tile.value is None else squares_in(tile) for letter, tile in answer.entries()}

    def check(self, answer: Mapping[str, Any]) -> None:
        self._printed.check_tiles(answer)

    def merged(self, before: Mapping[str, Any] | None, answer: Mapping[str, Any]) -> Any:
        tiles = {**(before or {}), **answer}
        return {letter: tiles[letter] for letter in sorted(tiles) if tiles[letter] is not None}

    def taught_by(self, game: GameState, before: Mapping[str, Any] | None) -> Any:
        """Returns the tiles of which all squares are known and that the box lacks, as long as it has free letters."""
        tiles = [
            tile for route in routes_of(game).routes.values() for tile in route.tiles if not is_unknown(tile)
        ]
        known = list((before or {}).values())
        new = [squares for squares in map(to_json, dict.fromkeys(tiles)) if squares not in known]
        free = [letter for letter in LETTERS if letter not in (before or {})]
        return dict(zip(free, new, strict=False)) or None
