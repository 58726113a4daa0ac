"""Somebody who hears what a player was told to be confirmed, and looks whether it is there after the player is back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .scripted_player import Confirmed, Confirming, Resumed


@dataclass
class Reference:
    """Counts over all games, which are heard one after the other."""

    confirmed: int = 0
    lost: int = 0
    """Records that were there, or told to be confirmed, and are gone or others."""
    doubled: int = 0
    """Records that nobody was about to confirm."""
    mended: int = 0
    """Files in which something was amiss."""
    start_ms: list[float] = field(default_factory=list)
    _known: list[str] = field(default_factory=list)
    """Digests of records that must be there."""
    doing: bool = True
    """Whether something was being confirmed when the player was last heard; at first, the set-up."""

    def next_game(self) -> None:
        self._known, self.doing = [], True

    def receive(self, told: Any) -> None:
        """Takes what the player says, in its order."""
        match told:
            case Resumed(ms, written, mended):
                self.start_ms.append(ms)
                self.mended += mended
                self._compare(written)
            case Confirming():
                self.doing = True
            case Confirmed(digest):
                self.doing = False
                self.confirmed += 1
                self._known.append(digest)

    def _compare(self, written: tuple[tuple[str, str], ...]) -> None:
        digests = [digest for digest, _ in written]
        gone = set(self._known) - set(digests)
        self.lost += len(gone)
        last = max((digests.index(digest) for digest in self._known if digest not in gone), default=-1)
        # What is confirmed at once is written at once, in one moment; at most one such thing was under way.
        more = len({at for _, at in written[last + 1 :]})
        self.doubled += max(0, more - self.doing)
        self._known, self.doing = digests, False
