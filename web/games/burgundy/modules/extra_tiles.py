"""Extra tiles: the crane acts as another building; workers are hired by monastery 28."""

from __future__ import annotations

from .page import ModulePage

PAGE = ModulePage(groups={"use": "place", "hire": "workers"}, signs={"use": "crane", "hire": "worker"})
