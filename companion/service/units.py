"""The unit files: what systemd starts, watches and allows."""

from __future__ import annotations

import grp
from collections.abc import Collection, Mapping
from pathlib import Path

from .paths import NAME, InstallPaths

SERVICE = f"{NAME}.service"
POWER_OFF_PATH = f"{NAME}-power-off.path"
UNITS = (SERVICE, POWER_OFF_PATH, f"{NAME}-power-off.service")
ENABLED_UNITS = (SERVICE, POWER_OFF_PATH)
"""Those that are started at boot."""
GROUPS = ("video", "gpio", "audio", "render")
"""Whose members may use cameras, pins and the loudspeaker, on systems that have them."""


def render_units(places: InstallPaths, user: str, groups: Collection[str]) -> dict[str, str]:
    """Text of each unit file by name."""
    values = {
        "program": places.program,
        "data": places.data,
        "options": places.options,
        "user": user,
        "groups": " ".join(groups),
    }
    return {
        name: _fill_template(Path(__file__).with_name(name).read_text(encoding="utf-8"), values)
        for name in UNITS
    }


def device_groups() -> list[str]:
    """Which of the :data:`GROUPS` there are here: systemd starts nothing for a group that is not."""
    here = {group.gr_name for group in grp.getgrall()}
    return [name for name in GROUPS if name in here]


def _fill_template(text: str, values: Mapping[str, object]) -> str:
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text
