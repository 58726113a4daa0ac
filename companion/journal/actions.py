"""Acts: what people have done in a journal, each of which can be taken back and done again as a whole.

An act adds units, and may take others away that it puts right. What is seen by itself belongs to the act before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .record import JournalError, Record

SEEN = "seen"
"""Who confirmed a unit that was taken from the table by itself."""
ADJUSTED = "adjusted"
"""By what counts were put right by hand: nobody's turn."""


@dataclass(slots=True)
class UserAction:
    """One thing that people did, by the numbers of the units concerned."""

    added: list[int]
    removed: list[int] = field(default_factory=list)


@dataclass(slots=True)
class UserActions:
    """What a journal comes to."""

    effective: list[int] = field(default_factory=list)
    """Units that count, in the order of play."""
    done: list[UserAction] = field(default_factory=list)
    """The latest last: it is taken back first."""
    undone: list[UserAction] = field(default_factory=list)
    """Those taken back since something was done, the latest last: it is done again first."""

    def add(self, entry: Record) -> None:
        """Takes a unit that has just been recorded; what was taken back before cannot be done again any more."""
        self.effective.append(entry.seq)
        self.undone.clear()
        belongs = entry.body["by"] == SEEN or "amends" in entry.body
        if not belongs:
            self.done.append(UserAction([entry.seq]))
        elif self.done:
            self.done[-1].added.append(entry.seq)


def user_actions_of(records: Sequence[Record]) -> UserActions:
    """The acts of a journal.

    :raises JournalError: when a record does again what was not taken back.
    """
    amending = {record.body.get("amends") for record in records if record.kind == "moves"}
    actions = UserActions()
    for record in records:
        if record.kind == "moves":
            actions.add(record)
        elif record.kind == "undo" and record.seq in amending:
            actions.done.append(UserAction([], list(record.body["units"])))
            _replace(actions, actions.done[-1].removed, [])
        elif record.kind == "undo":
            _take_back(actions, record)
        elif record.kind == "aside":
            _drop(actions, record.body["units"])
        elif record.kind == "redo":
            if not actions.undone or actions.undone[-1].added != record.body["units"]:
                raise JournalError(f"record {record.seq} does again what was not taken back last")
            actions.done.append(actions.undone.pop())
            _replace(actions, actions.done[-1].removed, actions.done[-1].added)
    return actions


def _take_back(actions: UserActions, record: Record) -> None:
    """Takes back an act; journals of old also took back what was seen alone, and wrote anew what had been put right."""
    entries = list(record.body["units"])
    _replace(actions, entries, record.body.get("again", []))
    if actions.done and actions.done[-1].added == entries:
        actions.undone.append(actions.done.pop())
    else:
        _drop(actions, entries)


def _drop(actions: UserActions, entries: Sequence[int]) -> None:
    """Takes away units that stand no longer, though nobody took back the act that they belong to."""
    _replace(actions, entries, [])
    for action in actions.done:
        action.added = [seq for seq in action.added if seq not in entries]
    actions.done = [action for action in actions.done if action.added]


def _replace(actions: UserActions, old: Iterable[int], new: Iterable[int]) -> None:
    """What is taken away always comes last, so that numbers tell the order of play."""
    actions.effective = sorted({*actions.effective, *new} - {*old})
