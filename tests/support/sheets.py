"""The sheets that open above the page."""

from __future__ import annotations

SHEETS = (
    "/menu",
    "/help",
    "/moves",
    "/areas/red",
    "/score/red",
    "/place/duchy:red:3",
    "/player/red",
    "/story",
    "/rules",
)
"""What opens above the page while red plays on duchy 1 of the Special Edition."""
