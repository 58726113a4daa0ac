"""The frame that the camera read last, as the page shows it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from vision.sighting import Sighting


class LastFrame:
    """Stores the frame that was read last, as the small JPEG that the page shows."""

    def __init__(self) -> None:
        self._latest: tuple[np.ndarray, Sighting] | None = None
        self._drawn: bytes | None = None
        self._lock = threading.Lock()
        """For the two together: what was drawn is of the latest frame."""
        # OpenCV 5 unpacks its fonts anew, 6 MB, in every thread that writes a word (cv::FontFace): so one writes.
        self._draughtsman = ThreadPoolExecutor(1, thread_name_prefix="pictures")

    def note(self, frame: np.ndarray, sighting: Sighting) -> None:
        """Remembers a frame; it is only encoded when somebody looks."""
        with self._lock:
            self._latest, self._drawn = (frame, sighting), None

    def forget(self) -> None:
        """Drops the frame."""
        with self._lock:
            self._latest = self._drawn = None

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

    def crop(self, box: tuple[int, int, int, int]) -> bytes | None:
        """A die in the frame, large and framed: *box* is x, y, width, height in px; None before the first frame."""
        from vision.annotate import crop_jpeg

        return None if (latest := self._latest) is None else crop_jpeg(latest[0], box, framed=True)
