"""The truth of a picture: NAME.truth.json beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calibration.documents import read_json
from calibration.errors import CompanionError

TRUTH_SUFFIX = ".truth.json"


class TruthError(CompanionError, ValueError):
    """An unusable truth file; the message names the file and the cure."""


def truth_path(picture: Path) -> Path:
    """Returns the path of the truth file of *picture*."""
    return picture.with_name(picture.stem + TRUTH_SUFFIX)


def load_truth(picture: Path) -> dict[str, Any] | None:
    """Returns the truth of *picture*; None if there is none; raises :exc:`TruthError`."""
    path = truth_path(picture)
    if not path.is_file():
        return None
    try:
        truth = read_json(path, TruthError)
        return {**truth, "boards": list(truth["boards"])}
    except (OSError, ValueError, TypeError, KeyError):
        raise TruthError(f"{path}: not a truth file; repair it or move it away") from None


def labelled_tables(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yields the pictures in *folder* with boards, with their truth, by name."""
    for path in sorted(folder.glob(f"*{TRUTH_SUFFIX}")):
        truth = read_json(path, TruthError)
        if truth["boards"]:
            yield path.with_name(truth["image"]), truth
