"""Shields at the table: what a press is enough for at the end of a phase."""

from __future__ import annotations

import random
from pathlib import Path

from companion.games.burgundy.modules.shields.upkeep import UPKEEP
from companion.journal import Journal
from companion.session import TableSession
from tests.support.modules import setup_of
from tests.support.positions import RULES
from tests.support.sightings import sighting_of


def at_upkeep(path: Path) -> TableSession:
    """Returns a game in which somebody decides about the upkeep of a shield; the table is watched from now on."""
    session, rng = TableSession(RULES, Journal(path), setup_of(modules=["shields"])), random.Random(2)
    session.watch_nothing()
    while session.state.stage != UPKEEP:
        state = session.read(lambda one: one._context.shown_state)
        legal = RULES.legal_moves(state)
        shields = [move for move in legal if str(move).startswith("shield ")]
        session.tap(str(RULES.sample_chance(state, rng) or rng.choice(shields or legal)))
    session.watch(**dict.fromkeys(session.watchable, True))
    return session


def test_one_press_pays_for_the_shields_that_lie_there_as_before(tmp_path: Path) -> None:
    session = at_upkeep(tmp_path / "game")
    player = session.state.player
    player.silver = max(player.silver, 3)
    session.observe(sighting_of(RULES, session.state))
    assert session.status == "proposal"
    session.confirm()
    assert [str(move) for move in session.entries()[-1].moves] == ["upkeep"]


def test_a_shield_that_was_taken_away_is_given_up(tmp_path: Path) -> None:
    session = at_upkeep(tmp_path / "game")
    after = session.state.copy()
    forgo = next(move for move in RULES.legal_moves(after) if str(move).startswith("forgo"))
    RULES.play(after, forgo)
    session.observe(sighting_of(RULES, after))
    assert str(forgo) in [str(move) for move in session.explanations[0].moves]
