"""What is said where the companion was started."""

from __future__ import annotations

from collections.abc import Callable

from companion.storage.notices import StorageNotice
from companion.text.translator import Translator


def remark_on(
    notice: StorageNotice, found: str, translator: Translator, remark: Callable[[str], None]
) -> None:
    """Reports *notice* where the companion was started, and what was *found* unless the notice says it."""
    sentence = translator(f"storage_notices.{notice.code}", **notice.data)
    remark(sentence)
    if found not in sentence:
        remark(found)
