"""Printed facts of the game: what stands on its boards, tiles and cards, each with its source."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from calibration.fields import Field

SHIPPED = Path(__file__).parent / "data"
"""The facts that come with the companion."""

COLOURS = ("castle", "mine", "ship", "livestock", "building", "monastery")
"""The six colours of spaces and hex tiles, by the type that belongs there."""
DUCHY_SPACES = 37
"""Spaces of a standard duchy: rows of 4-5-6-7-6-5-4 hexes."""
EDITIONS = ("special", "2019", "2011")
CONFIDENCES = ("two sources agree", "one source", "inferred", "unknown")

Spaces: TypeAlias = tuple[tuple[str, int], ...]
"""Printed colour and die of a duchy's spaces, in reading order."""


class FactsError(ValueError):
    """Facts that cannot be used, or that nobody knows; the message names file and field and the cure."""


@dataclass(frozen=True, slots=True)
class DuchyFact:
    """A printed personal board."""

    id: str
    """``se-3`` or ``2011-3``."""
    edition: str
    number: int
    spaces: Spaces
    source: tuple[str, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that is known in print."""

    duchies: Mapping[str, DuchyFact]

    def duchy(self, duchy_id: str) -> DuchyFact:
        """Returns the printed duchy *duchy_id*; raises :class:`FactsError` naming those that are known."""
        if duchy_id not in self.duchies:
            raise FactsError(f"no duchy {duchy_id!r} in the data; known are {', '.join(self.duchies)}")
        return self.duchies[duchy_id]


def load_facts(folder: Path | None = None) -> Facts:
    """Reads and checks the facts in *folder*; None, the default, means those that come with the companion.

    Raises :class:`FactsError` naming file and field when something is wrong.
    """
    return _shipped() if folder is None else _read(folder)


@cache
def _shipped() -> Facts:
    return _read(SHIPPED)


def _read(folder: Path) -> Facts:
    return Facts(duchies=_duchies(_document(folder, "duchies.json")))


def _document(folder: Path, name: str) -> Field:
    path = folder / name
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FactsError(f"{name}: cannot be read in {folder}: {error.strerror}") from error
    except ValueError as error:
        raise FactsError(f"{name}: is not valid JSON: {error}") from error
    return Field.document(data, name, FactsError)


def read_spaces(field: Field) -> Spaces:
    """Returns the printed spaces of a standard duchy: 37 pairs of colour and die."""
    return tuple(_space(space) for space in field.items(DUCHY_SPACES))


def _space(field: Field) -> tuple[str, int]:
    colour, die = field.items(2)
    return colour.text(COLOURS), die.whole(1, 6)


def _duchies(document: Field) -> dict[str, DuchyFact]:
    duchies: dict[str, DuchyFact] = {}
    for field in document["duchies"].items(at_least=1):
        duchy = DuchyFact(
            id=field["id"].text(),
            edition=field["edition"].text(EDITIONS),
            number=field["number"].whole(1, 99),
            spaces=read_spaces(field["spaces"]),
            source=_source(field),
            confidence=field["confidence"].text(CONFIDENCES),
        )
        if duchy.id in duchies:
            field["id"].fail(f"{duchy.id!r} is there twice")
        duchies[duchy.id] = duchy
    return duchies


def _source(field: Field) -> tuple[str, ...]:
    return tuple(source.text() for source in field["source"].items(at_least=1))
