"""What the virtual table has for each game: one package per game, found by its name."""
