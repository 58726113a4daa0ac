"""Counts adjusted by hand, with a reason: possible on any table, undoable, and conserving tiles and goods."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive import record_of
from companion.games.burgundy.rules.decisions import Adjust
from companion.games.burgundy.rules.moves import InvalidMoveError
from companion.journal import Journal
from companion.journal.history import History
from companion.session import REASONS, CommandRejectedError, TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.games.burgundy.test_rules_properties import goods_of, setups, some_positions, tiles_of
from tests.support.automa_positions import automa_of, automa_turn
from tests.support.positions import RULES, on_turn
from tests.support.present import present
from tests.support.tables import Table


def adjusted(game: Any, text: str) -> Any:
    RULES.play(game, RULES.parse_move(f"adjust {text} because misread"))
    return game


def value(game: Any, player: str, what: str) -> int:
    return next(c.value for c in RULES.counts(game) if (c.player, c.what) == (player, what))


def texts(session: TableSession) -> list[list[str]]:
    return [[str(move) for move in entry.moves] for entry in session.entries()]


@pytest.fixture
def playing(tmp_path: Path) -> Table:
    """Red's first turn."""
    table = Table(tmp_path / "game.journal", duchies=("se-1", "se-1")).set_up()
    for _ in range(2):
        table.deal()
        table.look()
        if table.session.status == "proposal":
            table.session.confirm()
    return table


# --- the rules ---


def test_workers_silver_and_points_are_adjusted_and_the_score_sheet_says_so() -> None:
    game = on_turn()
    before = {what: value(game, "red", what) for what in ("workers", "silver", "score")}
    adjusted(game, "red workers+2 silver+1 score+3")
    now = {what: value(game, "red", what) for what in before}
    assert now == {
        "workers": before["workers"] + 2,
        "silver": before["silver"] + 1,
        "score": before["score"] + 3,
    }
    assert RULES.score_sheet(game)["red"]["adjusted"] == 3


def test_goods_come_from_the_supply_and_go_back_there() -> None:
    game = on_turn()
    left = game.goods_supply[:]
    adjusted(game, "red goods:4+2 sold:4+1")
    assert (game.player.goods[4], game.player.sold[4], game.goods_supply[4]) == (2, 1, left[4] - 3)
    adjusted(game, "red goods:4-2 sold:4-1")
    assert game.goods_supply == left


def test_goods_that_are_all_on_the_table_cannot_be_added() -> None:
    game = on_turn()
    game.goods_supply[4] = 1
    reason = RULES.validate(game, RULES.parse_move("adjust red goods:4+1 sold:4+1 because misread"))
    assert (present(reason).code, present(reason).data) == (
        "goods_not_in_supply",
        {"goods": 4, "left": 1, "given": 2},
    )


def test_goods_forgotten_to_be_sold_need_none_of_the_supply() -> None:
    game = adjusted(on_turn(), "red goods:4+1")
    game.goods_supply[4] = 0
    adjusted(game, "red goods:4-1 sold:4+1")
    assert (game.player.goods[4], game.player.sold[4]) == (0, 1)


def test_added_goods_leave_five_for_each_phase_to_come() -> None:
    """Four players' first phase: of 42 goods 12 are dealt and 25 are for the phases."""
    game = on_turn(players=4)
    for kind in (4, 4, 5, 5, 6):
        adjusted(game, f"red sold:{kind}+1")
    reason = RULES.validate(game, RULES.parse_move("adjust blue sold:6+1 because misread"))
    assert (present(reason).code, present(reason).data) == ("goods_needed", {"left": 0, "given": 1})
    adjusted(game, "red sold:4-1 sold:6+1")
    game.phase = 4  # no phase is to come
    adjusted(game, "blue sold:6+1")


def test_goods_given_back_may_be_added_again() -> None:
    game = on_turn(players=4)
    adjusted(game, "red sold:4+2 sold:5+2 sold:6+1")
    adjusted(game, "red sold:5-1")
    adjusted(game, "blue sold:5+1")


def test_a_count_above_the_maximum_may_be_reduced() -> None:
    """As an unbounded override could once lead to."""
    game = on_turn()
    game.player.score = game.player.points["ruling"] = 9_999_999_999
    adjusted(game, f"red score-{9_999_999_999 - 120}")
    assert value(game, "red", "score") == 120


def test_the_player_who_is_first_after_a_marker_moved_is_in_turn() -> None:
    game = on_turn()
    assert RULES.to_move(game) == "red"
    adjusted(game, "blue track+1")
    assert (RULES.to_move(game), RULES.view(game)["order"][0]) == ("blue", "blue")
    assert RULES.view(game)["white_die"] == "blue"


def test_a_marker_is_placed_on_top_of_its_stack() -> None:
    game = on_turn()
    assert RULES.view(game)["order"] == ["red", "blue"]
    adjusted(game, "blue track+0")
    assert RULES.view(game)["order"] == ["blue", "red"]


def test_moving_a_marker_gives_nobody_a_second_turn() -> None:
    game = on_turn()
    RULES.play(game, RULES.parse_move("end"))
    adjusted(game, "red track+2")
    assert RULES.to_move(game) == "blue"


def test_the_chateauma_has_no_workers_and_all_else() -> None:
    game = adjusted(automa_turn(), "black silver+3 score+9 goods:2+1")
    seat = automa_of(game)
    assert (seat.silver, seat.score, seat.goods[2]) == (3, 9, 1)
    assert not any(count.what == "workers" for count in RULES.counts(game) if count.player == "black")


def test_points_can_be_adjusted_after_the_game_and_the_winner_changes() -> None:
    game = on_turn()
    game.stage, game.score_history = "over", ((5, 7),)
    game.seats[0].score, game.seats[1].score = 5, 7
    assert {count.what for count in RULES.counts(game)} == {"score"}
    adjusted(game, "red score+3")
    assert RULES.ranking(game)[0] == "red" and RULES.score_history(game) == {"red": [8], "blue": [7]}


def test_an_adjustment_is_never_a_legal_move() -> None:
    assert not any(isinstance(move, Adjust) for move in RULES.legal_moves(on_turn()))


@pytest.mark.parametrize(
    "text",
    [
        "adjust",
        "adjust red workers+1",
        "adjust red workers+1 because",
        "adjust red workers because misread",
        "adjust red workers+01 because misread",
    ],
)
def test_an_adjustment_needs_numbers_and_a_reason(text: str) -> None:
    with pytest.raises(InvalidMoveError):
        RULES.parse_move(text)


@settings(max_examples=15, deadline=None)
@given(setups(), st.integers(0, 10**6))
def test_nothing_appears_or_disappears_whatever_is_adjusted(setup: Any, seed: int) -> None:
    rng = random.Random(seed)
    for position in some_positions(setup, seed, 29):
        game = position.copy()
        counts = RULES.counts(game)
        if not counts:
            continue
        player = rng.choice(counts).player
        changes = {c.what: rng.randint(-2, 2) for c in counts if c.player == player and rng.random() < 0.3}
        tiles, goods = tiles_of(game), goods_of(game)
        move: Any = RULES.adjustment(game, player, changes, "misread")
        assert RULES.parse_move(str(move)) == move or not move.differences
        if RULES.validate(game, move) is None:
            before = {(c.player, c.what): c.value for c in counts}
            RULES.play(game, move)
            now = {(c.player, c.what): c.value for c in RULES.counts(game)}
            for what, by in move.differences:
                assert now[player, what] == before[player, what] + by
            assert (tiles_of(game), goods_of(game)) == (tiles, goods)
            assert sum(RULES.score_sheet(game)[player].values()) == now[player, "score"]
            assert RULES.from_json(game.to_json()).state_hash() == game.state_hash()


# --- the session ---


def test_an_adjustment_is_an_entry_of_its_own_that_one_undo_reverts(playing: Table) -> None:
    session, before = playing.session, playing.session.state.state_hash()
    workers = value(session.state, "blue", "workers")
    session.adjust("blue", {"workers": (workers, workers + 1), "score": (0, 3)}, "we forgot  the mine")
    entry = session.entries()[-1]
    assert (entry.by, entry.player) == ("adjusted", None)
    assert [str(move) for move in entry.moves] == ["adjust blue workers+1 score+3 because we forgot the mine"]
    session.undo()
    assert session.state.state_hash() == before


def test_an_adjustment_is_there_after_a_restart(playing: Table) -> None:
    session = playing.session
    session.adjust("red", {"silver": (1, 4)}, REASONS[0])
    expected = session.state.state_hash()
    session.journal.close()
    assert TableSession(RULES, Journal(session.journal.path)).state.state_hash() == expected


def test_counts_that_have_changed_meanwhile_are_not_overwritten(playing: Table) -> None:
    session = playing.session
    session.adjust("red", {"silver": (1, 2)}, "misread")
    with pytest.raises(CommandRejectedError, match="counts_changed"):
        session.adjust("red", {"silver": (1, 3)}, "misread")
    assert value(session.state, "red", "silver") == 2


@pytest.mark.parametrize(
    ("player", "counts", "reason", "code"),
    [
        ("red", {"silver": (1, 2)}, "  ", "reason_needed"),
        ("red", {"silver": (1, 2)}, "x" * 81, "reason_too_long"),
        ("red", {"silver": (1, 2)}, "half \ud800", "half_character"),
        ("red", {"silver": (1, 10**400)}, "misread", "not_a_move"),
        ("red", {}, "misread", "adjust_nothing"),
        ("red", {"silver": (1, -1)}, "misread", "adjust_beyond"),
        ("pink", {"silver": (1, 2)}, "misread", "counts_changed"),
    ],
)
def test_an_impossible_adjustment_is_rejected_and_not_recorded(
    playing: Table, player: str, counts: Any, reason: Any, code: str
) -> None:
    entries = playing.session.entries()
    with pytest.raises(CommandRejectedError, match=code):
        playing.session.adjust(player, counts, reason)
    assert playing.session.entries() == entries


@pytest.mark.parametrize(
    "send",
    [
        lambda session, unreadable: session.tap(f"discard {unreadable}"),
        lambda session, unreadable: session.tap(f"ruling duchy:{unreadable}:0=mine"),
        lambda session, unreadable: session.answer(f"unit:{unreadable}", "end"),
        lambda session, unreadable: session.answer(unreadable, unreadable),
        lambda session, unreadable: session.correct_die(f"red:{unreadable}", 3),
        lambda session, unreadable: session.amend(session.entries()[-1].seq, unreadable),
    ],
)
@pytest.mark.parametrize("unreadable", ["\ud800", "9" * 5000, "\u0664"])
def test_unreadable_text_is_rejected_and_the_page_can_be_shown(
    playing: Table, send: Any, unreadable: Any
) -> None:
    """Half a character, a number of 5000 digits, a digit of another script."""
    session = playing.session
    with pytest.raises(CommandRejectedError):
        send(session, unreadable)
    shown = json.dumps(session.snapshot()["rejection"], ensure_ascii=False).encode()
    assert len(shown) < 500


def test_an_adjustment_keeps_the_draft(playing: Table) -> None:
    session = playing.session
    die = session.state.player.dice[0]
    session.tap(f"workers die {die}")
    session.adjust("red", {"silver": (1, 4)}, "misread")
    assert session.status == "drafting" and [move["word"] for move in session.snapshot()["draft"]] == [
        "workers"
    ]
    session.tap("end")
    assert session.entries()[-1].player == "red"


def test_an_adjustment_cannot_be_entered_again_as_a_turn(playing: Table) -> None:
    session = playing.session
    session.adjust("red", {"silver": (1, 4)}, "misread")
    seq = session.entries()[-1].seq
    with pytest.raises(CommandRejectedError, match="not_entered_again"):
        session.reenter(seq)
    with pytest.raises(CommandRejectedError, match="not_entered_again"):
        session.amend(seq, "end")


@pytest.mark.parametrize(
    "enter",
    [
        lambda session, text: session.tap(text),
        lambda session, text: session.amend(session.entries()[-1].seq, text),
        lambda session, text: session.amend(
            session.entries()[-1].seq, f"{session.entries()[-1].moves[0]}; {text}"
        ),
    ],
    ids=["in the open turn", "in place of an earlier one", "after the moves of an earlier one"],
)
def test_an_adjustment_is_never_part_of_a_turn(playing: Table, enter: Any) -> None:
    session = playing.session
    before = session.state.state_hash()
    with pytest.raises(CommandRejectedError, match="adjusted_by_hand"):
        enter(session, "adjust red score+1 because misread")
    assert TableSession(RULES, session.journal).state.state_hash() == before


def test_an_adjustment_is_not_possible_during_a_layout_or_roll() -> None:
    """Layouts and rolls are recorded at once, without an end of the turn."""
    session = Table(duchies=("se-1", "se-1")).set_up().session
    assert RULES.to_move(session.state) is None
    with pytest.raises(CommandRejectedError, match="adjusted_by_hand"):
        session.tap("adjust red score+1 because misread")
    assert TableSession(RULES, session.journal).entries() == session.entries()


def test_a_correction_before_an_adjustment_replays_or_drops_it(playing: Table) -> None:
    session = playing.session
    dice = session.state.player.dice[:]
    for text in (*(f"workers die {die}" for die in dice), "end"):
        session.tap(text)
    turn = session.entries()[-1]
    workers = value(session.state, "red", "workers")
    session.adjust("red", {"workers": (workers, 0)}, "misread")
    session.amend(turn.seq, "end")
    dropped = present(session.snapshot()["dropped"])
    assert dropped["reason"]["code"] == "adjust_beyond"
    assert [move["word"] for entry in dropped["entries"] for move in entry["moves"]] == ["adjust"]


def test_the_archive_and_its_exports_have_an_adjustment(playing: Table) -> None:
    session = playing.session
    session.adjust("red", {"score": (0, 3)}, "we forgot the boarding house")
    record = record_of(RULES, session.journal.records())
    assert record.sheet["red"] == {"adjusted": 3}
    sentence = Translator("en").move(record.corrections[0])
    assert sentence == "Red, by hand: +3 points (“we forgot the boarding house”)"
    assert type(record).from_json(record.to_json()) == record


def test_every_difference_and_reason_has_a_text_in_every_language() -> None:
    changes = "score+1 workers-2 silver+1 goods:3+1 sold:3-1 track+0"
    for language in LANGUAGES:
        translator = Translator(language, strict=True)
        for reason in (*REASONS, "ours alone"):
            sentence = translator.move(
                RULES.describe(RULES.parse_move(f"adjust red {changes} because {reason}"))
            )
            assert sentence.count(",") >= 4
        for count in RULES.counts(on_turn()):
            assert translator.count_name(count.what) and translator.amount(
                {"what": count.what, "value": count.value}
            )


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10**6))
def test_a_game_with_adjustments_undone_and_redone_replays_to_the_same_state(seed: int) -> None:
    rng = random.Random(seed)
    session = Table(duchies=("se-1", "se-2")).set_up().session
    for _ in range(25):
        before, known = session.state.state_hash(), texts(session)
        player = rng.choice(["red", "blue"])
        counts = {
            c.what: (c.value, c.value + rng.randint(-1, 2))
            for c in session.counts(player)[rng.randrange(5) :: 5]
        }
        act = rng.choice(["adjust", "adjust", "undo", "redo", "both"])
        try:
            if act == "adjust":
                session.adjust(player, counts, rng.choice(REASONS))
                session.undo()
                assert (session.state.state_hash(), texts(session)) == (before, known)
                session.redo()
            elif act == "both":
                session.undo()
                session.redo()
                assert (session.state.state_hash(), texts(session)) == (before, known)
            else:
                getattr(session, act)()
        except CommandRejectedError:
            assert (session.state.state_hash(), texts(session)) == (before, known)
    assert History(RULES, session.journal, None).state.state_hash() == session.state.state_hash()
