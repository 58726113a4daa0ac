"""In turn, everybody rolls the white die and keeps or leaves what it shows: dice, and no camera."""
