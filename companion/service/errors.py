"""What goes wrong with an installation."""

from __future__ import annotations


class ServiceError(RuntimeError):
    """Something about the installation cannot be done; the message says what, and the cure."""


class RollbackFailedError(ServiceError):
    """Neither the new version comes up, nor the one before."""
