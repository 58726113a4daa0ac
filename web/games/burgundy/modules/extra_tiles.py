"""Extra tiles: the crane acts as another building; workers are hired by monastery 28."""

from __future__ import annotations

from .page import NO_HEADING, ModulePage

PAGE = ModulePage(
    groups={"use": NO_HEADING, "hire": "workers"},
    own_buttons=("hire",),
    signs={"use": "crane", "hire": "worker"},
)
