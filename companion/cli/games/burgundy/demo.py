"""Options of ``companion demo``."""

from __future__ import annotations

from companion.cli.game_command import GamePart
from companion.games.burgundy.modules.chateauma import VIRTUAL

from .options import level_option, pieces_option

PART = GamePart(
    (
        level_option("chateauma", "Make the Châteauma one of the players, at this level."),
        pieces_option(
            VIRTUAL,
            "Whether the Châteauma's cards, inventory, goods and die lie on the table or stay in the box.",
        ),
    )
)
