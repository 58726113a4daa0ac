"""What the options of ``play`` say about a game; a game with options of its own derives from this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.games.registry import GAME, GamePlugin

from .errors import OptionError

if TYPE_CHECKING:
    from calibration.table_file import TableFile


class PlayedGame:
    """Represents the game that is to be played."""

    edition = ""
    """Empty if there is only one."""
    table_rules: Mapping[str, str] = {}
    """The table rules that are named."""
    parts: Mapping[str, Mapping[str, Any]] = {}
    """By module, the parts of a set-up that the options describe."""

    def __init__(self, game: GamePlugin) -> None:
        self.game = game

    def available(self, modules: tuple[str, ...]) -> tuple[str, ...]:
        """Returns *modules*, if the edition has them all.

        :raises OptionError: if it lacks one.
        """
        editions = {module.id: module.editions for module in self.game.modules()}
        for module in modules:
            if self.edition and editions[module] and self.edition not in editions[module]:
                raise OptionError(f"edition {self.edition!r} has no module {module}; leave it out")
        return modules

    def variant(self, modules: Sequence[str]) -> dict[str, Any]:
        """Returns the parts of a set-up besides edition and players: game, table rules and modules."""
        named = {"rules": dict(self.table_rules), "modules": list(modules)}
        return {GAME: self.game.id, **{part: value for part, value in named.items() if value}}

    def setup(self, modules: Sequence[str], **seated: Any) -> dict[str, Any]:
        """Returns a set-up with who is *seated*."""
        edition = {"edition": self.edition} if self.edition else {}
        return {**edition, **seated, **self.variant(modules)}

    def named(self, players: str) -> dict[str, Any]:
        """Returns who is seated by a list of *players*: their colours, the first player first.

        :raises OptionError: if the list has another form.
        """
        colours, known = (
            [colour.strip().lower() for colour in players.split(",")],
            self.game.setup.form().colours,
        )
        if not set(colours) <= set(known):
            raise OptionError(
                f"{players!r} does not say who plays {self.game.display_name}: name colours, as in red,blue "
                f"(there are {', '.join(known)})"
            )
        return {"players": [{"colour": colour} for colour in colours]}

    def on_table(self, table: TableFile) -> dict[str, Any]:
        """Returns who is seated at the boards of a table file.

        :raises OptionError: if the file does not say what the rules need.
        """
        raise OptionError(
            f"{self.game.display_name} is played without a camera: leave out --table and --camera"
        )

    def with_parts(self, setup: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """Returns *setup* with :attr:`parts`; None if people are asked who plays.

        :raises SetupError: if they are not possible there.
        """
        return None if setup is None else {**setup, **self.parts}
