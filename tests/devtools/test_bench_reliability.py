"""``companion bench reliability``: a little of everything, and that it would notice what it looks for."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import bench_reliability
from companion.cli.main import main
from companion.devtools.benchmarks.reliability import clocks, damage
from companion.devtools.benchmarks.reliability import figures as all_figures
from companion.devtools.benchmarks.reliability.cameras import CameraDropFigures
from companion.devtools.benchmarks.reliability.clocks import jump
from companion.devtools.benchmarks.reliability.crashes import CrashFigures
from companion.devtools.benchmarks.reliability.damage import DamageFigures, flip
from companion.devtools.benchmarks.reliability.figures import ReliabilityFigures
from companion.devtools.benchmarks.reliability.full_load import LoadFigures
from companion.devtools.benchmarks.reliability.reference import Reference
from companion.devtools.benchmarks.reliability.scripted_player import Confirmed, Confirming, Resumed
from companion.devtools.benchmarks.reliability.soak import SoakFigures, Window

KEYS = {"kills", "camera_drops", "lost", "doubled", "tracebacks", "flipped_bytes", "soak_hours", "growth_mb"}


def up(*written: tuple[str, str]) -> Resumed:
    return Resumed(1.0, written, False)


def reference_of(*messages: Any) -> Reference:
    reference = Reference()
    for one in messages:
        reference.receive(one)
    return reference


def test_a_missing_confirmed_record_is_lost() -> None:
    assert reference_of(up(("a", "1")), Confirming(), Confirmed("b"), up(("a", "1"))).lost == 1


def test_a_record_that_was_there_and_is_another_one_is_lost() -> None:
    assert reference_of(up(("a", "1"), ("b", "2")), up(("a", "1"), ("c", "2"))).lost == 1


def test_a_record_being_confirmed_may_or_may_not_be_there() -> None:
    for then in (up(("a", "1")), up(("a", "1"), ("b", "2"), ("c", "2"))):
        reference = reference_of(up(("a", "1")), Confirming(), then)
        assert (reference.lost, reference.doubled) == (0, 0)


def test_more_than_the_record_being_confirmed_is_doubled() -> None:
    assert reference_of(up(("a", "1")), Confirming(), up(("a", "1"), ("b", "2"), ("c", "3"))).doubled == 1
    assert (
        reference_of(
            up(("a", "1")), Confirming(), Confirmed("b"), up(("a", "1"), ("b", "2"), ("c", "3"))
        ).doubled
        == 1
    )


def test_changed_bytes_are_noticed_or_without_effect() -> None:
    figures = flip(confirmed=6, step=301)
    assert figures.failures == [] and figures.flipped > 60
    assert figures.cut == figures.from_backup > 0 and figures.repaired > 0
    assert figures.flipped == figures.unnoticed + figures.repaired + figures.cut + figures.refused


def test_another_game_without_a_word_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the digests were not looked at."""
    monkeypatch.setattr(damage, "open_journal", lambda path, backups=(): (Fake(), None))

    class Fake:
        def append(self, kind: str, body: Any) -> None: ...

        def lines(self) -> list[str]:
            return ["another", "one"]

        def close(self) -> None: ...

    assert "another game" in flip(confirmed=1, step=9999).failures[0]


def test_a_clock_that_jumps_changes_nothing() -> None:
    jumps, failures = jump(confirmed=25)
    assert jumps > 25 and failures == []


def test_a_change_by_a_clock_jump_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    played = iter([{"state": "a"}, {"state": "b"}])
    monkeypatch.setattr(clocks, "_played", lambda confirmed, seed: next(played))
    assert jump(1)[1] == ["state: b instead of a"]


SITTING = LoadFigures(1.3, 245, 298.3)
"""Measured by the command; here it would draw a table once more."""


def test_memory_before_and_after_a_window_does_not_count_in_it() -> None:
    window = Window(until=20.0, length=10.0)
    for now, mb in ((5.0, 1.0), (10.0, 9.0), (15.0, 4.0), (20.0, 7.0), (25.0, 2.0)):
        window.note(now, mb)
    assert window.least == 4.0


@pytest.mark.slow
def test_every_measurement_runs_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_figures, "measure_load", lambda seconds: SITTING)
    little = replace(
        bench_reliability.SHORT, kills=4, cuts=1, jumps=5, confirmed=2, step=997, drops=1, hours=0.02
    )
    figures = all_figures.measure(little, lambda sentence: None)
    document = bench_reliability.to_json(figures)
    assert document.keys() >= KEYS and json.loads(json.dumps(document)) == document
    assert figures.failures == () and (
        document["lost"],
        document["doubled"],
        figures.kills.reference.repaired,
    ) == (
        0,
        0,
        0,
    )
    assert (document["kills"], document["starts"]) == (4, 1) and document["soak_pages"] > 0
    assert "target: under 5" in bench_reliability.to_text(figures)


def test_a_loss_ends_the_command_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    lossy = reference_of(up(("a", "1")), up())
    figures = ReliabilityFigures(
        kills=CrashFigures(kills=1, reference=lossy),
        start_s=(),
        disks=None,
        no_disks="only root can mount disks",
        jumps=1,
        damage=DamageFigures(),
        drops=CameraDropFigures(1, [1.0], [1.0]),
        soak=SoakFigures(0.0, 0, 0, 0, 0.0, None, 0.0, ()),
        sitting=SITTING,
        failures=(),
    )
    monkeypatch.setattr(bench_reliability, "measure", lambda extent, report: figures)
    result = CliRunner().invoke(main, ["bench", "reliability", "--short"])
    assert result.exit_code == 1 and "only root can mount disks" in result.stdout
