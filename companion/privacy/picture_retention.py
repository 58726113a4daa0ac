"""Deletes pictures of the table after the time that people have chosen, or at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.service.file_errors import describe
from companion.storage.picture_store import PictureStore
from companion.storage.settings import load_or_quarantine, load_or_safe
from hardware.closeable import Closeable

from .erasure import DataPaths, ErasureError, Remaining, erase_pictures, expire_pictures, is_older

CHECK_S = 3600.0
"""How often old pictures are looked for."""


class PictureRetention(Closeable):
    """Represents all pictures while a game is played: the open *picture_store*, those of other games, those in memory.

    Old pictures are deleted at the start, and from then on every hour.
    """

    def __init__(
        self,
        data_paths: DataPaths,
        picture_store: PictureStore,
        settings: Path,
        forget: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
        warn: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        """*settings* is the file with the time for which pictures are stored, *forget* drops the pictures in memory,
        *clock* returns seconds since 1970, and *warn* gets a sentence when pictures could not be deleted.

        While that file is unusable no pictures are stored, and existing ones stay until people choose.
        """
        self.data_paths = data_paths
        self._picture_store = picture_store
        self._settings = settings
        self._forget = forget
        self._clock = clock
        self._warn = warn
        chosen, _ = load_or_safe(settings)
        self._days, self._retains_existing = chosen.picture_days, chosen.keeps_existing_pictures
        self._picture_store.enabled = self._days != 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pictures", daemon=True)
        self._thread.start()

    @property
    def days(self) -> int | None:
        """Returns for how many days pictures are stored after a game; 0: not at all, ``None``: for ever."""
        return self._days

    def set_days(self, days: int | None) -> None:
        """Stores pictures for *days* from now on, and deletes older ones.

        :raises OSError: when the setting cannot be written, or not all could be deleted.
        """
        settings, _ = load_or_quarantine(self._settings)
        settings.save_changes(self._settings, picture_days=days)
        self._days, self._retains_existing = days, False
        self._picture_store.enabled = days != 0
        self.expire()

    def expire(self) -> None:
        """Deletes pictures that are too old.

        :raises ErasureError: when not all could be deleted.
        """
        if self._retains_existing:
            return
        if self._days == 0:
            self.delete()
        elif self._days is not None:
            now = self._clock()
            if is_older(self._picture_store.path, self._days, now):
                self._clear_picture_store()
            expire_pictures(self.data_paths, self._days, now, excluding=self._picture_store.path)

    def delete(self) -> None:
        """Deletes all pictures, including those of the current game.

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
            raise ErasureError([Remaining.of(self._picture_store.path, error)]) from error

    def _run(self) -> None:
        while True:
            try:
                self.expire()
            except OSError as error:
                self._warn(f"pictures: could not be deleted: {describe(error)}; the companion tries again")
            if self._stop.wait(CHECK_S):
                return
