"""What people are called, and say in their own words: as it is stored, shown and exported, whatever was pasted."""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 20
"""Characters of what a player is called, so that it fits on the page."""
_UNSEEN = ("Cc", "Cf", "Cs")
"""Unicode categories of what has no shape of its own: control, format (text direction among it), half a character."""
_BLANK = (
    "\N{COMBINING GRAPHEME JOINER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{KHMER VOWEL INHERENT AQ}"
    "\N{KHMER VOWEL INHERENT AA}\N{HANGUL FILLER}\N{HALFWIDTH HANGUL FILLER}\N{BRAILLE PATTERN BLANK}"
)
"""Letters and signs that are drawn as nothing (Default_Ignorable_Code_Point of Unicode), or as a blank."""
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Format characters that belong to words of some scripts, and to emoji of several parts."""


def cleaned(text: str) -> str:
    """Returns *text* without characters that control it or turn it around, and with single spaces between words.

    What is left can stand in every text and every XML document (Char of XML 1.0). Nothing is left of what nobody could
    see, such as accents without a letter below them; a letter and its accent are one character, however it was typed.
    """
    spaced = " ".join(text.split())
    shown = " ".join("".join(filter(_is_shown, spaced)).split()).strip(f"{_JOINERS} ")
    return unicodedata.normalize("NFC", shown) if any(map(_stands_alone, shown)) else ""


def _is_shown(character: str) -> bool:
    if character in _JOINERS:
        return True
    is_unseen = unicodedata.category(character) in _UNSEEN or character in _BLANK
    return not is_unseen and not _is_noncharacter(ord(character))


def _stands_alone(character: str) -> bool:
    """Whether it is seen without another one: marks are laid over the character before them."""
    return character not in _JOINERS and unicodedata.category(character)[0] not in "MZ"


def _is_noncharacter(code: int) -> bool:
    """Whether Unicode will never give *code* a meaning."""
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
