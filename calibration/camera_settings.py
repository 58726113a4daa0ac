"""Camera settings that calibration fixes and the table file stores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .fields import Field

KINDS = ("pi", "usb")
"""Kinds of cameras with settings, as on the command line."""
MAINS_HZ = (50, 60)
MAX_EXPOSURE_US = 100_000.0
"""Ten frames per second are enough to detect motion."""
BRIGHTER = 1.2
"""Factor by which a flicker-free exposure may be brighter than the metered one."""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Fixed settings of a camera; None if the driver keeps its automatic mode."""

    kind: str
    """``pi`` or ``usb``: their values are not interchangeable."""
    mains_hz: int
    """Mains frequency; lamps flicker at twice this frequency."""
    exposure_us: float | None = None
    gain: float | None = None
    """Analogue gain; for a USB camera in the unit of its driver."""
    colour_gains: tuple[float, float] | None = None
    """White balance: gains of red and blue (Raspberry Pi)."""
    temperature_k: float | None = None
    """White balance: colour temperature of the light (USB)."""
    focus: float | None = None
    """Lens position: dioptres (Raspberry Pi) or the driver's unit (USB)."""
    red_blue_swapped: bool = False
    """Whether the camera library swaps red and blue, as some versions do."""

    def document(self) -> dict[str, Any]:
        """Returns the settings as stored in the table file."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if value is not None and value is not False
        }


@dataclass(frozen=True, slots=True)
class Exposure:
    """An exposure time with its gain."""

    us: float
    gain: float
    flickers: bool
    """Whether lamps on the mains show as bands: the light is too bright for a full flicker period."""


def steady_exposure(us: float, gain: float, mains_hz: int, least_gain: float = 1.0) -> Exposure:
    """Returns a flicker-free exposure as bright as *us* microseconds at *gain*.

    Its time is a multiple of the flicker period: 10 ms at 50 Hz, 8.33 ms at 60 Hz. If the light is too bright for one
    period, the exposure stays unchanged: so much light comes from the sun, which does not flicker.
    """
    flicker = 1e6 / (2 * mains_hz)
    flickers = max(1, min(round(us / flicker), int(MAX_EXPOSURE_US // flicker)))
    steady_gain = us * gain / (flickers * flicker)
    if steady_gain * BRIGHTER < least_gain:
        return Exposure(us, gain, flickers=True)
    return Exposure(flickers * flicker, max(steady_gain, least_gain), flickers=False)


def parse_settings(field: Field) -> CameraSettings:
    """Returns the settings in *field* of a table file; its error names the field that is wrong."""
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
