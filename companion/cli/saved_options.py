"""Options that were saved for a start that nobody watches: what cannot be used is left out, and people are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from calibration.errors import CompanionError
from companion.storage.notices import StorageNotice
from companion.text.translator import Translator

from .errors import told

T = TypeVar("T")


@dataclass
class SavedOptions:
    """Represents the options of a start; where it is watched, what is wrong with one of them ends it.

    Those that guard the page (PIN, host, port) are never left out: it would be open to more people than was meant.
    """

    is_unattended: bool
    """Whether the system has started the companion: nobody reads a refusal, and the same start would come again."""
    translator: Translator
    remark: Callable[[str], None]
    """Takes a sentence, where the companion was started."""
    notices: list[StorageNotice] = field(default_factory=list)
    """What people should know."""

    def use(self, option: str, take: Callable[[], T], otherwise: T) -> T:
        """What *take* makes of an *option*; *otherwise*, where it is unusable and nobody watches.

        :raises CompanionError: as *take* does, where the start is watched; so are errors of the system.
        """
        try:
            return take()
        except (CompanionError, OSError) as error:
            if not self.is_unattended:
                raise
            why = told(error) if isinstance(error, OSError) else str(error)
            self.tell(StorageNotice("option_left_out", {"option": option, "why": why}))
            return otherwise

    def tell(self, notice: StorageNotice) -> None:
        """Tells people of *notice*, here and on the page."""
        self.remark(self.translator(f"storage_notices.{notice.code}", **notice.data))
        self.notices.append(notice)
