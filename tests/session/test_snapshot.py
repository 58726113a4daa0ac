"""A real snapshot has exactly the keys that its type names, whatever the session waits for."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from companion.session import STATUSES, Snapshot
from companion.session.snapshot import ActionView, BotTurnView, DroppedView, HistoryChangeView
from tests.support import tables
from tests.support.tables import Table


def differences(value: Any, expected: Any, path: str = "snapshot") -> list[str]:
    """Returns the places at which *value* is not built as the annotation *expected* says."""
    arguments = get_args(expected)
    if expected is Any or (value is None and type(None) in arguments):
        return []
    if get_origin(expected) in (Union, UnionType):
        (expected,) = (argument for argument in arguments if argument is not type(None))
        return differences(value, expected, path)
    if is_typeddict(expected):
        hints = get_type_hints(expected)
        if value.keys() != hints.keys():
            return [f"{path}: {sorted(value.keys() ^ hints.keys())}"]
        return [
            found for key, hint in hints.items() for found in differences(value[key], hint, f"{path}.{key}")
        ]
    kind: Any = get_origin(expected) or expected
    if not isinstance(value, kind):
        return [f"{path}: {value!r} is no {kind.__name__}"]
    if kind in (list, tuple):
        return [found for item in value for found in differences(item, arguments[0], f"{path}[]")]
    return []


def checked(table: Table) -> Snapshot:
    """Returns the table's snapshot, which is built as its type says and can be sent as JSON."""
    snapshot = table.session.snapshot()
    assert differences(snapshot, Snapshot) == []
    assert json.loads(json.dumps(snapshot)).keys() == snapshot.keys()
    return snapshot


@pytest.mark.parametrize("bring", tables.STATUSES.values(), ids=tables.STATUSES)
def test_a_snapshot_has_the_keys_of_its_type_in_each_status(bring: Callable[[Table], None]) -> None:
    table = Table()
    bring(table)
    checked(table)


def test_the_tables_bring_a_session_to_every_status() -> None:
    reached = set()
    for bring in tables.STATUSES.values():
        table = Table()
        bring(table)
        reached.add(table.session.status)
    assert reached == set(STATUSES)


def test_a_rejected_command_is_in_the_snapshot() -> None:
    table = Table().set_up()
    with pytest.raises(ValueError, match="nothing_to_redo"):
        table.session.redo()
    assert (checked(table)["rejection"] or {})["code"] == "nothing_to_redo"


def test_an_undo_is_in_the_snapshot_with_what_redo_would_do() -> None:
    table = Table()
    tables.watching(table)
    table.session.undo()
    snapshot = checked(table)
    assert differences(snapshot["history_change"], HistoryChangeView) == []
    assert differences(snapshot["can_redo"], ActionView) == []


def test_a_bot_turn_is_in_the_snapshot_with_its_steps() -> None:
    table = Table(bots={"blue": "greedy"}).set_up()
    while checked(table)["bot_turn"] is None:
        table.play(1)
    assert differences(checked(table)["bot_turn"], BotTurnView) == []


def test_turns_that_a_correction_drops_are_in_the_snapshot() -> None:
    table = Table()
    tables.watching(table)
    first = next(entry for entry in table.session.entries() if str(entry.moves[-1]) == "end")
    table.session.amend(first.seq, "end")
    assert differences(checked(table)["dropped"], DroppedView) == []


def test_a_missing_key_is_reported_by_its_path() -> None:
    table = Table()
    tables.with_proposal(table)
    snapshot: dict[str, Any] = {**table.session.snapshot()}
    del snapshot["proposal"]["chosen"]
    assert differences(snapshot, Snapshot) == ["snapshot.proposal: ['chosen']"]


def test_an_additional_key_is_reported() -> None:
    assert differences({**Table().session.snapshot(), "extra": 1}, Snapshot) == ["snapshot: ['extra']"]
