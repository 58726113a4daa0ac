"""The turns that people have played, each with the position before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.api import Move, Rules
from companion.games.setup import PERSON
from companion.journal import Record, replay, setup_of


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A whole turn of a person."""

    player: str
    round: int | None
    """From 1; None in a game without rounds."""
    position: Any
    """Before it."""
    moves: tuple[Move, ...]


def played_turns(rules: Rules, records: Sequence[Record]) -> list[PlayedTurn]:
    """Returns the turns of people that were recorded as one entry; those within which something was reported are not.

    :raises JournalError: when the journal cannot be replayed.
    """
    setup = setup_of(records)
    if setup is None:
        return []
    people = {seat["colour"] for seat in rules.seats(setup) if seat["kind"] == PERSON}
    turns: list[PlayedTurn] = []
    before = rules.new(setup)
    for entry, after in replay(rules, records):
        player = entry.player
        if player in people and player == rules.to_move(before) and rules.ends_turn(entry.moves[-1]):
            turns.append(PlayedTurn(player, rules.stage(before).round, before, entry.moves))
        before = after.copy()
    return turns
