"""Positions that follow from others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .api import Move, Rules


def position_after(rules: Rules, state: Any, moves: Iterable[Move]) -> Any:
    """Returns the position after *moves*, which are not checked; *state* itself does not change."""
    after = state.copy()
    for move in moves:
        rules.apply(after, move)
    return after
