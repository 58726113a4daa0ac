"""What several tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.browsing import chromium, serve, visit
from vision.accuracy.shared import SharedFolderError, shared_folder

__all__ = ["chromium", "serve", "shared", "visit"]


@pytest.fixture(scope="session")
def shared() -> Path:
    """Returns the folder of test pictures and their truth, which is not part of the checkout; skips without it."""
    try:
        return shared_folder()
    except SharedFolderError as error:
        pytest.skip(str(error))
