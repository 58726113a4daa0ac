"""Camera pictures that are embedded in a page."""

from __future__ import annotations

from base64 import b64encode

from .context import page_context


def inline(jpeg: bytes) -> str:
    """Returns *jpeg* as a data URL."""
    return f"data:image/jpeg;base64,{b64encode(jpeg).decode()}"


def picture_at(place: str) -> bytes | None:
    """Returns the last JPEG of a place; None if the camera has not seen it."""
    evidence_pictures = page_context().evidence_pictures
    return evidence_pictures.of_place(place) if evidence_pictures else None
