"""What is stored beside the games: settings, keys and pictures; and warnings when storing fails."""
