"""A game's set-up, checked as a whole before anything of the game is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from calibration.documents import MALFORMED
from companion.games.api import Rules

from .errors import SetupError
from .opponents import bots_of


def check_new_setup(rules: Rules, setup: Mapping[str, Any]) -> None:
    """Sees to it that a new game can begin with *setup*.

    :raises SetupError: when it cannot.
    """
    _check(rules.check_setup, setup)


def check_existing_setup(rules: Rules, setup: Mapping[str, Any]) -> None:
    """Sees to it that a game which was begun with *setup* can go on: it may be one that no longer begins so.

    :raises SetupError: when it cannot.
    """
    try:
        _check(rules.seats, setup)
    except SetupError:
        check_new_setup(rules, setup)  # which says more plainly what is wrong
        raise


def _check(take: Callable[[Mapping[str, Any]], object], setup: Mapping[str, Any]) -> None:
    try:
        take(setup)
        bots_of(setup)
    except MALFORMED as error:  # read from a file or sent by a page, it may hold anything
        said = error if isinstance(error, ValueError) else f"{type(error).__name__} {error}"
        raise SetupError(f"this game cannot be set up: {said}") from error
