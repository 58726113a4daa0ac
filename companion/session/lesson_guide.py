"""Leads a learner through a lesson: which step is due follows from what has been played, so that undo leads back."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games import capabilities
from companion.games.lesson import Lesson, Step
from companion.players.search import Plan, plans

from .session import TableSession
from .status import DRAFTING

READ, DO, WAIT, OVER = "read", "do", "wait", "over"
"""What is to be done at a step: read it, make a move, let the other players play; and after the last one."""
MOST_CHANCE = 20
"""Times that the companion rolls or draws before somebody has to decide."""


@dataclass(frozen=True, slots=True)
class GuideView:
    """Where the learner is."""

    name: str
    """Of the step; empty after the last one."""
    number: int
    """From 1."""
    total: int
    kind: str
    move: Mapping[str, Any] | None = None
    """Description of a move that does what the step asks."""


class LessonGuide:
    """Represents a learner's way through a *lesson* that is played in *session*."""

    def __init__(self, session: TableSession, lesson: Lesson) -> None:
        self._session = session
        self._lesson = lesson
        self._passed: set[str] = set()
        """Steps that were read, or that could not be done when they were due."""
        self.is_stopped = False

    def begin(self) -> None:
        """Sets up the game, as far as it is not yet."""
        for text in self._lesson.start:
            if text in [move["text"] for move in self._session.legal_moves()]:
                self._session.tap(text)
        self.draw()

    def draw(self) -> None:
        """Rolls and draws until somebody has to decide; the companion does so for as long as the lesson goes on."""
        for _ in range(MOST_CHANCE):
            if self.is_stopped or not self._session.read(_awaits_chance):
                return
            self._session.draw()

    def go_on(self) -> None:
        """Leaves a step that has been read."""
        step = self._step()
        if step is not None and step.accepts is None:
            self._passed.add(step.name)
            self._session.announce_change()

    def stop(self) -> None:
        """Ends the lesson; the game may go on."""
        self.is_stopped = True
        self._session.announce_change()

    def view(self) -> GuideView | None:
        """Returns what is to be done now; None once the lesson has been ended."""
        if self.is_stopped:
            return None
        step, total = self._step(), len(self._lesson.steps)
        if step is None:
            return GuideView("", total, total, OVER)
        number = self._lesson.steps.index(step) + 1
        if step.accepts is None:
            return GuideView(step.name, number, total, READ)
        if not self._session.read(self._is_learners_turn):
            return GuideView(step.name, number, total, WAIT)
        return GuideView(step.name, number, total, DO, self._suggested(step))

    def _step(self) -> Step | None:
        """Returns the first step that is neither done nor passed; a step that cannot be done any more is passed."""
        while (step := self._session.read(self._due)) is not None:
            if (
                step.accepts is None
                or not self._session.read(self._is_learners_turn)
                or self._suggested(step)
            ):
                return step
            self._passed.add(step.name)
        return None

    def _due(self, session: TableSession) -> Step | None:
        moves, at = self._played(session), 0
        for step in self._lesson.steps:
            if step.name in self._passed:
                continue
            found = next((i for i in range(at, len(moves)) if step.accepts and step.accepts(moves[i])), None)
            if found is None:
                return step
            at = found + 1
        return None

    def _played(self, session: TableSession) -> list[Mapping[str, Any]]:
        """Returns the descriptions of the learner's moves so far."""
        own = [entry for entry in session.entries() if entry.player == self._lesson.learner]
        recorded = [session.rules.describe(move) for entry in own for move in entry.moves]
        return [*recorded, *session.snapshot()["draft"]]

    def _is_learners_turn(self, session: TableSession) -> bool:
        return session.rules.to_move(session.shown_state) == self._lesson.learner

    def _suggested(self, step: Step) -> Mapping[str, Any] | None:
        """Returns the move that does what *step* asks and begins the turn that does most of the next steps, too; None
        if there is none."""
        rules, state = self._session.rules, self._session.read(lambda s: s.shown_state.copy())
        accepts = step.accepts
        fitting = [plan for plan in plans(rules, state) if accepts and accepts(rules.describe(plan.moves[0]))]
        if not fitting:
            return None
        return rules.describe(max(fitting, key=lambda plan: self._steps_done(step, plan)).moves[0])

    def _steps_done(self, first: Step, plan: Plan) -> int:
        """Returns how many steps from *first* on *plan* does."""
        steps = self._lesson.steps[self._lesson.steps.index(first) :]
        accepted = [step.accepts for step in steps if step.accepts is not None]
        done = 0
        for move in map(self._session.rules.describe, plan.moves):
            done += done < len(accepted) and accepted[done](move)
        return done


def _awaits_chance(session: TableSession) -> bool:
    chance = capabilities.chance(session.rules)
    return session.status != DRAFTING and chance.sample_chance(session.state, random.Random()) is not None
