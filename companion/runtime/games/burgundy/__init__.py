"""What Burgundy needs at the start of a table: the print of the owner's copy."""

from .owner_print import OWNER_PRINT

__all__ = ["OWNER_PRINT"]
