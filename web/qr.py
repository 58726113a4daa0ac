"""Addresses as QR codes."""

from __future__ import annotations

import segno
from markupsafe import Markup


def qr_code(address: str) -> Markup:
    """Returns an address as a QR code, as SVG."""
    return Markup(segno.make(address, error="m").svg_inline(omitsize=True, dark="#2e2419", light="#fff"))
