"""Why a move is illegal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is illegal: a stable code, for which every language has a sentence."""

    code: str
    data: Mapping[str, Any] = field(default_factory=dict)
    """Values for the sentence's placeholders."""
