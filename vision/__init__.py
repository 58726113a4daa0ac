"""From frames to sightings: recognition of shapes and prints, without rules."""
