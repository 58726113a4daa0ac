"""The virtual table of *The Castles of Burgundy* (:class:`companion.virtual.virtual_game.VirtualGame`)."""

from .drawn_table import table
from .readable import labels
from .setup import assumptions, setup

__all__ = ["assumptions", "labels", "setup", "table"]
