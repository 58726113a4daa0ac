"""The tiles of the white castles."""

from __future__ import annotations

from ...rules.tiles import BUILDING, MONASTERY

WHITE_CASTLE = "white_castle"
"""The building, and its effect."""
LABEL = f"{BUILDING}/{WHITE_CASTLE}"
COUNTED_BY = 29
"""Monastery that counts white castles at the end (S677)."""
MONASTERY_LABEL = f"{MONASTERY}/{COUNTED_BY}"
