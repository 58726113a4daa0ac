"""Texts that people read and hear, in every language."""
