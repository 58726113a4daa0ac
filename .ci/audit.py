"""Looks whether anything is known against the packages that constraints.txt pins; fails where something is.

pip-audit asks the list of vulnerabilities. Where neither can be reached, one line says that it was skipped: no machine
without a network fails for that.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

CONSTRAINTS = Path(__file__).resolve().parents[1] / "constraints.txt"
PATIENCE_S = 180.0
"""For the installation, and for the questions."""


def verdict(report: dict[str, Any]) -> tuple[bool, list[str]]:
    """Whether the packages of pip-audit's *report* are in order, and what to say."""
    asked = [one for one in report["dependencies"] if "skip_reason" not in one]
    if not asked:
        return True, ["audit: skipped (the list of vulnerabilities cannot be reached)"]
    found = [
        f"audit: {one['name']} {one['version']}: {known['id']}, mended in {', '.join(known['fix_versions']) or 'none'}"
        for one in asked
        for known in one["vulns"]
    ]
    unknown = len(report["dependencies"]) - len(asked)
    summary = f"audit: {len(asked)} packages, {len(found)} known vulnerabilities, {unknown} not on the list"
    return not found, [*found, summary]


def report(folder: Path) -> dict[str, Any] | None:
    """What pip-audit, installed into *folder*, finds; None where it cannot be installed, or finds no answer."""
    python, file = folder / "bin" / "python", folder / "report.json"
    venv.create(folder, with_pip=True)
    steps = (
        ["pip", "install", "--quiet", "--disable-pip-version-check", "pip-audit>=2.7,<3"],
        ["pip_audit", "--disable-pip", "--no-deps", "-r", CONSTRAINTS, "--format", "json", "--output", file],
    )
    for step in steps:
        try:
            subprocess.run([python, "-m", *step], capture_output=True, check=False, timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            return None
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="audit-") as folder:
        found = report(Path(folder))
    if found is None:
        print("audit: skipped (pip-audit cannot be installed, or finds no answer)")
        return 0
    in_order, lines = verdict(found)
    print("\n".join(lines))
    return 0 if in_order else 1


if __name__ == "__main__":
    sys.exit(main())
