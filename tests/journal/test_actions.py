"""The user actions of a journal; journals from before there was a redo replay as they did."""

from __future__ import annotations

from typing import Any

import pytest

from companion.journal import JournalError, Record, user_actions_of
from companion.journal.actions import UserAction


def record(seq: int, kind: str, **body: Any) -> Record:
    return Record(seq, "", kind, body)


def moves(seq: int, by: str = "confirm", **body: Any) -> Record:
    return record(seq, "moves", by=by, **body)


def test_seen_entries_belong_to_the_user_action_before() -> None:
    actions = user_actions_of([moves(2), moves(3, "seen"), moves(4)])
    assert actions.done == [UserAction([2, 3]), UserAction([4])] and actions.effective == [2, 3, 4]


def test_a_correction_is_one_action_and_its_undo_restores_what_it_replaced() -> None:
    records = [moves(2), moves(3), record(4, "undo", units=[2, 3]), moves(5, amends=4), moves(6, amends=4)]
    actions = user_actions_of(records)
    assert actions.effective == [5, 6] and actions.done[-1] == UserAction([5, 6], [2, 3])
    actions = user_actions_of([*records, record(7, "undo", units=[5, 6], again=[2, 3])])
    assert actions.effective == [2, 3] and actions.undone == [UserAction([5, 6], [2, 3])]


def test_an_undo_and_a_redo_change_nothing() -> None:
    records = [moves(2), moves(3), record(4, "undo", units=[3]), record(5, "redo", units=[3])]
    assert user_actions_of(records) == user_actions_of(records[:2])


def test_a_redo_of_another_action_is_an_error() -> None:
    with pytest.raises(JournalError, match="record 4"):
        user_actions_of([moves(2), record(3, "undo", units=[2]), record(4, "redo", units=[3])])


def test_old_journals_that_wrote_corrected_entries_again_replay_as_before() -> None:
    records = [
        moves(2),
        record(3, "undo", units=[2]),
        moves(4, amends=3),
        record(5, "undo", units=[4]),
        moves(6),
    ]
    actions = user_actions_of(records)
    assert actions.effective == [6] and actions.done[-1] == UserAction([6]) and not actions.undone


def test_old_journals_that_undid_only_a_misread_roll_replay_as_before() -> None:
    records = [moves(2), moves(3, "seen"), record(4, "undo", units=[3]), moves(5, "tap")]
    actions = user_actions_of(records)
    assert actions.effective == [2, 5] and actions.done == [UserAction([2]), UserAction([5])]
