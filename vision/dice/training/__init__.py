"""Teaching the dice networks: made-up scenes, rendered and photographed, and the scripts that learn from them.

Not needed to read dice; CONTRIBUTING.md has the commands.
"""
