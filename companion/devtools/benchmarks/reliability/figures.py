"""All that is tried, one after the other."""

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
    """How much is tried."""

    kills: int
    starts: int
    cuts: int
    """Of the power."""
    jumps: int
    """Things that are confirmed while the clock jumps."""
    confirmed: int
    """In the journal whose bytes are changed."""
    step: int
    """Every which of them."""
    drops: int
    """Of a camera."""
    hours: float
    """Of table time."""
    players: int
    sitting_s: float


@dataclass(frozen=True)
class ReliabilityFigures:
    """What came of it."""

    kills: CrashFigures
    start_s: tuple[float, ...]
    disks: DiskFigures | None
    no_disks: str
    """Why no disk was tried, if none was."""
    jumps: int
    damage: DamageFigures
    drops: CameraDropFigures
    soak: SoakFigures
    sitting: LoadFigures
    failures: tuple[str, ...]
    """Whatever ended otherwise than it must, one line each."""

    @property
    def lost(self) -> int:
        return self.kills.reference.lost + (self.disks.reference.lost if self.disks else 0)

    @property
    def doubled(self) -> int:
        return self.kills.reference.doubled + (self.disks.reference.doubled if self.disks else 0)


def measure(extent: Extent, say: Callable[[str], None]) -> ReliabilityFigures:
    """Tries everything; *say* is told what comes next, and what came of it, for the whole takes an hour."""
    say(f"ending {extent.kills} processes")
    kills = crash(extent.kills)
    say(f"{kills.reference.lost} lost, {kills.reference.doubled} doubled of {kills.reference.confirmed}")
    start_s, failures = start(extent.starts)
    disks, no_disks = None, ""
    say(f"cutting the power {extent.cuts} times")
    try:
        disks = fail_disks(extent.cuts)
        say(f"{disks.reference.lost} lost, {disks.reference.doubled} doubled of {disks.reference.confirmed}")
        failures += disks.failures
    except NoDisksError as error:
        no_disks = str(error)
    jumps, otherwise = jump(extent.jumps)
    say("changing bytes")
    damage = flip(extent.confirmed, extent.step)
    say(f"{damage.flipped} changed, {len(damage.failures)} went wrong")
    say(f"unplugging a camera {extent.drops} times")
    drops = drop(extent.drops)
    say(f"{drops.drops} times gone, {len(drops.failures)} went wrong")
    say(f"playing for {extent.hours:g} hours")
    evening = soak(extent.hours, extent.players)
    say(f"{evening.growth_mb:.1f} MB more in memory")
    say("sitting still")
    sitting = measure_load(extent.sitting_s)
    failures += [*kills.failures, *otherwise, *damage.failures, *drops.failures, *evening.failures]
    return ReliabilityFigures(
        kills, tuple(start_s), disks, no_disks, jumps, damage, drops, evening, sitting, tuple(failures)
    )
