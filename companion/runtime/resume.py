"""Finds the game to continue, and compares it with the one that the options ask for."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.archive import Archive
from companion.games.registry import game_of, plugin
from companion.players.opponents import bots_of
from companion.session import TableSession

from .game_runner import latest_of

GAME, TABLE, PLAYERS, EDITION, RULE, MODULES, OPPONENT = (
    "--game",
    "--table",
    "--players",
    "--edition",
    "--rule",
    "--modules",
    "--opponent",
)
Setup = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RequestedGame:
    """Represents the game that the options ask for; None and empty fields match any game."""

    game: str | None = None
    on_table: Setup | None = None
    """The setup of the boards in the table file; the game is played on some of them."""
    players: Setup | None = None
    """The setup of the listed players."""
    edition: str | None = None
    """The edition that is named; the usual one, which :attr:`players` have, was not asked for."""
    rules: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By module, the parts of a setup that the options describe."""
    opponents: Mapping[str, str] = field(default_factory=dict)
    modules: Collection[str] = ()

    def differences(
        self, setup: Setup, table_rules: Mapping[str, str], modules: Collection[str] = ()
    ) -> list[str]:
        """Returns the options that differ from the *setup* of a game; empty if it is the requested one.

        *table_rules* are all that it is played by, *modules* those that it is played with: the setup leaves out what
        is as usual.
        """
        game = game_of(setup)
        automas = {
            module.id for module in plugin(game).modules() if not module.is_named and module.id in setup
        }
        differs = {
            GAME: self.game is not None and self.game != game,
            TABLE: self.on_table is not None and not _boards(setup) <= _boards(self.on_table),
            PLAYERS: self.players is not None
            and (_seats(setup) != _seats(self.players) or not automas <= self.parts.keys()),
            EDITION: self.edition is not None and self.edition != setup.get("edition"),
            RULE: any(table_rules.get(name) != value for name, value in self.rules.items()),
            MODULES: bool(self.modules) and set(self.modules) != set(modules),
            **{f"--{name}": _differs(part, setup.get(name, {})) for name, part in self.parts.items()},
            OPPONENT: bool(self.opponents) and self.opponents != bots_of(setup),
        }
        return [option for option, does in differs.items() if does]


def _differs(part: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Returns whether a *part* of a setup has another value than the *other* one, which may have more."""
    return any(other.get(name) != value for name, value in part.items())


def _seats(setup: Setup) -> list[str]:
    """Returns colour and board of each player, in the order of the first round."""
    seats = ({name: value for name, value in seat.items() if name != "bot"} for seat in setup["players"])
    return [json.dumps(seat, sort_keys=True) for seat in seats]


def _boards(setup: Setup) -> set[str]:
    return set(_seats(setup))


def unfinished(games: Archive, day: str, now: float) -> Path | None:
    """Returns the game to continue: the latest of that *day*, or of the last hours, unless it is finished.

    *now* is in seconds since 1970.
    """
    path = latest_of(games.folder, day, now)
    if path is None:
        return None
    try:
        record = games.game(path.stem).record
    except LookupError:
        return None
    return None if record is not None and record.over else path


def game_fields(session: TableSession) -> dict[str, Any]:
    """Returns the fields of texts about the game of *session*: its name, its players, and how far it is.

    How far it is is said by the game's own formatter of ``progress``, from the words and numbers of its view; without
    one, nothing is said.
    """
    view = session.snapshot()["view"]
    return {
        **{name: value for name, value in view.items() if isinstance(value, str | int)},
        "game": Path(session.journal.path).stem,
        "players": [seat["colour"] for seat in session.rules.seats(session.setup)],
        "progress": "",
    }
