"""A file is replaced as a whole or not at all, and errors name it as people do."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.atomic_file import atomic_write


def test_what_cannot_be_written_is_named_as_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "none" / "sheets.pdf"
    with pytest.raises(FileNotFoundError) as failed, atomic_write(path):
        pass
    assert failed.value.filename == str(path)
