"""Check of the button panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .finding import Finding, Text, fault, ok, skipped
from .machine import Machine

if TYPE_CHECKING:
    from hardware.panel import Panel, PanelConfig


def panel_pins(panel: Panel) -> Callable[[], PanelConfig]:
    """Returns a function that returns the pins of an open *panel*, or raises the reason why it has none."""

    def config() -> PanelConfig:
        if panel.unavailable is not None:
            raise panel.unavailable.with_traceback(None)
        return panel.config

    return config


def pins(machine: Machine) -> Finding:
    """Checks whether the panel's pins can be used, and which they are."""
    from hardware.panel import NO_LGPIO, NO_PI, PanelConfigError, PanelUnavailableError

    try:
        config = machine.pins()
    except PanelConfigError as error:
        return fault("panel_file", why=str(error))
    except PanelUnavailableError as error:
        if error.code == NO_PI:
            return skipped("pins_no_pi")
        if error.code == NO_LGPIO:
            return fault("pins_no_lgpio")
        if machine.is_served and not machine.playing:
            return skipped("pins_of_companion")
        return fault("pins_busy", why=str(error))
    return ok("pins", pins=tuple(_pin(name, pin) for name, pin in config.buttons.items()))


def _pin(name: str, pin: int) -> Text:
    button, _, player = name.partition(":")
    named = Text(f"panel.{button}")
    return Text(
        "doctor.pin",
        {
            "named": Text("panel.of_player", {"button": named, "player": player}) if player else named,
            "number": pin,
        },
    )
