"""What other modules add to the Châteauma: benefits of their tiles, and of their symbols on county cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ...rules.module import Module
from ...rules.state import GameState
from ...rules.tiles import Tile

if TYPE_CHECKING:
    from .context import Turn

Benefit = Callable[["Turn", Tile], None]
"""What a tile brings when it is placed face up."""
SymbolBenefit = Callable[["Turn"], None]
"""What covering a symbol brings."""


@dataclass(frozen=True, slots=True)
class CardSymbol:
    """A symbol in the corner of county cards."""

    benefit: SymbolBenefit
    """What completing a card with it brings."""
    assumed_on: Sequence[int]
    """Numbers of the cards that simulated games assume to have it: nobody has seen which do."""


class Extension:
    """A base class, beside ``Module``, of the modules that add something to the Châteauma."""

    automa_benefits: ClassVar[Mapping[str, Benefit]] = {}
    """Building or tile type -> its benefit. One for a tile of the base game takes the place of its own."""
    automa_symbols: ClassVar[Mapping[str, SymbolBenefit]] = {}
    """Symbol of a card's space -> benefit of covering it."""
    automa_card_symbols: ClassVar[Mapping[str, CardSymbol]] = {}
    """Symbols in the corner of cards, by name, in the order in which they are resolved."""
    automa_steps: ClassVar[Mapping[str, str]] = {}
    """Code of each step that these add (see :mod:`.explanation`) -> the lines of the rule text behind it."""

    def automa_sells(self, turn: Turn) -> None:
        """Gives the Châteauma what it gets besides for a sale, once it has sold something."""


def added_benefits(game: GameState) -> dict[str, Benefit]:
    """Returns the benefits of tiles that other modules add to this game."""
    return {name: benefit for added in _extensions(game) for name, benefit in added.automa_benefits.items()}


def added_symbols(game: GameState) -> dict[str, SymbolBenefit]:
    """Returns the benefits of symbols that other modules add to this game."""
    return {name: benefit for added in _extensions(game) for name, benefit in added.automa_symbols.items()}


def added_steps(game: GameState) -> dict[str, str]:
    """Returns the steps that other modules add to this game, with the lines of the rule text behind them."""
    return {code: rule for added in _extensions(game) for code, rule in added.automa_steps.items()}


def card_symbols(game: GameState) -> dict[str, CardSymbol]:
    """Returns the symbols in the corner of cards that other modules add to this game, by name."""
    return symbols_of(game.ruleset.modules)


def symbols_of(modules: Iterable[Module]) -> dict[str, CardSymbol]:
    """Returns the symbols in the corner of cards that these modules add, by name."""
    added = (module for module in modules if isinstance(module, Extension))
    return {name: symbol for module in added for name, symbol in module.automa_card_symbols.items()}


def add_to_sale(turn: Turn) -> None:
    """Gives the Châteauma what other modules add to a sale that has just been made."""
    for added in _extensions(turn.game):
        added.automa_sells(turn)


def _extensions(game: GameState) -> list[Extension]:
    return [module for module in game.ruleset.modules if isinstance(module, Extension)]
