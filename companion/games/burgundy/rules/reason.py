"""Why something cannot be done: a stable code, for which every language has a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Reason:
    """An objection."""

    code: str
    data: Mapping[str, Any] = field(default_factory=dict)
    """What the code's sentence needs."""
