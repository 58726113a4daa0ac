"""What a check says: a state, a sentence and a cure, in the words of any language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.text.translator import Translator

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

    def says(self, translator: Translator) -> str:
        """What was found."""
        return translator(f"doctor.says.{self.code}", **self._told(translator))

    def cure(self, translator: Translator) -> str | None:
        """What to do about it; None where there is nothing to do."""
        if self.state not in (WARNING, FAULT):
            return None
        return translator(f"doctor.cure.{self.code}", **self._told(translator))

    def to_json(self, translator: Translator) -> dict[str, str | None]:
        """The shape of ``companion doctor --json``."""
        return {
            "check": self.check,
            "state": self.state,
            "says": self.says(translator),
            "cure": self.cure(translator),
        }

    def _told(self, translator: Translator) -> dict[str, Any]:
        return {name: _told(value, translator) for name, value in self.data.items()}


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


def _told(value: Any, translator: Translator) -> Any:
    if isinstance(value, Text):
        return translator(value.key, **{name: _told(part, translator) for name, part in value.data.items()})
    if isinstance(value, tuple):
        return translator.join(str(_told(one, translator)) for one in value)
    if isinstance(value, float):
        return translator.decimal(value)
    return value
