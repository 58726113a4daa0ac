"""Hermit: one plays alone, with what is printed for two."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.rules.edition import Edition
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module

PLAYED_AS = 2


class HermitHooks(Hooks):
    def seat_counts(self, edition: Edition) -> Sequence[int]:
        return (1,)

    def played_as(self, seats: int) -> int:
        return PLAYED_AS


class HermitModule(Module):
    id = "hermit"
    excludes = frozenset({"chateauma", "partners"})
    hooks = HermitHooks


def create(facts: Facts) -> HermitModule:
    return HermitModule()
