"""What is kept on the disk beside the games: settings, keys and pictures; and warnings when it cannot be."""
