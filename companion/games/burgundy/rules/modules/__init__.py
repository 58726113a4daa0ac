"""Parts of the box that a game may be played with or without."""
