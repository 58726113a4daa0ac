"""Where the checkout's files are."""

from __future__ import annotations

from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
DOCS = CHECKOUT / "docs"
GOLDEN = CHECKOUT / "tests" / "golden"
