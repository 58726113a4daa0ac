"""Names and reasons in players' own words, cleaned so that they can be stored, shown and exported."""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 20
"""Characters of what a player is called, so that it fits on the page."""
_INVISIBLE = ("Cc", "Cf", "Cs")
"""Unicode categories of characters without a shape: control, format (such as text direction), lone surrogates."""
_BLANK = (
    "\N{COMBINING GRAPHEME JOINER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{KHMER VOWEL INHERENT AQ}"
    "\N{KHMER VOWEL INHERENT AA}\N{HANGUL FILLER}\N{HALFWIDTH HANGUL FILLER}\N{BRAILLE PATTERN BLANK}"
)
"""Characters that are drawn as nothing (Default_Ignorable_Code_Point of Unicode) or as a blank."""
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Format characters that belong to words of some scripts, and to emoji that are sequences."""


def cleaned(text: str) -> str:
    """Returns *text* without control and direction characters, and with single spaces between words.

    The result may appear in any text or XML document (Char of XML 1.0). It is empty if nothing would be visible, such
    as accents without a letter. A letter and its accent become one character (NFC).
    """
    spaced = " ".join(text.split())
    visible = " ".join("".join(filter(_is_visible, spaced)).split()).strip(f"{_JOINERS} ")
    return unicodedata.normalize("NFC", visible) if any(map(_is_visible_alone, visible)) else ""


def storable(text: str) -> str:
    """Returns *text* with a question mark for what no file can hold: half a character (``\\ud800`` in JSON), or a byte
    of the command line that is no text."""
    return text.encode(errors="replace").decode()


def is_storable(text: str) -> bool:
    """Returns whether every character of *text* can be stored."""
    return storable(text) == text


def _is_visible(character: str) -> bool:
    if character in _JOINERS:
        return True
    is_invisible = unicodedata.category(character) in _INVISIBLE or character in _BLANK
    return not is_invisible and not _is_noncharacter(ord(character))


def _is_visible_alone(character: str) -> bool:
    """Whether the character is visible alone: marks are drawn over the character before them."""
    return character not in _JOINERS and unicodedata.category(character)[0] not in "MZ"


def _is_noncharacter(code: int) -> bool:
    """Whether Unicode reserves *code* for ever as no character."""
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
