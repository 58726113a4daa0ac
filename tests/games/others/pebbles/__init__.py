"""A game that is written, but not played."""
