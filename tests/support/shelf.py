"""The installed games, and those of the tests' own beside them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import companion.games
from tests.support.paths import CHECKOUT

FOLDER = CHECKOUT / "tests" / "games" / "shelf"


@contextmanager
def more_games() -> Iterator[None]:
    """Has the tests' games installed as well."""
    with mock.patch.object(companion.games, "__path__", [*companion.games.__path__, str(FOLDER)]):
        yield
