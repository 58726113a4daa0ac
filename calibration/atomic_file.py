"""Atomic file writes: after a crash or a full disk a file has either its old or its new content."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Opens a temporary file that replaces *path* when the block ends and its content is on the disk.

    If anything fails before, for example because the disk is full (:exc:`OSError`), the old file stays unchanged and
    the temporary file is removed; the error names *path*.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException as error:
        with suppress(OSError):  # the first error is the one to report
            part.unlink()
        if isinstance(error, OSError) and error.filename == str(part):
            error.filename = str(path)
        raise
