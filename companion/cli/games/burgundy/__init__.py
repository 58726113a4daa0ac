"""What *The Castles of Burgundy* adds to the command line.

play, demo, simulate and rules (options of these commands), bench_chateauma (a command of its own).
"""
