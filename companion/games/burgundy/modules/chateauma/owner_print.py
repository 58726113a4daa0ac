"""What the owner is asked for the Châteauma: county cards, the order of its inventory, and the marks on its board.

The symbols in the corners of cards are learnt from games that ask for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...rules.owner_print import PrintKind
from .cards import Print
from .seat import automa

if TYPE_CHECKING:
    from calibration.fields import Field

    from ...rules.state import GameState

MOST_SPACES = 37
"""Limit of spaces for one tile type, on any duchy."""


def kinds_of(printed: Print) -> list[PrintKind]:
    """Returns what is asked about a print of which so much is known."""
    return [Cards(printed), InventoryOrder(printed), MarksOfModifiers(printed), CornerSymbols(printed)]


class _OfPrint(PrintKind):
    """Answers that complete what is known."""

    def __init__(self, printed: Print) -> None:
        self._printed = printed

    def check(self, answer: Any) -> None:
        self._printed.with_answers({self.name: answer})


class Cards(_OfPrint):
    """The spaces of county cards by the number of the card; null for a space that is as it was known."""

    name = "cards"

    def parse(self, answer: Field) -> dict[str, list[str | dict[str, Any] | None]]:
        return {number: [_space(space) for space in card.items()] for number, card in answer.entries()}

    def merged(self, before: Mapping[str, Sequence[Any]] | None, answer: Mapping[str, Sequence[Any]]) -> Any:
        cards = before or {}
        return {**cards, **{n: _updated(cards.get(n, ()), spaces) for n, spaces in answer.items()}}


class InventoryOrder(_OfPrint):
    """The tile types of the inventory, in order."""

    name = "inventory_order"

    def parse(self, answer: Field) -> list[str]:
        return [tile_type.text() for tile_type in answer.items()]


class MarksOfModifiers(_OfPrint):
    """The marked spaces of each tile type by modifier."""

    name = "marks"

    def parse(self, answer: Field) -> dict[str, dict[str, list[int]]]:
        return {
            modifier: {
                tile_type: [space.integer(1, MOST_SPACES) for space in spaces.items()]
                for tile_type, spaces in types.entries()
            }
            for modifier, types in answer.entries()
        }

    def merged(self, before: Mapping[str, Any] | None, answer: Mapping[str, Any]) -> Any:
        return {**(before or {}), **answer}


class CornerSymbols(_OfPrint):
    """By card, whether it has each of the symbols that a game has asked for in its corner."""

    name = "symbols"

    def parse(self, answer: Field) -> dict[str, dict[str, bool]]:
        return {
            card: {name: has_it.flag() for name, has_it in symbols.entries()}
            for card, symbols in answer.entries()
        }

    def merged(self, before: Mapping[str, Any] | None, answer: Mapping[str, Any]) -> Any:
        cards = before or {}
        return {**cards, **{card: {**cards.get(card, {}), **symbols} for card, symbols in answer.items()}}

    def taught_by(self, game: GameState, before: Mapping[str, Any] | None) -> Any:
        reported = {str(card): dict(symbols) for card, symbols in automa(game).reported.items()}
        return None if self.merged(before, reported) == (before or {}) else reported


def _space(field: Field) -> str | dict[str, Any] | None:
    if field.value is None:
        return None
    if isinstance(field.value, str):
        return field.text()
    field.only(("colour", "sell_goods"))
    return {"colour": field["colour"].text(), "sell_goods": field["sell_goods"].flag()}


def _updated(old: Sequence[Any], new: Sequence[Any]) -> list[Any]:
    """Returns the spaces of a card: the *new* answer if there is one."""
    if len(old) != len(new):
        return list(new)
    return [before if now is None else now for before, now in zip(old, new, strict=True)]
