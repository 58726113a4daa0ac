"""Options of an unattended start at boot: unusable ones are ignored, and players are notified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from calibration.errors import CompanionError, unnamed
from companion.runtime.remarks import remark_on
from companion.service.file_errors import describe
from companion.storage.notices import StorageNotice
from companion.text.translator import Translator

T = TypeVar("T")


@dataclass
class SavedOptions:
    """Represents the options of a start. In a watched start, an unusable option is an error.

    Options that protect the page (PIN, host, port) are never ignored: it would be open to more people than intended.
    """

    is_unattended: bool
    """Whether the system started the companion: nobody would read the error, and the next start would fail as well."""
    translator: Translator
    remark: Callable[[str], None]
    """Prints a sentence where the companion was started."""
    notices: list[StorageNotice] = field(default_factory=list)
    """Notices for the page."""

    def use(self, option: str, take: Callable[[], T], otherwise: T) -> T:
        """Returns the result of *take* for an *option*; *otherwise* if that fails in an unattended start.

        :raises CompanionError: if *take* does and the start is watched; likewise for :exc:`OSError`.
        """
        try:
            return take()
        except (CompanionError, OSError) as error:
            if not self.is_unattended:
                raise
            why = describe(error) if isinstance(error, OSError) else str(error)
            about = {"option": option, "problem": unnamed(why)}
            self.report(StorageNotice("option_left_out", about), why)
            return otherwise

    def report(self, notice: StorageNotice, found: str) -> None:
        """Reports *notice* in the terminal and on the page, and in the terminal what was *found*, in English."""
        remark_on(notice, found, self.translator, self.remark)
        self.notices.append(notice)
