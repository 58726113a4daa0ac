"""The game so far: taking back, putting an earlier turn right, and questions that are answered late."""

from __future__ import annotations

import pytest
from tables import RULES, Table

from companion.history import History
from companion.journal import Journal, JournalError, replay
from companion.session import RefusedError, TableSession


@pytest.fixture
def table(tmp_path):
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


def turns(session):
    return [unit for unit in session.units() if unit.player]


def texts(unit):
    return [str(move) for move in unit.moves]


def workers(table, unit):
    """The notation of a turn in which its player takes workers with both dice."""
    state = table.session._desk.history.state_before(unit.seq)
    return "; ".join([*(f"workers die {die}" for die in state.player.dice), "end"])


def replays(session):
    """The journal gives the state that the session has."""
    *_, (_, state) = replay(RULES, session.journal.records())
    return state.state_hash() == session.state.state_hash()


def test_an_earlier_turn_is_put_right_and_the_later_ones_are_replayed(table):
    first, second = turns(table.session)
    right = workers(table, first)
    table.session.amend(first.seq, right)
    amended, kept = turns(table.session)
    assert "; ".join(texts(amended)) == right and texts(kept) == texts(second)
    assert amended.by == "tap" and kept.by == second.by
    assert table.session.snapshot()["dropped"] is None
    assert replays(table.session)


def test_turns_that_no_longer_fit_are_shown_with_the_reason(table):
    first, _ = turns(table.session)
    units = table.session.units()
    roll = units[units.index(first) - 1]
    dice = RULES.dice_of(roll.moves[0])
    dice[first.player] = [next(value for value in range(1, 7) if value not in dice[first.player])] * 2
    state = table.session._desk.history.state_before(roll.seq)
    table.session.amend(roll.seq, str(RULES.roll(state, dice)))
    dropped = table.session.snapshot()["dropped"]
    assert dropped is not None and dropped["units"][0]["player"] == first.player
    assert dropped["reason"]["code"]
    assert turns(table.session) == []
    assert replays(table.session)


def test_undo_takes_back_what_was_put_right_as_a_whole(table):
    before = [texts(unit) for unit in turns(table.session)]
    first = turns(table.session)[0]
    table.session.amend(first.seq, workers(table, first))
    table.session.undo()
    assert [texts(unit) for unit in turns(table.session)] == before
    table.session.undo()
    assert [texts(unit) for unit in turns(table.session)] == before[:1]
    assert replays(table.session)


def test_moves_that_were_not_possible_then_change_nothing(table):
    units = table.session.units()
    with pytest.raises(RefusedError, match="not_possible_then"):
        table.session.amend(turns(table.session)[0].seq, "recover; end")
    assert table.session.units() == units


def test_a_turn_that_is_not_there_cannot_be_put_right(table):
    with pytest.raises(RefusedError, match="no_such_turn"):
        table.session.amend(999, "end")
    with pytest.raises(RefusedError, match="no_such_turn"):
        table.session.enter_again(999)


def test_a_turn_is_entered_anew_by_taps(table):
    first, second = turns(table.session)
    table.session.enter_again(first.seq)
    assert table.session.status == "drafting"
    for text in workers(table, first).split("; "):
        table.session.tap(text)
    amended, kept = turns(table.session)
    assert "; ".join(texts(amended)) == workers(table, amended) and texts(kept) == texts(second)


def test_entering_a_turn_anew_can_be_given_up(table):
    units = table.session.units()
    first = turns(table.session)[0]
    table.session.enter_again(first.seq)
    table.session.tap(workers(table, first).split("; ")[0])
    table.session.undo()
    table.session.undo()
    assert table.session.status != "drafting" and table.session.units() == units


def test_a_turn_put_right_is_there_after_a_restart(table):
    first = turns(table.session)[0]
    table.session.amend(first.seq, workers(table, first))
    expected = table.session.state.state_hash()
    table.session.journal.close()
    resumed = TableSession(RULES, Journal(table.session.journal.path))
    assert resumed.state.state_hash() == expected


def test_all_or_nothing_is_written(table):
    journal = table.session.journal
    records = journal.records()
    with pytest.raises(JournalError):
        journal.append_all([("undo", {"units": [1]}), (None, {})])  # a record must have a kind
    assert journal.records() == records


def test_a_question_that_was_left_open_is_closed_by_its_answer(tmp_path):
    table = Table(duchies=("se-1", "se-1")).set_up()
    history = History(RULES, table.session.journal, None)
    move = table.deal()
    history.record([move], "assumed", 0.6, options=[str(move), "end"])
    (unit,) = history.open_units
    history.close(unit.seq)
    assert history.open_units == []
    assert History(RULES, table.session.journal, None).open_units == []
