"""Linked castles: tiles must be linked to castles (first expansion, S699-705; always in 2011, A1293-1312)."""

from __future__ import annotations

from calibration.games.burgundy.facts import Facts

from .module import LinkedCastles

__all__ = ["LinkedCastles", "create"]


def create(facts: Facts) -> LinkedCastles:
    """Returns the module; nothing is printed for it but the mark of its duchies, which they carry themselves."""
    return LinkedCastles()
