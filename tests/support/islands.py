"""A small board of another shape: two islands, not level with each other, joined by one bridge."""

from __future__ import annotations

from typing import Any

from calibration.board_shape import BoardShape
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import Burgundy
from companion.games.burgundy.rules.board import Duchy, Space

SETUP: dict[str, Any] = {
    "edition": "special",
    "players": [{"colour": colour, "duchy": "islands"} for colour in ("red", "blue")],
}
PRINTED = (
    ("A1", "castle", 6, -70.0, -12.0),
    ("A2", "building", 2, -42.0, -12.0),
    ("A3", "mine", 3, -84.0, 12.25),
    ("A4", "building", 1, -56.0, 12.25),
    ("B1", "building", 5, 40.0, -5.0),
    ("B2", "ship", 4, 68.0, -5.0),
    ("B3", "building", 2, 54.0, 19.25),
)
TOUCHING = ((1, 2, 3), (0, 3), (0, 3), (0, 1, 2), (5, 6), (4, 6), (4, 5))
BRIDGES = ((1, 4),)
SHAPE = BoardShape.at([name for name, *_ in PRINTED], [(x, y) for *_, x, y in PRINTED], (0, 5, 6, 2))
SPACES = tuple((tile_type, die) for _, tile_type, die, *_ in PRINTED)
ISLANDS = Duchy(
    "islands",
    [
        Space(index, tile_type, die, name, x_mm, y_mm)
        for index, (name, tile_type, die, x_mm, y_mm) in enumerate(PRINTED)
    ],
    TOUCHING,
    bridges=BRIDGES,
)


def with_islands() -> Burgundy:
    """Returns the rules of a box whose special edition has this board too."""
    box = burgundy()
    boards = {**box.boards, "special": [*box.boards["special"], "islands"]}
    return Burgundy(box.editions, {**box.duchies, "islands": ISLANDS}, box.modules.values(), boards)
