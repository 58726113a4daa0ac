"""Teaching the dice networks: drawn scenes, and the script that learns from them. Not needed to read dice."""
