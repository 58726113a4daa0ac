"""The gallery of the owner's tiles, which learns during play; no game depends on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.closeable import Closeable

if TYPE_CHECKING:
    import numpy as np

    from vision.gallery import Gallery
    from vision.reader import TableReader


def gallery_of(path: Path | None, remark: Callable[[str], None]) -> tuple[Gallery | None, bool]:
    """Returns the gallery in the file *path* (None if there is none), and whether the file is unusable.

    Without a gallery only the types of tiles are recognised. *remark* is called with the reason.

    :raises vision.gallery.NoGalleryError: if there is no such file, which may be a typing error.
    """
    from vision.gallery import Gallery, GalleryError, NoGalleryError

    if path is None:
        return None, False
    try:
        return Gallery.load(path), False
    except NoGalleryError:
        raise
    except GalleryError as error:
        remark(f"gallery: {error}; until then only the types of tiles are recognised")
        return None, True


class LearntTiles(Closeable):
    """Represents the gallery of *reader*, stored in the file *path*.

    If the file cannot be written, that is tried again after each turn and at the end.
    """

    def __init__(self, reader: TableReader, path: Path, remark: Callable[[str], None]) -> None:
        self.path = path
        self.error: OSError | None = None
        """Why the file could not be written last time; None if it could."""
        self._reader = reader
        self._remark = remark
        self._unsaved = False

    def learn(self, frame: np.ndarray, labels: Mapping[str, str]) -> None:
        """Learns from *frame* the tiles that certainly lie there; *labels* maps places to their labels."""
        self._unsaved |= self._reader.add_examples(frame, labels) > 0
        self._save()

    def close(self) -> None:
        self._save()

    def _save(self) -> None:
        if not self._unsaved or self._reader.gallery is None:
            return
        before, self.error = self.error, None
        try:
            self._reader.gallery.save(self.path)
        except OSError as error:
            self.error = error
            if before is None:
                self._remark(f"gallery: {self.path} cannot be written ({error.strerror}); it is tried again")
        else:
            self._unsaved = False
