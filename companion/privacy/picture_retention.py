"""The pictures of this evening and of those before: kept for as long as people want, and deleted when they say so."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.storage.picture_store import PictureStore
from companion.storage.settings import load_or_quarantine, load_or_safe
from hardware.closeable import Closeable

from .erasure import DataPaths, ErasureError, erase_pictures, expire_pictures, is_older

EVERY_S = 3600.0
"""How often it is looked whether pictures are too old."""


class PictureRetention(Closeable):
    """Represents all pictures while a game is played: the open *picture_store*, those of other games, those in memory.

    What is too old is deleted at the start, and from then on every hour.
    """

    def __init__(
        self,
        data_paths: DataPaths,
        picture_store: PictureStore,
        settings: Path,
        forget: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
        say: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        """*settings* is the file in which it stands how long pictures are kept, *forget* lets go of what is in memory,
        *clock* tells seconds since 1970, and *say* is told what could not be deleted.

        Where that file is unusable no pictures are kept, and those that are there stay until people choose.
        """
        self.data_paths = data_paths
        self._picture_store = picture_store
        self._settings = settings
        self._forget = forget
        self._clock = clock
        self._say = say
        chosen, _ = load_or_safe(settings)
        self._days, self._keeps_existing_pictures = chosen.picture_days, chosen.keeps_existing_pictures
        self._picture_store.enabled = self._days != 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pictures", daemon=True)
        self._thread.start()

    @property
    def days(self) -> int | None:
        """How long they are kept after a game; 0: none are, None: for ever."""
        return self._days

    def set_days(self, days: int | None) -> None:
        """Keeps pictures for so many days from now on, and deletes those that are older.

        :raises OSError: when that cannot be remembered, or not all could be deleted.
        """
        settings, _ = load_or_quarantine(self._settings)
        settings.save_changes(self._settings, picture_days=days)
        self._days, self._keeps_existing_pictures = days, False
        self._picture_store.enabled = days != 0
        self.expire()

    def expire(self) -> None:
        """Deletes what is too old.

        :raises ErasureError: when not all could be deleted.
        """
        if self._keeps_existing_pictures:
            return
        if self._days == 0:
            self.delete()
        elif self._days is not None:
            now = self._clock()
            if is_older(self._picture_store.path, self._days, now):
                self._clear_picture_store()
            expire_pictures(self.data_paths, self._days, now, excluding=self._picture_store.path)

    def delete(self) -> None:
        """Deletes all pictures, those of the game on the table too.

        :raises ErasureError: when not all could be deleted.
        """
        self._clear_picture_store()
        erase_pictures(self.data_paths, excluding=self._picture_store.path)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _clear_picture_store(self) -> None:
        self._forget()
        try:
            self._picture_store.clear()
        except OSError as error:
            raise ErasureError(f"{self._picture_store.path} ({error.strerror})") from error

    def _run(self) -> None:
        while True:
            try:
                self.expire()
            except OSError as error:
                self._say(f"pictures: could not be deleted: {error}; it is tried again")
            if self._stop.wait(EVERY_S):
                return
