"""The page's figures, and malformed requests against it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from companion.cli.bench_web import to_json, to_text
from companion.devtools.benchmarks.fuzz import FuzzFigures, fuzz
from companion.devtools.benchmarks.web import WebFigures

FUZZED = FuzzFigures(3, {200: 1, 404: 1, 500: 1}, ("GET /x: 500",), False)
WEB = WebFigures(tuple(map(float, range(1, 101))), 412.4, 187.6, 1.25, 0)


def test_malformed_requests_find_no_server_error_and_change_no_game() -> None:
    found = fuzz(1500, seed=2)
    assert found.failures == () and not found.changed
    assert sum(found.by_status.values()) == 1500


def test_malformed_requests_get_past_the_token_and_are_refused() -> None:
    """Else the commands behind it would not be tried."""
    statuses = fuzz(3000, seed=1).by_status
    assert {200, 400, 403, 404, 405, 413, 422} <= set(statuses)


def test_server_errors_are_counted() -> None:
    assert FUZZED.server_errors == 1


def test_the_percentile_is_one_of_the_measured_times() -> None:
    assert (WEB.press_p95, WEB.press_median) == (95.0, 50.5)


def test_the_figures_are_reported_as_json_and_as_text() -> None:
    keys = {
        "press_to_page_ms_p95",
        "first_load_ms",
        "page_kb",
        "idle_cpu_percent",
        "axe_violations",
        "fuzz_requests",
        "fuzz_5xx",
    }
    assert keys <= set(json.loads(json.dumps(to_json(WEB, FUZZED))))
    assert "target: under 100" in to_text(WEB, FUZZED)


@pytest.mark.slow
@pytest.mark.browser
def test_bench_web_measures_in_a_browser(chromium: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a browser of its own; the fixture is there to skip without chromium."""
    from companion.cli import bench_web
    from companion.cli.main import main

    monkeypatch.setitem(bench_web.SHORT, "presses", 3)
    monkeypatch.setitem(bench_web.SHORT, "idle_s", 1.0)
    monkeypatch.setitem(bench_web.SHORT, "requests", 50)
    import threading

    result: list[object] = []
    thread = threading.Thread(
        target=lambda: result.append(CliRunner().invoke(main, ["bench", "web", "--short", "--json"]))
    )
    thread.start()  # Playwright allows one event loop a thread, and this one has the fixture's
    thread.join(timeout=200)
    figures = json.loads(result[0].stdout)  # type: ignore[attr-defined]
    assert figures["presses"] >= 3 and figures["press_to_page_ms_p95"] > 0
    assert figures["axe_violations"] == 0 and figures["page_kb"] > 10
