"""What is kept of people on this device, and how it is deleted for good."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from calibration.errors import CompanionError
from companion.archive import Archive
from companion.archive.folder_lock import FolderBusyError
from companion.journal import JournalError
from companion.journal.database import sync_folder
from companion.journal.files import DAMAGED, journals_in
from companion.journal.reading import in_use, read_lines
from companion.service.sqlite_files import SIDECAR_SUFFIXES

_OPEN = f"({'|'.join(SIDECAR_SUFFIXES)})?"
_BESIDE_GAME = rf"(\.(album|damaged|unplayable|aside|new|newer)(-\d+)?)?{_OPEN}"
"""Ends the names of a journal and of what lies beside it: pictures, what was set aside, and what SQLite writes for a
moment."""
GAME = re.compile(rf".*\.journal{_BESIDE_GAME}", re.DOTALL)
PICTURES = re.compile(rf".*\.journal\.album{_OPEN}", re.DOTALL)
DAY_S = 24 * 3600


class ErasureError(CompanionError, OSError):
    """Some files are still there; the message names them and why."""


class GameInUseError(CompanionError, ValueError):
    """A companion is playing the game."""


@dataclass(frozen=True, slots=True)
class DataPaths:
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

    def picture_stores(self) -> list[Path]:
        """Games of which there are pictures, by their albums."""
        return [path for path in self.pictures() if path.suffix == ".album"]

    def in_use(self) -> Path | None:
        """A game that another companion is playing; None when there is none."""
        return next((path for path in self.journals() if in_use(path)), None)


def erase_pictures(data_paths: DataPaths, excluding: Path | None = None) -> None:
    """Deletes the pictures of all games; *excluding* is an album that is open.

    :raises ErasureError: when not all could be deleted.
    """
    _erase(
        path
        for path in data_paths.pictures()
        if excluding is None or not path.name.startswith(excluding.name)
    )


def expire_pictures(data_paths: DataPaths, days: float, now: float, excluding: Path | None = None) -> None:
    """Deletes the pictures of games that were played more than so many *days* before *now* (seconds since 1970).

    :raises ErasureError: when not all could be deleted.
    """
    old = (path for path in data_paths.pictures() if is_older(path, days, now))
    _erase(path for path in old if excluding is None or not path.name.startswith(excluding.name))


def is_older(path: Path, days: float, now: float) -> bool:
    """Whether the file at *path* was written last more than so many days before *now*; not if it is gone."""
    try:
        return path.stat().st_mtime < now - days * DAY_S
    except FileNotFoundError:
        return False


def erase_everything(data_paths: DataPaths, archive: Archive) -> None:
    """Deletes all games with their pictures and names, here and in the backup folder, and the companion's own files.

    No game may be open. Games that are being brought in meanwhile are not. A backup folder that is not there is one of
    what could not be deleted.

    :raises ErasureError: when something is left; all of it, where another process brings in games.
    """
    try:
        with archive.lock.deleting_all():
            _erase_everything(data_paths, archive)
    except FolderBusyError as error:
        raise ErasureError(str(error)) from error


def _erase_everything(data_paths: DataPaths, archive: Archive) -> None:
    paths = [*_matching(data_paths.games, GAME), *data_paths.files]
    for file in data_paths.files:
        paths += sorted(file.parent.glob(f"{file.name}{DAMAGED}*"))
    for folder in data_paths.folders:
        paths += [path for path in folder.rglob("*") if not path.is_dir()]
    left = []
    if data_paths.backup is not None:
        if data_paths.backup.is_dir():
            paths += _matching(data_paths.backup, GAME)
        else:
            left.append(f"{data_paths.backup} (it is not plugged in)")
    try:
        _erase(paths)
    except ErasureError as error:
        left.append(str(error))
    archive.reset_index()
    if left:
        raise ErasureError(", ".join(left))


def erase_game(data_paths: DataPaths, archive: Archive, name: str) -> None:
    """Deletes one game with its pictures and names, and its copies in the backup folder and from before an update.

    :raises LookupError: when there is none of that name.
    :raises GameInUseError: when a companion is playing it.
    :raises ErasureError: when something is left.
    """
    journal = archive.path(name)
    if in_use(journal):
        raise GameInUseError(f"a companion is playing {journal}: end it, or begin another game there, first")
    left = []
    if data_paths.backup is not None and not data_paths.backup.is_dir():
        left.append(f"{data_paths.backup} (it is not plugged in)")
    copies = [path for copy in _copies(data_paths, journal) for path in _files_of(copy)]
    beside = [path for path in _files_of(journal) if path != journal]
    try:
        _erase([*copies, *beside, journal])  # itself last: until then it is listed, and can be deleted again
        archive.remove_from_index(name)
    except OSError as error:
        left.append(str(error))
    if left:
        raise ErasureError(", ".join(left))


def _copies(data_paths: DataPaths, journal: Path) -> Iterator[Path]:
    """Copies of the game in *journal*, by its name and its beginning; what another game has left there is none."""
    named = re.compile(rf"{re.escape(journal.stem)}(-before-\d+)?\.journal", re.DOTALL)
    first = _beginning(journal)
    found = [path for folder in data_paths.backups for path in folder.glob("*.journal")]
    found += [path for folder in data_paths.folders for path in folder.rglob("*.journal")]
    for path in filter(lambda path: named.fullmatch(path.name), found):
        begins = _beginning(path)
        if begins == first or (path.name == journal.name and None in (begins, first)):
            yield path


def _beginning(journal: Path) -> str | None:
    """The digest of the first record; None where it cannot be read."""
    try:
        return next((line.digest for line in read_lines(journal)), None)
    except JournalError:
        return None


def _files_of(journal: Path) -> list[Path]:
    """A journal, and all that lies beside it."""
    return _matching(journal.parent, re.compile(rf"{re.escape(journal.name)}{_BESIDE_GAME}"))


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
        raise ErasureError(", ".join(left))
