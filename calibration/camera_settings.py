"""What a camera is fixed to at calibration, so that an evening looks as the calibration did; part of the table file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .fields import Field

KINDS = ("pi", "usb")
"""Cameras that can be fixed, as they are named on the command line."""
MAINS_HZ = (50, 60)
LONGEST_EXPOSURE_US = 100_000.0
"""Ten pictures a second are enough for motion."""
OVER = 1.2
"""How much brighter than metered a picture may become by an exposure that does not flicker."""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The camera's own settings; None leaves one to its automatic, because the driver does not let it be fixed."""

    kind: str
    """``pi`` or ``usb``: the numbers of one mean nothing to the other."""
    mains_hz: int
    """What lamps flicker by, twice each period."""
    exposure_us: float | None = None
    gain: float | None = None
    """Analogue gain; a USB camera's in its driver's own unit."""
    colour_gains: tuple[float, float] | None = None
    """White balance: gains of red and blue (Raspberry Pi)."""
    temperature_k: float | None = None
    """White balance: colour temperature of the light (USB)."""
    focus: float | None = None
    """Lens position: dioptres (Raspberry Pi), the driver's own unit (USB)."""
    red_blue_swapped: bool = False
    """Whether the library gives red for blue, as some versions do."""

    def document(self) -> dict[str, Any]:
        """As the table file has it."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if value is not None and value is not False
        }


@dataclass(frozen=True, slots=True)
class Exposure:
    """How long and how strongly light is taken in."""

    us: float
    gain: float
    flickers: bool
    """Whether a lamp on the mains shows as bands: the light is too bright for a whole flicker."""


def steady_exposure(us: float, gain: float, mains_hz: int, least_gain: float = 1.0) -> Exposure:
    """As bright as *us* microseconds at *gain*, in whole flickers of a lamp: steps of 10 ms at 50 Hz, 8.33 ms at 60 Hz.

    Shorter than one flicker it stays as it is: that much light is the sun's, which does not flicker.
    """
    flicker = 1e6 / (2 * mains_hz)
    flickers = max(1, min(round(us / flicker), int(LONGEST_EXPOSURE_US // flicker)))
    wanted = us * gain / (flickers * flicker)
    if wanted * OVER < least_gain:
        return Exposure(us, gain, flickers=True)
    return Exposure(flickers * flicker, max(wanted, least_gain), flickers=False)


def parse_settings(field: Field) -> CameraSettings:
    """The settings that *field* of a table file describes; it names what is wrong with them."""
    known = CameraSettings.__dataclass_fields__
    field.only(known)
    given: Mapping[str, Field] = {name: found for name in known if (found := field.get(name))}
    mains = field["mains_hz"].integer(min(MAINS_HZ), max(MAINS_HZ))
    if mains not in MAINS_HZ:
        field["mains_hz"].fail(f"should be 50 or 60, not {mains}")
    numbers = ("exposure_us", "gain", "temperature_k", "focus")
    gains = given["colour_gains"].numbers(2) if "colour_gains" in given else None
    swapped = given["red_blue_swapped"].flag() if "red_blue_swapped" in given else False
    return CameraSettings(
        field["kind"].text(KINDS),
        mains,
        colour_gains=(gains[0], gains[1]) if gains else None,
        red_blue_swapped=swapped,
        **{name: given[name].number(low=0) for name in numbers if name in given},
    )
