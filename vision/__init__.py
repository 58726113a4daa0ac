"""From frames to sightings: shapes and prints, no rules."""
