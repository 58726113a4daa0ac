"""Games without a real table: simulated players, and the misreadings of a simulated camera."""
