"""What the owner chose once: a small file in the companion's folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from calibration.documents import read_json
from calibration.fields import Field
from calibration.table_writer import write_table

LONGEST_DAYS = 36_500
_READ: Mapping[str, Callable[[Field], Any]] = {
    "backup": Field.text,
    "picture_days": lambda field: field.whole(0, LONGEST_DAYS),
}
"""How each choice is read, where it is not ``null``."""


class SettingsError(ValueError):
    """The file does not hold settings; the message names it and the cure."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Represents the choices."""

    backup: str | None = None
    """The folder in which every game is kept once more."""
    picture_days: int | None = 90
    """How long pictures of a game are kept after it was played; 0: none are, None: for ever."""

    @classmethod
    def load(cls, path: Path) -> Settings:
        """The settings in the file *path*, the usual ones when there is none.

        :raises SettingsError: when it holds something else.
        :raises OSError: when it cannot be read.
        """
        if not path.exists():
            return cls()
        try:
            top = Field.document(read_json(path, SettingsError), str(path), SettingsError)
            top.only(tuple(cls.__dataclass_fields__))
            choices: dict[str, Any] = {}
            for name, read in _READ.items():
                field = top.get(name)
                if field is not None:
                    choices[name] = None if field.value is None else read(field)
            return cls(**choices)
        except ValueError as error:
            raise SettingsError(f"{error}: repair it, or remove it") from error

    def remembering(self, path: Path, **choices: Any) -> Settings:
        """These settings with other *choices*, kept in the file *path*.

        :raises OSError: when it cannot be written.
        """
        new = replace(self, **choices)
        if new != self:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_table(path, asdict(new))
        return new
