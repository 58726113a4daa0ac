"""Writes table files and the printed data of the owner's copy: readable JSON, replaced atomically."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .atomic_file import atomic_write
from .table_file import TableFileError, load, parse, read_table_document

NUMBERS = re.compile(r"\[\s[-+.,\s\deE]+\]")
"""A list of numbers, which json spreads over several lines."""


def update_table_file(path: Path, size: tuple[int, int], **found: Any) -> None:
    """Sets the fields *found* in the table file *path*, which is created if it does not exist.

    *size* is the width and height of the camera's pictures. Raises :class:`TableFileError` when the file cannot be used
    or is for pictures of another size, :class:`OSError` when it cannot be written.
    """
    document = {"image_size": list(size)}
    if path.exists():
        check_size(path, load(path).image_size, size)
        document = read_table_document(path)
    document |= found
    parse(document, str(path))
    write_table(path, document)


def check_size(path: Path, of_table: tuple[int, int], of_camera: tuple[int, int]) -> None:
    """Raises :class:`TableFileError` unless the camera's pictures have the size for which *path* was made."""
    if of_table != of_camera:
        raise TableFileError(
            f"{path} is for pictures of {list(of_table)} px but this camera gives {list(of_camera)}: "
            "name another table file, or set the camera to that size"
        )


def write_table(path: Path, document: Mapping[str, Any]) -> None:
    """Writes *document* to *path* atomically.

    Raises :class:`OSError` when the file cannot be written.
    """
    with atomic_write(path) as file:
        file.write(_formatted(document).encode())


def _formatted(document: Mapping[str, Any]) -> str:
    """Returns *document* as JSON with each point or colour on one line."""
    text = json.dumps(document, indent=1, ensure_ascii=False)
    return (
        NUMBERS.sub(lambda numbers: " ".join(numbers[0].split()).replace("[ ", "[").replace(" ]", "]"), text)
        + "\n"
    )
