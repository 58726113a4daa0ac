"""Small versions of the companion, for tests of how it is installed: they have its service, and nothing to play."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.support.paths import CHECKOUT

RUN = """#!/bin/sh
[ ! -e "$(dirname "$0")/no-packages" ] || exit 1
mkdir -p "$TABLE_COMPANION_VENV/bin"
printf '#!/bin/sh\\necho "$@" in "$PYTHONPATH" >>"$(dirname "$0")/asked"\\n' >"$TABLE_COMPANION_VENV/bin/python"
chmod +x "$TABLE_COMPANION_VENV/bin/python"
echo prepared >>"$TABLE_COMPANION_VENV/log"
"""
PROJECT = '[project]\nname = "table-companion"\nversion = "{}"\ndependencies = []\n'


def version_in(folder: Path, number: str = "1.0", **files: str) -> Path:
    """Makes a version in *folder*, with other *files* by name beside it."""
    shutil.copytree(
        CHECKOUT / "companion/service",
        folder / "companion/service",
        ignore=shutil.ignore_patterns("__pycache__"),
        dirs_exist_ok=True,
    )
    texts = {
        "companion/__init__.py": "",
        "run": RUN,
        "pyproject.toml": PROJECT.format(number),
        "constraints.txt": "",
    }
    for name, text in {**texts, **files}.items():
        (folder / name).write_text(text)
    (folder / "run").chmod(0o755)
    return folder


def git(folder: Path, *words: str) -> str:
    """Runs git in *folder* with an author of its own."""
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    done = subprocess.run(["git", "-C", folder, *who, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def committed(folder: Path, tag: str | None = None) -> str:
    """Commits all that is in *folder*; returns the first eight digits of the commit."""
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "a state")
    if tag:
        git(folder, "tag", tag)
    return git(folder, "rev-parse", "HEAD")[:8]
