"""What is kept of people on this device, and how it is deleted for good."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .archive import Archive
from .journal.file import in_use, sync_folder
from .journal.naming import journals_in

GAME = re.compile(r".+\.journal(\.(album|damaged|aside|new|newer)(-\d+)?)?(-journal)?")
"""A journal and what lies beside it: pictures, what was set aside, and what SQLite writes for a moment."""
PICTURES = re.compile(r".+\.journal\.album(-journal)?")
DAY_S = 24 * 3600


class ErasingError(OSError):
    """Some files are still there; the message names them and why."""


@dataclass(frozen=True, slots=True)
class Belongings:
    """Represents the places of all that is kept of people."""

    games: Path
    """The folder of the games and their pictures."""
    files: tuple[Path, ...] = ()
    """The companion's own: settings, what the owner's copy prints, the key that signs."""
    folders: tuple[Path, ...] = ()
    """Whole folders of copies that were made of all this before an update."""
    backup: Path | None = None
    """The folder in which every game is kept once more."""

    @property
    def backups(self) -> list[Path]:
        """Where else a game may be found."""
        return [] if self.backup is None else [self.backup]

    def journals(self) -> list[Path]:
        """All games."""
        return journals_in(self.games)

    def pictures(self) -> list[Path]:
        """The files of pictures, and what SQLite has beside them."""
        return _matching(self.games, PICTURES)

    def albums(self) -> list[Path]:
        """Games of which there are pictures, by their albums."""
        return [path for path in self.pictures() if path.suffix == ".album"]

    def in_use(self) -> Path | None:
        """A game that another companion is playing; None when there is none."""
        return next((path for path in self.journals() if in_use(path)), None)


def erase_pictures(belongings: Belongings, but: Path | None = None) -> None:
    """Deletes the pictures of all games; *but* is an album that is open.

    :raises ErasingError: when not all could be deleted.
    """
    _erase(path for path in belongings.pictures() if but is None or not path.name.startswith(but.name))


def expire_pictures(belongings: Belongings, days: float, now: float, but: Path | None = None) -> None:
    """Deletes the pictures of games that were played more than so many *days* before *now* (seconds since 1970).

    :raises ErasingError: when not all could be deleted.
    """
    old = (path for path in belongings.pictures() if is_older(path, days, now))
    _erase(path for path in old if but is None or not path.name.startswith(but.name))


def is_older(path: Path, days: float, now: float) -> bool:
    """Whether the file at *path* was written last more than so many days before *now*; not if it is gone."""
    try:
        return path.stat().st_mtime < now - days * DAY_S
    except FileNotFoundError:
        return False


def erase_everything(belongings: Belongings, archive: Archive) -> None:
    """Deletes all games with their pictures and names, here and in the backup folder, and the companion's own files.

    No game may be open. A backup folder that is not there is one of what could not be deleted.

    :raises ErasingError: when something is left.
    """
    paths = [*_matching(belongings.games, GAME), *belongings.files]
    for folder in belongings.folders:
        paths += [path for path in folder.rglob("*") if not path.is_dir()]
    left = []
    if belongings.backup is not None:
        if belongings.backup.is_dir():
            paths += _matching(belongings.backup, GAME)
        else:
            left.append(f"{belongings.backup} (it is not plugged in)")
    try:
        _erase(paths)
    except ErasingError as error:
        left.append(str(error))
    archive.forget()
    if left:
        raise ErasingError(", ".join(left))


def size_of(paths: Iterable[Path]) -> int:
    """Bytes of the files together; what is gone takes none."""
    size = 0
    for path in paths:
        with suppress(FileNotFoundError):
            size += path.stat().st_size
    return size


def _matching(folder: Path, pattern: re.Pattern[str]) -> list[Path]:
    return sorted(path for path in folder.glob("*.journal*") if pattern.fullmatch(path.name))


def _erase(paths: Iterable[Path]) -> None:
    folders, left = set(), []
    for path in paths:
        try:
            path.unlink()
            folders.add(path.parent)
        except FileNotFoundError:
            pass  # it was gone already
        except OSError as error:
            left.append(f"{path} ({error.strerror})")
    for folder in folders:
        try:
            sync_folder(folder)
        except OSError as error:
            left.append(f"{folder} ({error.strerror})")
    if left:
        raise ErasingError(", ".join(left))
