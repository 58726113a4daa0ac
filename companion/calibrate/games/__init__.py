"""What lies on the table of each game: one package per game, found by its name."""
