"""The hardware at the table: cameras, button panel and voice, each real or simulated."""
