"""Runs all reliability benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .cameras import CameraDropFigures, drop
from .clocks import jump
from .crashes import CrashFigures, crash
from .damage import DamageFigures, flip
from .disks import DiskFigures, NoDisksError, fail_disks
from .full_load import LoadFigures, measure_load
from .soak import SoakFigures, soak
from .starts import start


@dataclass(frozen=True, slots=True)
class Extent:
    """Extent of the benchmarks."""

    kills: int
    starts: int
    cuts: int
    """Power cuts."""
    jumps: int
    """Confirmations while the clock jumps."""
    confirmed: int
    """Confirmations in the journal whose bytes are changed."""
    step: int
    """Every how many bytes one is changed."""
    drops: int
    """Disconnections of a camera."""
    hours: float
    """Hours of table time."""
    players: int
    sitting_s: float


@dataclass(frozen=True)
class ReliabilityFigures:
    """All figures."""

    kills: CrashFigures
    start_s: tuple[float, ...]
    disks: DiskFigures | None
    no_disks: str
    """Why disks were not tested, if they were not."""
    jumps: int
    damage: DamageFigures
    drops: CameraDropFigures
    soak: SoakFigures
    sitting: LoadFigures
    failures: tuple[str, ...]
    """All failures, one line each."""

    @property
    def lost(self) -> int:
        return self.kills.reference.lost + (self.disks.reference.lost if self.disks else 0)

    @property
    def doubled(self) -> int:
        return self.kills.reference.doubled + (self.disks.reference.doubled if self.disks else 0)


def measure(extent: Extent, report: Callable[[str], None]) -> ReliabilityFigures:
    """Runs everything; *report* prints the progress, as it takes an hour."""
    report(f"killing {extent.kills} processes")
    kills = crash(extent.kills)
    report(f"{kills.reference.lost} lost, {kills.reference.doubled} doubled of {kills.reference.confirmed}")
    start_s, failures = start(extent.starts)
    disks, no_disks = None, ""
    report(f"cutting the power {extent.cuts} times")
    try:
        disks = fail_disks(extent.cuts)
        report(
            f"{disks.reference.lost} lost, {disks.reference.doubled} doubled of {disks.reference.confirmed}"
        )
        failures += disks.failures
    except NoDisksError as error:
        no_disks = str(error)
    jumps, differences = jump(extent.jumps)
    report("changing bytes")
    damage = flip(extent.confirmed, extent.step)
    report(f"{damage.flipped} changed, {len(damage.failures)} failures")
    report(f"disconnecting a camera {extent.drops} times")
    drops = drop(extent.drops)
    report(f"disconnected {drops.drops} times, {len(drops.failures)} failures")
    report(f"playing for {extent.hours:g} hours")
    long_run = soak(extent.hours, extent.players)
    report(f"{long_run.growth_mb:.1f} MB more in memory")
    report("measuring an idle table")
    sitting = measure_load(extent.sitting_s)
    failures += [*kills.failures, *differences, *damage.failures, *drops.failures, *long_run.failures]
    return ReliabilityFigures(
        kills, tuple(start_s), disks, no_disks, jumps, damage, drops, long_run, sitting, tuple(failures)
    )
