"""Says what a command could not delete."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.privacy.erasure import ErasureError
from companion.text.translator import Translator

from .errors import fail


@contextmanager
def erasing(translator: Translator) -> Iterator[None]:
    """Exits with one sentence that names the remaining files if the block could not delete everything."""
    try:
        yield
    except ErasureError as error:
        fail(translator("storage_notices.not_erased", remaining=error.remaining))
