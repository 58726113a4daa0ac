"""The games of the tests, instead of those of the companion."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import companion.games
from tests.support.paths import CHECKOUT

FOLDER = CHECKOUT / "tests" / "games" / "others"


@contextmanager
def only_other_games() -> Iterator[None]:
    """Returns a context in which only the tests' games are found."""
    with mock.patch.object(companion.games, "__path__", [str(FOLDER)]):
        yield
