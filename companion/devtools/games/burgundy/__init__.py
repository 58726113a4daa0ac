"""Benchmarks and screenshots of *The Castles of Burgundy*.

random_games (for the benchmark of the rules), people (for those of the referee and of taps), chateauma and full_table
(benchmarks of their own), screenshots.
"""
