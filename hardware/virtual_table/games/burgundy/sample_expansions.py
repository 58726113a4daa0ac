"""The sample table with expansions, as a game that begins with them shows them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ...layout import TableLayout
from .expansions import EXPANSIONS, with_expansions
from .layout import sample_layout

_ROUTE_SQUARES = {2: 15, 3: 12, 4: 9}
_SHIELDS = {2: (1, 1), 3: (1, 2), 4: (2, 2)}
"""Number of players -> shields on odd and on even depots."""
_POSTS = ([4, 9], [8, 14], [34, 35])
_BONUSES = (
    "silver_2",
    "points_4",
    "workers_4",
    "take_building",
    "sell_goods",
    "extra_action",
    "take_any_hex",
)


def sample_with_expansions(
    players: Sequence[str], names: Sequence[str] = EXPANSIONS, seed: int = 1
) -> TableLayout:
    """Returns the sample table for 2 to 4 *players* with the expansions *names*; *seed* determines the trade routes."""
    rng = random.Random(seed)
    odd, even = _SHIELDS[len(players)]
    places = {f"shields:{depot}": odd if depot % 2 else even for depot in range(1, 7)}
    view = {"players": [_player(colour, _ROUTE_SQUARES[len(players)], rng) for colour in players]}
    return with_expansions(sample_layout(players), names, places, view)


def _player(colour: str, squares: int, rng: random.Random) -> dict[str, Any]:
    route = [{"number": rng.randint(1, 6), "bonus": rng.choice(_BONUSES)} for _ in range(squares)]
    return {"colour": colour, "border_posts": [{"touches": touches} for touches in _POSTS], "route": route}
