"""Who plays: people, and the bots that may take a seat."""
