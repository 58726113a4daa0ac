"""What several tests of the rules need."""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules import Burgundy
from tests.support.modules import more_modules


@pytest.fixture(scope="session")
def box() -> Burgundy:
    """The rules of a box that also has the tests' modules."""
    with more_modules() as rules:
        return rules
