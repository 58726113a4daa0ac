"""Reading files that people write, or that a card may have damaged: JSON and TOML.

Whatever such a file holds, reading it raises the loader's own error, one sentence, or gives plain values;
:class:`calibration.fields.Field` says which of them is wrong.
"""

from __future__ import annotations

import json
import re
import stat
import tomllib
from pathlib import Path
from typing import Any, NoReturn

MALFORMED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What it raises to read, or to replay, what no companion has written."""

MOST_BYTES = 4_000_000
"""Far above the longest file that the companion writes itself."""
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""How JSON writes half of a character beyond the first 65,536."""


def read_json(path: Path, error: type[ValueError]) -> Any:
    """The value in the JSON file *path*.

    :raises ValueError: as *error*, when it holds something else.
    :raises OSError: when it cannot be read.
    """
    return parse_json(_text(path, error), str(path), error)


def parse_json(text: str, source: str, error: type[ValueError]) -> Any:
    """The value that *text* of the file or column *source* is as JSON.

    :raises ValueError: as *error*, when it is none.
    """
    if not text.strip():
        raise error(f"{source}: is empty")
    try:
        value = json.loads(text, parse_constant=_no_number)
        if _HALF.search(text):
            json.dumps(value, ensure_ascii=False).encode()  # two halves are one character, and right
    except json.JSONDecodeError as wrong:
        raise error(f"{source}: line {wrong.lineno} is not valid JSON: {wrong.msg}") from wrong
    except RecursionError:
        raise error(f"{source}: is nested too deeply") from None
    except UnicodeEncodeError:
        raise error(f"{source}: holds half a character, as in \\ud800") from None
    except ValueError as wrong:  # a number of thousands of digits, or NaN
        raise error(f"{source}: is not valid JSON: {_about_number(wrong)}") from wrong
    return value


def read_toml(path: Path, error: type[ValueError]) -> dict[str, Any]:
    """The table in the TOML file *path*.

    :raises ValueError: as *error*, when it holds something else.
    :raises OSError: when it cannot be read.
    """
    text = _text(path, error)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise error(f"{path}: is nested too deeply; repair it") from None
    except ValueError as wrong:
        raise error(f"{path}: is not valid TOML: {_about_number(wrong)}") from wrong


def _text(path: Path, error: type[ValueError]) -> str:
    """What is in the file *path*; some editors begin a text with a byte order mark, which is left out."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise error(f"{path}: is no file")
    if status.st_size > MOST_BYTES:
        raise error(f"{path}: is too large, {status.st_size / 1e6:.0f} MB")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise error(f"{path}: is not a text file, or not in UTF-8") from wrong


def _about_number(wrong: ValueError) -> str:
    """What Python says about a number; of one that is too long it tells only programmers what to do."""
    return "a number has too many digits" if "limit" in str(wrong) else str(wrong)


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
