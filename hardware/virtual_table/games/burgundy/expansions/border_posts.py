"""The border posts: flags at the edge of each player's board, in the notches of the duchy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ....layout import Panel, Placement, TableLayout, spaces_around
from ..layout import DUCHY_MIDDLE_MM

_FLAG_MM = 12.0
_OUT_MM = 15.0
"""Distance of a flag from the middle between the spaces that it touches."""


def extend(layout: TableLayout, places: Mapping[str, int], view: Mapping[str, Any]) -> TableLayout:
    posts = {
        player["colour"]: [post["touches"] for post in player["border_posts"]] for player in view["players"]
    }
    flags = [
        Panel(
            "post", _notch(layout.seats[board.player], np.array(spaces_around((0, 0), board.shape)), touches)
        )
        for board in layout.boards
        for touches in posts[board.player]
    ]
    return replace(layout, marks=(*layout.marks, *flags))


def _notch(seat: Placement, spaces: np.ndarray, touches: list[int]) -> Placement:
    """Returns where the flag stands that touches two of the *spaces*, (N, 2) mm from the middle of the duchy."""
    between = spaces[touches].mean(axis=0)
    x, y = between * (1 + _OUT_MM / np.hypot(*between)) + DUCHY_MIDDLE_MM
    return seat.part(float(x) - _FLAG_MM / 2, float(y) - _FLAG_MM / 2, _FLAG_MM, _FLAG_MM)
