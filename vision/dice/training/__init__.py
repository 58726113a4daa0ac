"""Training of the dice networks: synthetic scenes, rendered and photographed, and the training scripts.

Not needed to read dice; CONTRIBUTING.md has the commands.
"""
