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
class Act:
    """One thing that people did, by the numbers of the units concerned."""

    added: list[int]
    removed: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Acts:
    """What a journal comes to."""

    standing: list[int] = field(default_factory=list)
    """Units that count, in the order of play."""
    done: list[Act] = field(default_factory=list)
    """The latest last: it is taken back first."""
    undone: list[Act] = field(default_factory=list)
    """Those taken back since something was done, the latest last: it is done again first."""

    def add(self, unit: Record) -> None:
        """Takes a unit that has just been recorded; what was taken back before cannot be done again any more."""
        self.standing.append(unit.seq)
        self.undone.clear()
        belongs = unit.body["by"] == SEEN or "amends" in unit.body
        if not belongs:
            self.done.append(Act([unit.seq]))
        elif self.done:
            self.done[-1].added.append(unit.seq)


def acts_of(records: Sequence[Record]) -> Acts:
    """The acts of a journal.

    :raises JournalError: when a record does again what was not taken back.
    """
    amending = {record.body.get("amends") for record in records if record.kind == "moves"}
    acts = Acts()
    for record in records:
        if record.kind == "moves":
            acts.add(record)
        elif record.kind == "undo" and record.seq in amending:
            acts.done.append(Act([], list(record.body["units"])))
            _replace(acts, acts.done[-1].removed, [])
        elif record.kind == "undo":
            _take_back(acts, record)
        elif record.kind == "aside":
            _drop(acts, record.body["units"])
        elif record.kind == "redo":
            if not acts.undone or acts.undone[-1].added != record.body["units"]:
                raise JournalError(f"record {record.seq} does again what was not taken back last")
            acts.done.append(acts.undone.pop())
            _replace(acts, acts.done[-1].removed, acts.done[-1].added)
    return acts


def _take_back(acts: Acts, record: Record) -> None:
    """Takes back an act; journals of old also took back what was seen alone, and wrote anew what had been put right."""
    units = list(record.body["units"])
    _replace(acts, units, record.body.get("again", []))
    if acts.done and acts.done[-1].added == units:
        acts.undone.append(acts.done.pop())
    else:
        _drop(acts, units)


def _drop(acts: Acts, units: Sequence[int]) -> None:
    """Takes away units that stand no longer, though nobody took back the act that they belong to."""
    _replace(acts, units, [])
    for act in acts.done:
        act.added = [seq for seq in act.added if seq not in units]
    acts.done = [act for act in acts.done if act.added]


def _replace(acts: Acts, old: Iterable[int], new: Iterable[int]) -> None:
    """What is taken away always comes last, so that numbers tell the order of play."""
    acts.standing = sorted({*acts.standing, *new} - {*old})
