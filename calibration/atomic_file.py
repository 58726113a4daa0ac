"""Files that are whole at any moment: the old one or the new one, whatever becomes of the disk meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """A file to be written, which takes the place of *path* when the block ends and all of it is on the disk.

    When anything goes wrong before, as on a full disk (:exc:`OSError`), the old file stays as it is, and nothing of the
    new one is left.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with suppress(OSError):  # what went wrong before is what is told
            part.unlink()
        raise
