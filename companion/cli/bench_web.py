"""``companion bench web``: the page in a real browser, and against malformed requests."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from companion.devtools.benchmarks.fuzz import FuzzFigures, fuzz
from companion.devtools.benchmarks.web import (
    IDLE_AIM_PERCENT,
    LOAD_AIM_MS,
    PRESS_AIM_MS,
    SIZE_AIM_KB,
    WebFigures,
    measure,
)

from .errors import warn

LONG: dict[str, Any] = {"presses": 150, "idle_s": 30.0, "requests": 100_000}
SHORT: dict[str, Any] = {"presses": 20, "idle_s": 5.0, "requests": 2_000}


@click.command("web")
@click.option("--short", is_flag=True, help="Measure for a few seconds only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_web(short: bool, as_json: bool) -> None:
    """Measure the page in chromium, and send it malformed requests.

    The exit code is 1 if a request caused a server error or changed the game.
    """
    extent = SHORT if short else LONG
    web = measure(extent["presses"], extent["idle_s"])
    fuzzed = fuzz(extent["requests"])
    click.echo(json.dumps(to_json(web, fuzzed)) if as_json else to_text(web, fuzzed))
    for failure in fuzzed.failures:
        warn(failure)
    sys.exit(1 if fuzzed.server_errors or fuzzed.changed else 0)


def to_json(web: WebFigures, fuzzed: FuzzFigures) -> dict[str, Any]:
    """Returns all figures."""
    return {
        "presses": len(web.press_ms),
        "press_to_page_ms_median": round(web.press_median, 1),
        "press_to_page_ms_p95": round(web.press_p95, 1),
        "first_load_ms": round(web.first_load_ms),
        "page_kb": round(web.page_kb, 1),
        "idle_cpu_percent": round(web.idle_cpu_percent, 1),
        "axe_violations": web.axe_violations,
        "fuzz_requests": fuzzed.requests,
        "fuzz_5xx": fuzzed.server_errors,
        "fuzz_changed_game": fuzzed.changed,
        "fuzz_by_status": {str(status): count for status, count in sorted(fuzzed.by_status.items())},
    }


def to_text(web: WebFigures, fuzzed: FuzzFigures) -> str:
    """Returns one line for each figure, with its aim."""
    answers = ", ".join(f"{count} × {status}" for status, count in sorted(fuzzed.by_status.items()))
    rows = [
        ("press to page, ms, 95th percentile", f"{web.press_p95:.0f}", f"under {PRESS_AIM_MS}"),
        ("  median", f"{web.press_median:.0f}", f"{len(web.press_ms)} presses, at the pin"),
        ("first load, ms", f"{web.first_load_ms:.0f}", f"under {LOAD_AIM_MS}"),
        ("  total, kB", f"{web.page_kb:.0f}", f"under {SIZE_AIM_KB}"),
        ("10 pages while idle, % of a core", f"{web.idle_cpu_percent:.1f}", f"under {IDLE_AIM_PERCENT}"),
        ("violations of axe rules (WCAG 2.2 AA)", f"{web.axe_violations}", "0"),
        (
            "malformed requests answered with 5xx",
            f"{fuzzed.server_errors}",
            f"0 of {fuzzed.requests}: {answers}",
        ),
        ("  the game was changed", "yes" if fuzzed.changed else "no", "no"),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(f"{what:<{widths[0]}}  {value:>{widths[1]}}  target: {aim}" for what, value, aim in rows)
