"""Checks hand-written JSON and TOML: each value knows its path, so that errors can name it.

book = Field.document({"dice": [1, 7]}, "my.json", ValueError)
[die.integer(1, 6) for die in book["dice"].items()]
# ValueError: my.json: dice[1]: 7 is not a whole number from 1 to 6
"""

from __future__ import annotations

import difflib
import json
import math
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

MAX_SHOWN = 40
"""Characters of a value or a name that a message shows."""
MAX_SENTENCE = 400
UNUSABLE = ("Cc", "Cs")
"""Unicode categories that no text may contain: control characters and lone surrogates."""


@dataclass(frozen=True, slots=True)
class Field:
    """One value inside a document, with its path from the top."""

    value: Any
    source: str
    """Name of the document in messages: its file name."""
    path: str
    """Path of the value: ``boards[1].anchors``; empty for the document itself."""
    error: type[ValueError]
    """The error class of the document's loader."""

    @classmethod
    def document(cls, data: Any, source: str, error: type[ValueError]) -> Field:
        """Returns the field of a complete document."""
        return cls(data, source, "", error)

    def fail(self, problem: str) -> NoReturn:
        """Raises the loader's error with file, field, problem and cure in one sentence."""
        if len(problem) > MAX_SENTENCE:
            problem = f"{problem[:MAX_SENTENCE]}..."
        raise self.error(": ".join(part for part in (self.source, self.path, problem) if part))

    def _child(self, key: str | int) -> Field:
        if isinstance(key, int):
            step = f"[{key}]"
        else:
            name = key if key.isprintable() and len(key) <= MAX_SHOWN else _show(key)
            step = f".{name}" if self.path else name
        return Field(self.value[key], self.source, self.path + step, self.error)

    # Tables (JSON objects)

    def table(self) -> Mapping[str, Any]:
        """Returns the value, which must be a table of named fields."""
        if not isinstance(self.value, Mapping):
            self.fail(f"should be a table of named fields, not {_show(self.value)}")
        return self.value

    def only(self, known: Collection[str]) -> None:
        """Raises the error for fields that are not *known*: a misspelt optional field would otherwise be ignored."""
        for name in self.table():
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                cure = (
                    f"did you mean {near[0]!r}?" if near else f"the known ones are {', '.join(sorted(known))}"
                )
                self._child(name).fail(f"unknown field; {cure}")

    def get(self, name: str) -> Field | None:
        """Returns the field *name*; None if it is missing."""
        return self._child(name) if name in self.table() else None

    def __getitem__(self, name: str) -> Field:
        """Returns the field *name*; raises the error if it is missing."""
        if name not in self.table():
            self.fail(f"the field {name!r} is missing")
        return self._child(name)

    def entries(self) -> list[tuple[str, Field]]:
        """Returns the names and fields of a table."""
        return [(name, self._child(name)) for name in self.table()]

    # Lists

    def items(
        self, count: int | None = None, *, at_least: int = 0, at_most: int | None = None
    ) -> list[Field]:
        """Returns the items of a list, exactly *count* or from *at_least* to *at_most*."""
        if not isinstance(self.value, (list, tuple)):
            self.fail(f"should be a list, not {_show(self.value)}")
        if count is not None and len(self.value) != count:
            self.fail(f"should have {count} entries, has {len(self.value)}")
        if len(self.value) < at_least:
            self.fail(f"should have at least {at_least} in its list, has {len(self.value)}")
        if at_most is not None and len(self.value) > at_most:
            self.fail(f"should have at most {at_most} in its list, has {len(self.value)}")
        return [self._child(index) for index in range(len(self.value))]

    def numbers(self, count: int, *, low: float = -math.inf, high: float = math.inf) -> tuple[float, ...]:
        """Returns *count* numbers from *low* to *high*."""
        return tuple(item.number(low=low, high=high) for item in self.items(count))

    # Single values

    def text(self, known: Collection[str] | None = None) -> str:
        """Returns a non-empty text, one of *known* if given."""
        if not isinstance(self.value, str) or not self.value:
            self.fail(f"should be a text, not {_show(self.value)}")
        if any(unicodedata.category(character) in UNUSABLE for character in self.value):
            self.fail(f"{_show(self.value)} contains a character that cannot be written; remove it")
        if known is not None and self.value not in known:
            self.fail(f"{_show(self.value)} is not known; choose one of {', '.join(known)}")
        return self.value

    def flag(self) -> bool:
        """Returns true or false."""
        if not isinstance(self.value, bool):
            self.fail(f"should be true or false, not {_show(self.value)}")
        return self.value

    def integer(self, low: int, high: int) -> int:
        """Returns an integer from *low* to *high*."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not low <= self.value <= high:
            self.fail(f"{_show(self.value)} is not a whole number from {low} to {high}")
        return self.value

    def number(self, *, above: float = -math.inf, low: float = -math.inf, high: float = math.inf) -> float:
        """Returns a finite number greater than *above* and from *low* to *high*."""
        value = _finite(self.value)
        if value is None:
            self.fail(f"should be a number, not {_show(self.value)}")
        if value <= above:
            self.fail(f"should be more than {above:g}, not {value:g}")
        if not low <= value <= high:
            self.fail(f"should be from {max(low, above):g} to {high:g}, not {value:g}")
        return value


def _finite(value: Any) -> float | None:
    """Returns *value* as a finite float; None if it is not a finite number."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def _show(value: Any) -> str:
    """Returns *value* shortened for a message; ``null``, ``true`` and ``false`` as they are written in files."""
    try:
        shown = json.dumps(value) if value is None or isinstance(value, bool) else repr(value)
    except (RecursionError, ValueError):  # nested deeply, or a number of thousands of digits
        return f"a {type(value).__name__} that is too long to show"
    return shown if len(shown) <= MAX_SHOWN else f"{shown[: MAX_SHOWN - 3]}..."
