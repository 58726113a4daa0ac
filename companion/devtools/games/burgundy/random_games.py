"""Random games for the benchmark of the rules (:class:`companion.devtools.benchmarks.rules.RandomGames`)."""

from __future__ import annotations

import random
from typing import Any

from companion.games.api import Rules
from companion.games.burgundy.plugin import BURGUNDY_EDITIONS, burgundy
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS

EDITIONS = BURGUNDY_EDITIONS
OTHER_RULES = 0.5
"""Share of the table rules that a random game draws; the others are the edition's."""


def any_setup(edition: str, players: int, seed: int) -> dict[str, Any]:
    """Players on any duchies, by any table rules."""
    rng = random.Random(seed)
    duchies = rng.sample(sorted(burgundy().duchies), players)
    options = burgundy().table_rule_options
    return {
        "edition": edition,
        "players": [{"colour": c, "duchy": d} for c, d in zip(PLAYER_COLOURS, duchies, strict=False)],
        "rules": {name: rng.choice(ways) for name, ways in options.items() if rng.random() < OTHER_RULES},
    }


def check_end(rules: Rules, state: Any) -> None:
    """Compares every player's marker with the score sheet.

    :raises ValueError: when they differ.
    """
    sheet = rules.score_sheet(state)
    for player in state.players:
        total = sum(sheet[player.colour].values())
        if total != player.score:
            raise ValueError(f"{player.colour}'s marker is on {player.score}, the score sheet says {total}")
