"""The virtual tables of the games that have one: a folder each, found by its name."""
