"""Pebbles on a cloth: pieces that lie free, and more than a thousand moves at a time."""
