"""The result of a check: a state, a sentence and a cure, in any language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.text.translator import Translator

OK, WARNING, FAULT, SKIPPED = "ok", "warning", "fault", "skipped"
STATES = (FAULT, WARNING, OK, SKIPPED)
"""The worst first. A fault prevents play, a warning may disturb it; a skipped check says why."""


@dataclass(frozen=True, slots=True)
class Text:
    """A translated text that is part of a sentence, such as the error of a camera."""

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

    def sentence(self, translator: Translator) -> str:
        """Returns the sentence about what was found."""
        return translator(f"doctor.says.{self.code}", **self._rendered(translator))

    def cure(self, translator: Translator) -> str | None:
        """Returns what to do about it; `None` if there is nothing to do."""
        if self.state not in (WARNING, FAULT):
            return None
        return translator(f"doctor.cure.{self.code}", **self._rendered(translator))

    def to_json(self, translator: Translator) -> dict[str, str | None]:
        """Returns the object that ``companion doctor --json`` prints."""
        return {
            "check": self.check,
            "state": self.state,
            "says": self.sentence(translator),
            "cure": self.cure(translator),
        }

    def _rendered(self, translator: Translator) -> dict[str, Any]:
        return {name: _rendered(value, translator) for name, value in self.data.items()}


def ok(code: str, /, **data: Any) -> Finding:
    """Returns a finding without a problem."""
    return Finding(OK, code, data)


def warning(code: str, /, **data: Any) -> Finding:
    """Returns a finding that may disturb play."""
    return Finding(WARNING, code, data)


def fault(code: str, /, **data: Any) -> Finding:
    """Returns a finding that something does not work."""
    return Finding(FAULT, code, data)


def skipped(code: str, /, **data: Any) -> Finding:
    """Returns the finding of a check that was skipped, for the reason *code*."""
    return Finding(SKIPPED, code, data)


def _rendered(value: Any, translator: Translator) -> Any:
    if isinstance(value, Text):
        return translator(
            value.key, **{name: _rendered(part, translator) for name, part in value.data.items()}
        )
    if isinstance(value, tuple):
        return translator.join(str(_rendered(one, translator)) for one in value)
    if isinstance(value, float):
        return translator.decimal(value)
    return value
