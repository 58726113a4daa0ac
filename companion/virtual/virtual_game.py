"""What a game provides to be played at a virtual table: its folder in ``companion/virtual/games``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from calibration.errors import CompanionError
from companion.games.parts import part
from companion.games.registry import plugin

if TYPE_CHECKING:
    from hardware.virtual_table import TableLayout

LabelsAt = Callable[[str], Sequence[str]]
"""Function from a place to the labels that a reader may read there, sorted."""


class NoVirtualTableError(CompanionError, LookupError):
    """A game has no virtual table; the message says how it can be watched instead."""


class VirtualGame(Protocol):
    """The virtual table of one game; the functions of the package ``companion.virtual.games.GAME``."""

    def setup(self, players: int, seed: int, *, modules: Sequence[str], **options: Any) -> dict[str, Any]:
        """Returns the set-up of a game with this many seats; *options* are the game's own.

        The same *seed* gives the same set-up.

        :raises CompanionError: if there is no such game.
        """
        ...

    def assumptions(self, setup: Mapping[str, Any]) -> str:
        """Returns a sentence about what a set-up assumes because nobody has seen it; empty if it assumes nothing."""
        ...

    def table(self, state: Any) -> TableLayout:
        """Returns the table on which a game that begins with *state* is drawn."""
        ...

    def labels(self, state: Any) -> LabelsAt:
        """Returns which labels a reader may confuse, for the game that begins with *state*."""
        ...


def virtual_game(game: str) -> VirtualGame:
    """Returns the virtual table of a game.

    :raises NoVirtualTableError: if it has none.
    """
    found = part(__package__, game)
    if found is None:
        raise NoVirtualTableError(
            f"{plugin(game).display_name} has no virtual table: ./run simulate --game {game} lets bots play it"
        )
    return cast("VirtualGame", found)
