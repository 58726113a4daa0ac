"""The printed facts of each game: one package per game, found by its name."""
