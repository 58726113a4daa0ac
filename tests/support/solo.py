"""One person against the Châteauma, for the tests of its turns at the table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from companion.games.burgundy.plugin import burgundy
from companion.journal import Journal
from companion.players.bots import greedy_bot
from companion.session import TableSession
from companion.virtual.demo import demo_setup
from tests.support.sightings import sighting_of
from vision.sighting import DieReading

RULES = burgundy()


def next_move(truth: Any, rng: random.Random, bot: Any) -> Any:
    """Returns the next move of the true game: chance, visible events first, else the *bot*."""
    move = RULES.sample_chance(truth, rng)
    if move in RULES.unobserved_chance_moves(truth) and RULES.expected_layouts(truth):
        move = None
    return move or bot(RULES, truth)


class Solo:
    """A true game, and a session that gets its moves by taps or sightings."""

    def __init__(
        self,
        seed: int = 1,
        pieces: str = "virtual",
        modules: Sequence[str] = (),
        unanswered: Sequence[str] = (),
    ) -> None:
        """*unanswered* are the owner's answers that are missing."""
        self.setup = demo_setup(2, seed, chateauma="intermediate", pieces=pieces, modules=modules)
        for name in unanswered:
            del self.setup["chateauma"][name]
        self.session = TableSession(RULES, Journal(":memory:"), self.setup)
        self.truth: Any = RULES.new(self.setup)
        self._rng, self._bot = random.Random(seed), greedy_bot(seed)

    def next_move(self) -> Any:
        return next_move(self.truth, self._rng, self._bot)

    def tap(self, move: Any) -> None:
        RULES.apply(self.truth, move)
        self.session.tap(str(move))

    def until(self, word: str) -> Any:
        """Plays until the next move is of that kind; returns it without making it."""
        while (move := self.next_move()).word != word:
            self.tap(move)
        return move

    def look(self, *dice: DieReading, wrong: Any = None) -> None:
        self.session.observe(sighting_of(RULES, self.truth, dice, **({"wrong": wrong} if wrong else {})))

    @property
    def in_sync(self) -> bool:
        return bool(self.session.state.state_hash() == self.truth.state_hash())
