"""Measuring the readers against pictures whose truth is known."""
