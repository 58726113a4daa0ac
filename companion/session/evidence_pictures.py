"""Evidence for a turn: pictures of the places that it changes, before and after, with their readings."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.journal import SEEN, Entry
from companion.storage.picture_store import EvidencePicture, PictureStore

from . import TableSession

if TYPE_CHECKING:
    import numpy as np

    from vision.sighting import Sighting

Cut = Callable[["np.ndarray", Collection[str]], Mapping[str, "np.ndarray"]]
"""Cuts places by name out of a frame (``vision.reader.TableReader.pictures``)."""
MOST_PLACES = 40
"""Most pictures of one entry: enough for the layout of a phase."""
JPEG_QUALITY = 80


class EvidencePictures:
    """Stores the evidence of each entry in *picture_store*, and shows that of the current proposal."""

    def __init__(self, session: TableSession, cut: Cut, picture_store: PictureStore) -> None:
        self._session = session
        self._cut = cut
        self._store = picture_store
        self._lock = threading.RLock()
        self._before: np.ndarray | None = None
        """The frame of the last confirmation."""
        self._after: tuple[np.ndarray, Sighting] | None = None
        """The last frame that was read."""
        self._known = {entry.seq for entry in session.entries()}

    def add_frame(self, frame: np.ndarray, sighting: Sighting) -> None:
        """Takes a frame that was read, after the session has observed the sighting.

        It is the evidence of entries that the session made from it alone. The evidence of entries that people confirmed
        before it is the frame before.
        """
        with self._lock:
            self._store_new(lambda entry: entry.by != SEEN)
            self._after = frame, sighting
            self._store_new(lambda entry: True)

    def clear_frames(self) -> None:
        """Drops the frames in memory."""
        with self._lock:
            self._before = self._after = None

    def of_proposal(self) -> list[EvidencePicture]:
        """Returns the evidence of the current proposal; empty if there is none."""
        with self._lock:
            return self._evidence_pictures(self._session.changed_places(None))

    def of_place(self, place: str) -> bytes | None:
        """Returns a place in the last frame as a JPEG file; ``None`` if it is not visible, or no frame was read."""
        with self._lock:
            if self._after is None:
                return None
            cut = self._cut(self._after[0], [place])
            return _jpeg(cut[place]) if place in cut else None

    def of_entry(self, entry: int) -> list[EvidencePicture]:
        """Returns the evidence of an entry by its :attr:`.Entry.evidence_seq`; empty if it was entered by hand, or long
        ago."""
        with self._lock:
            self._store_new(lambda entry: True)
        return self._store.for_entry(entry)

    def _store_new(self, is_selected: Callable[[Entry], bool]) -> None:
        """Stores the last frame as evidence of the new entries that *is_selected* selects, but for corrections and what
        was recorded again after them: the frame does not show those."""
        new = [
            entry
            for entry in self._session.entries()
            if entry.amends is None and entry.seq not in self._known and is_selected(entry)
        ]
        if self._after is None or not new:
            return
        for entry in new:
            self._known.add(entry.seq)
            self._store.add(entry.seq, self._evidence_pictures(self._session.changed_places(entry.seq)))
        self._before = self._after[0]

    def _evidence_pictures(self, places: Sequence[str]) -> list[EvidencePicture]:
        if self._after is None or not places:
            return []
        frame, sighting = self._after
        chosen = [place for place in places if place in sighting.places][:MOST_PLACES]
        after = self._cut(frame, chosen)
        before = self._cut(self._before, chosen) if self._before is not None else {}
        return [
            EvidencePicture(
                place,
                sighting.places[place].probabilities,
                _jpeg(before[place]) if place in before else None,
                _jpeg(after[place]),
            )
            for place in chosen
            if place in after
        ]


def _jpeg(picture: Any) -> bytes:
    import cv2

    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes())
