"""Options of ``companion play``: edition, table rules and the Châteauma, and which duchies are played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from calibration.counting import counted
from companion.cli.errors import OptionError
from companion.cli.game_command import GamePart
from companion.cli.played_game import PlayedGame
from companion.games.burgundy.modules.chateauma import ON_TABLE
from companion.games.burgundy.plugin import PLUGIN, burgundy, copies_of
from companion.players.errors import SetupError

from .options import (
    check_level_given,
    edition_option,
    level_option,
    modifiers_option,
    pieces_option,
    table_rules_option,
)

if TYPE_CHECKING:
    from calibration.table_file import TableFile

MAX_PEOPLE = 3
"""Beside the Châteauma (S1040)."""


class PlayedBurgundy(PlayedGame):
    """Represents a game on duchies, with the Châteauma if there is a *seat* of it."""

    def __init__(self, edition: str, table_rules: Mapping[str, str], seat: Mapping[str, Any] | None) -> None:
        super().__init__(PLUGIN)
        self.edition = edition
        self.table_rules = table_rules
        self.parts = {} if seat is None else {"chateauma": seat}

    def named(self, players: str) -> dict[str, Any]:
        """Returns who is seated by a list of players and their duchies, ``red:se-1,blue:se-7``.

        :raises OptionError: if the list has another form, or names a duchy more often than it is in one box.
        """
        pairs = [[word.strip().lower() for word in player.split(":")] for player in players.split(",")]
        if any(len(pair) != 2 or not all(pair) for pair in pairs):
            raise OptionError(
                f"{players!r} does not say who plays which duchy: write it like red:se-1,blue:se-7"
            )
        duchies, copies = [duchy for _, duchy in pairs], copies_of(self.edition)
        scarce = next(
            (duchy for duchy in duchies if duchies.count(duchy) > copies.get(duchy, len(pairs))), None
        )
        if scarce is not None:
            raise OptionError(
                f"a box contains duchy {scarce} only {counted(copies[scarce], 'time')}: "
                "choose another for one of the players"
            )
        return {"players": [{"colour": colour, "duchy": duchy} for colour, duchy in pairs]}

    def setup(self, modules: Sequence[str], **seated: Any) -> dict[str, Any]:
        """Returns a set-up with who is *seated*.

        :raises OptionError: if a table rule is about a module that is not played.
        """
        self._check_table_rules(modules)
        return super().setup(modules, **seated)

    def _check_table_rules(self, modules: Sequence[str]) -> None:
        for module in burgundy().modules.values():
            if module.id in (*modules, *self.parts) or module.switched_on_by is not None:
                continue
            if unused := next((rule for rule in module.table_rules if rule in self.table_rules), None):
                how = f"--modules {module.id}" if module.is_named else f"--{module.id}"
                raise OptionError(
                    f"--rule {unused} is about {module.id}, which is not played: add {how}, or leave the rule out"
                )

    def on_table(self, table: TableFile) -> dict[str, Any]:
        """Returns who is seated at the duchies of a table file, and how many places its black depot has.

        :raises OptionError: if the printed spaces of a board are unknown; the rules need them.
        """
        players = []
        for board in table.boards:
            if board.spaces is None:
                raise OptionError(
                    f"the table file does not say which duchy {board.player} plays: choose its number on the page of "
                    "./run calibrate table, or let its spaces be read by ./run calibrate duchy"
                )
            known = board.printed_id is not None
            players.append(
                {
                    "colour": board.player,
                    **({"duchy": board.printed_id} if known else {"spaces": board.spaces}),
                }
            )
        black = next((group for group in table.places if group.name == "black"), None)
        return {"players": players, **({} if black is None else {"black_slots": len(black.centres_mm)})}

    def with_parts(self, setup: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """Returns *setup* with the Châteauma, if it plays.

        :raises SetupError: if nobody plays beside it, too many do, or it has a person's colour.
        """
        if not self.parts:
            return super().with_parts(setup)
        if setup is None:
            raise SetupError(
                "who plays against the Châteauma? Name a table file with --table, or --players red:se-1"
            )
        people = [player["colour"] for player in setup["players"]]
        colour = self.parts["chateauma"]["colour"]
        if len(people) > MAX_PEOPLE:
            raise SetupError(f"the Châteauma plays against one to {MAX_PEOPLE} people, not {len(people)}")
        if colour in people:
            raise SetupError(
                f"a person plays {colour}: give the Châteauma another colour with --chateauma-colour"
            )
        return super().with_parts(setup)


def played(
    edition: str, table_rules: Mapping[str, str], level: str | None, modifiers: str, colour: str, pieces: str
) -> PlayedBurgundy:
    """Returns the game that the options describe."""
    if level is None:
        check_level_given({"modifiers": "--modifiers", "colour": "--chateauma-colour", "pieces": "--pieces"})
        return PlayedBurgundy(edition, table_rules, None)
    seat = {"colour": colour, "level": level, "modifiers": list(modifiers), "pieces": pieces}
    return PlayedBurgundy(edition, table_rules, seat)


PART = GamePart(
    (
        edition_option("Its duchies are the boards that --players names: red:se-1,blue:se-7."),
        table_rules_option(),
        level_option(
            "level", "Let the Châteauma take part, at this level; it plays against one to three people."
        ),
        modifiers_option("", "Its difficulty modifiers, such as AD."),
        click.Option(
            ["--chateauma-colour", "colour"],
            default="black",
            show_default=True,
            metavar="COLOUR",
            callback=lambda context, parameter, colour: colour.strip().lower(),  # as in --players
            help="The colour of its pieces and its die.",
        ),
        pieces_option(ON_TABLE, "Where its cards, inventory and duchy are. virtual: they stay in the box."),
    ),
    played,
)
