"""What is printed in the owner's copy of a game, where copies differ.

It is asked on a page before a game that needs it, and learnt from what people report during a game.

A game of that kind has ``OWNER_PRINT`` in its part ``companion.runtime.games.GAME``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, cast

from calibration.errors import CompanionError
from companion.games.parts import part
from companion.text.translator import Translator

from .server import PageSettings


class UnansweredError(CompanionError, RuntimeError):
    """A page was closed before everything was answered; the message says what happened to the answers."""


class OwnerPrint(Protocol):
    """What one game asks about the owner's copy; the answers are in the file *path*."""

    unknown_error: type[Exception]
    """What the rules raise if a game cannot begin before something is answered."""

    def assumed(self, setup: Mapping[str, Any]) -> dict[str, Any]:
        """Returns *setup*, for which :attr:`unknown_error` is raised, with made-up answers: so all else is checked."""
        ...

    def missing(self, setup: Mapping[str, Any], path: Path) -> int:
        """Returns how many questions must be answered before a game with *setup*."""
        ...

    def ask(
        self,
        setup: Mapping[str, Any],
        path: Path,
        page: PageSettings,
        translator: Translator,
        *,
        camera_name: str,
        can_go_back: bool,
        check_can_begin: Callable[[], None],
    ) -> PageSettings:
        """Serves the page that asks, until nothing is missing or people go back to the setup form.

        Nothing is saved while *check_can_begin* raises a :exc:`.JournalError`; the page says why.

        Returns *page* with the port that was used. Raises :exc:`UnansweredError` if the page is closed before that.
        """
        ...

    def complete(self, setup: Mapping[str, Any], path: Path) -> dict[str, Any]:
        """Returns *setup* with what is answered."""
        ...

    def learn(self, state: Any, path: Path) -> None:
        """Adds what people have reported in the game of *state* to the answers.

        Raises :exc:`CompanionError` if the file cannot be used, :exc:`OSError` if it cannot be written.
        """
        ...


def owner_print_of(game: str) -> OwnerPrint | None:
    """Returns what a game asks about the owner's copy; None if all copies are alike."""
    found = part("companion.runtime", game)
    return cast("OwnerPrint | None", getattr(found, "OWNER_PRINT", None))
