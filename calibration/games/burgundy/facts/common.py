"""What the data files of the printed facts have in common: terms, sources and confidences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from calibration.documents import read_json
from calibration.errors import CompanionError
from calibration.fields import Field

TILE_TYPES = ("castle", "mine", "ship", "livestock", "building", "monastery")
"""The six types of hex tiles; each has its own colour, which its spaces have too."""
BASE_SET = "base"
"""Boards and tiles that belong to no expansion; the name of any other set is that of its expansion."""
FIRST_EXPANSION, CHAMPIONSHIP, SPECIAL_EDITION = "first_expansion", "championship", "special_edition"
BORDER_POSTS, EXTRA_TILES, WHITE_CASTLES, INNS = "border_posts", "extra_tiles", "white_castles", "inns"
PLAYERS = (2, 3, 4)
PHASES = ("A", "B", "C", "D", "E")
EDITIONS = ("special", "2019", "2011")
DIFFICULTIES = ("easy", "medium", "hard")
UNKNOWN = "unknown"
CONFIDENCES = ("two sources agree", "one source", "inferred", UNKNOWN)

DEPOTS = 6
DICE = 6

MAX_POINTS = 100
"""More than any single printed award."""
MAX_TILES = 99
"""More than any printed count of one kind of tile."""

T = TypeVar("T")


class FactsError(CompanionError, ValueError):
    """Unusable or unknown facts; the message names the file, the field and the cure."""


def open_document(folder: Path, name: str) -> Field:
    """Returns the data file *name*; raises :class:`FactsError` if it cannot be read."""
    path = folder / name
    try:
        data = read_json(path, ValueError)
    except ValueError as error:
        raise FactsError(f"{error}; repair it") from error
    except OSError as error:
        raise FactsError(f"{name}: cannot be read in {folder}: {error.strerror}") from error
    return Field.document(data, name, FactsError)


def read_source(field: Field, name: str = "source") -> tuple[str, ...]:
    """Returns the sources of an entry, one at least."""
    return tuple(source.text() for source in field[name].items(at_least=1))


def read_confidence(field: Field, name: str = "confidence") -> str:
    """Returns how certain an entry is, one of :data:`CONFIDENCES`."""
    return field[name].text(CONFIDENCES)


def by_number(field: Field, read: Callable[[Field], T]) -> dict[int, T]:
    """Returns the entries by their number, which must be unique."""
    entries: dict[int, T] = {}
    for entry in field.items(at_least=1):
        number = entry["number"].integer(1, MAX_TILES)
        if number in entries:
            entry["number"].fail(f"{number} occurs twice; give each entry its own number")
        entries[number] = read(entry)
    return entries


def by_edition(field: Field, read: Callable[[Field], T]) -> dict[str, T]:
    """Returns a value by edition; a value that is not a table applies to every edition."""
    if isinstance(field.value, Mapping):
        field.only(EDITIONS)
        return {edition: read(field[edition]) for edition in EDITIONS}
    return {edition: read(field) for edition in EDITIONS}


def read_points(field: Field) -> int:
    """Returns the points of a single printed award."""
    return field.integer(1, MAX_POINTS)


def unless_unknown(field: Field, read: Callable[[Field], T]) -> T | None:
    """Returns the value; None if the data says it is unknown."""
    return None if field.value == UNKNOWN else read(field)


def by_players(field: Field, read: Callable[[Field], T]) -> dict[int, T]:
    """Returns a value by number of players."""
    field.only([str(players) for players in PLAYERS])
    return {players: read(field[str(players)]) for players in PLAYERS}
