"""What other modules add to the Châteauma: benefits of their tiles, and of their symbols on county cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from ...rules.tiles import Tile
from .context import Turn

Benefit = Callable[[Turn, Tile], None]
"""What a tile brings when it is placed face up."""
SymbolBenefit = Callable[[Turn], None]
"""What covering a symbol brings."""


class Extension:
    """A base class, beside ``Module``, of the modules that add something to the Châteauma."""

    automa_benefits: ClassVar[Mapping[str, Benefit]] = {}
    """Building or tile type -> its benefit. One for a tile of the base game takes the place of its own."""
    automa_symbols: ClassVar[Mapping[str, SymbolBenefit]] = {}
    """Symbol of a card's space -> benefit of covering it."""


def added_benefits(turn: Turn) -> dict[str, Benefit]:
    """Returns the benefits of tiles that other modules add to this game."""
    return {name: benefit for added in _extensions(turn) for name, benefit in added.automa_benefits.items()}


def added_symbols(turn: Turn) -> dict[str, SymbolBenefit]:
    """Returns the benefits of symbols that other modules add to this game."""
    return {name: benefit for added in _extensions(turn) for name, benefit in added.automa_symbols.items()}


def _extensions(turn: Turn) -> list[Extension]:
    return [module for module in turn.game.ruleset.modules if isinstance(module, Extension)]
