"""Reads boards: the tiles on the printed spaces."""
