"""Games with the expansions of the box, entered by taps."""

from __future__ import annotations

import random
from collections.abc import Collection
from pathlib import Path

from companion.games import capabilities
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.state import TURN
from companion.journal import Journal
from companion.session import DRAFTING, TableSession
from tests.support.modules import setup_of

NAMES = ("extra_tiles", "white_castles", "inns", "border_posts", "trade_routes", "shields")
OF_EXPANSIONS = ("place", "shield", "buy", "free")
"""Words of moves by which expansions come into play."""


def new_game(folder: Path, *names: str, people: int = 2, duchy: str = "se-1") -> TableSession:
    """Returns a game with modules before it is set up."""
    setup = setup_of(duchy, people, modules=list(names))
    session = TableSession(burgundy(), Journal(folder / f"{len(names)}.journal"), setup)
    session.watch_nothing()
    return session


def by_hand(folder: Path, *names: str, people: int = 2, duchy: str = "se-1") -> TableSession:
    """Returns the first turn of a game with modules."""
    session = new_game(folder, *names, people=people, duchy=duchy)
    rng = random.Random(4)
    while session.state.stage != TURN:
        tap_at_random(session, rng)
    return session


def tap_at_random(
    session: TableSession, rng: random.Random, preferred: Collection[str] = OF_EXPANSIONS
) -> None:
    """Enters a move that chance or the player in turn may make now, more often one with a *preferred* word."""
    chance = capabilities.chance(session.rules)
    event = None if session.status == DRAFTING else chance.sample_chance(session.state, rng)
    if event is not None:
        session.tap(str(event))
        return
    legal = session.legal_moves()
    liked = [move for move in legal if move["word"] in preferred] if rng.random() < 0.6 else []
    session.tap(str(rng.choice(liked or legal)["text"]))
