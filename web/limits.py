"""How much a browser may send."""

MAX_UPLOAD_BYTES = 16_000_000
"""Bytes: a file of some four hundred games, sent only by those who may import."""
