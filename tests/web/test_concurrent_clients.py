"""Tablets, panel and camera at once: the journal and the session stay consistent in any order of events."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest

from companion.journal import Journal, replay
from companion.session import CommandRejectedError, TableSession
from tests.support.sightings import sighting_of
from tests.support.tables import RULES, Table

COMMANDS = 100
"""Of each client."""


def client(session: TableSession, truth: Table, seed: str, errors: list[Exception]) -> None:
    """Sends random commands: each may be rejected, but nothing else may go wrong."""
    rng = random.Random(seed)

    def do() -> None:
        snapshot = session.snapshot()
        entry = rng.choice(session.entries() or [None])
        match rng.randrange(13):
            case 0 | 1 | 2:
                session.confirm(settled=rng.random() < 0.9, player=rng.choice([None, None, "red"]))
            case 3:
                session.undo(everything=rng.random() < 0.3)
            case 10:
                session.redo()
            case 11 if counts := session.counts("red"):
                count = rng.choice(counts)
                session.adjust("red", {count.what: (count.value, count.value + 1)}, "misread")
            case 4:
                session.next_alternative()
            case 5 if snapshot["question"]:
                question = snapshot["question"]
                session.answer(question["about"], rng.choice(question["options"])["value"])
            case 6 if legal := session.legal_moves():
                session.tap(rng.choice(legal)["text"])
            case 7:
                session.override()
            case 8 if entry is not None:
                if rng.random() < 0.5:
                    session.reenter(entry.seq)
                else:
                    session.amend(entry.seq, "end")
            case 9:
                session.correct(f"depot:{rng.randint(1, 6)}:0", rng.choice(["empty", "mine", "ship"]))
            case _:
                state = rng.choice([truth.state, session.state])
                session.observe(sighting_of(RULES, state, truth.dice))

    for _ in range(COMMANDS):
        try:
            do()
        except CommandRejectedError:
            continue
        except Exception as error:
            errors.append(error)
            raise


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_concurrent_clients_corrupt_nothing(tmp_path: Path, seed: int) -> None:
    table = Table(tmp_path / "game.journal", seed=seed).set_up().play(3 + seed)
    table.turn()
    errors: list[Exception] = []
    clients = [
        threading.Thread(target=client, args=(table.session, table, f"{seed} {i}", errors)) for i in range(4)
    ]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    assert errors == []
    states = [state for _, state in replay(RULES, table.session.journal.records())]
    state = states[-1] if states else RULES.new(table.session.setup)
    assert state.state_hash() == table.session.state.state_hash()
    shown = table.session.snapshot()
    table.session.journal.close()
    resumed = TableSession(RULES, Journal(table.session.journal.path))
    assert resumed.state.state_hash() == state.state_hash()
    assert resumed.snapshot()["confirmed"] == shown["confirmed"]
