"""The owner's settings: a small file in the companion's folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calibration.documents import read_json
from calibration.errors import CompanionError
from calibration.fields import Field
from calibration.table_writer import write_table
from companion.journal.files import DAMAGED, quarantine_file

LONGEST_DAYS = 36_500
_READ: Mapping[str, Callable[[Field], Any]] = {
    "backup": Field.text,
    "picture_days": lambda field: field.integer(0, LONGEST_DAYS),
}
"""Setting -> how it is read where it is not ``null``."""


class SettingsError(CompanionError, ValueError):
    """The file is no settings file; the message names it and the cure."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Represents the owner's settings."""

    backup: str | None = None
    """The folder for a copy of every game."""
    picture_days: int | None = 90
    """How long pictures are stored after a game; 0: not at all, ``None``: for ever."""
    keeps_existing_pictures: bool = False
    """Whether existing pictures are not deleted, since the owner's choice about them is unknown."""

    @classmethod
    def load(cls, path: Path) -> Settings:
        """Returns the settings in the file *path*, the defaults if there is none.

        While a quarantined settings file is beside it, SAFE_SETTINGS are the defaults.

        :raises SettingsError: when the file holds something else.
        :raises OSError: when it cannot be read.
        """
        defaults = SAFE_SETTINGS if quarantined_settings(path) else cls()
        try:
            path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return defaults
        try:
            top = Field.document(read_json(path, SettingsError), str(path), SettingsError)
            top.only(tuple(_READ))
            choices: dict[str, Any] = {}
            for name, read in _READ.items():
                field = top.get(name)
                if field is not None:
                    choices[name] = None if field.value is None else read(field)
            return defaults._with(choices)
        except ValueError as error:
            raise SettingsError(f"{error}: repair it, or remove it") from error

    def save_changes(self, path: Path, **choices: Any) -> Settings:
        """Returns the settings changed by *choices*, and writes them into the file *path*.

        :raises OSError: when it cannot be written.
        """
        new = self._with(choices)
        if new != self:
            path.parent.mkdir(parents=True, exist_ok=True)
            known = (name for name in _READ if name != "picture_days" or not new.keeps_existing_pictures)
            write_table(path, {name: getattr(new, name) for name in known})
        return new

    def _with(self, choices: Mapping[str, Any]) -> Settings:
        return replace(
            self,
            **choices,
            keeps_existing_pictures=self.keeps_existing_pictures and "picture_days" not in choices,
        )


SAFE_SETTINGS = Settings(backup=None, picture_days=0, keeps_existing_pictures=True)
"""Used while the owner's choices are unknown: nothing is stored that may have been forbidden, and nothing deleted."""


@dataclass(frozen=True, slots=True)
class UnusableSettings:
    """A settings file that cannot be read."""

    path: Path
    reason: str
    moved_to: Path | None = None
    """Where the file is now; ``None`` if it could not be moved."""


def load_or_safe(path: Path) -> tuple[Settings, UnusableSettings | None]:
    """Returns the settings in the file *path*; SAFE_SETTINGS and the reason if it is unusable."""
    try:
        return Settings.load(path), None
    except SettingsError as error:
        return SAFE_SETTINGS, UnusableSettings(path, str(error.__cause__))
    except OSError as error:
        return SAFE_SETTINGS, UnusableSettings(path, f"{path}: {error.strerror}")


def load_or_quarantine(path: Path) -> tuple[Settings, UnusableSettings | None]:
    """Returns the same as :func:`load_or_safe`, and renames an unusable file so that a new one can be written."""
    settings, unusable = load_or_safe(path)
    if unusable is None:
        return settings, None
    try:
        return settings, replace(unusable, moved_to=quarantine_file(path, DAMAGED))
    except OSError:  # a read-only disk, say
        return settings, unusable


def quarantined_settings(path: Path) -> list[Path]:
    """Returns the unusable settings files that have been quarantined beside *path*."""
    return sorted(path.parent.glob(f"{path.name}{DAMAGED}*"))
