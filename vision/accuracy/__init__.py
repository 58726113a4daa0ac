"""Measures the accuracy of the readers on pictures with known truth."""
