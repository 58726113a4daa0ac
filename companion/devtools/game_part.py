"""What games provide for benchmarks and screenshots: modules in their folders in ``companion/devtools/games``."""

from __future__ import annotations

from types import ModuleType

from calibration.errors import CompanionError
from companion.games.parts import part
from companion.games.registry import plugin


class NoGamePartError(CompanionError, LookupError):
    """A game has none of what a benchmark needs; the message names the missing file."""


def game_part(game: str, name: str) -> ModuleType:
    """Returns the module *name* of a game.

    :raises NoGamePartError: if there is none.
    """
    found = part(__package__, f"{game}.{name}")
    if found is None:
        raise NoGamePartError(
            f"{plugin(game).display_name} cannot be measured or shown: "
            f"it has no {name} in companion/devtools/games/{game}"
        )
    return found
