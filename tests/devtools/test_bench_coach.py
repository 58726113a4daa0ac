"""The benchmark of the coach: games against the greedy bot, and its figures."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from companion.cli.bench_coach import to_json, to_text
from companion.cli.main import main
from companion.devtools.benchmarks.coach import CoachFigures

FIGURES = CoachFigures(games=4, wins=3, leads=(10, 20, -5, 15), answers_s=(0.5, 0.7, 0.6, 2.5))


def test_games_and_answers_are_measured() -> None:
    result = CliRunner().invoke(main, ["bench", "coach", "--games", "2", "--short", "--json"])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert (figures["games"], figures["answers"]) == (2, 4)
    assert figures["wins"] <= 2 and figures["answer_s_95"] > 0


def test_a_share_has_the_error_of_its_estimate() -> None:
    assert FIGURES.share == 0.75
    assert FIGURES.share_error == pytest.approx((0.625 * 0.375 / 8) ** 0.5)


def test_a_share_of_all_games_is_not_certain() -> None:
    assert CoachFigures(10, 10, [1] * 10, [1.0]).share_error > 0.05


def test_the_lead_has_the_error_of_its_mean() -> None:
    assert FIGURES.lead == 10
    assert FIGURES.lead_error == pytest.approx(5.4, abs=0.01)


def test_the_slowest_answers_count() -> None:
    assert to_json(FIGURES)["answer_s_95"] == 2.5


def test_the_text_names_the_targets() -> None:
    text = to_text(to_json(FIGURES))
    assert "3 of 4 games" in text and "70%" in text and "2 s" in text
