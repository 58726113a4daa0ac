"""Which personal data are stored on this device, and how they are deleted for good."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from calibration.errors import CompanionError
from companion.archive import Archive
from companion.archive.folder import INDEX
from companion.journal import JournalError
from companion.journal.database import sync_folder
from companion.journal.disk_errors import BLOCKED, FAILING, cause_of
from companion.journal.files import DAMAGED, journals_in
from companion.journal.reading import in_use, read_lines
from companion.service.sqlite_files import SIDECAR_SUFFIXES

_OPEN = f"({'|'.join(SIDECAR_SUFFIXES)})?"
_BESIDE_GAME = rf"(\.(album|damaged|unplayable|aside|new|newer|trial)(-\d+)?)*{_OPEN}"
"""End of the name of a journal or a file beside it: pictures, quarantined files, and SQLite's temporary files."""
GAME = re.compile(rf".*\.journal{_BESIDE_GAME}", re.DOTALL)
PICTURES = re.compile(rf".*\.journal\.album{_OPEN}", re.DOTALL)
DAY_S = 24 * 3600


UNPLUGGED = "unplugged"
"""In place of a cause: the folder is on a stick that is not there."""
_SENTENCES = {
    UNPLUGGED: "it is not plugged in",
    BLOCKED: "it is a folder, which no companion has made: remove it yourself",
}


@dataclass(frozen=True, slots=True)
class Remaining:
    """A file or folder that could not be deleted."""

    path: str
    cause: str
    """One of :mod:`companion.journal.disk_errors`, or UNPLUGGED; the translator has a text ``remaining.CAUSE``."""
    found: str
    """The same in the words of the system."""

    @classmethod
    def of(cls, path: str | Path, error: OSError) -> Remaining:
        """Returns what *error* says about the file at *path*."""
        return cls(str(path), cause_of(error) or FAILING, error.strerror or str(error))

    def __str__(self) -> str:
        return f"{self.path} ({_SENTENCES.get(self.cause, self.found)})"


class ErasureError(CompanionError, OSError):
    """Some files could not be deleted; the message names them and why."""

    def __init__(self, remaining: Sequence[Remaining]) -> None:
        super().__init__(", ".join(map(str, remaining)))
        self.remaining = tuple(remaining)


class GameInUseError(CompanionError, ValueError):
    """A companion is playing the game."""


@dataclass(frozen=True, slots=True)
class DataPaths:
    """Represents where personal data are stored."""

    games: Path
    """The folder of the games and their pictures."""
    files: tuple[Path, ...] = ()
    """The companion's own files: settings, printed data of the owner's copy, signing key."""
    folders: tuple[Path, ...] = ()
    """Folders of backups from before an update."""
    backup: Path | None = None
    """The folder for a copy of every game."""

    @property
    def backups(self) -> list[Path]:
        """Returns the backup folder, if there is one."""
        return [] if self.backup is None else [self.backup]

    def journals(self) -> list[Path]:
        """Returns the journals of all games."""
        return journals_in(self.games)

    def pictures(self) -> list[Path]:
        """Returns the files of pictures, and SQLite's files beside them."""
        return _matching(self.games, PICTURES)

    def picture_stores(self) -> list[Path]:
        """Returns the picture files of all games that have one."""
        return [path for path in self.pictures() if path.suffix == ".album"]

    def in_use(self) -> Path | None:
        """Returns a journal that another companion is playing, ``None`` if there is none."""
        return next((path for path in self.journals() if in_use(path)), None)


def erase_pictures(data_paths: DataPaths, excluding: Path | None = None) -> None:
    """Deletes the pictures of all games; *excluding* is the file of an open picture store.

    :raises ErasureError: when not all could be deleted.
    """
    _erase(
        path
        for path in data_paths.pictures()
        if excluding is None or not path.name.startswith(excluding.name)
    )


def expire_pictures(data_paths: DataPaths, days: float, now: float, excluding: Path | None = None) -> None:
    """Deletes the pictures of games played more than *days* before *now* (seconds since 1970).

    :raises ErasureError: when not all could be deleted.
    """
    old = (path for path in data_paths.pictures() if is_older(path, days, now))
    _erase(path for path in old if excluding is None or not path.name.startswith(excluding.name))


def is_older(path: Path, days: float, now: float) -> bool:
    """Whether the file at *path* was last written more than *days* before *now*; not if it does not exist."""
    try:
        return path.stat().st_mtime < now - days * DAY_S
    except FileNotFoundError:
        return False


def erase_everything(data_paths: DataPaths, archive: Archive) -> None:
    """Deletes all games with their pictures and names, here and in the backup folder, and the companion's own files.

    No game may be open. Imports that are going on are stopped. A backup folder that is not plugged in counts as not
    deleted.

    :raises ErasureError: when something could not be deleted.
    :raises FolderBusyError: when another process imports games; nothing was deleted then.
    """
    with archive.lock.deleting_all():
        _erase_everything(data_paths, archive)


def _erase_everything(data_paths: DataPaths, archive: Archive) -> None:
    paths = [*_matching(data_paths.games, GAME), *data_paths.files]
    for file in data_paths.files:
        paths += sorted(file.parent.glob(f"{file.name}{DAMAGED}*"))
    for folder in data_paths.folders:
        paths += [path for path in folder.rglob("*") if not path.is_dir()]
    remaining = list[Remaining]()
    if data_paths.backup is not None:
        if data_paths.backup.is_dir():
            paths += _matching(data_paths.backup, GAME)
        else:
            remaining.append(_unplugged(data_paths.backup))
    remaining += _left_of(paths)
    try:
        archive.reset_index()
    except OSError as error:
        remaining.append(Remaining.of(error.filename, error))
    if remaining:
        raise ErasureError(remaining)


def erase_game(data_paths: DataPaths, archive: Archive, name: str) -> None:
    """Deletes one game with its pictures and names, and its copies in the backup folder and from before an update.

    :raises LookupError: when there is none of that name.
    :raises GameInUseError: when a companion is playing it.
    :raises ErasureError: when something could not be deleted.
    """
    journal = archive.path(name)
    if in_use(journal):
        raise GameInUseError(f"a companion is playing {journal}: end it first, or begin another game there")
    remaining = list[Remaining]()
    if data_paths.backup is not None and not data_paths.backup.is_dir():
        remaining.append(_unplugged(data_paths.backup))
    copies = [path for copy in _copies(data_paths, journal) for path in _files_of(copy)]
    beside = [path for path in _files_of(journal) if path != journal]
    # The journal last: until then the game is listed and can be deleted again.
    remaining += _left_of([*copies, *beside, journal])
    try:
        archive.remove_from_index(name)
    except OSError as error:
        remaining.append(Remaining.of(archive.folder / INDEX, error))
    if remaining:
        raise ErasureError(remaining)


def _copies(data_paths: DataPaths, journal: Path) -> Iterator[Path]:
    """Yields copies of the game in *journal*: files of the same name whose first record is the same."""
    named = re.compile(rf"{re.escape(journal.stem)}(-before-\d+)?\.journal", re.DOTALL)
    first = _beginning(journal)
    found = [path for folder in data_paths.backups for path in folder.glob("*.journal")]
    found += [path for folder in data_paths.folders for path in folder.rglob("*.journal")]
    for path in filter(lambda path: named.fullmatch(path.name), found):
        begins = _beginning(path)
        if begins == first or (path.name == journal.name and None in (begins, first)):
            yield path


def _beginning(journal: Path) -> str | None:
    """Returns the digest of the first record; ``None`` if it cannot be read."""
    try:
        return next((line.digest for line in read_lines(journal)), None)
    except JournalError:
        return None


def _files_of(journal: Path) -> list[Path]:
    """Returns a journal and the files beside it."""
    return _matching(journal.parent, re.compile(rf"{re.escape(journal.name)}{_BESIDE_GAME}"))


def size_of(paths: Iterable[Path]) -> int:
    """Returns the size of the files in bytes; missing files count as empty."""
    size = 0
    for path in paths:
        with suppress(FileNotFoundError):
            size += path.stat().st_size
    return size


def _matching(folder: Path, pattern: re.Pattern[str]) -> list[Path]:
    return sorted(path for path in folder.glob("*.journal*") if pattern.fullmatch(path.name))


def _erase(paths: Iterable[Path]) -> None:
    if left := _left_of(paths):
        raise ErasureError(left)


def _left_of(paths: Iterable[Path]) -> list[Remaining]:
    """Deletes the files at *paths*; returns those that could not be deleted."""
    folders, remaining = set(), []
    for path in paths:
        try:
            path.unlink()
            folders.add(path.parent)
        except FileNotFoundError:
            pass  # deleted already
        except OSError as error:
            remaining.append(Remaining.of(path, error))
    for folder in folders:
        try:
            sync_folder(folder)
        except OSError as error:
            remaining.append(Remaining.of(folder, error))
    return remaining


def _unplugged(folder: Path) -> Remaining:
    return Remaining(str(folder), UNPLUGGED, "")
