"""Games without a real table: simulated players, and simulated misreadings."""
