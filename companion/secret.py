"""The key that signs what browsers keep for the page: made on the first start, readable by its owner alone."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

BYTES = 32


def signing_key(path: str | Path) -> bytes:
    """The key in the file *path*, which is made when there is none.

    :raises OSError: when it can neither be read nor made.
    """
    path = Path(path)
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        key = b""
    if len(key) == BYTES:
        return key
    key = secrets.token_bytes(BYTES)
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(path.name + ".new")
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    made.replace(path)
    return key
