"""Options of ``companion demo``."""

from __future__ import annotations

from typing import Any

from companion.cli.game_command import GamePart
from companion.games.burgundy.modules.chateauma import VIRTUAL

from .options import check_level_given, level_option, pieces_option


def shown(chateauma: str | None, pieces: str) -> dict[str, Any]:
    """Returns the parts of the set-up that the options describe."""
    if chateauma is None:
        check_level_given({"pieces": "--pieces"})
    return {"chateauma": chateauma, "pieces": pieces}


PART = GamePart(
    (
        level_option("chateauma", "Make the Châteauma one of the players, at this level."),
        pieces_option(
            VIRTUAL,
            "Whether the Châteauma's cards, inventory, goods and die lie on the table or stay in the box.",
        ),
    ),
    shown,
)
