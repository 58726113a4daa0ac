"""Where a game stands, in terms that all games share. It imports nothing of the companion, so that rules may use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Due:
    """Something that people do at the table now, and easily forget."""

    code: str
    """Every language has a text ``due.CODE``."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Values for the fields of that text."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a game stands. Who is to act is one player, several at once, chance, or nobody."""

    name: str
    """Code of the stage; the game has a text ``stage.NAME`` for it."""
    actors: Sequence[str] = ()
    """Colours of the players who may decide something now, in any order if there are several; empty if all wait for
    chance, or the game is over."""
    is_chance: bool = False
    """Whether a draw, a roll or something that is laid out may come next."""
    order: Sequence[str] = ()
    """Colours of all players in the order of this round."""
    acted: Sequence[str] = ()
    """Colours of those who have had their turn in it."""
    round: int | None = None
    """Number of the round, from 1; None in a game or stage without rounds."""
    rounds: int | None = None
    """How many rounds there are; None if that is not known beforehand."""
    due: Sequence[Due] = ()
    """What people do at the table now."""
    usual: Any = None
    """The move that is usual here and changes nothing on the table, so that a press is enough to confirm it; None if a
    table that looks as before may mean that nobody has done anything yet."""
