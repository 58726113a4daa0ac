"""Shields at the table: what a press is enough for at the end of a phase."""

from __future__ import annotations

import random
from pathlib import Path

from companion.games.burgundy.modules.shields.upkeep import UPKEEP
from companion.session import TableSession
from tests.support.expansions import new_game, tap_at_random
from tests.support.positions import RULES
from tests.support.sightings import sighting_of


def at_upkeep(folder: Path) -> TableSession:
    """Returns a game in which somebody decides about the upkeep of a shield; the table is watched from now on."""
    session, rng = new_game(folder, "shields"), random.Random(2)
    while session.state.stage != UPKEEP:
        tap_at_random(session, rng, preferred=("shield",))
    session.watch(**dict.fromkeys(session.watchable, True))
    return session


def test_one_press_pays_for_the_shields_that_lie_there_as_before(tmp_path: Path) -> None:
    session = at_upkeep(tmp_path)
    player = session.state.player
    player.silver = max(player.silver, 3)
    session.observe(sighting_of(RULES, session.state))
    assert session.status == "proposal"
    session.confirm()
    assert [str(move) for move in session.entries()[-1].moves] == ["upkeep"]


def test_a_shield_that_was_taken_away_is_given_up(tmp_path: Path) -> None:
    session = at_upkeep(tmp_path)
    after = session.state.copy()
    forgo = next(move for move in RULES.legal_moves(after) if str(move).startswith("forgo"))
    RULES.play(after, forgo)
    session.observe(sighting_of(RULES, after))
    assert str(forgo) in [str(move) for move in session.explanations[0].moves]
