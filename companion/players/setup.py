"""A game's set-up, checked before anything of the game is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from calibration.documents import MALFORMED, explained
from companion.games.api import Rules

from .errors import SetupError
from .opponents import bots_of


def check_new_setup(rules: Rules, setup: Mapping[str, Any]) -> None:
    """Checks that a new game can begin with *setup*.

    :raises SetupError: when it cannot.
    """
    _check(rules.check_setup, setup)


def check_existing_setup(rules: Rules, setup: Mapping[str, Any]) -> None:
    """Checks that a game begun with *setup* can go on; an earlier release may have allowed more set-ups.

    :raises SetupError: when it cannot.
    """
    try:
        _check(rules.seats, setup)
    except SetupError:
        check_new_setup(rules, setup)  # its message is more precise
        raise


def _check(check: Callable[[Mapping[str, Any]], object], setup: Mapping[str, Any]) -> None:
    try:
        check(setup)
        bots_of(setup)
    except MALFORMED as error:
        raise SetupError(f"this game cannot be set up: {explained(error)}") from error
