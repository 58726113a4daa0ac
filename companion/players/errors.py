"""The error of a set-up with which no game can begin."""

from __future__ import annotations

from calibration.errors import CompanionError


class SetupError(CompanionError, ValueError):
    """No game can begin with this set-up; the message says why."""
