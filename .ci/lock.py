"""Writes hashes.txt: each package that ``./run`` installs, as constraints.txt pins it, with the SHA-256 of its files.

python .ci/lock.py

Asks the package registry by ``uv``, which must be installed: it resolves for all systems at once. To be run whenever
pyproject.toml or constraints.txt has changed.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
EXTRAS = ("bench", "dev", "test")
"""The optional dependencies that ``./run`` installs automatically; those without any are called ``core``."""
ALONE = ("opencv-python-headless", "picamera2")
"""Packages that are installed without what they ask for, and under their own names."""
HEAD = """\
# Made by .ci/lock.py: what ./run installs, with the SHA-256 of each file that the registry has of it. A line ends with
# what it is needed for: "core" is the companion itself, the others are extras of pyproject.toml, or packages.
"""


def main() -> None:
    """Asks for each group of packages, and writes them together."""
    needed_for: dict[str, list[str]] = {}
    for group, words in (
        ("core", ["pyproject.toml"]),
        *((extra, ["pyproject.toml", "--extra", extra]) for extra in EXTRAS),
        *((name, ["--no-deps", "-"]) for name in ALONE),
    ):
        for line in _resolved(words, group):
            needed_for.setdefault(line, []).append(group)
    lines = [
        f"{line} # {'core' if 'core' in groups else ' '.join(groups)}"
        for line, groups in sorted(needed_for.items())
    ]
    (CHECKOUT / "hashes.txt").write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def _resolved(words: list[str], text: str) -> list[str]:
    """One line for each package, as pip reads it; *text* is what stands in the file ``-``.

    Markers are left out, and a package has one line: what a Python does not need does no harm. Nothing runs on Windows.
    """
    done = subprocess.run(
        [
            *("uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"),
            *("--generate-hashes", "--no-header", "--no-annotate", "--constraint", "constraints.txt", *words),
        ],
        cwd=CHECKOUT,
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [re.sub(r"\s*\\\n\s*", " ", line) for line in re.split(r"\n(?=\S)", done.stdout.strip())]
    return [re.sub(r" ;.*?(?= --hash)", "", line) for line in lines if "sys_platform == 'win32'" not in line]


if __name__ == "__main__":
    main()
