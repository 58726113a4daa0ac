"""What only one game has to see: one package per game, found by its name."""
