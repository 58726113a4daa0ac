"""``companion bench idle``: the cost of watching a table on which nothing moves."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import click

from companion.devtools.benchmarks.idle import AIM_PERCENT, PI_4_FACTOR, IdleCost, measure

LONG_S, SHORT_S = 20.0, 2.0


@click.command("idle")
@click.option("--short", is_flag=True, help="Measure for a few seconds only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_idle(short: bool, as_json: bool) -> None:
    """Measure the processor time of the companion while nothing moves in front of its camera.

    The camera's library and connected pages are not included (for pages, see './run bench web').
    """
    costs = measure(SHORT_S if short else LONG_S)
    click.echo(json.dumps(to_json(costs)) if as_json else to_text(costs))


def to_json(costs: Sequence[IdleCost]) -> dict[str, Any]:
    """Returns all figures, and the load of the machine."""
    return {
        "load": round(os.getloadavg()[0], 1),
        "pi_4_factor": PI_4_FACTOR,
        "pictures": {
            cost.pictures: {
                "looks": cost.looks,
                "cpu_percent": round(cost.cpu_percent, 2),
                "pi_4_percent": round(cost.pi_4_percent, 1),
            }
            for cost in costs
        },
    }


def to_text(costs: Sequence[IdleCost]) -> str:
    """Returns one line for each kind of pictures."""
    rows = [
        f"{cost.pictures:<16}{cost.cpu_percent:>6.1f} % of a core here, about {cost.pi_4_percent:.0f} % of a Pi 4's  "
        f"target: under {AIM_PERCENT:.0f}"
        for cost in costs
    ]
    return "\n".join(rows)
