"""The gate of continuous integration: how many branches of the rules and of the table session the tests must reach."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tests.support.paths import CHECKOUT
from tests.support.scripts import script


@pytest.fixture(scope="module")
def gate() -> ModuleType:
    return script("coverage_gate")


def report(
    rules: tuple[int, int], session: tuple[int, int], modules: tuple[int, int] = (50, 50)
) -> dict[str, Any]:
    """Returns a coverage report of one file per room, from its numbers of branches and of covered branches."""
    files = {
        "companion/games/burgundy/rules/moves.py": rules,
        "companion/games/burgundy/modules/inns/module.py": modules,
        "companion/session/session.py": session,
        "companion/games/burgundy/plugin.py": (100, 0),
    }
    return {
        "files": {
            path: {"summary": {"num_branches": there, "covered_branches": reached}}
            for path, (there, reached) in files.items()
        }
    }


@pytest.mark.parametrize(
    ("rules", "session", "passes"),
    [
        ((100, 95), (200, 190), True),
        ((100, 94), (200, 200), False),
        ((100, 100), (200, 189), False),
        ((100, 100), (0, 0), False),
    ],
    ids=["at the gate", "rules below", "session below", "nothing measured"],
)
def test_each_room_has_to_reach_the_gate_alone(
    gate: ModuleType, rules: tuple[int, int], session: tuple[int, int], passes: bool
) -> None:
    _, passed = gate.evaluate(report(rules, session))
    assert passed is passes


def test_the_modules_have_to_reach_the_gate_too(gate: ModuleType) -> None:
    _, passed = gate.evaluate(report((100, 100), (200, 200), modules=(50, 47)))
    assert not passed


def test_the_figures_are_reported_for_each_room(gate: ModuleType) -> None:
    sentences, _ = gate.evaluate(report((100, 95), (200, 199)))
    assert sentences == [
        "coverage: 95 of 100 branches of companion/games/burgundy/rules are tested (95.0 %)",
        "coverage: 50 of 50 branches of companion/games/burgundy/modules are tested (100.0 %)",
        "coverage: 199 of 200 branches of companion/session are tested (99.5 %)",
    ]


def test_the_measured_rooms_exist(gate: ModuleType) -> None:
    assert [room for room in gate.ROOMS if not any((CHECKOUT / room).glob("*.py"))] == []
