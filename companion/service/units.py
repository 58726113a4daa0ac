"""The systemd unit files."""

from __future__ import annotations

import grp
from collections.abc import Collection, Mapping
from pathlib import Path

from .paths import NAME, InstallPaths

SERVICE = f"{NAME}.service"
POWER_OFF_PATH = f"{NAME}-power-off.path"
UNITS = (SERVICE, POWER_OFF_PATH, f"{NAME}-power-off.service")
ENABLED_UNITS = (SERVICE, POWER_OFF_PATH)
"""The units that are started at boot."""
GROUPS = ("video", "gpio", "audio", "render")
"""Groups that may use cameras, pins and the loudspeaker, on systems that have them."""


def render_units(paths: InstallPaths, user: str, groups: Collection[str]) -> dict[str, str]:
    """Returns the text of each unit file by name."""
    values = {
        "program": paths.program,
        "data": paths.data,
        "options": paths.options,
        "user": user,
        "groups": " ".join(groups),
    }
    return {
        name: _fill_template(Path(__file__).with_name(name).read_text(encoding="utf-8"), values)
        for name in UNITS
    }


def device_groups() -> list[str]:
    """Returns those of the :data:`GROUPS` that exist here: systemd does not start a service with an unknown group."""
    existing = {group.gr_name for group in grp.getgrall()}
    return [name for name in GROUPS if name in existing]


def _fill_template(text: str, values: Mapping[str, object]) -> str:
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text
