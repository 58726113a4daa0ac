"""Several looks at a table at rest become one sighting."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.several_looks import combined, combined_dice
from vision.sighting import EMPTY, DieReading, PlaceReading, Sighting

MINE, SHIP = {"mine": 0.98, "ship": 0.02}, {"ship": 0.7, "mine": 0.3}
BOX = (100, 100, 30, 30)


def place(*looks: dict[str, float] | None) -> PlaceReading:
    """Returns the combined reading of a place; None is a look in which it was hidden."""
    readings = [
        PlaceReading({EMPTY: 0.0}, hidden=True) if look is None else PlaceReading(look) for look in looks
    ]
    return combined([Sighting({"depot:1:0": reading}) for reading in readings]).places["depot:1:0"]


def die(
    value: int | None, confidence: float = 0.9, colour: str = "red", box: tuple[int, int, int, int] = BOX
) -> DieReading:
    return DieReading(value, colour, box, confidence, None if value else "unclear")


def dice(*looks: Sequence[DieReading]) -> list[tuple[int | None, str]]:
    return [(one.value, one.colour) for one in combined_dice(looks)]


def test_one_look_is_what_was_seen() -> None:
    sighting = Sighting({"depot:1:0": PlaceReading(MINE)}, (die(3),), 12.0)
    assert combined([sighting]) is sighting


def test_a_place_misread_once_is_what_the_other_looks_say() -> None:
    assert place(SHIP, MINE, MINE).best == "mine"


def test_equal_looks_are_no_surer_than_one() -> None:
    """Their errors have the same causes, so they are no independent evidence."""
    assert place(MINE, MINE, MINE).probability("mine") == pytest.approx(0.98)


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=5))
def test_looks_combined_are_no_surer_than_the_surest(shares: list[float]) -> None:
    read = place(*({"mine": share, "ship": 1 - share} for share in shares)).probability("mine")
    assert min(shares) - 1e-9 <= read <= max(shares) + 1e-9


def test_a_place_hidden_in_some_looks_is_read_from_the_others() -> None:
    assert place(None, MINE, None) == PlaceReading(MINE)


def test_a_place_hidden_in_all_looks_is_hidden() -> None:
    assert place(None, None).hidden


def test_the_type_alone_counts_for_a_tile_whose_face_another_look_has_read() -> None:
    assert place({"monastery": 0.9}, {"monastery/7": 0.9, "monastery/8": 0.1}).best.startswith("monastery")


def test_a_die_misread_once_shows_what_the_other_looks_say() -> None:
    assert dice([die(3, 0.6)], [die(5)], [die(5)]) == [(5, "red")]


def test_a_die_that_one_look_could_not_read_has_a_value_and_more_doubt() -> None:
    (read,) = combined_dice([[die(None, 0.2)], [die(5)], [die(5)]])
    assert read.value == 5 and read.confidence < 0.9


def test_a_die_that_most_looks_could_not_read_has_none() -> None:
    (read,) = combined_dice([[die(None, 0.2)], [die(5)], [die(None, 0.2)]])
    assert (read.value, read.reason) == (None, "unclear")


def test_a_die_seen_in_most_looks_is_there_once() -> None:
    moved = (102, 99, 31, 30)
    assert dice([die(5)], [], [die(5, box=moved)]) == [(5, "red")]
    assert combined_dice([[die(5)], [], [die(5, box=moved)]])[0].box == moved


def test_what_only_one_look_of_three_takes_for_a_die_is_none() -> None:
    assert dice([], [die(2)], []) == []


def test_dice_that_touch_stay_two() -> None:
    beside = (128, 100, 30, 30)
    assert dice([die(5), die(2, box=beside)], [die(2, box=beside), die(5)]) == [(5, "red"), (2, "red")]


def test_a_die_has_the_colour_of_most_looks_with_more_doubt() -> None:
    (read,) = combined_dice([[die(5)], [die(5, colour="black")], [die(5)]])
    assert read.colour == "red" and read.confidence == pytest.approx(0.6, abs=0.02)
