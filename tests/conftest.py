"""What several tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED_VARIABLE = "TABLE_COMPANION_SHARED"
CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """Returns the folder of test pictures and their truth, which is not part of the checkout; skips without it."""
    folder = Path(os.environ.get(SHARED_VARIABLE, CHECKOUT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no test pictures in {folder}; put them there or name their folder in {SHARED_VARIABLE}")
    return folder
