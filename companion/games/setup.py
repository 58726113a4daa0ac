"""How a game is set up: what people choose before it, as plain data from which page and command line make their forms.

A *choice* is what people have chosen so far::

    {"options": {"map": "north"}, "seats": [{"colour": "red", "kind": "person", "name": "Ann", "board": "3"}]}

The seats are in the order of the first round. Each has its ``colour`` and ``kind``, a person's ``name``, and a value
for each option of its kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from calibration.errors import CompanionError

PERSON, BOT, AUTOMA = "person", "bot", "automa"
"""Kinds of seats that games share; a game may have others."""
ONE, SEVERAL = "one", "several"
"""Kinds of options: one of the values, or any number of them."""

Choice = Mapping[str, Any]
Seat = Mapping[str, Any]


class SetupFormError(CompanionError, ValueError):
    """A choice that no game can begin with; ``code`` and ``data`` say why in the page's words (``setup_form.CODE``)."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(f"{code} {data}" if data else code)
        self.code = code
        self.data = data


class MalformedChoiceError(CompanionError, ValueError):
    """What a page or a command has sent is no choice at all."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that people choose."""

    name: str
    """The game has a text ``option.NAME`` for it, and ``option.NAME_VALUE`` for each value."""
    values: Sequence[str]
    usual: str | Sequence[str]
    """Its value unless another is chosen; several values if it is of that kind."""
    kind: str = ONE
    is_pictured: bool = False
    """Whether the game's page draws each value."""
    needs: Mapping[str, str] = field(default_factory=dict)
    """Values of other options without which it is not asked."""


@dataclass(frozen=True, slots=True)
class SeatKind:
    """Who may sit at the table."""

    name: str
    """There is a text ``setup_form.kind_NAME`` for it."""
    options: Sequence[Option] = ()
    """What is chosen for each such seat."""
    most: int | None = None
    """How many of them may play; None for as many as there are seats."""


@dataclass(frozen=True, slots=True)
class SetupForm:
    """What people choose before a game."""

    fewest: int
    """Seats at least, and ..."""
    most: int
    """... at most."""
    colours: Sequence[str]
    """What players can be called, each once."""
    kinds: Sequence[SeatKind]
    """The first one is that of a new seat."""
    options: Sequence[Option] = ()
    """What is chosen once for the game."""


class PastSeat(Protocol):
    """Who played in an earlier game (:class:`companion.archive.record.SeatRecord`)."""

    @property
    def colour(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def plays(self) -> str: ...

    @property
    def name(self) -> str | None: ...


class PastGame(Protocol):
    """An earlier game (:class:`companion.archive.GameRecord`)."""

    @property
    def game(self) -> str: ...

    @property
    def seats(self) -> Sequence[PastSeat]: ...


class GameSetup(Protocol):
    """How one game is set up."""

    def form(self, options: Mapping[str, Any]) -> SetupForm:
        """Returns what people choose, given the game's *options* chosen so far: some decide about others.

        Raises :exc:`MalformedChoiceError` if *options* have values that nobody can choose.
        """
        ...

    def proposal(self, past: Iterable[PastGame] = (), on_table: Mapping[str, Any] | None = None) -> Choice:
        """Returns the choice to begin with: the boards *on_table* (a set-up from the table file), else the seats of
        the latest of the *past* games of this kind, the latest first, else the fewest people who can play."""
        ...

    def in_turn_order(self, seats: Sequence[Seat]) -> Sequence[Seat]:
        """Returns the seats in the order in which they play."""
        ...

    def setup(self, choice: Choice, on_table: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Returns the game's set-up. Raises :exc:`SetupFormError` if no game can begin with this choice."""
        ...
