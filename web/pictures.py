"""Small pictures of what the camera saw, within a page."""

from __future__ import annotations

from base64 import b64encode

from .served import served


def inline(jpeg: bytes) -> str:
    """A small picture as the address of an image."""
    return f"data:image/jpeg;base64,{b64encode(jpeg).decode()}"


def picture_at(place: str) -> bytes | None:
    """A place as the camera saw it last, as a JPEG file; None when it did not."""
    evidence_pictures = served().evidence_pictures
    return evidence_pictures.of_place(place) if evidence_pictures else None
