"""What watching a still table costs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from companion.cli import bench_idle
from companion.cli.bench_idle import to_json, to_text
from companion.devtools.benchmarks import idle
from companion.devtools.benchmarks.idle import IdleCost

COSTS = [IdleCost("JPEG", 200, 1.5)]


def test_the_figures_are_reported_as_json_and_as_text() -> None:
    document = json.loads(json.dumps(to_json(COSTS)))
    assert document["pictures"]["JPEG"] == {"looks": 200, "cpu_percent": 1.5, "pi_4_percent": 7.5}
    assert "about 8 % of a Pi 4's" in to_text(COSTS) and "target: under 15" in to_text(COSTS)


def test_every_kind_of_pictures_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle, "REST_AFTER_S", -1.0)
    monkeypatch.setattr(bench_idle, "SHORT_S", 0.5)
    result = CliRunner().invoke(bench_idle.bench_idle, ["--short", "--json"])
    assert result.exit_code == 0
    pictures = json.loads(result.output)["pictures"]
    assert list(pictures) == ["preview stream", "JPEG", "whole"]
    assert all(cost["looks"] > 0 and cost["cpu_percent"] > 0 for cost in pictures.values())
