"""Types for output files, which are checked to be writable before a command asks or measures anything."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from .errors import fail


class OutputFile(click.Path):
    """A file to write or overwrite; its folder must exist."""

    def __init__(self, path_type: type[str] | type[Path] = Path) -> None:
        super().__init__(path_type=path_type)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if (problem := why_not_writable(Path(value))) is not None:
            self.fail(problem, param, ctx)
        return super().convert(value, param, ctx)


class OutputFolder(OutputFile):
    """A folder to write into; it is created if its parent exists."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(value)
        if path.is_dir():
            return path
        return super().convert(value, param, ctx)


def ensure_writable(path: Path) -> None:
    """Exits with one sentence if the companion's own file *path*, with its folders, cannot be created."""
    made = next(
        place for place in (path, *path.absolute().parents) if place.parent.exists() or place == place.parent
    )
    if (problem := why_not_writable(made)) is not None:
        fail(problem)


def why_not_writable(path: Path) -> str | None:
    """Returns why the file *path* cannot be written, with the cure; `None` if it can."""
    folder = path.absolute().parent
    if path.is_dir():
        return f"{path} is a folder: name a file"
    if path.exists() and not path.is_file():
        return f"{path} is not a regular file: name another one"
    if not folder.exists():
        return f"there is no folder {folder}: create it, or choose another place"
    if not folder.is_dir():
        return f"{folder} is not a folder: choose another place"
    if not os.access(path if path.exists() else folder, os.W_OK) or not os.access(folder, os.W_OK):
        return f"nothing can be written to {folder}: change its permissions, or choose another place"
    return None
