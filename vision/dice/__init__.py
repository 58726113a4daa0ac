"""Six-sided dice in photographs: position, value and colour.

reading is the reader; it uses networks (three of them, in a cascade), patches, evidence (how certain a die is) and
colour.
"""

from .reading import measure_dice, read_dice

__all__ = ["measure_dice", "read_dice"]
