"""Set-ups of games at the virtual table, and of simulated games with the Châteauma."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.burgundy.modules.chateauma import VIRTUAL
from companion.games.burgundy.modules.chateauma.assumed_print import answers, assumed, describe
from companion.games.burgundy.modules.chateauma.extension import symbols_of
from companion.games.burgundy.plugin import (
    burgundy,
    chateauma_module,
    print_assumptions,
    random_setup,
    with_assumed_print,
)
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS


def setup(
    players: int,
    seed: int,
    *,
    edition: str = "special",
    modules: Sequence[str] = (),
    chateauma: str | None = None,
    pieces: str = VIRTUAL,
) -> dict[str, Any]:
    """Returns the set-up of a game; everybody has another duchy, on which the *modules* make a difference.

    With *chateauma*, its level, one of the *players* is the Châteauma; its *pieces* stay in the box, or lie on the
    table.
    """
    people = players - (chateauma is not None)
    proposed = random_setup(people, seed, modules, edition)
    named = {"modules": list(modules)} if modules else {}
    if chateauma is None:
        return with_assumed_print({**proposed, **named}, seed)
    colour = PLAYER_COLOURS[people]
    seat = {"colour": colour, "level": chateauma, "pieces": pieces, **answers(_assumed(edition, modules))}
    return with_assumed_print({**proposed, **named, "chateauma": seat}, seed)


def assumptions(setup: Mapping[str, Any]) -> str:
    """Returns what is assumed about print that nobody has seen."""
    of_automa = (
        [describe(_assumed(setup["edition"], setup.get("modules", ())))] if "chateauma" in setup else []
    )
    return "\n".join([*of_automa, *print_assumptions(setup)])


def _assumed(edition: str, modules: Sequence[str]) -> dict[str, str]:
    symbols = symbols_of(burgundy().modules[name] for name in modules)
    return assumed(chateauma_module().prints[edition], "", {}, symbols)
