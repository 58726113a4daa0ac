"""Looks whether anything is known against the packages that constraints.txt pins; fails where something is.

pip-audit asks the list of vulnerabilities. Where that cannot be reached, the package registry is asked instead, which
knows less: whether a pinned version was withdrawn by those who made it, and whether they have mended its series since.
Where nothing can be reached, one line says that it was skipped: no machine without a network fails for that.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

CONSTRAINTS = Path(__file__).resolve().parents[1] / "constraints.txt"
PATIENCE_S = 180.0
"""For the installation, and for the questions."""

Installed = list[dict[str, Any]]
"""Packages, as pip reports what it would install."""
QUIET = ("--quiet", "--disable-pip-version-check")
PIP_THAT_REPORTS_YANKED = "pip>=24,<27"
"""Python may bring an older one, whose reports do not."""


def verdict(report: dict[str, Any]) -> tuple[bool, list[str]] | None:
    """Whether the packages of pip-audit's *report* are in order, and what to say; None: nobody was asked."""
    asked = [one for one in report["dependencies"] if "skip_reason" not in one]
    if not asked:
        return None
    found = [
        f"audit: {one['name']} {one['version']}: {known['id']}, mended in {', '.join(known['fix_versions']) or 'none'}"
        for one in asked
        for known in one["vulns"]
    ]
    unknown = len(report["dependencies"]) - len(asked)
    summary = f"audit: {len(asked)} packages, {len(found)} known vulnerabilities, {unknown} not on the list"
    return not found, [*found, summary]


def registry_verdict(pinned: Installed, newest: Installed) -> tuple[bool, list[str]]:
    """Likewise by what pip would install: the *pinned* versions, and the *newest* of each series that goes on."""
    latest = {one["metadata"]["name"]: one["metadata"]["version"] for one in newest}
    withdrawn, fixed = [], []
    for one in pinned:
        name, version = one["metadata"]["name"], one["metadata"]["version"]
        if one["is_yanked"]:
            withdrawn.append(f"audit: {name} {version} was withdrawn by its makers")
        elif latest[name] != version:
            fixed.append(f"audit: {name} {version} has been mended since: {latest[name]} (told only)")
    summary = (
        f"audit: the list of vulnerabilities cannot be reached; of {len(pinned)} packages in the registry "
        f"{len(withdrawn)} were withdrawn, {len(fixed)} mended since"
    )
    return not withdrawn, [*withdrawn, *fixed, summary]


def series(constraint: str) -> str:
    """What allows the *constraint*'s version and those in which only its last number is higher.

    ``Flask==3.1.3`` -> ``Flask>=3.1.3,==3.1.*``
    """
    name, _, version = constraint.partition("==")
    release = re.match(r"\d+(\.\d+)*", version)
    assert release is not None, constraint
    fixed_part = release.group().rpartition(".")[0] or release.group()
    return f"{name}>={version},=={fixed_part}.*"


class PipEnvironment:
    """Asks with pip and pip-audit, in an environment in *folder*."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self._folder = folder
        self._run("pip", "install", *QUIET, "--upgrade", PIP_THAT_REPORTS_YANKED)

    def list_of_vulnerabilities(self) -> dict[str, Any] | None:
        """What pip-audit finds; None where it cannot be installed, or finds no answer."""
        if not self._run("pip", "install", *QUIET, "pip-audit>=2.7,<3"):
            return None
        file = self._folder / "found.json"
        asks = ("pip_audit", "--disable-pip", "--no-deps", "-r", CONSTRAINTS)
        self._run(*asks, "--format", "json", "--output", file)
        return _read(file)

    def registry(self, requirements: list[str]) -> Installed | None:
        """What pip would install for *requirements*; None where it finds no answer."""
        asked, file = self._folder / "asked.txt", self._folder / "found.json"
        asked.write_text("\n".join(requirements), encoding="utf-8")
        file.unlink(missing_ok=True)
        dry = ("--dry-run", "--ignore-installed", "--no-deps")
        self._run("pip", "install", *QUIET, *dry, "-r", asked, "--report", file)
        report = _read(file)
        return None if report is None else report["install"]

    def _run(self, *words: str | Path) -> bool:
        command = [self._folder / "bin" / "python", "-m", *words]
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def _read(file: Path) -> dict[str, Any] | None:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def audit(pip: PipEnvironment, pins: list[str]) -> tuple[bool, list[str]]:
    """Whether the packages that *pins* name are in order, by the best of what can be reached, and what to say."""
    listed = pip.list_of_vulnerabilities()
    result = None if listed is None else verdict(listed)
    if result is not None:
        return result
    pinned = pip.registry(pins)
    if pinned is not None:
        available = [one["metadata"] for one in pinned if not one["is_yanked"]]
        newest = (
            pip.registry([series(f"{one['name']}=={one['version']}") for one in available])
            if available
            else []
        )
        if newest is not None:
            return registry_verdict(pinned, newest)
    return True, [
        "audit: skipped (neither the list of vulnerabilities nor the package registry can be reached)"
    ]


def main() -> int:
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    with tempfile.TemporaryDirectory(prefix="audit-") as folder:
        in_order, result = audit(PipEnvironment(Path(folder)), pins)
    print("\n".join(result))
    return 0 if in_order else 1


if __name__ == "__main__":
    sys.exit(main())
