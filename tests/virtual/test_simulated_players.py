"""How simulated players arrange things whose order is free."""

from __future__ import annotations

import pytest

from companion.virtual.simulated_players import rearranged


@pytest.mark.parametrize(
    ("before", "labels", "after"),
    [
        (("mine", "empty", "ship"), ("castle", "mine", "ship"), ("mine", "castle", "ship")),
        (("mine", "castle", "ship"), ("castle", "ship", "empty"), ("empty", "castle", "ship")),
        (("mine", "mine", "empty"), ("mine", "empty", "empty"), ("mine", "empty", "empty")),
    ],
)
def test_what_stays_keeps_its_place(
    before: tuple[str, ...], labels: tuple[str, ...], after: tuple[str, ...]
) -> None:
    assert rearranged(before, labels) == after


def test_a_group_that_grows_gets_places_at_its_end() -> None:
    assert rearranged(("mine", "castle", "ship"), ("castle", "inn", "mine", "ship", "empty")) == (
        "mine",
        "castle",
        "ship",
        "inn",
        "empty",
    )


def test_a_group_that_shrinks_brings_what_lay_beyond_to_its_free_places() -> None:
    assert rearranged(("empty", "castle", "empty", "inn", "ship"), ("castle", "inn", "ship")) == (
        "inn",
        "castle",
        "ship",
    )
