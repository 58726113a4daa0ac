"""Loads JSON and TOML files that may be hand-written or damaged.

Every failure is raised as the error class of the caller, in one sentence; :class:`calibration.fields.Field` then checks
the single values.
"""

from __future__ import annotations

import json
import re
import stat
import tomllib
from pathlib import Path
from typing import Any, NoReturn

from .errors import CompanionError

MALFORMED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What it raises to read, or to replay, what no companion has written."""

PROBLEMS = (
    (UnicodeDecodeError, "it is not a text in UTF-8"),
    (UnicodeError, "a text contains half a character"),
    (RecursionError, "it is nested too deeply"),
    (ArithmeticError, "a number is too large"),
    (IndexError, "something is missing in a list"),
    (ValueError, "a value does not have the form that it has to have"),
    (Exception, "a value is of another kind than it has to be"),
)
"""Errors of Python itself -> what they say about a file; the first that fits counts."""

LONGEST_KEY = 40
"""Characters of a key that is quoted."""
MAX_BYTES = 4_000_000
"""Far more than the largest file that the companion writes."""
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a surrogate pair, as JSON writes characters beyond the first 65,536."""


def explained(error: Exception) -> str:
    """Returns what one of :data:`MALFORMED` says about a file, for people: in words of our own."""
    if isinstance(error, CompanionError):
        return str(error)
    if isinstance(error, KeyError) and error.args:
        return f"{str(error.args[0])[:LONGEST_KEY]!r} is missing or unknown"
    return next(words for kind, words in PROBLEMS if isinstance(error, kind))


def read_json(path: Path, error: type[ValueError]) -> Any:
    """Returns the value in the JSON file *path*.

    :raises ValueError: as *error*, when the file is not valid JSON.
    :raises OSError: when the file cannot be read.
    """
    return parse_json(_text(path, error), str(path), error)


def parse_json(text: str, source: str, error: type[ValueError]) -> Any:
    """Returns the value of the JSON *text*; *source* names the file or column in errors.

    :raises ValueError: as *error*, when the text is not valid JSON.
    """
    if not text.strip():
        raise error(f"{source}: is empty")
    try:
        value = json.loads(text, parse_constant=_no_number)
        if _HALF.search(text):
            json.dumps(value, ensure_ascii=False).encode()  # a complete surrogate pair is valid
    except json.JSONDecodeError as wrong:
        raise error(f"{source}: line {wrong.lineno} is not valid JSON: {wrong.msg}") from wrong
    except RecursionError:
        raise error(f"{source}: is nested too deeply") from None
    except UnicodeEncodeError:
        raise error(f"{source}: contains half a character, as in \\ud800") from None
    except ValueError as wrong:  # a number of thousands of digits, or NaN
        raise error(f"{source}: is not valid JSON: {_about_number(wrong)}") from wrong
    return value


def read_toml(path: Path, error: type[ValueError]) -> dict[str, Any]:
    """Returns the table in the TOML file *path*.

    :raises ValueError: as *error*, when the file is not valid TOML.
    :raises OSError: when the file cannot be read.
    """
    text = _text(path, error)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise error(f"{path}: is nested too deeply") from None
    except ValueError as wrong:
        raise error(f"{path}: is not valid TOML: {_about_number(wrong)}") from wrong


def _text(path: Path, error: type[ValueError]) -> str:
    """Returns the text of the file *path* without a byte order mark, which some editors write."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise error(f"{path}: is not a file")
    if status.st_size > MAX_BYTES:
        raise error(f"{path}: is too large, {status.st_size / 1e6:.0f} MB")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise error(f"{path}: is not a text file, or not in UTF-8") from wrong


def _about_number(wrong: ValueError) -> str:
    """Returns Python's message about a number; its message about too many digits is meant for programmers."""
    return "a number has too many digits" if "limit" in str(wrong) else str(wrong)


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")
