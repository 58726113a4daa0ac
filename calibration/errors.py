"""The common base of our own errors, which every package may import."""

from __future__ import annotations


class CompanionError(Exception):
    """Base class of the errors that people can do something about: the message names the fault and the cure.

    The command line prints these as one sentence. Anything else is a fault of the program and stays a traceback.
    """
