"""The guide of a lesson: it follows what the learner does, and never leads into a dead end."""

from __future__ import annotations

import random

import pytest

from companion.games.burgundy.plugin import PLUGIN
from companion.games.lesson import LESSON, Lesson
from companion.journal import Journal
from companion.session import TableSession
from companion.session.lesson_guide import DO, OVER, READ, WAIT, GuideView, LessonGuide

MOST_STEPS = 200


class Learner:
    """Somebody at the beginning of the lesson."""

    def __init__(self) -> None:
        assert PLUGIN.lesson is not None
        self.lesson: Lesson = PLUGIN.lesson
        self.session = TableSession(PLUGIN.rules(), Journal(":memory:"), self.lesson.setup)
        self.session.watch_nothing()
        self.guide = LessonGuide(self.session, self.lesson)
        self.guide.begin()

    @property
    def view(self) -> GuideView:
        view = self.guide.view()
        assert view is not None
        return view

    def follow(self) -> GuideView:
        """Does what the guide asks; returns what was asked."""
        asked = self.view
        if asked.kind == READ:
            self.guide.go_on()
        elif asked.kind == DO:
            assert asked.move is not None
            self.session.tap(asked.move["text"])
        elif asked.kind == WAIT:
            self.session.confirm()
        self.guide.draw()
        return asked

    def until(self, name: str) -> None:
        while self.view.name != name:
            self.follow()

    def to_end(self) -> list[GuideView]:
        asked = [self.follow()]
        while asked[-1].kind != OVER and len(asked) < MOST_STEPS:
            asked.append(self.follow())
        return asked


@pytest.fixture
def learner() -> Learner:
    return Learner()


def test_every_step_is_shown_and_done_in_order(learner: Learner) -> None:
    done = [view.name for view in learner.to_end() if view.kind in (READ, DO)]
    assert done == [step.name for step in learner.lesson.steps]


def test_what_is_suggested_is_legal_and_what_the_step_asks(learner: Learner) -> None:
    accepted = {step.name: step.accepts for step in learner.lesson.steps}
    while (view := learner.view).kind != OVER:
        if view.move is not None:
            assert view.move["text"] in [move["text"] for move in learner.session.legal_moves()]
            accepts = accepted[view.name]
            assert accepts is not None and accepts(view.move)
        learner.follow()


def test_the_lesson_is_the_same_each_time() -> None:
    first, second = (learner.to_end() for learner in (Learner(), Learner()))
    assert first == second


def test_undo_leads_back_to_the_step_before(learner: Learner) -> None:
    learner.until("place")
    learner.session.undo()
    assert learner.view.name == "take"


def test_another_move_of_the_kind_that_is_asked_counts_as_well(learner: Learner) -> None:
    learner.until("take")
    suggested = learner.view.move
    other = next(
        move["text"]
        for move in learner.session.legal_moves()
        if move["word"] == "take" and not move["workers"] and move["text"] != (suggested or {})["text"]
    )
    learner.session.tap(other)
    assert learner.view.name != "take"


def test_a_step_that_cannot_be_done_any_more_is_left_out(learner: Learner) -> None:
    learner.until("take")
    for _ in range(2):
        workers = next(move["text"] for move in learner.session.legal_moves() if move["word"] == "workers")
        learner.session.tap(workers)
    assert learner.view.name not in ("take", "place")


def test_while_the_opponent_plays_the_learner_is_told_to_wait(learner: Learner) -> None:
    learner.until("end")
    learner.follow()
    assert learner.view.kind == WAIT


def test_the_companion_rolls_and_draws_by_itself(learner: Learner) -> None:
    learner.to_end()
    drawn = [entry for entry in learner.session.entries() if entry.by == "drawn"]
    assert len(drawn) >= 3 and not learner.session.awaits_roll


def test_a_lesson_that_is_stopped_leaves_the_game_to_be_played_on(learner: Learner) -> None:
    learner.until("end")
    learner.guide.stop()
    assert learner.guide.view() is None and learner.session.legal_moves()


@pytest.mark.parametrize("seed", range(8))
def test_a_learner_who_does_something_else_is_never_stuck(learner: Learner, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(MOST_STEPS):
        if learner.view.kind == OVER:
            return
        if learner.view.kind == DO and rng.random() < 0.6:
            learner.session.tap(rng.choice(learner.session.legal_moves())["text"])
            learner.guide.draw()
        else:
            learner.follow()
    pytest.fail("the lesson does not end")


def test_a_lesson_needs_no_answers_about_the_owners_copy(learner: Learner) -> None:
    assert learner.session.setup[LESSON] and not learner.session.rules.is_over(learner.session.state)
