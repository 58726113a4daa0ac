"""Journals of releases whose overrides had no bounds: they open, and lead to the same states as then."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.archive import Archive, record_of
from companion.archive.transfer import TransferError, game_in, line_of
from companion.games.burgundy.rules.decisions import Override
from companion.games.burgundy.rules.state import Pending
from companion.journal import Entry, Journal, JournalError, read_records, replay
from companion.journal.reading import read_lines
from companion.session import CommandRejectedError, TableSession
from companion.text.translator import Translator
from tests.support.present import present
from tests.support.tables import RULES, Table
from web.chart import MAX_GRID_LINES, chart

ABSURD = ("score:red=9999999999", "score:blue=" + "9" * 400, "workers:red=123456789", "silver:blue=1000")


def begun(path: Path, *colours: str) -> Path:
    """Writes a journal of players of those *colours*, whose first round has begun."""
    table = Table(path, colours=colours).set_up()
    for _ in range(2):
        table.session.tap(str(table.deal()))
    table.session.journal.close()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of four players whose first round has begun."""
    return begun(tmp_path / "then.journal", "red", "blue", "green", "black")


def written_then(path: Path, *texts: str, by: str = "tap") -> str:
    """Appends an entry as an earlier release made and wrote it; returns the hash of the state after it."""
    journal = Journal(path)
    *_, (_, state) = replay(RULES, journal.records())
    moves = [move.as_earlier_release() or move for move in map(RULES.parse_move, texts)]
    for move in moves:
        RULES.play(state, move)
    journal.append(*Entry(0, by, RULES.to_move(state), tuple(moves), state.state_hash()).as_record())
    journal.close()
    return str(state.state_hash())


@pytest.mark.parametrize("change", ABSURD)
def test_a_journal_with_an_absurd_count_opens_and_can_be_corrected(path: Path, change: str) -> None:
    state_hash = written_then(path, f"ruling {change}")
    session = TableSession(RULES, Journal(path))
    assert session.state.state_hash() == state_hash
    session.undo()
    assert session.state.state_hash() != state_hash


@pytest.mark.parametrize("change", ABSURD)
def test_its_result_is_drawn_and_spoken(path: Path, change: str) -> None:
    written_then(path, f"ruling {change}")
    record = record_of(RULES, read_records(path))
    assert len(chart(record.timeline, "ABCDE", 5).grid) <= MAX_GRID_LINES + 1
    assert [game.error for game in Archive(path.parent).games()] == [None]
    sentence = Translator("en").move(RULES.describe(RULES.parse_move(f"ruling {change}")))
    assert sentence.startswith("The table decides")


@pytest.mark.parametrize("change", ABSURD)
def test_an_absurd_count_is_not_imported(path: Path, change: str) -> None:
    written_then(path, f"ruling {change}")
    with pytest.raises(TransferError, match="does_not_replay"):
        game_in(line_of("then", read_lines(path)).encode())


@pytest.mark.parametrize("change", ABSURD)
def test_an_absurd_count_is_not_tapped(path: Path, change: str) -> None:
    session = TableSession(RULES, Journal(path))
    with pytest.raises(CommandRejectedError, match="adjust_beyond"):
        session.tap(f"ruling {change}")


def test_a_tile_that_was_taken_out_of_the_supply_went_into_the_box(path: Path) -> None:
    """Another one is exchanged for it now; what was recorded stays so, and is carried elsewhere, too."""
    *_, (_, state) = replay(RULES, read_records(path))
    slot, was = next(
        (i, t) for i, t in enumerate(state.depots[0]) if t.type == "livestock" or t.type == "building"
    )
    other = next(
        t for t, n in state.supply.items() if n and not t.black and t.type == was.type and t is not was
    )
    ruling = f"ruling depot:1:{slot}={other.label}"
    state_hash = written_then(path, ruling)
    RULES.play(state, RULES.parse_move(ruling))
    assert state.state_hash() != state_hash
    *_, (_, then) = replay(RULES, read_records(path))
    assert then.state_hash() == state_hash and then.box == {was: 1}
    assert game_in(line_of("then", read_lines(path)).encode())[0] == "then"


def test_goods_taken_from_later_phases_stay_taken(path: Path) -> None:
    written_then(path, "adjust red sold:1+2 sold:2+2 sold:3+2 because misread", by="adjusted")
    session = TableSession(RULES, Journal(path))
    with pytest.raises(CommandRejectedError, match="goods_needed"):
        session.adjust("blue", {"sold:6": (0, 1)}, "misread")
    session.adjust("red", {"sold:1": (2, 0)}, "misread")


def test_a_move_that_was_never_legal_does_not_replay(path: Path) -> None:
    journal = Journal(path)
    journal.append(
        "moves", {"by": "tap", "player": "red", "moves": ["ruling duchy:pink:0=mine"], "hash": "x"}
    )
    journal.close()
    with pytest.raises(JournalError, match="ruling_unknown"):
        TableSession(RULES, Journal(path))


def test_a_tile_that_waited_still_waits(path: Path) -> None:
    *_, (_, state) = replay(RULES, read_records(path))
    state.pending.append(Pending("discard", "mine"))
    now, then = state.copy(), state.copy()
    move = RULES.parse_move("ruling storage:red=ship")
    RULES.apply(now, move)
    RULES.apply(then, present(move.as_earlier_release()))
    assert now.pending == [] and then.pending == state.pending


def test_what_an_override_had_reopened_was_paid_again(tmp_path: Path) -> None:
    """An area and its bonus tile; what was recorded stays so, and is carried elsewhere, too."""
    path = begun(tmp_path / "two.journal", "red", "blue")
    *_, (_, state) = replay(RULES, read_records(path))
    player, duchy = state.player, state.player.duchy
    *others, last = (space.index for space in duchy.spaces if space.tile_type == "mine")
    changes = {f"duchy:{player.colour}:{space}": "mine" for space in others}
    changes |= {
        f"storage:{player.colour}": "mine,mine",
        f"workers:{player.colour}": "9",
    }
    steps = [abs(die - duchy.spaces[last].die) for die in player.dice]
    first, second = (
        f"place mine {last} die {die}" + f" workers {min(step, 6 - step)}" * (step > 0)
        for die, step in zip(player.dice, steps, strict=True)
    )
    texts = (
        str(Override(tuple(changes.items()))),
        first,
        f"ruling duchy:{player.colour}:{last}=empty",
        second,
    )
    written_then(path, *texts)
    *_, (_, then) = replay(RULES, read_records(path))
    assert then.player.bonus_tiles == ["mine", "mine"]
    assert game_in(line_of("then", read_lines(path)).encode())[0] == "then"
    for text in texts:
        RULES.play(state, RULES.parse_move(text))
    assert player.bonus_tiles == ["mine"] and player.score < then.player.score
