"""Numbers of things in English messages."""

from __future__ import annotations

import pytest

from calibration.counting import counted


@pytest.mark.parametrize(("number", "text"), [(0, "0 games"), (1, "1 game"), (2, "2 games")])
def test_one_thing_is_singular(number: int, text: str) -> None:
    assert counted(number, "game") == text


def test_another_plural_is_given() -> None:
    assert [counted(number, "entry", "entries") for number in (1, 2)] == ["1 entry", "2 entries"]
