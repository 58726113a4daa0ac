"""What a game may use of a translator, so that no game depends on :mod:`companion.text`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

MAX_SENTENCES = 3
"""Sentences that people listen to at a time."""


class Text(Protocol):
    """One language, and the table that the sentences are about."""

    @property
    def view(self) -> Mapping[str, Any]:
        """The position as in a session's snapshot; empty when none is known."""

    def __call__(self, key: str, /, **data: Any) -> str:
        """Returns the text *key* with its fields filled in from *data*."""

    def has(self, key: str) -> bool:
        """Whether the language has a text *key*."""

    def join(self, parts: Iterable[str]) -> str:
        """Returns ``a``, ``a and b``, or ``a, b and c``."""

    def player(self, name: str) -> str:
        """Returns what a player is called."""

    def option_value(self, option: str, value: str) -> str:
        """Returns what is chosen by a value of an option of the setup form."""

    def spoken_event(self, event: Mapping[str, Any]) -> str:
        """Returns what happened, to be heard."""


def capitalised(text: str) -> str:
    """Returns *text* as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def are_short_enough(sentences: Iterable[str], text: Text) -> bool:
    """Whether a voice needs no more than some ten seconds, after which nobody listens any more."""
    return sum(map(len, sentences)) <= int(text("language.in_ten_seconds"))
