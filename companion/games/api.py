"""What every game provides to the session, the referee, the journal and the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from .stage import Stage

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    S = TypeVar("S", default=Any)
    M = TypeVar("M", default=Any)
else:
    from typing import TypeVar  # the default matters to type checkers only

    S, M = TypeVar("S"), TypeVar("M")

Move = Any
"""One decision or chance event of any game; ``str(move)`` is its notation."""


class Event(Protocol):
    """One thing that happened."""

    @property
    def kind(self) -> str:
        """Stable code of what happened."""
        ...

    @property
    def player(self) -> str | None:
        """Colour of the player it concerns; None if it concerns everybody."""
        ...

    @property
    def points(self) -> int:
        """Points that it brings; negative for those that are paid."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Returns the event as plain data: ``kind``, ``player``, ``points`` and what else belongs to its kind."""
        ...


class Reason(Protocol):
    """Why a move is not legal."""

    @property
    def code(self) -> str:
        """Stable code, for which every language has a sentence."""
        ...

    @property
    def data(self) -> Mapping[str, Any]:
        """Values for the sentence's placeholders."""
        ...


class Reminder(Protocol):
    """Something that a player would lose by forgetting it."""

    @property
    def code(self) -> str:
        """Stable code, for which every language has a sentence."""
        ...

    @property
    def data(self) -> Mapping[str, Any]:
        """Values for the sentence's placeholders."""
        ...


class State(Protocol):
    """A position."""

    def copy(self) -> Any:
        """Returns an independent copy."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Returns every component as plain data."""
        ...

    def state_hash(self) -> str:
        """Returns a hash that is the same for equal states on every machine."""
        ...


class VisibleChange(Protocol):
    """One visible effect that a move has for the rest of the turn."""

    @property
    def place(self) -> str:
        """A place, or a group of places without an order."""
        ...

    @property
    def label(self) -> str:
        """Label of what is there afterwards."""
        ...

    @property
    def removed(self) -> str:
        """For a group without an order: the label that is no longer in it; else empty."""
        ...


class CardSpace(Protocol):
    """One space of a printed card."""

    @property
    def tile_type(self) -> str | None:
        """Type of the tiles that it takes; None if unknown."""
        ...

    @property
    def symbol(self) -> str | None:
        """Symbol printed on it; None if it has none."""
        ...


class Card(Protocol):
    """A printed card on the table, with spaces on which tiles are placed."""

    @property
    def number(self) -> int:
        """Printed number."""
        ...

    @property
    def spaces(self) -> Sequence[CardSpace]:
        """Spaces in reading order."""
        ...


class ExpectedLayout(Protocol):
    """Things on the table that the state does not contain yet, because chance or set-up brought them."""

    @property
    def what(self) -> str:
        """What was set up: a code of the game."""
        ...

    @property
    def player(self) -> str | None:
        """Colour of the player they belong to; None if they belong to everybody."""
        ...

    @property
    def places(self) -> Sequence[tuple[str, Sequence[str]]]:
        """Places to read, each with the labels that are possible there."""
        ...

    @property
    def moves_for(self) -> Callable[[tuple[str, ...]], Iterable[tuple[Move, ...]]]:
        """Function from one label per place to every sequence of moves that leads to them."""
        ...

    @property
    def remaining(self) -> Mapping[str, Mapping[str, int]]:
        """How many of each label are in the supply, by kind of place; a kind is missing if there are always enough."""
        ...


class Count(Protocol):
    """How much a player has of something that is counted, and between which limits it can be corrected by hand."""

    @property
    def player(self) -> str:
        """Colour of the player."""
        ...

    @property
    def what(self) -> str:
        """What is counted."""
        ...

    @property
    def value(self) -> int:
        """How much there is."""
        ...

    @property
    def least(self) -> int:
        """Lower limit of a correction."""
        ...

    @property
    def most(self) -> int:
        """Upper limit of a correction."""
        ...


class Rules(Protocol[S, M]):
    """The rules of one game, with states of type ``S`` and moves of type ``M``: what every game has.

    What only some games have, such as dice, secrets or anything for a camera to see, is in :mod:`.capabilities`. Only
    the game itself looks inside its states and moves.
    """

    name: str
    """Name of the game, as in set-ups."""
    version: int
    """Version of the rules; a later one plays the games of earlier ones alike."""
    score_sources: tuple[str, ...]
    """Where points come from, in the order of the score sheet."""
    statistics: tuple[str, ...]
    """What is counted for each player besides points, in the order in which it is shown."""

    # Setting up and storing

    def new(self, setup: Mapping[str, Any]) -> S:
        """Returns the first position of a game with this *setup*. Raises ``ValueError`` if there is no such game."""
        ...

    def check_setup(self, setup: Mapping[str, Any]) -> None:
        """Checks that a new game can begin with *setup*. Raises ``ValueError`` if it cannot."""
        ...

    def seats(self, setup: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
        """Returns the seats of a set-up in the order of the first round: ``colour``, ``kind`` (``person``, ``bot`` or
        ``automa``) and what each ``plays``."""
        ...

    def from_json(self, data: Mapping[str, Any]) -> S:
        """Returns the state that ``State.to_json`` has written."""
        ...

    # Playing

    def legal_moves(self, state: S) -> list[M]:
        """Returns every legal decision, each once; chance events are not among them."""
        ...

    def validate(self, state: S, move: M) -> Reason | None:
        """Returns why *move* is illegal; None if it is legal."""
        ...

    def illegal_moves_at(self, state: S, place: str) -> Sequence[tuple[M, Reason]]:
        """Returns what the current player may want to do at a place of the table but cannot, with the reasons; nothing
        for a place that the table does not have."""
        ...

    def reminders(self, state: S, moves: Sequence[M]) -> Sequence[Reminder]:
        """Returns what the current player would miss by ending the turn after *moves*; an end of the turn in *moves* is
        ignored."""
        ...

    def play(self, state: S, move: M) -> Sequence[Event]:
        """Checks and makes a move; returns its events. Raises ``ValueError`` if the move is illegal."""
        ...

    def apply(self, state: S, move: M) -> Sequence[Event]:
        """Makes a move without checking it; returns its events."""
        ...

    def parse_move(self, text: str) -> M:
        """Returns the move written as *text*; the inverse of ``str(move)``. Raises ``ValueError`` if it is none."""
        ...

    def short_notation(self, state: S, move: M) -> str:
        """Returns the move as people write it, which leaves out what follows from the position."""
        ...

    def parse_short(self, state: S, text: str) -> M:
        """Returns the move written as *text* in short or full notation. Raises ``ValueError`` if it is none."""
        ...

    def with_players(self, move: M, colours: Mapping[str, str]) -> M:
        """Returns the move after players have changed colours: *colours* maps each old colour to the new one.

        Other colours and texts that people wrote stay as they are.
        """
        ...

    def stage(self, state: S) -> Stage:
        """Returns where the game stands, and who may act."""
        ...

    def to_move(self, state: S) -> str | None:
        """Returns the colour of the player whose turn it is; None while several decide at once, chance is awaited, or
        the game is over."""
        ...

    def is_over(self, state: S) -> bool:
        """Returns whether the game is over."""
        ...

    def ends_turn(self, move: M) -> bool:
        """Returns whether the turn is over after *move*."""
        ...

    # Showing

    def describe(self, move: M) -> dict[str, Any]:
        """Returns a move as plain data: ``word`` (what is done), its fields, and ``text`` (its notation)."""
        ...

    def view(self, state: S, viewer: str | None = None) -> dict[str, Any]:
        """Returns the position as plain data for the game's own templates and texts, as *viewer* may see it.

        *viewer* is a player's colour; None is the shared screen, which shows no secret. ``to_move`` and ``players``,
        a list of the seats with their ``colour``, are in every view.
        """
        ...

    def text_board(self, state: S, colour: str) -> str:
        """Returns a player's board as text for a terminal."""
        ...

    def modules_of(self, state: S) -> Sequence[str]:
        """Returns the modules that are chosen by name and played, sorted."""
        ...

    def table_rules(self, state: S) -> Sequence[tuple[str, str, str]]:
        """Returns name, value and usual value of everything that the players agreed on where the print leaves it
        open."""
        ...

    # Result

    def ranking(self, state: S) -> list[str]:
        """Returns the colours of all players, the winner first."""
        ...

    def tie_break(self, state: S) -> dict[str, Any] | None:
        """Returns what decided between the players with most points; None if there is only one."""
        ...

    def score_sheet(self, state: S) -> dict[str, dict[str, int]]:
        """Returns points by player and source; they add up to each player's score."""
        ...

    def score_history(self, state: S) -> dict[str, list[int]]:
        """Returns by player the score after each round so far, and once more after the final scoring.

        In a game that is over the last value is the score, also if the game has no rounds.
        """
        ...

    def statistics_of(
        self, player: str | None, move: M, events: Sequence[Any]
    ) -> Iterable[tuple[str, str, int]]:
        """Returns what a move of *player* adds to :attr:`statistics`: whose count, of what, and how much."""
        ...
