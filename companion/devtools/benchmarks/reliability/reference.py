"""Records what a player reported as confirmed, and checks that it is still there after a restart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .scripted_player import Confirmed, Confirming, Resumed


@dataclass
class Reference:
    """Counts over all games, one after the other."""

    confirmed: int = 0
    lost: int = 0
    """Records that were there or reported as confirmed, and are missing or different."""
    doubled: int = 0
    """Records that were not being confirmed."""
    repaired: int = 0
    """Files that had to be repaired."""
    start_ms: list[float] = field(default_factory=list)
    _known: list[str] = field(default_factory=list)
    """Digests of the records that must be there."""
    confirming: bool = True
    """Whether a confirmation was going on at the last message; at first, that of the set-up."""

    def next_game(self) -> None:
        self._known, self.confirming = [], True

    def receive(self, message: Any) -> None:
        """Takes the next message of the player."""
        match message:
            case Resumed(ms, written, repaired):
                self.start_ms.append(ms)
                self.repaired += repaired
                self._compare(written)
            case Confirming():
                self.confirming = True
            case Confirmed(digest):
                self.confirming = False
                self.confirmed += 1
                self._known.append(digest)

    def _compare(self, written: tuple[tuple[str, str], ...]) -> None:
        digests = [digest for digest, _ in written]
        gone = set(self._known) - set(digests)
        self.lost += len(gone)
        last = max((digests.index(digest) for digest in self._known if digest not in gone), default=-1)
        # One confirmation is written at one moment, and at most one was going on.
        more = len({at for _, at in written[last + 1 :]})
        self.doubled += max(0, more - self.confirming)
        self._known, self.confirming = digests, False
