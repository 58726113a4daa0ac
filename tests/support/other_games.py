"""The games of the tests, beside those of the companion or instead of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import companion.games
import web.games
from tests.support.paths import CHECKOUT

FOLDER = CHECKOUT / "tests" / "games" / "others"
PAGES = FOLDER / "pages"
"""The page parts of those that have one."""


@contextmanager
def only_other_games() -> Iterator[None]:
    """Returns a context in which only the tests' games are found."""
    with mock.patch.object(companion.games, "__path__", [str(FOLDER)]):
        yield


@contextmanager
def more_games() -> Iterator[None]:
    """Returns a context in which the tests' games are found beside those of the companion."""
    with (
        mock.patch.object(companion.games, "__path__", [*companion.games.__path__, str(FOLDER)]),
        mock.patch.object(web.games, "__path__", [*web.games.__path__, str(PAGES)]),
    ):
        yield
