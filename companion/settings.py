"""What the owner chose once: a small file in the companion's folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from calibration.fields import Field
from calibration.table_writer import write_table


class SettingsError(ValueError):
    """The file does not hold settings; the message names it and the cure."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Represents the choices."""

    backup: str | None = None
    """The folder in which every game is kept once more."""

    @classmethod
    def load(cls, path: Path) -> Settings:
        """The settings in the file *path*, the usual ones when there is none.

        :raises SettingsError: when it holds something else.
        :raises OSError: when it cannot be read.
        """
        if not path.exists():
            return cls()
        try:
            top = Field.document(json.loads(path.read_text(encoding="utf-8")), str(path), SettingsError)
            top.only(tuple(cls.__dataclass_fields__))
            backup = top.get("backup")
            return cls(None if backup is None or backup.value is None else backup.text())
        except ValueError as error:
            raise SettingsError(f"{path} holds no settings ({error}): repair it, or remove it") from error

    def remembering(self, path: Path, *, backup: str | None) -> Settings:
        """These settings with another backup folder, kept in the file *path*.

        :raises OSError: when it cannot be written.
        """
        new = replace(self, backup=backup)
        if new != self:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_table(path, asdict(new))
        return new
