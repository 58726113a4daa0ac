"""Checks of the system's libraries and of the versions of packages."""

from __future__ import annotations

import platform
import re
from pathlib import Path

from companion.service.version import version

from .finding import Finding, fault, ok, skipped, warning
from .machine import CHECKOUT, Machine

PINNED_PACKAGES = ("opencv-python", "opencv-python-headless", "numpy", "Flask", "waitress", "gpiozero")
"""Installed by pip in the versions of ``constraints.txt``. Only one build of OpenCV is installed."""
SYSTEM_PACKAGES = ("picamera2", "lgpio")
"""Installed by the system; their versions are only reported."""
CONSTRAINTS = "constraints.txt"
"""The tested versions. ``./run`` copies the constraints that it used into the environment: some versions are older
if the system's libraries require that."""


def libraries(machine: Machine) -> Finding:
    """Checks whether this Python can use the Raspberry Pi's camera and pins."""
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
    except (ImportError, ValueError) as error:  # built against another NumPy, it raises ValueError
        return fault("picamera2_broken", why=str(error))
    return ok("libraries")


def versions(machine: Machine) -> Finding:
    """Checks whether the installed versions are the tested ones."""
    tested = _pinned_versions(machine.environment / CONSTRAINTS) or _pinned_versions(CHECKOUT / CONSTRAINTS)
    found = {
        name: number for name in (*PINNED_PACKAGES, *SYSTEM_PACKAGES) if (number := machine.version(name))
    }
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
    """Returns whether a Python environment includes the system's packages; without an environment, it does."""
    try:
        config = (environment / "pyvenv.cfg").read_text(encoding="utf-8")
    except FileNotFoundError:
        return True
    return bool(
        re.search(r"^include-system-site-packages\s*=\s*true\s*$", config, re.MULTILINE | re.IGNORECASE)
    )


def _pinned_versions(path: Path) -> dict[str, str]:
    """Returns package, in lower case, -> version for the packages that the file *path* pins."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    pins = (line.partition("==") for line in lines if "==" in line and not line.startswith("#"))
    return {name.strip().lower(): number.strip() for name, _, number in pins}
