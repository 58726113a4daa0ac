"""A module of the tests' own, found as those of the box are: one folder, and nothing else knows it."""
