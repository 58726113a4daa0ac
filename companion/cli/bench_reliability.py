"""``companion bench reliability``: what can go wrong during a game, caused on purpose."""

from __future__ import annotations

import json
import statistics
import sys
from typing import Any

import click

from companion.devtools.benchmarks.idle import AIM_PERCENT, PI_4_FACTOR
from companion.devtools.benchmarks.reliability.figures import Extent, ReliabilityFigures, measure

from .errors import warn

LONG = Extent(
    kills=1000,
    starts=20,
    cuts=100,
    jumps=400,
    confirmed=40,
    step=1,
    drops=200,
    hours=6.0,
    players=4,
    sitting_s=60,
)
SHORT = Extent(
    kills=10, starts=1, cuts=2, jumps=30, confirmed=8, step=199, drops=2, hours=0.01, players=2, sitting_s=2
)
GROWTH_AIM_MB, START_AIM_S, MEMORY_AIM_MB = 5, 2.0, 350


@click.command("reliability")
@click.option("--short", is_flag=True, help="Try a little of everything, for a few seconds only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_reliability(short: bool, as_json: bool) -> None:
    """End processes, cut the power, fill disks, damage files, unplug cameras, and play for six hours.

    The exit code is 1 if a confirmed entry was lost or duplicated, or anything ended in an unexpected way.
    """
    figures = measure(SHORT if short else LONG, lambda sentence: click.echo(sentence, err=True))
    click.echo(json.dumps(to_json(figures)) if as_json else to_text(figures))
    for failure in figures.failures:
        warn(failure)
    sys.exit(1 if figures.failures or figures.lost or figures.doubled else 0)


def to_json(figures: ReliabilityFigures) -> dict[str, Any]:
    """Returns all figures."""
    kills, disks, damage, soak = figures.kills, figures.disks, figures.damage, figures.soak
    return {
        "kills": kills.kills,
        "kills_while_starting": kills.while_starting,
        "confirmed": kills.reference.confirmed + (disks.reference.confirmed if disks else 0),
        "lost": figures.lost,
        "doubled": figures.doubled,
        "tracebacks": len(figures.failures),
        "journal_open_ms_median": round(statistics.median(kills.reference.start_ms), 1),
        "journal_open_ms_most": round(max(kills.reference.start_ms), 1),
        "starts": len(figures.start_s),
        "start_s_median": round(statistics.median(figures.start_s), 2) if figures.start_s else None,
        "start_s_most": round(max(figures.start_s), 2) if figures.start_s else None,
        "power_cuts": disks.cuts if disks else None,
        "power_cuts_while_writing": disks.torn if disks else None,
        "full_disks": disks.full if disks else None,
        "read_only_disks": disks.read_only if disks else None,
        "disks_skipped": figures.no_disks or None,
        "clock_jumps": figures.jumps,
        "flipped_bytes": damage.flipped,
        "flips_in_unused_room": damage.unnoticed,
        "flips_mended": damage.repaired,
        "flips_loss_told": damage.cut,
        "flips_whole_from_backup": damage.from_backup,
        "flips_refused": damage.refused,
        "camera_drops": figures.drops.drops,
        "camera_told_s_most": round(max(figures.drops.notified_s), 1),
        "camera_back_s_most": round(max(figures.drops.back_s), 1),
        "soak_hours": round(soak.hours, 2),
        "soak_games": soak.games,
        "soak_looks": soak.looks,
        "soak_pages": soak.pages,
        "growth_mb": round(soak.growth_mb, 1),
        "growth_between_games_mb": None if soak.between_games_mb is None else round(soak.between_games_mb, 1),
        "soak_memory_mb_most": round(soak.peak_mb),
        "idle_cpu_percent": round(figures.sitting.percent, 1),
        "idle_cpu_percent_of_a_pi_4": round(PI_4_FACTOR * figures.sitting.percent, 1),
        "memory_mb_most": round(figures.sitting.memory_mb),
    }


def to_text(figures: ReliabilityFigures) -> str:
    """Returns a line for each figure, with its aim."""
    result = to_json(figures)
    disks = figures.disks is not None
    rows = [
        (
            "processes ended by SIGKILL",
            f"{result['kills']}",
            f"{result['kills_while_starting']} while starting",
        ),
        (
            "  confirmed entries lost",
            f"{result['lost']}",
            f"target: 0 of {result['confirmed']}, power cuts included",
        ),
        ("  duplicated", f"{result['doubled']}", "target: 0"),
        (
            "journal opened after that, ms",
            f"{result['journal_open_ms_median']}",
            f"at most {result['journal_open_ms_most']}",
        ),
        (
            "from the command to an answered page, s",
            f"{result['start_s_median']}",
            f"at most {result['start_s_most']}; target: under {START_AIM_S:g}",
        ),
        (
            "power cuts on an ext4 file system",
            f"{result['power_cuts']}" if disks else "skipped",
            f"{result['power_cuts_while_writing']} while writing" if disks else figures.no_disks,
        ),
        (
            "full and read-only disks",
            f"{result['full_disks']} and {result['read_only_disks']}" if disks else "skipped",
            "nothing confirmed that was not saved" if disks else "",
        ),
        ("jumps of the clock", f"{result['clock_jumps']}", "the same game"),
        (
            "bytes of a journal changed",
            f"{result['flipped_bytes']}",
            f"{result['flips_in_unused_room']} in unused space, {result['flips_mended']} repaired, "
            f"{result['flips_loss_told']} with a reported loss (recovered from a backup: "
            f"{result['flips_whole_from_backup']}), {result['flips_refused']} refused",
        ),
        (
            "camera lost during a game",
            f"{result['camera_drops']}",
            f"reported within {result['camera_told_s_most']} s, "
            f"read again at most {result['camera_back_s_most']} s after it is back",
        ),
        (
            "hours of play",
            f"{result['soak_hours']}",
            f"{result['soak_looks']} looks, {result['soak_pages']} pages",
        ),
        (
            "  growth of memory, MB",
            f"{result['growth_mb']}",
            f"target: under {GROWTH_AIM_MB}; from game to game {result['growth_between_games_mb']}",
        ),
        (
            "idle with everything on, % of a core",
            f"{result['idle_cpu_percent']}",
            f"{result['idle_cpu_percent_of_a_pi_4']} of a Pi 4's, assumed to be {PI_4_FACTOR:g} times slower; "
            f"target: under {AIM_PERCENT:g}",
        ),
        ("memory with everything on, MB", f"{result['memory_mb_most']}", f"target: under {MEMORY_AIM_MB}"),
        ("unexpected errors", f"{result['tracebacks']}", "target: 0"),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        f"{what:<{widths[0]}}  {value:>{widths[1]}}  {note}".rstrip() for what, value, note in rows
    )
