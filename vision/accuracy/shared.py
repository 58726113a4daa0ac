"""Location of the shared test pictures, which are not part of the project."""

from __future__ import annotations

import os
from pathlib import Path

from calibration.errors import CompanionError

SHARED_VARIABLE = "TABLE_COMPANION_SHARED"
CHECKOUT = Path(__file__).resolve().parents[2]


class SharedFolderError(CompanionError, LookupError):
    """The shared test pictures are missing; the message says where they were expected."""


def shared_folder() -> Path:
    """Returns the folder of test pictures and their truth: the one in SHARED_VARIABLE, or beside the checkout.

    Raises :exc:`SharedFolderError` when it does not exist.
    """
    folder = Path(os.environ.get(SHARED_VARIABLE, CHECKOUT.parent / "shared"))
    if not folder.is_dir():
        raise SharedFolderError(
            f"no test pictures in {folder}; put them there or name their folder in {SHARED_VARIABLE}"
        )
    return folder
