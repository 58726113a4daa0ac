"""Six-sided dice in photographs: where they lie, what they show and what colour they are."""

from vision.dice.reading import read_dice

__all__ = ["read_dice"]
