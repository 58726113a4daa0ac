"""Calibration of one table and the pieces of its box, done once before play."""
