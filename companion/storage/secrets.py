"""Secrets: the key that signs the page's cookies, and the table's PIN.

The key is created on the first start, readable by its owner alone. Neither is ever printed or logged.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from calibration.errors import CompanionError
from companion.games.player_text import is_storable

KEY_BYTES = 32
LONGEST_PIN = 64
MAX_BYTES = 1000
"""Read from a file with a PIN in its first line."""
PIN_VARIABLE = "TABLE_COMPANION_PIN"
"""Environment variable that may hold the PIN."""
CREDENTIALS = "CREDENTIALS_DIRECTORY"
"""Environment variable in which systemd names the folder of a service's credentials."""


class PinError(CompanionError, ValueError):
    """The PIN cannot be read or used; the message names the cure."""


def signing_key(path: str | Path) -> bytes:
    """Returns the key in the file *path*, which is created when there is none.

    :raises OSError: when it can neither be read nor created.
    """
    path = Path(path)
    key = path.read_bytes() if path.is_file() and path.stat().st_size == KEY_BYTES else b""
    if len(key) == KEY_BYTES:
        return key
    key = secrets.token_bytes(KEY_BYTES)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    return key


def table_pin(given: str | None, file: Path | None) -> str | None:
    """Returns the table's PIN: *given* itself, or the first line of *file*, by default systemd's credential ``pin``.

    :raises PinError: when it is empty or too long, given twice, or the file cannot be read.
    """
    if given is not None and file is not None:
        raise PinError(f"the PIN is given twice: leave out --pin (and {PIN_VARIABLE}) or --pin-file")
    if (
        given is None and os.environ.get(PIN_VARIABLE) == ""
    ):  # options that protect the page are never ignored
        raise PinError(
            f"{PIN_VARIABLE} is empty, and a PIN has 1 to {LONGEST_PIN} characters: set it, or unset it"
        )
    if given is None and file is None and (folder := os.environ.get(CREDENTIALS)):
        credential = Path(folder) / "pin"
        file = credential if credential.exists() else None
    if file is not None:
        try:
            given = _first_line(file)
        except (OSError, UnicodeDecodeError) as error:
            raise PinError(
                f"the PIN cannot be read from {file} ({getattr(error, 'strerror', 'it is not text')}): "
                "name a file whose first line is the PIN"
            ) from error
    if given is not None and not 0 < len(given) <= LONGEST_PIN:
        raise PinError(f"a PIN has 1 to {LONGEST_PIN} characters: choose another one")
    if given is not None and not is_storable(given):
        raise PinError("the PIN contains bytes that are no text in UTF-8: choose another one")
    return given


def _first_line(file: Path) -> str:
    """Returns the first line of *file*. Raises :exc:`PinError` if it is a pipe, which may never have one."""
    if not stat.S_ISREG(file.stat().st_mode):
        raise PinError(
            f"the PIN cannot be read from {file} (it is no file): name one whose first line is the PIN"
        )
    with file.open("rb") as source:
        line = source.readline(MAX_BYTES)
    return line.decode("utf-8").strip()
