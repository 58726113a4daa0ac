"""The table session: one press a turn, questions when in doubt, undo, taps, and nothing lost."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.journal import Journal
from companion.session import LOOKS, CommandRejectedError, TableSession
from tests.support.present import present
from tests.support.sightings import new_session, sighting_of
from tests.support.tables import RULES, Table
from vision.sighting import PlaceReading, Sighting


class Truth(Table):
    """A true game beside the session, reported by perfect sightings and presses."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, duchies=("se-1", "se-1"))
        self.path = path

    def do(self, *texts: str) -> None:
        for text in texts:
            RULES.play(self.state, RULES.parse_move(text))

    def set_up(self) -> Truth:
        self.do("castle red 6", "start-goods red 1,2,3", "castle blue 6", "start-goods blue 4,5,6")
        self.look()
        self.session.confirm()
        return self

    def fill(self) -> None:
        self.deal()
        self.look()

    def roll(self) -> None:
        self.deal()
        self.look()

    def tap(self, text: str) -> None:
        self.do(text)
        self.session.tap(text)

    def in_sync(self) -> bool:
        return bool(self.session.state.state_hash() == self.state.state_hash())


@pytest.fixture
def truth(tmp_path: Path) -> Truth:
    return Truth(tmp_path / "game.journal")


@pytest.fixture
def playing(truth: Truth) -> Truth:
    """A game in its first turn."""
    truth.set_up()
    truth.fill()
    truth.roll()
    return truth


def test_set_up_is_read_from_the_table_and_confirmed_by_one_press(truth: Truth) -> None:
    truth.set_up()
    assert truth.in_sync()


def test_a_clear_roll_is_recorded_before_the_places_are_read(truth: Truth) -> None:
    truth.set_up()
    truth.fill()
    truth.deal()
    truth.session.observe_roll(truth.dice)
    assert truth.in_sync()
    snapshot = truth.session.snapshot()
    assert (snapshot["status"], snapshot["notice"]) == ("watching", None)


def test_a_roll_with_a_die_missing_waits_for_the_complete_sighting(truth: Truth) -> None:
    truth.set_up()
    truth.fill()
    before = truth.session.snapshot()
    truth.deal()
    truth.session.observe_roll(truth.dice[1:])
    assert truth.session.snapshot() == before


def test_dice_that_have_not_moved_are_no_new_roll(playing: Truth) -> None:
    while not playing.session.awaits_roll:
        playing.tap("end")
    recorded = len(playing.session.entries())
    playing.session.observe_roll(playing.dice)
    assert len(playing.session.entries()) == recorded


def test_equal_goods_are_stacked_so_how_many_of_each_is_asked(truth: Truth) -> None:
    truth.do("castle red 6", "start-goods red 1,1,2", "castle blue 6", "start-goods blue 4,5,6")
    truth.look()
    question = present(truth.session.question)
    assert (truth.session.status, question.about) == ("asking", "start:red")
    assert {o.value for o in question.options} == {
        "castle red 6; start-goods red 1,1,2",
        "castle red 6; start-goods red 1,2,2",
    }
    truth.session.answer("start:red", "castle red 6; start-goods red 1,1,2")
    truth.session.confirm()
    assert truth.in_sync()


def test_a_phases_tiles_need_no_press(truth: Truth) -> None:
    truth.set_up()
    truth.fill()
    assert truth.in_sync()


def test_a_phases_tiles_are_looked_at_twice(truth: Truth) -> None:
    truth.set_up()
    truth.deal()
    truth.look(looks=1)
    assert (truth.session.status, truth.session.looks_again) == ("proposal", True)
    truth.look()
    assert truth.in_sync()


def test_a_phases_tiles_that_have_only_just_come_to_rest_may_be_confirmed(truth: Truth) -> None:
    truth.set_up()
    truth.deal()
    truth.look(looks=1)
    truth.session.confirm()
    assert truth.in_sync()


def test_a_phases_tiles_that_are_not_quite_clear_are_confirmed_by_one_press(truth: Truth) -> None:
    truth.set_up()
    truth.deal()
    true = present(truth.state.depots[0][0]).label
    other = next(f"building/{b}" for b in ("bank", "church") if f"building/{b}" != true)
    truth.look(wrong={"depot:1:0": {true: 0.93, other: 0.07}})
    assert truth.session.status == "proposal"
    truth.session.confirm()
    assert truth.in_sync()


def test_what_is_left_of_the_phase_before_is_not_taken_for_the_next_phases_tiles(playing: Truth) -> None:
    while playing.state.stage != "fill":
        left = playing.state.copy()
        playing.roll() if playing.session.awaits_roll else playing.tap("end")
    playing.session.observe(sighting_of(RULES, left, playing.dice))
    assert playing.in_sync()


def test_an_undo_of_a_phases_tiles_is_not_done_again_by_the_camera(truth: Truth) -> None:
    truth.set_up()
    truth.deal()
    truth.look(looks=1)
    truth.session.confirm()
    truth.session.undo()
    truth.look()
    assert truth.session.status == "proposal"
    truth.session.confirm()
    assert truth.in_sync()


def test_a_phases_tiles_that_people_have_corrected_are_confirmed_by_one_press(truth: Truth) -> None:
    truth.set_up()
    truth.deal()
    truth.look(looks=1)
    true = present(truth.state.depots[0][0]).label
    truth.session.correct("depot:1:0", true)
    truth.look()
    assert truth.session.status == "proposal"
    truth.session.confirm()
    assert truth.in_sync()


def test_a_tile_read_doubtfully_is_asked_for_with_the_likeliest_first(truth: Truth) -> None:
    truth.set_up()
    truth.deal()
    true = present(truth.state.depots[0][0]).label
    other = next(f"building/{b}" for b in ("bank", "church") if f"building/{b}" != true)
    truth.look(wrong={"depot:1:0": {other: 0.5, true: 0.4}})
    question = present(truth.session.question)
    assert (question.kind, question.about, question.options[0].value) == ("place", "depot:1:0", other)
    truth.session.answer("depot:1:0", true)
    truth.session.confirm()
    assert truth.in_sync()


def test_a_tile_that_the_supply_no_longer_holds_is_not_believed(truth: Truth) -> None:
    """Each monastery exists once: of two readings of the same number, the doubtful one is rejected."""
    truth.set_up()
    truth.deal()
    fill = truth.state
    monasteries = [
        (f"depot:{n}:{i}", t.label)
        for n, depot in enumerate(fill.depots, 1)
        for i, t in enumerate(depot)
        if t is not None and t.type == "monastery"
    ]
    (_, first), (place, second) = monasteries[:2]
    truth.look(wrong={place: {first: 0.6, second: 0.4}})
    assert truth.in_sync()


def test_a_clear_roll_needs_no_press(playing: Truth) -> None:
    assert playing.in_sync()
    assert playing.session.status == "watching"


def test_dice_that_were_not_rolled_again_are_no_new_roll(playing: Truth) -> None:
    for _ in range(2):
        playing.turn()
        playing.look()
        playing.session.confirm()
    assert playing.session.status == "dice"
    playing.look()
    assert playing.session.snapshot()["notice"] == {"code": "roll_awaited"}


def test_a_die_that_is_missing_is_asked_for(truth: Truth) -> None:
    truth.set_up()
    truth.fill()
    roll = truth.deal()
    truth.dice = truth.dice[1:]
    truth.look()
    question = present(truth.session.question)
    assert (question.kind, question.about, len(question.options)) == ("die", "die:red:1", 6)
    truth.session.answer("die:red:1", str(roll.dice[0][1][0]))
    assert truth.in_sync()


def test_a_misread_die_is_corrected_by_a_tap(playing: Truth) -> None:
    red = playing.state.players[0].dice
    playing.session.correct_die("red:0", red[0] % 6 + 1)
    assert not playing.in_sync()
    playing.session.correct_die("red:0", red[0])
    assert playing.in_sync()


def test_a_die_cannot_be_changed_once_a_turn_was_played_with_it(playing: Truth) -> None:
    playing.turn()
    playing.look()
    playing.session.confirm()
    with pytest.raises(CommandRejectedError, match="die_used_since"):
        playing.session.correct_die("red:0", 3)


@pytest.mark.slow
def test_complete_games_take_one_press_per_turn(truth: Truth) -> None:
    truth.set_up()
    while not RULES.is_over(truth.state):
        if truth.state.stage == "fill":
            truth.fill()
        elif truth.state.stage == "roll":
            truth.roll()
        else:
            before = truth.state.copy()
            truth.turn()
            truth.look()
            if truth.session.status == "watching":
                truth.session.confirm()  # nothing to be seen: the press asks
            if question := truth.session.question:
                right = [o.value for o in question.options if leads_to(before, o.value, truth.state)]
                truth.session.answer("turn", right[0])
            while truth.session.status == "proposal" and not proposes(truth.session, before, truth.state):
                truth.session.next_alternative()
            if truth.session.status == "proposal":
                truth.session.confirm()
        assert truth.in_sync()
    assert truth.session.status == "over"


def proposes(session: TableSession, before: Any, after: Any) -> bool:
    moves = present(session.snapshot()["proposal"])["moves"]
    return leads_to(before, "; ".join(move["text"] for move in moves), after)


def leads_to(before: Any, text: str, after: Any) -> bool:
    state = before.copy()
    for move in text.split("; "):
        RULES.play(state, RULES.parse_move(move))
    return bool(state.state_hash() == after.state_hash())


def test_a_press_during_movement_counts_once_the_table_is_still(playing: Truth) -> None:
    playing.turn()
    playing.session.confirm(settled=False)
    assert not playing.in_sync()
    playing.look()
    assert playing.in_sync()


def test_a_second_press_by_mistake_confirms_nothing(playing: Truth) -> None:
    playing.turn()
    playing.look()
    playing.session.confirm()
    playing.session.confirm()
    assert playing.in_sync()
    assert playing.session.status == "asking"


def test_a_confirmed_turn_is_in_the_journal_before_the_press_returns(playing: Truth) -> None:
    playing.turn()
    playing.look()
    playing.session.confirm()
    assert playing.session.journal.records()[-1].body["hash"] == playing.state.state_hash()


def test_a_session_is_resumed_from_its_journal(playing: Truth) -> None:
    playing.turn()
    playing.look()
    playing.session.confirm()
    playing.session.journal.close()
    resumed = TableSession(RULES, Journal(playing.path))
    assert resumed.state.state_hash() == playing.state.state_hash()
    assert next(entry.dice for entry in reversed(resumed.entries()) if entry.dice) == playing.dice


def test_undo_reverts_the_last_press_and_everything_seen_since(playing: Truth) -> None:
    before = playing.session.state.state_hash()
    for _ in range(2):
        playing.turn()
        playing.look()
        playing.session.confirm()
    playing.roll()
    playing.session.undo()
    playing.session.undo()
    assert playing.session.state.state_hash() == before


def test_after_an_undo_the_same_dice_are_read_as_the_roll(playing: Truth) -> None:
    for _ in range(2):
        last = playing.turn()
        playing.look()
        playing.session.confirm()
    playing.roll()
    playing.session.undo()
    for move in last:
        playing.session.tap(str(move))
    playing.look()
    assert playing.in_sync()


def test_undo_without_an_entry_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(CommandRejectedError, match="nothing_to_undo"):
        new_session(tmp_path / "j").undo()


def test_an_illegal_tap_is_rejected_with_its_reason_and_changes_nothing(playing: Truth) -> None:
    before = playing.session.state.state_hash()
    with pytest.raises(CommandRejectedError) as rejected:
        playing.session.tap("discard castle")
    assert rejected.value.code == "no_effect"
    assert playing.session.state.state_hash() == before
    assert playing.session.snapshot()["rejection"] == {"code": "no_effect", "move": "discard"}


def test_a_turn_can_be_entered_by_taps_alone(playing: Truth) -> None:
    for move in playing.turn():
        playing.session.tap(str(move))
    assert playing.in_sync()


def test_undo_during_manual_entry_retracts_one_tap(playing: Truth) -> None:
    first = next(m for m in RULES.legal_moves(playing.session.state) if m.word == "workers")
    playing.session.tap(str(first))
    assert playing.session.status == "drafting"
    playing.session.undo()
    assert playing.session.snapshot()["draft"] == []


def test_a_table_that_no_turn_explains_is_not_proposed(playing: Truth) -> None:
    """A tile that jumped from one space of the duchy to another: placed tiles never move (S509)."""
    state = playing.state.copy()
    playing.look(wrong={"duchy:red:6": {"empty": 0.998}, "duchy:red:5": {"livestock/cow_3": 0.998}})
    assert playing.session.status == "unexplained"
    assert "duchy:red:6" in present(playing.session.snapshot()["proposal"])["unexplained"]
    with pytest.raises(CommandRejectedError, match="nothing_to_confirm_unexplained"):
        playing.session.confirm()
    assert playing.session.state.state_hash() == state.state_hash()


def test_correcting_a_place_makes_the_turn_explicable(playing: Truth) -> None:
    playing.turn()
    playing.look(wrong={"duchy:red:6": {"empty": 0.998}})
    assert playing.session.status == "unexplained"
    playing.session.correct("duchy:red:6", "castle")
    playing.session.confirm()
    assert playing.in_sync()


def corrected_once(playing: Truth) -> None:
    """A castle is placed, misread, corrected and confirmed."""
    playing.turn()
    playing.look(wrong=MISREAD)
    playing.session.correct("duchy:red:6", "castle")
    playing.session.confirm()


MISREAD = {"duchy:red:6": {"empty": 0.998}}


def test_a_corrected_place_is_not_asked_for_every_turn(playing: Truth) -> None:
    corrected_once(playing)
    playing.turn()
    playing.look(wrong=MISREAD)
    assert playing.session.status == "proposal"
    playing.session.confirm()
    assert playing.in_sync()


def test_a_corrected_place_that_changes_is_read_again(playing: Truth) -> None:
    corrected_once(playing)
    playing.turn()
    playing.look(wrong={"duchy:red:6": {"mine": 0.998}})
    assert playing.session.status == "unexplained"
    assert present(playing.session.snapshot()["proposal"])["unexplained"] == ["duchy:red:6"]


def test_a_piece_misread_as_gone_may_really_go_later(playing: Truth) -> None:
    playing.turn()
    die, other = playing.state.player.dice
    slot, label = next((i, t.label) for i, t in enumerate(playing.state.depots[die - 1]) if t)
    place = f"depot:{die}:{slot}"
    playing.look(wrong={place: {"empty": 0.998}})
    playing.session.correct(place, label)
    playing.session.confirm()
    assert playing.in_sync()
    playing.do(f"take {label} {die}.{slot} die {die}", f"workers die {other}", "end")
    playing.look()
    playing.session.confirm()
    assert playing.in_sync()


def test_two_people_who_press_at_once_confirm_the_turn_once(playing: Truth) -> None:
    playing.turn()
    playing.look()
    entries = len(playing.session.entries())
    start = threading.Barrier(2)

    def press() -> None:
        start.wait()
        playing.session.confirm()

    threads = [threading.Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(playing.session.entries()) == entries + 1
    assert playing.in_sync()


def test_a_partly_watched_table_is_played_by_hand(playing: Truth) -> None:
    """A table file may declare the duchies alone: what was taken from the depots is not known then."""
    moves = playing.turn()
    sighting = sighting_of(RULES, playing.state, playing.dice)
    duchies = {name: r for name, r in sighting.places.items() if name.startswith("duchy")}
    playing.session.observe(Sighting(duchies, playing.dice))
    assert present(playing.session.snapshot()["notice"])["code"] == "partly_watched"
    with pytest.raises(CommandRejectedError, match="nothing_to_confirm_watching"):
        playing.session.confirm()
    for move in moves:
        playing.session.tap(str(move))
    assert playing.in_sync()


def test_a_place_hidden_by_glare_in_a_layout_is_reported_and_can_be_tapped(truth: Truth) -> None:
    truth.set_up()
    truth.deal()
    sighting = sighting_of(RULES, truth.state)
    places = {**sighting.places, "depot:1:0": PlaceReading({}, hidden=True)}
    truth.session.observe(Sighting(places))
    notice = present(truth.session.snapshot()["notice"])
    assert (notice["code"], notice["place"]) == ("fill_hidden", "depot:1:0")
    truth.session.correct("depot:1:0", present(truth.state.depots[0][0]).label)
    truth.session.confirm()
    assert truth.in_sync()


# --- what breaks a rule ----------------------------------------------------------------------------------


def misplaced(playing: Truth) -> tuple[str, int]:
    """Takes a tile and places it on a space of another type; returns its label and that space."""
    player = playing.state.player
    die, other = player.dice
    slot, label = next((i, t.label) for i, t in enumerate(playing.state.depots[die - 1]) if t)
    wrong_colour = (s.index for s in player.duchy.spaces if s.tile_type != label.split("/")[0])
    space = next(index for index in wrong_colour if player.spaces[index] is None)
    playing.do(f"take {label} {die}.{slot} die {die}", f"workers die {other}", "end")
    playing.look(wrong={"storage:red:0": {"empty": 0.998}, f"duchy:red:{space}": {label: 0.998}})
    return label, space


def test_a_broken_rule_is_named(playing: Truth) -> None:
    label, space = misplaced(playing)
    assert playing.session.status == "unexplained"
    breaches = {
        breach["place"]: breach for breach in present(playing.session.snapshot()["proposal"])["breaches"]
    }
    breach = breaches[f"duchy:red:{space}"]
    assert breach["read"] == label and present(breach["move"])["word"] == "place"
    assert present(breach["reason"])["code"] == "wrong_colour"


def test_an_override_records_the_table_as_it_is_seen(playing: Truth) -> None:
    label, space = misplaced(playing)
    playing.session.override()
    entry = playing.session.entries()[-1]
    player = playing.session.state.players[0]
    assert entry.by == "ruling" and entry.moves[-1].word == "end"
    assert player.storage == [] and player.spaces[space].label == label
    playing.session.undo()
    assert playing.session.state.players[0].spaces[space] is None


def test_a_press_that_asked_for_an_unseen_turn_is_forgotten_when_nothing_fits_any_more(
    playing: Truth,
) -> None:
    playing.session.confirm()
    assert playing.session.status == "asking"
    playing.session.observe(Sighting({"depot:1:0": PlaceReading({"mine": 0.99})}))
    assert playing.session.question is None


def test_a_wrong_move_after_an_early_press_replaces_its_question(playing: Truth) -> None:
    playing.session.confirm()
    assert playing.session.status == "asking"
    misplaced(playing)
    assert playing.session.status == "unexplained"
    assert playing.session.question is None


def test_a_turn_seen_after_an_early_press_is_proposed(playing: Truth) -> None:
    playing.session.confirm()
    playing.turn()
    playing.look()
    assert playing.session.status == "proposal"


def test_an_override_is_rejected_when_a_legal_turn_explains_the_table(playing: Truth) -> None:
    playing.turn()
    playing.look()
    with pytest.raises(CommandRejectedError, match="nothing_to_override"):
        playing.session.override()


# --- going on though a question is open -------------------------------------------------------------------


def unobserved_sale(playing: Truth) -> list[Any]:
    """Makes a turn in which a sale cannot be seen; returns its moves."""
    while True:
        while playing.state.stage != "turn":
            playing.session.tap(str(playing.deal()))
        moves = playing.turn()
        if any(move.word == "sell" for move in moves) and playing.state.stage == "turn":
            break
        for move in moves:
            playing.session.tap(str(move))
    sighting = sighting_of(RULES, playing.state, playing.dice)
    goods = f"goods:{playing.session.state.player.colour}"
    hidden = {f"{goods}:{i}": PlaceReading({}, hidden=True) for i in range(3)}
    playing.session.observe(replace(sighting, places={**sighting.places, **hidden}))
    assert playing.session.status == "asking"
    return moves


def test_play_continues_although_a_question_is_open(playing: Truth) -> None:
    unobserved_sale(playing)
    entries = len(playing.session.entries())
    playing.turn()
    playing.look()
    assert playing.session.entries()[entries].by == "assumed"
    assert playing.session.status == "proposal"
    assert len(playing.session.snapshot()["unresolved_turns"]) == 1


def test_a_late_answer_corrects_the_turn_that_was_asked_about(playing: Truth) -> None:
    moves = unobserved_sale(playing)
    playing.turn()
    playing.look()
    (open_turn,) = playing.session.snapshot()["unresolved_turns"]
    true = "; ".join(map(str, moves))
    outcome = {}
    for option in open_turn["options"]:
        outcome[option] = playing.session._context.history.state_before(open_turn["seq"])
        for text in option.split("; "):
            RULES.apply(outcome[option], RULES.parse_move(text))
    reference = playing.session._context.history.state_before(open_turn["seq"])
    for text in true.split("; "):
        RULES.apply(reference, RULES.parse_move(text))
    answer = next(o for o, state in outcome.items() if state.state_hash() == reference.state_hash())
    playing.session.confirm()
    playing.session.answer(f"unit:{open_turn['seq']}", answer)
    assert playing.session.snapshot()["unresolved_turns"] == []
    assert playing.in_sync()


def test_a_late_answer_that_is_none_of_the_options_leaves_the_question_open(playing: Truth) -> None:
    unobserved_sale(playing)
    playing.turn()
    playing.look()
    (open_turn,) = playing.session.snapshot()["unresolved_turns"]
    with pytest.raises(CommandRejectedError, match="no_such_answer"):
        playing.session.answer(f"unit:{open_turn['seq']}", "end")
    assert playing.session.snapshot()["unresolved_turns"] == [open_turn]


def test_an_unconfirmed_proposal_is_assumed_when_play_continues(
    playing: Truth,
) -> None:
    playing.turn()
    playing.look()
    assert playing.session.status == "proposal"
    playing.turn()
    playing.look()
    assert playing.session.entries()[-1].by == "assumed"
    assert playing.session.snapshot()["unresolved_turns"] == []
    playing.session.confirm()
    assert playing.in_sync()


def answer_dice(session: TableSession, roll: Any) -> None:
    """Answers the value of each die."""
    for colour, values in RULES.dice_of(roll).items():
        for index, value in enumerate(values):
            asked = present(session.question)
            assert (asked.about, asked.reason) == (f"die:{colour}:{index}", "")
            session.answer(asked.about, str(value))


def test_without_a_camera_a_complete_round_is_played_by_taps(truth: Truth) -> None:
    truth.session.watch(dice=False, boards=False)
    for text in ("castle red 6", "start-goods red 1,2,3", "castle blue 6", "start-goods blue 4,5,6"):
        truth.do(text)
        truth.session.tap(text)
    visible = truth.deal() and RULES.visible_layout(truth.state)
    while truth.session.status != "proposal":
        place = present(truth.session.snapshot()["notice"])["place"]
        group, _, index = place.rpartition(":")
        truth.session.correct(place, visible[group][int(index)])
    truth.session.confirm()
    answer_dice(truth.session, truth.deal())
    for _ in range(2):
        for move in truth.turn():
            truth.session.tap(str(move))
    assert truth.in_sync() and truth.session.status == "asking"


# --- what is read and what is tapped ----------------------------------------------------------------------


def test_without_the_boards_turns_are_tapped_and_rolls_are_read(playing: Truth) -> None:
    playing.session.watch(boards=False)
    playing.turn()
    playing.look()
    snapshot = playing.session.snapshot()
    assert (snapshot["status"], present(snapshot["notice"])["code"]) == ("watching", "boards_by_hand")
    playing.session.watch(boards=True)
    playing.look()
    assert playing.session.status == "proposal"


def test_without_the_dice_a_roll_is_tapped_and_turns_are_read(truth: Truth) -> None:
    truth.set_up()
    truth.fill()
    truth.session.watch(dice=False)
    roll = truth.deal()
    truth.session.observe_roll(truth.dice)
    truth.look()
    answer_dice(truth.session, roll)
    assert truth.in_sync()
    assert truth.session.entries()[-1].by == "tap"
    truth.turn()
    truth.look()
    truth.session.confirm()
    assert truth.in_sync()


def test_a_question_waits_until_the_table_was_looked_at_several_times(truth: Truth) -> None:
    truth.set_up()
    truth.deal()
    true = present(truth.state.depots[0][0]).label
    other = next(f"building/{b}" for b in ("bank", "church") if f"building/{b}" != true)
    doubtful = {"depot:1:0": {other: 0.5, true: 0.4}}
    for looks in range(1, LOOKS):
        truth.look(looks=looks, wrong=doubtful)
        assert (truth.session.question, truth.session.looks_again) == (None, True)
    truth.look(wrong=doubtful)
    assert (present(truth.session.question).about, truth.session.looks_again) == ("depot:1:0", False)


def test_a_contradiction_waits_until_the_table_was_looked_at_several_times(playing: Truth) -> None:
    playing.turn()
    wrong = {"depot:1:0": {"ship": 0.99}, "depot:2:0": {"ship": 0.99}, "duchy:blue:0": {"castle": 0.99}}
    playing.look(looks=1, wrong=wrong)
    assert (playing.session.status, playing.session.looks_again) == ("watching", True)
    playing.look(wrong=wrong)
    assert (playing.session.status, playing.session.looks_again) == ("unexplained", False)


def test_a_press_before_the_table_was_looked_at_several_times_counts_then(playing: Truth) -> None:
    playing.turn()
    playing.look(looks=1, wrong={"depot:1:0": {"ship": 0.99}, "duchy:blue:0": {"castle": 0.99}})
    playing.session.confirm()
    playing.look()
    assert playing.in_sync()


def test_a_turn_nobody_confirmed_is_still_known_when_the_next_is_looked_at_again(playing: Truth) -> None:
    playing.turn()
    playing.look()
    assert playing.session.status == "proposal"
    playing.turn()
    playing.look(looks=1)
    playing.look()
    assert playing.session.entries()[-1].by == "assumed"


def test_a_doubtful_roll_waits_until_the_table_was_looked_at_several_times(truth: Truth) -> None:
    truth.set_up()
    truth.fill()
    truth.deal()
    rolled = truth.dice
    truth.dice = (replace(rolled[0], confidence=0.6), *rolled[1:])
    truth.session.observe_roll(truth.dice, looks=1)
    truth.look(looks=1)
    assert (truth.session.status, truth.session.looks_again) == ("dice", True)
    truth.dice = rolled
    truth.look(looks=2)
    assert truth.in_sync() and present(truth.session.entries()[-1].dice)[0].confidence == 0.99
