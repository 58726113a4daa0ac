"""The players whom requests name."""

from __future__ import annotations

from flask import abort

from .drawing import View


def seat_with(view: View, colour: str, part: str) -> View:
    """Returns what the player of this *colour* has; ends the request with 404 if nobody plays it, or if there is no
    such *part*, as without the module that adds it."""
    seat: View | None = next((seat for seat in view["players"] if seat["colour"] == colour), None)
    if seat is None or part not in seat:
        abort(404)
    return seat
