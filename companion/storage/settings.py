"""What the owner chose once: a small file in the companion's folder."""

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
"""How each choice is read, where it is not ``null``."""


class SettingsError(CompanionError, ValueError):
    """The file does not hold settings; the message names it and the cure."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Represents the choices."""

    backup: str | None = None
    """The folder in which every game is kept once more."""
    picture_days: int | None = 90
    """How long pictures of a game are kept after it was played; 0: none are, None: for ever."""
    keeps_existing_pictures: bool = False
    """Whether pictures that are there stay all the same, as nobody knows what was chosen about them."""

    @classmethod
    def load(cls, path: Path) -> Settings:
        """The settings in the file *path*, the usual ones when there is none.

        What is not in the file is as careful as can be for as long as damaged settings lie beside it.

        :raises SettingsError: when it holds something else.
        :raises OSError: when it cannot be read.
        """
        usual = SAFE_SETTINGS if quarantined_settings(path) else cls()
        try:
            path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return usual
        try:
            top = Field.document(read_json(path, SettingsError), str(path), SettingsError)
            top.only(tuple(_READ))
            choices: dict[str, Any] = {}
            for name, read in _READ.items():
                field = top.get(name)
                if field is not None:
                    choices[name] = None if field.value is None else read(field)
            return usual._with(choices)
        except SettingsError as error:
            raise SettingsError(f"{error}: repair it, or remove it") from error

    def save_changes(self, path: Path, **choices: Any) -> Settings:
        """These settings with other *choices*, kept in the file *path*.

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
"""Where nobody knows what was chosen: nothing is kept that may have been forbidden, and nothing that is there goes."""


@dataclass(frozen=True, slots=True)
class UnusableSettings:
    """Settings that cannot be read."""

    path: Path
    reason: str
    moved_to: Path | None = None
    """Where they are now; None where they could not be moved."""


def load_or_safe(path: Path) -> tuple[Settings, UnusableSettings | None]:
    """The settings to go by, careful ones where the file *path* is unusable, which stays as it is."""
    try:
        return Settings.load(path), None
    except SettingsError as error:
        return SAFE_SETTINGS, UnusableSettings(path, str(error.__cause__))
    except OSError as error:
        return SAFE_SETTINGS, UnusableSettings(path, f"{path}: {error.strerror}")


def load_or_quarantine(path: Path) -> tuple[Settings, UnusableSettings | None]:
    """As :func:`load_or_safe`; an unusable file is put aside, so that there can be another one."""
    settings, unusable = load_or_safe(path)
    if unusable is None:
        return settings, None
    try:
        return settings, replace(unusable, moved_to=quarantine_file(path, DAMAGED))
    except OSError:  # a disk that can only be read, say: whoever goes on without sees that in moved_to
        return settings, unusable


def quarantined_settings(path: Path) -> list[Path]:
    """Settings that have been put aside as unusable, beside the file *path*."""
    return sorted(path.parent.glob(f"{path.name}{DAMAGED}*"))
