"""Benchmarks and screenshots of particular games: a folder each, found by its name."""
