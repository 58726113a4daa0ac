"""The game with modules of the tests' own beside those of the box, and positions of such games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from calibration.games.burgundy.facts import load_facts
from companion.games.burgundy import modules
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import Burgundy, GameState
from companion.games.burgundy.rules.state import TURN
from tests.support.paths import CHECKOUT
from tests.support.positions import COLOURS, clear_board, take_all

FOLDER = CHECKOUT / "tests" / "games" / "burgundy" / "modules"


@contextmanager
def more_modules() -> Iterator[Burgundy]:
    """Yields the rules of a box that also has the tests' modules, which are found by their folder alone."""
    with mock.patch.object(modules, "__path__", [*modules.__path__, str(FOLDER)]):
        box = burgundy()
        yield Burgundy(box.editions, box.duchies, modules.find(load_facts()), box.boards)


def setup_of(duchy: str = "se-1", people: int = 2, **more: Any) -> dict[str, Any]:
    """Returns the set-up of a game in which everybody plays the same duchy."""
    players = [{"colour": colour, "duchy": duchy} for colour in COLOURS[:people]]
    return {"edition": "special", "players": players, **more}


def played(rules: Burgundy, game: GameState, decisions: int, seed: int = 1) -> GameState:
    """Plays on at random."""
    rng = random.Random(seed)
    for _ in range(decisions):
        if not rules.is_over(game):
            rules.play(game, rules.sample_chance(game, rng) or rng.choice(rules.legal_moves(game)))
    return game


def first_turn(box: Burgundy, *modules: str, duchy: str = "se-1", people: int = 2, **more: Any) -> GameState:
    """Returns the first turn of a game with *modules*: the main board is empty, and all that people own is a castle."""
    game = box.new(setup_of(duchy, people, modules=list(modules), **more))
    while game.stage != TURN:
        played(box, game, 1)
    clear_board(game)
    for player in game.players:
        take_all(player)
    return game
