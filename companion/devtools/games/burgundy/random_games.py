"""Random games for the benchmark of the rules (:class:`companion.devtools.benchmarks.rules.RandomGames`)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.games.api import Rules
from companion.games.burgundy.modules.chateauma import LEVELS, MODIFIERS, VIRTUAL
from companion.games.burgundy.modules.chateauma.assumed_print import answers, assumed
from companion.games.burgundy.plugin import BURGUNDY_EDITIONS, burgundy, chateauma_module
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS

from .components import components

EDITIONS = BURGUNDY_EDITIONS
EDITION_WITH_MODULES = "special"
__all__ = ["EDITIONS", "any_setup", "check_end", "components"]

OTHER_RULES = 0.5
"""Share of the table rules that a random game draws; the others are the edition's."""
OTHER_MODULES = 0.5
"""Share of the modules that a random game is played with."""
AGAINST_CHATEAUMA = 0.25
"""Share of the games in which the Châteauma has the last seat."""


def any_setup(edition: str, players: int, seed: int) -> dict[str, Any]:
    """Players on any duchies, by any table rules, with any modules that go together, perhaps against the Châteauma."""
    rng = random.Random(seed)
    duchies = rng.sample(sorted(burgundy().duchies), players)
    options = burgundy().table_rule_options
    seats = [{"colour": c, "duchy": d} for c, d in zip(PLAYER_COLOURS, duchies, strict=False)]
    setup: dict[str, Any] = {
        "edition": edition,
        "players": seats,
        "rules": {name: rng.choice(ways) for name, ways in options.items() if rng.random() < OTHER_RULES},
    }
    if edition != EDITION_WITH_MODULES:
        return setup
    if rng.random() < AGAINST_CHATEAUMA:
        setup["chateauma"] = _any_chateauma(edition, seats.pop()["colour"], rng)
    return setup | {"modules": _any_modules(edition, setup, rng)}


def _any_chateauma(edition: str, colour: str, rng: random.Random) -> dict[str, Any]:
    modifiers = rng.sample(MODIFIERS, rng.randint(0, len(MODIFIERS)))
    printed = answers(assumed(chateauma_module().prints[edition], "".join(modifiers), {}))
    return {
        "colour": colour,
        "level": rng.choice(LEVELS),
        "modifiers": modifiers,
        "pieces": VIRTUAL,
        **printed,
    }


def _any_modules(edition: str, setup: Mapping[str, Any], rng: random.Random) -> list[str]:
    """Returns names of modules that go together, and with what is chosen otherwise."""
    rules = burgundy().table_rules_of(edition, setup["rules"]).to_json()
    played = [module for module in burgundy().modules.values() if module.is_chosen(setup, rules)]
    named = [module for module in burgundy().modules.values() if module.is_named and module not in played]
    chosen = [module for module in named if module.switched_on_by is None and rng.random() < OTHER_MODULES]
    for module in chosen[:]:
        rest = {other.id for other in (*played, *chosen)} - {module.id}
        if not module.requires <= rest or module.excludes & rest:
            chosen.remove(module)
    return [module.id for module in chosen]


def check_end(rules: Rules, state: Any) -> None:
    """Compares every player's marker with the score sheet.

    :raises ValueError: when they differ.
    """
    sheet = rules.score_sheet(state)
    for seat in state.seats:
        total = sum(sheet[seat.colour].values())
        if total != seat.score:
            raise ValueError(f"{seat.colour}'s marker is on {seat.score}, the score sheet says {total}")
