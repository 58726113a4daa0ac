"""What people are called, and say in their own words: as it is stored, shown and exported, whatever was pasted."""

from __future__ import annotations

import unicodedata

_UNSEEN = ("Cc", "Cf", "Cs")
"""Unicode categories of what has no shape of its own: control, format (text direction among it), half a character."""
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Format characters that belong to words of some scripts, and to emoji of several parts."""


def cleaned(text: str) -> str:
    """Returns *text* without characters that control it or turn it around, and with single spaces between words.

    What is left can stand in every text and every XML document (Char of XML 1.0).
    """
    spaced = " ".join(text.split())
    return " ".join("".join(filter(_is_shown, spaced)).split()).strip(f"{_JOINERS} ")


def _is_shown(character: str) -> bool:
    if character in _JOINERS:
        return True
    return unicodedata.category(character) not in _UNSEEN and not _is_noncharacter(ord(character))


def _is_noncharacter(code: int) -> bool:
    """Whether Unicode will never give *code* a meaning."""
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
