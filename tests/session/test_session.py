"""The table session: one press a turn, questions when in doubt, undo, taps, and nothing lost."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from companion.journal import Journal
from companion.session import CommandRejectedError, TableSession
from tests.support.sightings import new_session, sighting_of
from tests.support.tables import RULES, Table
from vision.sighting import PlaceReading, Sighting


class Truth(Table):
    """A true game beside the session, told by perfect sightings and presses."""

    def __init__(self, path):
        super().__init__(path, duchies=("se-1", "se-1"))
        self.path = path

    def do(self, *texts):
        for text in texts:
            RULES.play(self.state, RULES.parse_move(text))

    def set_up(self):
        self.do("castle red 6", "start-goods red 1,2,3", "castle blue 6", "start-goods blue 4,5,6")
        self.look()
        self.session.confirm()

    def fill(self):
        self.deal()
        self.look()
        self.session.confirm()

    def roll(self):
        self.deal()
        self.look()

    def told(self):
        return self.session.state.state_hash() == self.state.state_hash()


@pytest.fixture
def truth(tmp_path):
    return Truth(tmp_path / "game.journal")


@pytest.fixture
def playing(truth):
    """A game in its first turn."""
    truth.set_up()
    truth.fill()
    truth.roll()
    return truth


def test_set_up_is_read_from_the_table_and_confirmed_by_one_press(truth):
    truth.set_up()
    assert truth.told()


def test_a_clear_roll_is_recorded_before_the_places_are_read(truth):
    truth.set_up()
    truth.fill()
    truth.deal()
    truth.session.see_roll(truth.dice)
    assert truth.told()
    snapshot = truth.session.snapshot()
    assert (snapshot["status"], snapshot["notice"]) == ("watching", None)


def test_a_roll_in_doubt_waits_for_the_whole_sighting(truth):
    truth.set_up()
    truth.fill()
    before = truth.session.snapshot()
    truth.deal()
    truth.session.see_roll((replace(truth.dice[0], confidence=0.55), *truth.dice[1:]))
    assert truth.session.snapshot() == before


def test_dice_that_lie_as_after_the_last_roll_are_no_new_one(playing):
    while not playing.session.awaits_roll:
        playing.do("end")
        playing.session.tap("end")
    recorded = len(playing.session.entries())
    playing.session.see_roll(playing.dice)
    assert len(playing.session.entries()) == recorded


def test_equal_goods_are_stacked_so_how_many_of_each_is_asked(truth):
    truth.do("castle red 6", "start-goods red 1,1,2", "castle blue 6", "start-goods blue 4,5,6")
    truth.look()
    question = truth.session.question
    assert (truth.session.status, question.about) == ("asking", "start:red")
    assert {o.value for o in question.options} == {
        "castle red 6; start-goods red 1,1,2",
        "castle red 6; start-goods red 1,2,2",
    }
    truth.session.answer("start:red", "castle red 6; start-goods red 1,1,2")
    truth.session.confirm()
    assert truth.told()


def test_a_phases_tiles_are_confirmed_by_one_press(truth):
    truth.set_up()
    truth.fill()
    assert truth.told()


def test_a_tile_read_doubtfully_is_asked_for_with_the_likeliest_first(truth):
    truth.set_up()
    truth.deal()
    true = truth.state.depots[0][0].label
    other = next(f"building/{b}" for b in ("bank", "church") if f"building/{b}" != true)
    truth.look(wrong={"depot:1:0": {other: 0.5, true: 0.4}})
    question = truth.session.question
    assert (question.kind, question.about, question.options[0].value) == ("place", "depot:1:0", other)
    truth.session.answer("depot:1:0", true)
    truth.session.confirm()
    assert truth.told()


def test_a_tile_that_the_supply_no_longer_holds_is_not_believed(truth):
    """Each monastery exists once: of two readings of the same number the doubtful one gives way."""
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
    truth.session.confirm()
    assert truth.told()


def test_a_clear_roll_needs_no_press(playing):
    assert playing.told()
    assert playing.session.status == "watching"


def test_dice_that_have_not_been_thrown_again_are_no_new_roll(playing):
    for _ in range(2):
        playing.turn()
        playing.look()
        playing.session.confirm()
    assert playing.session.status == "dice"
    playing.look()
    assert playing.session.snapshot()["notice"] == {"code": "roll_awaited"}


def test_a_die_that_is_missing_is_asked_for(truth):
    truth.set_up()
    truth.fill()
    roll = truth.deal()
    truth.dice = truth.dice[1:]
    truth.look()
    question = truth.session.question
    assert (question.kind, question.about, len(question.options)) == ("die", "red:1", 6)
    truth.session.answer("red:1", str(roll.dice[0][1][0]))
    assert truth.told()


def test_a_die_read_wrongly_is_put_right_by_a_tap(playing):
    red = playing.state.players[0].dice
    playing.session.correct_die("red:0", red[0] % 6 + 1)
    assert not playing.told()
    playing.session.correct_die("red:0", red[0])
    assert playing.told()


def test_a_die_cannot_be_changed_once_a_turn_was_played_with_it(playing):
    playing.turn()
    playing.look()
    playing.session.confirm()
    with pytest.raises(CommandRejectedError, match="no_such_die_now"):
        playing.session.correct_die("red:0", 3)


@pytest.mark.slow
def test_whole_games_are_followed_with_one_press_a_turn(truth):
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
        assert truth.told()
    assert truth.session.status == "over"


def proposes(session, before, after):
    moves = session.snapshot()["proposal"]["moves"]
    return leads_to(before, "; ".join(move["text"] for move in moves), after)


def leads_to(before, text, after):
    state = before.copy()
    for move in text.split("; "):
        RULES.play(state, RULES.parse_move(move))
    return state.state_hash() == after.state_hash()


def test_a_press_while_the_table_moves_is_honoured_once_it_has_settled(playing):
    playing.turn()
    playing.session.confirm(settled=False)
    assert not playing.told()
    playing.look()
    assert playing.told()


def test_a_second_press_by_mistake_confirms_nothing(playing):
    playing.turn()
    playing.look()
    playing.session.confirm()
    playing.session.confirm()
    assert playing.told()
    assert playing.session.status == "asking"


def test_a_confirmed_turn_is_in_the_journal_before_the_press_returns(playing):
    playing.turn()
    playing.look()
    playing.session.confirm()
    assert playing.session.journal.records()[-1].body["hash"] == playing.state.state_hash()


def test_a_session_is_resumed_from_its_journal(playing):
    playing.turn()
    playing.look()
    playing.session.confirm()
    playing.session.journal.close()
    resumed = TableSession(RULES, Journal(playing.path))
    assert resumed.state.state_hash() == playing.state.state_hash()
    assert next(entry.dice for entry in reversed(resumed.entries()) if entry.dice) == playing.dice


def test_undo_takes_back_the_last_press_and_what_was_seen_since(playing):
    before = playing.session.state.state_hash()
    for _ in range(2):
        playing.turn()
        playing.look()
        playing.session.confirm()
    playing.roll()
    playing.session.undo()
    playing.session.undo()
    assert playing.session.state.state_hash() == before


def test_after_an_undo_the_same_dice_are_taken_for_the_roll_they_are(playing):
    for _ in range(2):
        last = playing.turn()
        playing.look()
        playing.session.confirm()
    playing.roll()
    playing.session.undo()
    for move in last:
        playing.session.tap(str(move))
    playing.look()
    assert playing.told()


def test_nothing_to_undo_is_said(tmp_path):
    with pytest.raises(CommandRejectedError, match="nothing_to_undo"):
        new_session(tmp_path / "j").undo()


def test_an_illegal_tap_is_refused_with_its_reason_and_changes_nothing(playing):
    before = playing.session.state.state_hash()
    with pytest.raises(CommandRejectedError) as refused:
        playing.session.tap("discard castle")
    assert refused.value.code == "no_effect"
    assert playing.session.state.state_hash() == before
    assert playing.session.snapshot()["rejection"] == {"code": "no_effect", "move": "discard"}


def test_a_turn_can_be_entered_by_taps_alone(playing):
    for move in playing.turn():
        playing.session.tap(str(move))
    assert playing.told()


def test_undo_while_entering_takes_back_one_tap(playing):
    first = next(m for m in RULES.legal_moves(playing.session.state) if m.word == "workers")
    playing.session.tap(str(first))
    assert playing.session.status == "drafting"
    playing.session.undo()
    assert playing.session.snapshot()["draft"] == []


def test_a_table_that_fits_no_turn_is_not_proposed(playing):
    """A tile that jumped from one space of the duchy to another: placed tiles never move (S509)."""
    state = playing.state.copy()
    playing.look(wrong={"duchy:red:6": {"empty": 0.998}, "duchy:red:5": {"livestock/cow_3": 0.998}})
    assert playing.session.status == "unexplained"
    assert "duchy:red:6" in playing.session.snapshot()["proposal"]["unexplained"]
    with pytest.raises(CommandRejectedError, match="nothing_to_confirm_unexplained"):
        playing.session.confirm()
    assert playing.session.state.state_hash() == state.state_hash()


def test_correcting_a_place_makes_the_turn_explicable(playing):
    playing.turn()
    playing.look(wrong={"duchy:red:6": {"empty": 0.998}})
    assert playing.session.status == "unexplained"
    playing.session.correct("duchy:red:6", "castle")
    playing.session.confirm()
    assert playing.told()


def corrected_once(playing):
    """A castle is laid, misread, put right and confirmed."""
    playing.turn()
    playing.look(wrong=MISREAD)
    playing.session.correct("duchy:red:6", "castle")
    playing.session.confirm()


MISREAD = {"duchy:red:6": {"empty": 0.998}}


def test_a_place_that_was_put_right_is_not_asked_for_every_turn(playing):
    corrected_once(playing)
    playing.turn()
    playing.look(wrong=MISREAD)
    assert playing.session.status == "proposal"
    playing.session.confirm()
    assert playing.told()


def test_a_place_that_was_put_right_and_looks_otherwise_now_is_read_again(playing):
    corrected_once(playing)
    playing.turn()
    playing.look(wrong={"duchy:red:6": {"mine": 0.998}})
    assert playing.session.status == "unexplained"
    assert playing.session.snapshot()["proposal"]["unexplained"] == ["duchy:red:6"]


def test_what_was_taken_for_gone_may_really_go_later(playing):
    playing.turn()
    die, other = playing.state.player.dice
    slot, label = next((i, t.label) for i, t in enumerate(playing.state.depots[die - 1]) if t)
    place = f"depot:{die}:{slot}"
    playing.look(wrong={place: {"empty": 0.998}})
    playing.session.correct(place, label)
    playing.session.confirm()
    assert playing.told()
    playing.do(f"take {label} {die}.{slot} die {die}", f"workers die {other}", "end")
    playing.look()
    playing.session.confirm()
    assert playing.told()


def test_two_people_who_press_at_once_confirm_the_turn_once(playing):
    playing.turn()
    playing.look()
    entries = len(playing.session.entries())
    start = threading.Barrier(2)

    def press():
        start.wait()
        playing.session.confirm()

    threads = [threading.Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(playing.session.entries()) == entries + 1
    assert playing.told()


def test_a_table_that_is_not_wholly_watched_is_played_by_hand(playing):
    """A table file may declare the duchies alone: what was taken from the depots cannot be told then."""
    moves = playing.turn()
    sighting = sighting_of(RULES, playing.state, playing.dice)
    duchies = {name: r for name, r in sighting.places.items() if name.startswith("duchy")}
    playing.session.see(Sighting(duchies, playing.dice))
    assert playing.session.snapshot()["notice"]["code"] == "partly_watched"
    with pytest.raises(CommandRejectedError, match="nothing_to_confirm_watching"):
        playing.session.confirm()
    for move in moves:
        playing.session.tap(str(move))
    assert playing.told()


def test_a_place_that_glare_hides_when_tiles_are_laid_out_is_said_and_can_be_tapped(truth):
    truth.set_up()
    truth.deal()
    sighting = sighting_of(RULES, truth.state)
    places = {**sighting.places, "depot:1:0": PlaceReading({}, hidden=True)}
    truth.session.see(Sighting(places))
    notice = truth.session.snapshot()["notice"]
    assert (notice["code"], notice["place"]) == ("fill_hidden", "depot:1:0")
    truth.session.correct("depot:1:0", truth.state.depots[0][0].label)
    truth.session.confirm()
    assert truth.told()


# --- what breaks a rule ----------------------------------------------------------------------------------


def misplaced(playing):
    """A tile is taken and laid on a space of another colour; its label and that space."""
    player = playing.state.player
    die, other = player.dice
    slot, label = next((i, t.label) for i, t in enumerate(playing.state.depots[die - 1]) if t)
    wrong_colour = (s.index for s in player.duchy.spaces if s.colour != label.split("/")[0])
    space = next(index for index in wrong_colour if player.spaces[index] is None)
    playing.do(f"take {label} {die}.{slot} die {die}", f"workers die {other}", "end")
    playing.look(wrong={"storage:red:0": {"empty": 0.998}, f"duchy:red:{space}": {label: 0.998}})
    return label, space


def test_what_breaks_a_rule_is_told_with_the_rule(playing):
    label, space = misplaced(playing)
    assert playing.session.status == "unexplained"
    told = {breach["place"]: breach for breach in playing.session.snapshot()["proposal"]["breaches"]}
    breach = told[f"duchy:red:{space}"]
    assert breach["read"] == label and breach["move"]["word"] == "place"
    assert breach["reason"]["code"] == "wrong_colour"


def test_that_is_how_we_play_it_records_the_table_as_it_is_seen(playing):
    label, space = misplaced(playing)
    playing.session.rule()
    entry = playing.session.entries()[-1]
    player = playing.session.state.players[0]
    assert entry.by == "ruling" and entry.moves[-1].word == "end"
    assert player.storage == [] and player.spaces[space].label == label
    playing.session.undo()
    assert playing.session.state.players[0].spaces[space] is None


def test_a_press_that_asked_for_an_unseen_turn_is_forgotten_when_nothing_fits_any_more(playing):
    playing.session.confirm()
    assert playing.session.status == "asking"
    playing.session.see(Sighting({"depot:1:0": PlaceReading({"mine": 0.99})}))
    assert playing.session.question is None


def test_what_is_laid_wrongly_after_an_early_press_does_not_hide_behind_its_question(playing):
    playing.session.confirm()
    assert playing.session.status == "asking"
    misplaced(playing)
    assert playing.session.status == "unexplained"
    assert playing.session.question is None


def test_a_turn_seen_after_an_early_press_is_proposed(playing):
    playing.session.confirm()
    playing.turn()
    playing.look()
    assert playing.session.status == "proposal"


def test_there_is_nothing_to_decide_when_all_fits(playing):
    playing.turn()
    playing.look()
    with pytest.raises(CommandRejectedError, match="nothing_to_rule"):
        playing.session.rule()


# --- going on though a question is open -------------------------------------------------------------------


def asked(playing):
    """A turn of which it cannot be seen whether goods were sold; its moves."""
    while True:
        while playing.state.stage != "turn":
            playing.session.tap(str(playing.deal()))
        moves = playing.turn()
        if any(move.word == "sell" for move in moves) and playing.state.stage == "turn":
            break
        for move in moves:
            playing.session.tap(str(move))
    sighting = sighting_of(RULES, playing.state, playing.dice)
    for i in range(3):
        sighting.places[f"goods:{playing.session.state.player.colour}:{i}"] = PlaceReading({}, hidden=True)
    playing.session.see(sighting)
    assert playing.session.status == "asking"
    return moves


def test_play_goes_on_though_a_question_is_open(playing):
    asked(playing)
    entries = len(playing.session.entries())
    playing.turn()
    playing.look()
    assert playing.session.entries()[entries].by == "assumed"
    assert playing.session.status == "proposal"
    assert len(playing.session.snapshot()["unresolved_turns"]) == 1


def test_a_late_answer_lands_in_the_turn_that_was_asked_about(playing):
    moves = asked(playing)
    playing.turn()
    playing.look()
    (open_turn,) = playing.session.snapshot()["unresolved_turns"]
    true = "; ".join(map(str, moves))
    outcome = {}
    for option in open_turn["options"]:
        outcome[option] = playing.session._desk.history.state_before(open_turn["seq"])
        for text in option.split("; "):
            RULES.apply(outcome[option], RULES.parse_move(text))
    reference = playing.session._desk.history.state_before(open_turn["seq"])
    for text in true.split("; "):
        RULES.apply(reference, RULES.parse_move(text))
    answer = next(o for o, state in outcome.items() if state.state_hash() == reference.state_hash())
    playing.session.confirm()
    playing.session.answer(f"unit:{open_turn['seq']}", answer)
    assert playing.session.snapshot()["unresolved_turns"] == []
    assert playing.told()


def test_a_late_answer_that_is_none_of_the_options_leaves_the_question_open(playing):
    asked(playing)
    playing.turn()
    playing.look()
    (open_turn,) = playing.session.snapshot()["unresolved_turns"]
    with pytest.raises(CommandRejectedError, match="no_such_answer"):
        playing.session.answer(f"unit:{open_turn['seq']}", "end")
    assert playing.session.snapshot()["unresolved_turns"] == [open_turn]


def test_a_turn_that_was_proposed_and_not_confirmed_is_taken_for_granted_when_play_goes_on(playing):
    playing.turn()
    playing.look()
    assert playing.session.status == "proposal"
    playing.turn()
    playing.look()
    assert playing.session.entries()[-1].by == "assumed"
    assert playing.session.snapshot()["unresolved_turns"] == []
    playing.session.confirm()
    assert playing.told()


def say_dice(session, roll):
    """Answers what each die shows."""
    for colour, values in RULES.dice_of(roll).items():
        for index, value in enumerate(values):
            assert (session.question.about, session.question.reason) == (f"{colour}:{index}", "")
            session.answer(f"{colour}:{index}", str(value))


def test_without_a_camera_a_whole_round_is_played_by_taps(truth):
    truth.session.watch(dice=False, boards=False)
    for text in ("castle red 6", "start-goods red 1,2,3", "castle blue 6", "start-goods blue 4,5,6"):
        truth.do(text)
        truth.session.tap(text)
    visible = truth.deal() and RULES.visible(truth.state)
    while truth.session.status != "proposal":
        place = truth.session.snapshot()["notice"]["place"]
        group, _, index = place.rpartition(":")
        truth.session.correct(place, visible[group][int(index)])
    truth.session.confirm()
    say_dice(truth.session, truth.deal())
    for _ in range(2):
        for move in truth.turn():
            truth.session.tap(str(move))
    assert truth.told() and truth.session.status == "asking"


# --- what is read and what is tapped ----------------------------------------------------------------------


def test_without_the_boards_turns_are_tapped_and_rolls_are_read(playing):
    playing.session.watch(boards=False)
    playing.turn()
    playing.look()
    snapshot = playing.session.snapshot()
    assert (snapshot["status"], snapshot["notice"]["code"]) == ("watching", "boards_by_hand")
    playing.session.watch(boards=True)
    playing.look()
    assert playing.session.status == "proposal"


def test_without_the_dice_a_roll_is_tapped_and_turns_are_read(truth):
    truth.set_up()
    truth.fill()
    truth.session.watch(dice=False)
    roll = truth.deal()
    truth.session.see_roll(truth.dice)
    truth.look()
    say_dice(truth.session, roll)
    assert truth.told()
    assert truth.session.entries()[-1].by == "tap"
    truth.turn()
    truth.look()
    truth.session.confirm()
    assert truth.told()
