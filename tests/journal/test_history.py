"""The history of a game: undo, redo, corrections of earlier turns, and questions that are answered late."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.journal import Entry, Journal, JournalError, replay
from companion.journal.history import History
from companion.session import CommandRejectedError, TableSession
from tests.support.present import present
from tests.support.tables import RULES, Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A game in which both players have had their first turn."""
    table = Table(tmp_path / "game.journal", duchies=("se-1", "se-1"))
    table.set_up()
    for _ in range(2):
        table.deal()
        table.look()
        if table.session.status == "proposal":
            table.session.confirm()
    for _ in range(2):
        table.turn()
        table.look()
        table.session.confirm()
    return table


def turns(session: TableSession) -> list[Entry]:
    return [entry for entry in session.entries() if entry.player]


def texts(entry: Entry) -> list[str]:
    return [str(move) for move in entry.moves]


def workers(table: Table, entry: Entry) -> str:
    """Returns the notation of a turn in which the player takes workers with both dice."""
    state = table.session._context.history.state_before(entry.seq)
    return "; ".join([*(f"workers die {die}" for die in state.player.dice), "end"])


def replays(session: TableSession) -> bool:
    """Whether the journal replays to the session's state."""
    *_, (_, state) = replay(RULES, session.journal.records())
    return bool(state.state_hash() == session.state.state_hash())


def test_an_earlier_turn_is_corrected_and_the_later_ones_are_replayed(table: Table) -> None:
    first, second = turns(table.session)
    right = workers(table, first)
    table.session.amend(first.seq, right)
    amended, unchanged = turns(table.session)
    assert "; ".join(texts(amended)) == right and texts(unchanged) == texts(second)
    assert amended.by == "tap" and unchanged.by == second.by
    assert table.session.snapshot()["dropped"] is None
    assert replays(table.session)


def test_turns_that_are_no_longer_legal_are_shown_with_the_reason(table: Table) -> None:
    first, _ = turns(table.session)
    entries = table.session.entries()
    roll = entries[entries.index(first) - 1]
    dice = RULES.dice_of(roll.moves[0])
    player = present(first.player)
    dice[player] = [next(value for value in range(1, 7) if value not in dice[player])] * 2
    state = table.session._context.history.state_before(roll.seq)
    table.session.amend(roll.seq, str(RULES.roll_move(state, dice)))
    dropped = table.session.snapshot()["dropped"]
    assert dropped is not None and dropped["entries"][0]["player"] == first.player
    assert dropped["reason"]["code"]
    assert turns(table.session) == []
    assert replays(table.session)


def test_undo_reverts_a_correction_as_one_action(table: Table) -> None:
    before = [texts(entry) for entry in turns(table.session)]
    first = turns(table.session)[0]
    table.session.amend(first.seq, workers(table, first))
    table.session.undo()
    assert [texts(entry) for entry in turns(table.session)] == before
    table.session.undo()
    assert [texts(entry) for entry in turns(table.session)] == before[:1]
    assert replays(table.session)


def test_each_undo_reverts_one_of_several_corrections(table: Table) -> None:
    before = [texts(entry) for entry in turns(table.session)]
    for _ in range(2):
        first = turns(table.session)[0]
        table.session.amend(first.seq, workers(table, first))
    table.session.undo()
    assert "; ".join(texts(turns(table.session)[0])) == workers(table, turns(table.session)[0])
    table.session.undo()
    assert [texts(entry) for entry in turns(table.session)] == before
    assert replays(table.session)


def test_redo_restores_one_user_action_after_the_other(table: Table) -> None:
    session = table.session
    entries, could_undo = [texts(entry) for entry in session.entries()], []
    while session.snapshot()["can_undo"]:
        could_undo.append(session.snapshot()["can_undo"])
        session.undo()
    assert session.entries() == []
    while session.snapshot()["can_redo"]:
        assert session.snapshot()["can_redo"] == could_undo.pop()
        session.redo()
    assert [texts(entry) for entry in session.entries()] == entries and replays(session)
    with pytest.raises(CommandRejectedError, match="nothing_to_redo"):
        session.redo()


def test_redo_restores_a_correction_as_one_action(table: Table) -> None:
    session, first = table.session, turns(table.session)[0]
    session.amend(first.seq, workers(table, first))
    amended = session.entries()
    assert present(session.snapshot()["can_undo"])["amends"]
    session.undo()
    session.redo()
    assert session.entries() == amended and replays(session)


def test_redo_is_possible_after_a_restart(table: Table) -> None:
    expected = table.session.state.state_hash()
    table.session.undo()
    table.session.undo()
    table.session.journal.close()
    resumed = TableSession(RULES, Journal(table.session.journal.path))
    resumed.redo()
    resumed.redo()
    assert resumed.state.state_hash() == expected


def test_what_does_not_replay_is_not_redone(table: Table) -> None:
    """It was undone by a record that somebody has edited; with it, the game could not be opened any more."""
    table.session.journal.append("moves", {"by": "tap", "moves": ["ruling x=y"], "hash": ""})
    edited = len(table.session.journal.records())
    table.session.journal.append("undo", {"units": [edited]})
    session = TableSession(RULES, table.session.journal)
    before = session.state.state_hash()
    with pytest.raises(CommandRejectedError, match="not_recorded"):
        session.redo()
    assert session.state.state_hash() == before and replays(session)
    session.undo()
    assert replays(session)


def test_redo_is_impossible_once_something_else_was_done(table: Table) -> None:
    session, last = table.session, turns(table.session)[-1]
    other = workers(table, last)
    session.undo()
    for text in other.split("; "):
        session.tap(text)
    assert session.snapshot()["can_redo"] is None
    with pytest.raises(CommandRejectedError, match="nothing_to_redo"):
        session.redo()


def test_redo_restores_a_retracted_tap(table: Table) -> None:
    session, last = table.session, turns(table.session)[-1]
    first, *_ = workers(table, last).split("; ")
    session.undo()
    session.tap(first)
    session.undo()
    assert [move["text"] for move in session.snapshot()["retracted"]] == [first]
    session.redo()
    assert [move["text"] for move in session.snapshot()["draft"]] == [first]


def test_an_undo_lists_what_to_move_back_on_the_table(table: Table) -> None:
    session, last = table.session, turns(table.session)[-1]
    was, now = session._context.history.state_before(last.seq), session.state
    session.undo()
    history_change = present(session.snapshot()["history_change"])
    assert (history_change["kind"], history_change["action"]["player"]) == ("undo", last.player)
    before, after = ({(c.player, c.what): c.value for c in RULES.counts(state)} for state in (now, was))
    changed = {(count["player"], count["what"]): count["value"] for count in history_change["counts"]}
    assert changed == {what: value for what, value in after.items() if before[what] != value}
    table.look()
    assert present(session.snapshot()["history_change"])["pieces"]


def test_moves_that_were_illegal_then_change_nothing(table: Table) -> None:
    entries = table.session.entries()
    with pytest.raises(CommandRejectedError, match="not_possible_then"):
        table.session.amend(turns(table.session)[0].seq, "recover; end")
    assert table.session.entries() == entries


def test_a_turn_that_does_not_exist_cannot_be_corrected(table: Table) -> None:
    with pytest.raises(CommandRejectedError, match="no_such_turn"):
        table.session.amend(999, "end")
    with pytest.raises(CommandRejectedError, match="no_such_turn"):
        table.session.reenter(999)


def test_a_turn_is_entered_again_by_taps(table: Table) -> None:
    first, second = turns(table.session)
    table.session.reenter(first.seq)
    assert table.session.status == "drafting"
    for text in workers(table, first).split("; "):
        table.session.tap(text)
    amended, unchanged = turns(table.session)
    assert "; ".join(texts(amended)) == workers(table, amended) and texts(unchanged) == texts(second)


def test_entering_a_turn_again_can_be_cancelled(table: Table) -> None:
    entries = table.session.entries()
    first = turns(table.session)[0]
    table.session.reenter(first.seq)
    table.session.tap(workers(table, first).split("; ")[0])
    table.session.undo()
    table.session.undo()
    assert table.session.status != "drafting" and table.session.entries() == entries


def test_a_corrected_turn_is_there_after_a_restart(table: Table) -> None:
    first = turns(table.session)[0]
    table.session.amend(first.seq, workers(table, first))
    expected = table.session.state.state_hash()
    table.session.journal.close()
    resumed = TableSession(RULES, Journal(table.session.journal.path))
    assert resumed.state.state_hash() == expected


def test_records_are_written_all_or_none(table: Table) -> None:
    journal = table.session.journal
    records = journal.records()
    with pytest.raises(JournalError):
        journal.append_all([("undo", {"units": [1]}), (None, {})])  # type: ignore[list-item]  # a record must have a kind
    assert journal.records() == records


def test_an_unresolved_entry_is_resolved_by_an_answer(tmp_path: Path) -> None:
    table = Table(duchies=("se-1", "se-1")).set_up().play(0)
    history = History(RULES, table.session.journal, None)
    moves = table.turn()
    history.record(moves, "assumed", 0.6, options=["; ".join(map(str, moves)), "end"])
    (entry,) = history.unresolved_entries
    history.resolve(entry.seq)
    assert history.unresolved_entries == []
    assert History(RULES, table.session.journal, None).unresolved_entries == []
