"""Sightings for tests: what a perfect reader would see of a state."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import Burgundy
from companion.games.burgundy.rules.decisions import Roll
from companion.journal import Journal
from companion.session import TableSession
from vision.sighting import DieReading, PlaceReading, Sighting

SURE = 0.998
_throw = itertools.count()


def new_session(path: Any, players: Sequence[str] = ("red", "blue")) -> TableSession:
    """Returns a session for a new game of *players*, all on duchy se-1."""
    setup = {
        "edition": "special",
        "players": [{"colour": colour, "duchy": "se-1"} for colour in players],
    }
    return TableSession(burgundy(), Journal(path), setup)


def sighting_of(
    rules: Burgundy,
    state: Any,
    dice: Sequence[DieReading] = (),
    wrong: Mapping[str, Mapping[str, float]] | None = None,
) -> Sighting:
    """Returns a sighting of *state*; *wrong* is what is misread: place -> probabilities by label."""
    places = {
        f"{group}:{i}": PlaceReading({label: SURE, **bare(rules, label)})
        for group, labels in rules.visible_layout(state).items()
        for i, label in enumerate(labels)
    }
    for name, probabilities in (wrong or {}).items():
        places[name] = PlaceReading(probabilities)
    return Sighting(places, tuple(dice))


def bare(rules: Burgundy, label: str) -> dict[str, float]:
    """Returns what a reader says of a tile on which nothing lies: that it is none of those with something on them."""
    return {look: 0.0 for look in rules.looks if look.startswith(f"{label}/")}


def dice_of(roll: Roll, confidence: float = 0.99) -> tuple[DieReading, ...]:
    """Returns the dice of a roll, where no dice were before."""
    values = [(colour, value) for colour, pair in roll.dice for value in pair] + [("white", roll.white)]
    x = 100 * next(_throw)
    return tuple(
        DieReading(value, colour, (x + 40 * i, 10, 30, 30), confidence)
        for i, (colour, value) in enumerate(values)
    )
