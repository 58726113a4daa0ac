"""The companion's version, which pyproject.toml alone states."""

from __future__ import annotations

import importlib.metadata
import tomllib
from pathlib import Path

NAME = "table-companion"
CHECKOUT = Path(__file__).resolve().parents[2]


def version(checkout: Path = CHECKOUT) -> str:
    """Returns the version: of the *checkout* that this runs from, else of the package that was installed."""
    try:
        project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    except FileNotFoundError:
        return importlib.metadata.version(NAME)
    return str(project["version"])
