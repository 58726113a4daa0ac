"""User actions: what people did in a journal, each of which can be undone and redone as one.

An action adds entries, and may remove others that it corrects. An entry that the camera alone confirmed belongs to the
action before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .record import JournalError, Record

SEEN = "seen"
"""``by`` of an entry that the camera alone confirmed."""
DRAWN = "drawn"
"""``by`` of an entry that the companion rolled or drew for the table."""
ADJUSTED = "adjusted"
"""``by`` of an entry that adjusts counts by hand; it is nobody's turn."""
OUT_OF_TURN = "out_of_turn"
"""``by`` of an entry that holds what a player did while it was not their turn."""


@dataclass(slots=True)
class UserAction:
    """One thing that people did, by the numbers of the entries concerned."""

    added: list[int]
    removed: list[int] = field(default_factory=list)


@dataclass(slots=True)
class UserActions:
    """Represents the user actions of a journal, and the entries that are effective after them."""

    effective: list[int] = field(default_factory=list)
    """Numbers of the entries that count, in the order of play."""
    done: list[UserAction] = field(default_factory=list)
    """Actions that can be undone, oldest first: the last one is undone first."""
    undone: list[UserAction] = field(default_factory=list)
    """Actions that can be redone: the last one is redone first."""

    def add(self, entry: Record) -> None:
        """Adds an entry that was just recorded; actions undone before cannot be redone any more."""
        self.effective.append(entry.seq)
        self.undone.clear()
        is_new_action = entry.body["by"] != SEEN and "amends" not in entry.body
        if is_new_action:
            self.done.append(UserAction([entry.seq]))
        elif self.done:
            self.done[-1].added.append(entry.seq)


def user_actions_of(records: Sequence[Record]) -> UserActions:
    """Returns the user actions of a journal.

    :raises JournalError: when a record redoes what was not undone last.
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
            _undo(actions, record)
        elif record.kind == "aside":
            _drop(actions, record.body["units"])
        elif record.kind == "redo":
            if not actions.undone or actions.undone[-1].added != record.body["units"]:
                raise JournalError(f"record {record.seq} redoes what was not undone last")
            actions.done.append(actions.undone.pop())
            _replace(actions, actions.done[-1].removed, actions.done[-1].added)
    return actions


def _undo(actions: UserActions, record: Record) -> None:
    """Undoes an action. Old journals also undid single seen entries, and wrote corrected entries again."""
    entries = list(record.body["units"])
    _replace(actions, entries, record.body.get("again", []))
    if actions.done and actions.done[-1].added == entries:
        actions.undone.append(actions.done.pop())
    else:
        _drop(actions, entries)


def _drop(actions: UserActions, entries: Sequence[int]) -> None:
    """Removes entries that are no longer effective, although nobody undid the action that they belong to."""
    _replace(actions, entries, [])
    for action in actions.done:
        action.added = [seq for seq in action.added if seq not in entries]
    actions.done = [action for action in actions.done if action.added]


def _replace(actions: UserActions, old: Iterable[int], new: Iterable[int]) -> None:
    """Replaces effective entries; removed ones are always the last, so that numbers give the order of play."""
    actions.effective = sorted({*actions.effective, *new} - {*old})
