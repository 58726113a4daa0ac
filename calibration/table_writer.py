"""Table files, and the owner's print, as they are written: readable for people, and never half of one on the disk."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NUMBERS = re.compile(r"\[\s[-+.,\s\deE]+\]")
"""A list of nothing but numbers, as json spreads it over lines."""


def write_table(path: Path, document: Mapping[str, Any]) -> None:
    """Writes *document* to *path* so that a power cut leaves the old file or the new one.

    Raises :class:`OSError` when it cannot be written.
    """
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as file:
        file.write(_written(document))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _written(document: Mapping[str, Any]) -> str:
    """*document* as JSON for people: a point or a colour is one line, not one for each number."""
    text = json.dumps(document, indent=1, ensure_ascii=False)
    return (
        NUMBERS.sub(lambda numbers: " ".join(numbers[0].split()).replace("[ ", "[").replace(" ]", "]"), text)
        + "\n"
    )
