"""Files that a command writes: whether it can is looked at before anything is asked or measured."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from .errors import fail


class OutputFile(click.Path):
    """A file to write, new or in the place of an old one; the folder must be there."""

    def __init__(self, path_type: type[str] | type[Path] = Path) -> None:
        super().__init__(path_type=path_type)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if (trouble := trouble_with(Path(value))) is not None:
            self.fail(trouble, param, ctx)
        return super().convert(value, param, ctx)


class OutputFolder(OutputFile):
    """A folder to write into; it is made, where the one above it is there."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(value)
        if path.is_dir():
            return path
        return super().convert(value, param, ctx)


def ensure_writable(path: Path) -> None:
    """Ends the command with one sentence when the companion's own file *path*, with its folders, cannot be made."""
    made = next(
        place for place in (path, *path.absolute().parents) if place.parent.exists() or place == place.parent
    )
    if (trouble := trouble_with(made)) is not None:
        fail(trouble)


def trouble_with(path: Path) -> str | None:
    """Why the file *path* cannot be written, with the cure; None when it can."""
    folder = path.absolute().parent
    if path.is_dir():
        return f"{path} is a folder: name a file"
    if path.exists() and not path.is_file():
        return f"{path} is no file: name another one"
    if not folder.exists():
        return f"there is no folder {folder}: make it, or name another place"
    if not folder.is_dir():
        return f"{folder} is no folder: name another place"
    if not os.access(path if path.exists() else folder, os.W_OK) or not os.access(folder, os.W_OK):
        return f"nothing can be written in {folder}: change its rights, or name another place"
    return None
