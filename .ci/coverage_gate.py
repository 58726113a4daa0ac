"""Fails when the tests reach less than 95 % of the branches of the rules, of their modules or of the table session.

Reads what ``./run test --cov`` measured.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

ROOMS = ("companion/games/burgundy/rules", "companion/games/burgundy/modules", "companion/session")
MIN_PERCENT = 95.0


def branches(report: dict[str, Any], room: str) -> tuple[int, int]:
    """Returns how many branches of a room there are, and how many of them the tests reach."""
    files = [file["summary"] for path, file in report["files"].items() if path.startswith(f"{room}/")]
    return sum(file["num_branches"] for file in files), sum(file["covered_branches"] for file in files)


def evaluate(report: dict[str, Any]) -> tuple[list[str], bool]:
    """Returns a sentence on each room, and whether all of them are above the gate.

    A room of which nothing was measured is below it.
    """
    sentences, passed = [], True
    for room in ROOMS:
        there, reached = branches(report, room)
        percent = 100 * reached / there if there else 0.0
        sentences.append(f"coverage: {reached} of {there} branches of {room} are tested ({percent:.1f} %)")
        passed = passed and percent >= MIN_PERCENT
    return sentences, passed


def main() -> None:
    command = [sys.executable, "-m", "coverage", "json", "-q", "-o", "-"]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    sentences, passed = evaluate(report)
    print(*sentences, sep="\n")
    if not passed:
        sys.exit(
            f"coverage: at least {MIN_PERCENT:g} % are asked for; '{' '.join(command[1:3])} html' shows the rest"
        )


if __name__ == "__main__":
    main()
