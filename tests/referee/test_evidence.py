"""Evidence: probabilities of places and groups."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.referee.evidence import FLOOR, Evidence, _best_assignment
from vision.sighting import PlaceReading, Sighting


def evidence(labels: Mapping[str, str] | None = None, **places: Mapping[str, float]) -> Evidence:
    return Evidence(Sighting({k.replace("_", ":"): PlaceReading(v) for k, v in places.items()}), labels or {})


def test_an_answer_overrides_the_reading() -> None:
    e = evidence({"black:0": "castle"}, black_0={"mine": 0.9})
    assert (e.probability("black:0", "castle"), e.probability("black:0", "mine")) == (1.0, FLOOR)


def test_a_reading_of_only_the_type_fits_every_variant() -> None:
    assert evidence(black_0={"building": 0.9}).probability("black:0", "building/bank") == 0.9


def test_a_thing_with_another_on_it_is_still_there() -> None:
    e = evidence(duchy_red_4={"castle/shield_7": 0.9, "castle": 0.05})
    assert e.presence_probability("duchy:red:4", "castle") == pytest.approx(0.95)
    assert e.presence_probability("duchy:red:4", "mine") == FLOOR
    assert e.presence_probability("duchy:red:5", "mine") == 1.0


def test_a_place_that_is_hidden_or_not_read_rules_nothing_out() -> None:
    hidden = Evidence(Sighting({"black:0": PlaceReading({"mine": 1.0}, hidden=True)}))
    assert hidden.probability("black:0", "castle") == 1.0
    assert Evidence(Sighting()).probability("black:0", "castle") == 1.0


def test_things_in_an_unordered_group_may_be_in_any_order() -> None:
    e = evidence(storage_0={"mine": 0.9}, storage_1={"castle": 0.8})
    assert e.log_likelihood("storage", ("castle", "mine"), True) == pytest.approx(math.log(0.72))
    assert e.log_likelihood("storage", ("castle", "mine"), False) == pytest.approx(2 * math.log(FLOOR))


def test_no_labels_fit_better_than_the_likeliest_ones() -> None:
    e = evidence(black_0={"mine": 0.6, "castle": 0.3}, black_1={"castle": 0.8})
    greatest = e.greatest_log_likelihood({"black": ("castle", "empty", "not read")})
    assert greatest == e.log_likelihood("black", ("mine", "castle", "anything"), False)
    assert greatest > e.log_likelihood("black", ("castle", "castle", "anything"), False)


def test_a_contradiction_names_the_place() -> None:
    e = evidence(black_0={"mine": 0.99}, black_1={"castle": 0.99})
    (against,) = e.contradictions("black", ("mine", "empty"), False)
    assert (against.place, against.expected, against.read, against.sure) == (
        "black:1",
        "empty",
        "castle",
        True,
    )


def test_the_reading_of_a_distrusted_place_is_ignored() -> None:
    e = replace(evidence(black_0={"mine": 0.99}), distrusted={"black:0"})
    assert e.reading("black:0") is None
    assert e.contradictions("black", ("castle",), False) == []


def test_absence_is_the_probability_that_no_place_has_the_label() -> None:
    e = evidence(goods_0={"goods/1": 0.5}, goods_1={"goods/1": 0.2})
    assert e.absence_probability("goods", "goods/1", 2) == pytest.approx(0.4)


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(st.lists(st.floats(-9, 0), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_the_best_assignment_is_that_of_trying_all(table: list[list[float]]) -> None:
    size = len(table)
    best = max(sum(table[i][c] for i, c in enumerate(p)) for p in itertools.permutations(range(size)))
    total, chosen = _best_assignment(table)
    assert total == pytest.approx(best)
    assert sorted(chosen) == list(range(size))
    assert sum(table[i][c] for i, c in enumerate(chosen)) == pytest.approx(best)
