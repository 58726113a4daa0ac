"""Shields, for castles: each changes a rule for whoever has it, costs upkeep, and scores at the end (S880-929).

The files are module (what it adds to the base game), state (which shield is where), setting_up, winning (with a pair,
or a castle's action), upkeep, overriding, showing, scoring (at the end), advice (for bots and reminders), automa (what
it adds to the Châteauma), and what the shields do: placing (1, 17, 18), income (2, 7, 8, 9, 12), storage (4), ships
(5), monasteries (6, 10), free_placement (14, 15), any_value (16); 3 is in upkeep, 11 in winning, 13 in scoring.
"""

from __future__ import annotations

from calibration.games.burgundy.facts import Facts

from .module import ShieldModule

__all__ = ["ShieldModule", "create"]


def create(facts: Facts) -> ShieldModule:
    """Returns the module with what is printed on the shields."""
    return ShieldModule(facts.shields)
