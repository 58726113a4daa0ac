"""Benchmarks and screenshots of *The Castles of Burgundy*.

random_games (for the benchmark of the rules), chateauma and full_table (benchmarks of their own), screenshots.
"""
