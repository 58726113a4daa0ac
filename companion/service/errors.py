"""Errors of the installer.

They do not derive from ``calibration.errors.CompanionError``: the installer uses only the standard library.
"""

from __future__ import annotations


class ServiceError(RuntimeError):
    """An installation step failed; the message says which, and the cure."""


class RollbackFailedError(ServiceError):
    """Neither the new version nor the previous one starts."""
