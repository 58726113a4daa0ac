"""What a game needs of a translator to tell people what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol


class Text(Protocol):
    """The texts of one language about one position (:class:`companion.text.translator.Translator`)."""

    view: Mapping[str, Any]
    """The position, as :meth:`companion.games.api.Rules.view` shows it."""

    def __call__(self, key: str, /, **data: Any) -> str:
        """Returns the text *key*, with *data* in its places."""
        ...

    def join(self, parts: Iterable[str]) -> str:
        """Returns *parts* as a list in a sentence: a, b and c."""
        ...


def capitalised(text: str) -> str:
    """*text* as the beginning of a sentence."""
    return text[:1].upper() + text[1:]
