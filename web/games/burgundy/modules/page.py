"""What the page of a module adds to Burgundy's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint

Move = Mapping[str, Any]
"""A move as the game describes it (``Rules.describe``)."""
View = Mapping[str, Any]
"""A position, or what a player has of it, as the game describes it (``Rules.view``)."""

NO_HEADING = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class ModulePage:
    """What Python has to know to draw a module. All of it is optional."""

    draw: Any = None
    """What the module's templates use as ``draw.of_module(MODULE)``."""
    sheets: Blueprint | None = None
    """Sheets of its own that open over the table."""
    print_form: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    """Answers of the owner by kind -> what the module's template ``print`` needs to ask for those of the kind that is
    called like the module. None if nothing is asked about its print."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """Word of a move -> heading under which it is listed (see :data:`..drawing.GROUPS`); :data:`NO_HEADING` for
    moves that a template of the module lists."""
    own_buttons: Sequence[str] = ()
    """Words of the moves for which its templates have buttons beside the board."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """Word of a move -> its icon."""
    laid_out: Sequence[str] = ()
    """Kinds of its groups of places that are filled for a phase, beside the main board."""
    places_of: Callable[[Move, View], Sequence[str]] = lambda move, view: ()
    """(move, view) -> the places at which it is entered, besides those that every move names."""
    changes: Callable[[Move, str | None, View], Mapping[str, str | None]] = lambda move, player, view: {}
    """(move, player, view) -> what it puts on which place; None where it takes something away."""
    offered: Callable[[View], Sequence[str]] = lambda view: ()
    """Returns the labels of its tiles that can be taken or bought, besides those in the depots."""
    looks: Callable[[str, View], Sequence[str]] = lambda label, view: ()
    """(label of a tile in a duchy, view) -> how it may look after a turn, if things of the module cover it."""
    labels_on: Callable[[View], Mapping[int, str]] = lambda player: {}
    """What a player has -> what is seen on spaces of the duchy instead of the tile that lies there."""
