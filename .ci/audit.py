"""Checks the packages that constraints.txt pins for known vulnerabilities; fails if there are any.

pip-audit asks the list of vulnerabilities. If that cannot be reached, the package registry is asked instead, which
knows less: whether the makers have withdrawn a pinned version, and whether they have fixed its series since. If
neither can be reached, the check is skipped, so that it does not fail on a machine without a network.
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
TIMEOUT_S = 180.0
"""Timeout of each call of pip."""

Installed = list[dict[str, Any]]
"""Packages as in pip's report of an installation."""
QUIET = ("--quiet", "--disable-pip-version-check")
PIP_THAT_REPORTS_YANKED = "pip>=24,<27"
"""Python may include an older one, whose reports do not."""


def verdict(report: dict[str, Any]) -> tuple[bool, list[str]] | None:
    """Returns whether the packages of pip-audit's *report* are in order, and sentences about them.

    None if it has asked about none of them.
    """
    asked = [one for one in report["dependencies"] if "skip_reason" not in one]
    if not asked:
        return None
    found = [
        f"audit: {one['name']} {one['version']}: {known['id']}, fixed in {', '.join(known['fix_versions']) or 'none'}"
        for one in asked
        for known in one["vulns"]
    ]
    unknown = len(report["dependencies"]) - len(asked)
    summary = f"audit: {len(asked)} packages, {len(found)} known vulnerabilities, {unknown} not on the list"
    return not found, [*found, summary]


def registry_verdict(pinned: Installed, newest: Installed) -> tuple[bool, list[str]]:
    """Returns the same from what pip would install: the *pinned* versions, and the *newest* of each series."""
    latest = {one["metadata"]["name"]: one["metadata"]["version"] for one in newest}
    withdrawn, fixed = [], []
    for one in pinned:
        name, version = one["metadata"]["name"], one["metadata"]["version"]
        if one["is_yanked"]:
            withdrawn.append(f"audit: {name} {version} was withdrawn by its makers")
        elif latest[name] != version:
            fixed.append(f"audit: {name} {version} has been fixed since: {latest[name]} (no failure)")
    summary = (
        f"audit: the list of vulnerabilities cannot be reached; of {len(pinned)} packages in the registry "
        f"{len(withdrawn)} were withdrawn, {len(fixed)} fixed since"
    )
    return not withdrawn, [*withdrawn, *fixed, summary]


def series(constraint: str) -> str:
    """Returns a requirement for the *constraint*'s version or one whose last number only is higher.

    ``Flask==3.1.3`` -> ``Flask>=3.1.3,==3.1.*``
    """
    name, _, version = constraint.partition("==")
    release = re.match(r"\d+(\.\d+)*", version)
    assert release is not None, constraint
    fixed_part = release.group().rpartition(".")[0] or release.group()
    return f"{name}>={version},=={fixed_part}.*"


class PipEnvironment:
    """Runs pip and pip-audit in an environment in *folder*."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self._folder = folder
        self._run("pip", "install", *QUIET, "--upgrade", PIP_THAT_REPORTS_YANKED)

    def list_of_vulnerabilities(self) -> dict[str, Any] | None:
        """Returns pip-audit's report; None if it cannot be installed or reached no server."""
        if not self._run("pip", "install", *QUIET, "pip-audit>=2.7,<3"):
            return None
        file = self._folder / "found.json"
        asks = ("pip_audit", "--disable-pip", "--no-deps", "-r", CONSTRAINTS)
        self._run(*asks, "--format", "json", "--output", file)
        return _read(file)

    def registry(self, requirements: list[str]) -> Installed | None:
        """Returns what pip would install for *requirements*; None if it reached no server."""
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
            done = subprocess.run(command, capture_output=True, check=False, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def _read(file: Path) -> dict[str, Any] | None:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def audit(pip: PipEnvironment, pins: list[str]) -> tuple[bool, list[str]]:
    """Returns whether the pinned packages are in order, by the best source that can be reached, and sentences."""
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
