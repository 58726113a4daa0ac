"""A table at work: game after game, the loop from frames and buttons to the session, and the page's server."""
