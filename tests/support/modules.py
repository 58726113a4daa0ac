"""The game with a module of the tests' own beside those of the box."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from calibration.games.burgundy.facts import load_facts
from companion.games.burgundy import modules
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import Burgundy
from tests.support.paths import CHECKOUT

FOLDER = CHECKOUT / "tests" / "games" / "burgundy" / "modules"


@contextmanager
def more_modules() -> Iterator[Burgundy]:
    """Yields the rules of a box that also has the tests' modules, which are found by their folder alone."""
    with mock.patch.object(modules, "__path__", [*modules.__path__, str(FOLDER)]):
        box = burgundy()
        yield Burgundy(box.editions, box.duchies, modules.find(load_facts()), box.boards)
