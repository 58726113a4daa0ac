"""The frame that the camera read last, as the page shows it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeAlias

from companion.referee import is_doubtful

if TYPE_CHECKING:
    import numpy as np

    from vision.sighting import Sighting

Box: TypeAlias = tuple[int, int, int, int]
"""x, y, width and height, px."""
MOST_DOUBTFUL = 12
"""Dice whose pictures are kept: those of a roll and a few more."""


class LastFrame:
    """Stores the frame that was read last, as the small JPEG that the page shows."""

    def __init__(self) -> None:
        self._latest: tuple[np.ndarray, Sighting] | None = None
        self._drawn: bytes | None = None
        self._doubtful: dict[Box, bytes] = {}
        """Pictures of dice as they were read with doubt: when they are asked about, they may have been moved."""
        self._lock = threading.Lock()
        """For the two together: what was drawn is of the latest frame."""
        # OpenCV 5 unpacks its fonts anew, 6 MB, in every thread that writes a word (cv::FontFace): so one writes.
        self._draughtsman = ThreadPoolExecutor(1, thread_name_prefix="pictures")

    def note(self, frame: np.ndarray, sighting: Sighting) -> None:
        """Remembers a frame; but for doubtful dice it is only encoded when somebody looks."""
        with self._lock:
            self._latest, self._drawn = (frame, sighting), None
            for die in filter(is_doubtful, sighting.dice):
                self._doubtful.pop(die.box, None)
                self._doubtful[die.box] = _crop(frame, die.box)
            while len(self._doubtful) > MOST_DOUBTFUL:
                del self._doubtful[next(iter(self._doubtful))]

    def forget(self) -> None:
        """Drops the frame, and all pictures."""
        with self._lock:
            self._latest = self._drawn = None
            self._doubtful.clear()

    @property
    def frame(self) -> np.ndarray | None:
        """The frame, (H, W, 3) uint8 BGR; None before the first one."""
        return None if (latest := self._latest) is None else latest[0]

    def jpeg(self) -> bytes | None:
        """The frame with the dice that were read marked, None before the first one."""
        return self._draughtsman.submit(self._draw).result()

    def _draw(self) -> bytes | None:
        from vision.annotate import annotated_jpeg

        with self._lock:
            latest, drawn = self._latest, self._drawn
        if latest is None or drawn is not None:
            return drawn
        drawn = annotated_jpeg(*latest)
        with self._lock:
            if self._latest is latest:  # no other one was read meanwhile, and it was not forgotten
                self._drawn = drawn
        return drawn

    def crop(self, box: Box) -> bytes | None:
        """A die, large and framed: as it was read if that was doubtful, else as it is in the frame; None before the
        first frame."""
        if (doubtful := self._doubtful.get(box)) is not None:
            return doubtful
        return None if (latest := self._latest) is None else _crop(latest[0], box)


def _crop(frame: np.ndarray, box: Box) -> bytes:
    from vision.annotate import crop_jpeg

    return crop_jpeg(frame, box, framed=True)
