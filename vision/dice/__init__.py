"""Six-sided dice in photographs: where they lie, what they show and what colour they are."""

from .reading import measure_dice, read_dice

__all__ = ["measure_dice", "read_dice"]
