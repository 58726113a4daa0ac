"""What the companion is built on: the system's libraries, and the versions that its tests ran with."""

from __future__ import annotations

import platform
import re
from pathlib import Path

from companion.service.version import version

from .finding import Finding, fault, ok, skipped, warning
from .machine import CHECKOUT, Machine

PINNED_PACKAGES = ("opencv-python", "opencv-python-headless", "numpy", "Flask", "waitress", "gpiozero")
"""Installed by pip: they should be those of ``constraints.txt``. Of both builds of OpenCV one is there."""
SYSTEM_PACKAGES = ("picamera2", "lgpio")
"""They come with the system, and are told only."""
CONSTRAINTS = "constraints.txt"
"""The versions that the tests ran with. ``./run`` writes those it has installed by into the environment: some are older
where the system's own libraries ask for that."""


def libraries(machine: Machine) -> Finding:
    """Whether the Raspberry Pi's camera and pins can be spoken to from this Python."""
    if not machine.is_pi():
        return skipped("libraries_no_pi")
    for module, package in (("libcamera", "python3-libcamera"), ("lgpio", "python3-lgpio")):
        try:
            machine.load(module)
        except ImportError:
            if not _includes_system_packages(machine.environment):
                return fault("environment_closed", module=module, folder=str(machine.environment))
            return warning("library_missing", module=module, package=package)
    try:
        machine.load("picamera2")
    except (ImportError, ValueError) as error:  # built against another NumPy, it fails by a ValueError
        return fault("picamera2_broken", why=str(error))
    return ok("libraries")


def versions(machine: Machine) -> Finding:
    """Which versions run, and whether they are those that were tested."""
    tested = _pinned_versions(machine.environment / CONSTRAINTS) or _pinned_versions(CHECKOUT / CONSTRAINTS)
    found = {name: told for name in (*PINNED_PACKAGES, *SYSTEM_PACKAGES) if (told := machine.version(name))}
    other = tuple(
        f"{name} {found[name]} ({tested[name.lower()]})"
        for name in PINNED_PACKAGES
        if name in found and tested.get(name.lower(), found[name]) != found[name]
    )
    if other:
        return warning("versions_differ", others=other)
    everything = {"Python": platform.python_version(), **found}
    return ok(
        "versions",
        companion=version(),
        others=tuple(f"{name} {number}" for name, number in everything.items()),
    )


def _includes_system_packages(environment: Path) -> bool:
    """Whether a Python environment shows the system's packages; outside of any, all are seen."""
    try:
        told = (environment / "pyvenv.cfg").read_text(encoding="utf-8")
    except FileNotFoundError:
        return True
    return bool(
        re.search(r"^include-system-site-packages\s*=\s*true\s*$", told, re.MULTILINE | re.IGNORECASE)
    )


def _pinned_versions(path: Path) -> dict[str, str]:
    """Package, in small letters, -> its version, of those that the file *path* pins to one."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    pins = (line.partition("==") for line in lines if "==" in line and not line.startswith("#"))
    return {name.strip().lower(): number.strip() for name, _, number in pins}
