"""Who plays: the bots, and the set-up of a game's players."""
