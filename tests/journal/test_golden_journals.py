"""The journals of earlier companions, which are never changed again: each leads to what it led to then."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.burgundy.plugin import burgundy
from companion.journal import Record, read_records, replay
from companion.journal.database import VERSION
from tests.support.paths import GOLDEN

JOURNALS = sorted(GOLDEN.glob("*.journal"))


def recorded_hashes(records: list[Record]) -> dict[int, str]:
    """Returns the hash of the state after each turn, by the number of its record."""
    return {record.seq: record.body["hash"] for record in records if record.kind == "moves"}


def test_every_version_has_its_golden_journal() -> None:
    assert [path.stem for path in JOURNALS] == [f"version-{n}" for n in range(1, VERSION + 1)]


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_every_turn_of_a_golden_journal_leads_to_its_recorded_hash(path: Path) -> None:
    records = read_records(path)
    recorded = recorded_hashes(records)
    replayed = {entry.seq: state.state_hash() for entry, state in replay(burgundy(), records)}
    assert len(replayed) > 8
    assert replayed == {seq: recorded[seq] for seq in replayed}


def test_all_but_the_undone_turns_are_replayed() -> None:
    """Version 1's last turn was undone; version 2's was redone."""
    unplayed = {}
    for path in JOURNALS:
        records = read_records(path)
        unplayed[path.stem] = recorded_hashes(records).keys() - {
            entry.seq for entry, _ in replay(burgundy(), records)
        }
    assert unplayed == {"version-1": {11}, "version-2": set()}
