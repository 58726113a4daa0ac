"""Finds the game to continue, and compares it with the one that the options ask for."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.archive import Archive
from companion.players.opponents import bots_of
from companion.session import TableSession

from .game_runner import latest_of

TABLE, PLAYERS, EDITION, RULE, MODULES, CHATEAUMA, OPPONENT = (
    "--table",
    "--players",
    "--edition",
    "--rule",
    "--modules",
    "--chateauma",
    "--opponent",
)
Setup = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RequestedGame:
    """Represents the game that the options ask for; None and empty fields match any game."""

    on_table: Setup | None = None
    """The setup of the boards in the table file; the game is played on some of them."""
    players: Setup | None = None
    """The setup of the listed players."""
    edition: str | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    chateauma: Mapping[str, Any] | None = None
    opponents: Mapping[str, str] = field(default_factory=dict)
    modules: Collection[str] = ()

    def differences(
        self, setup: Setup, table_rules: Mapping[str, str], modules: Collection[str] = ()
    ) -> list[str]:
        """Returns the options that differ from the *setup* of a game; empty if it is the requested one.

        *table_rules* are all that it is played by, *modules* those that it is played with: the setup leaves out what
        is as usual.
        """
        automa = setup.get("chateauma", {})
        edition = self.edition or (self.players and self.players["edition"])
        differs = {
            TABLE: self.on_table is not None and not _boards(setup) <= _boards(self.on_table),
            PLAYERS: self.players is not None
            and (_seats(setup) != _seats(self.players) or bool(automa) > (self.chateauma is not None)),
            EDITION: edition is not None and edition != setup["edition"],
            RULE: any(table_rules.get(name) != value for name, value in self.rules.items()),
            MODULES: bool(self.modules) and set(self.modules) != set(modules),
            CHATEAUMA: self.chateauma is not None
            and any(automa.get(name) != value for name, value in self.chateauma.items()),
            OPPONENT: bool(self.opponents) and self.opponents != bots_of(setup),
        }
        return [option for option, does in differs.items() if does]


def _seats(setup: Setup) -> list[tuple[str, str]]:
    """Returns colour and board of each player, in the order of the first round."""
    return [(seat["colour"], json.dumps(seat.get("spaces", seat.get("duchy")))) for seat in setup["players"]]


def _boards(setup: Setup) -> set[tuple[str, str]]:
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
    """Returns the fields of texts about the game of *session*: its name, players and progress."""
    view = session.snapshot()["view"]
    return {
        "game": Path(session.journal.path).stem,
        "players": [seat["colour"] for seat in session.rules.seats(session.setup)],
        "phase": view["phase"],
        "round": view["round"],
    }
