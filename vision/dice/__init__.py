"""Six-sided dice in photographs: position, value and colour."""

from .reading import measure_dice, read_dice

__all__ = ["measure_dice", "read_dice"]
