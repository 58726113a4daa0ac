"""What a check says: a state, a sentence and a cure, in the words of any language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.text.translator import Words

OK, WARNING, FAULT, SKIPPED = "ok", "warning", "fault", "skipped"
STATES = (FAULT, WARNING, OK, SKIPPED)
"""The worst first. A warning may spoil an evening, a fault does; what is skipped says why."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the languages, as a part of a sentence: a camera's trouble, say."""

    key: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """The texts ``doctor.says.CODE`` and, for warnings and faults, ``doctor.cure.CODE``, with their fields."""

    state: str
    code: str
    data: Mapping[str, Any] = field(default_factory=dict)
    check: str = ""
    """Name of the check; the examination fills it in."""

    def says(self, words: Words) -> str:
        """What was found."""
        return words(f"doctor.says.{self.code}", **self._told(words))

    def cure(self, words: Words) -> str | None:
        """What to do about it; None where there is nothing to do."""
        if self.state not in (WARNING, FAULT):
            return None
        return words(f"doctor.cure.{self.code}", **self._told(words))

    def to_json(self, words: Words) -> dict[str, str | None]:
        """The shape of ``companion doctor --json``."""
        return {"check": self.check, "state": self.state, "says": self.says(words), "cure": self.cure(words)}

    def _told(self, words: Words) -> dict[str, Any]:
        return {name: _told(value, words) for name, value in self.data.items()}


def ok(code: str, /, **data: Any) -> Finding:
    """All is well."""
    return Finding(OK, code, data)


def warning(code: str, /, **data: Any) -> Finding:
    """Play goes on, but it may be spoilt."""
    return Finding(WARNING, code, data)


def fault(code: str, /, **data: Any) -> Finding:
    """Something does not work."""
    return Finding(FAULT, code, data)


def skipped(code: str, /, **data: Any) -> Finding:
    """Nothing was looked at, for the reason that is said."""
    return Finding(SKIPPED, code, data)


def _told(value: Any, words: Words) -> Any:
    if isinstance(value, Text):
        return words(value.key, **{name: _told(part, words) for name, part in value.data.items()})
    if isinstance(value, tuple):
        return words.both(str(_told(one, words)) for one in value)
    if isinstance(value, float):
        return words.decimal(value)
    return value
