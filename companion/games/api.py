"""What a game says about itself: all that the session, the referee, the journal and the page know of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol

Move = Any
"""One decision or chance event; ``str(move)`` is its notation."""

MALFORMED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""Errors raised when something is read or replayed that no companion wrote."""


class Event(Protocol):
    """One thing that happened."""

    @property
    def kind(self) -> str: ...

    @property
    def player(self) -> str | None: ...

    @property
    def points(self) -> int: ...

    def to_json(self) -> dict[str, Any]: ...


class Reason(Protocol):
    """Why a move is not legal."""

    @property
    def code(self) -> str: ...

    @property
    def data(self) -> Mapping[str, Any]:
        """What the reason's sentence needs."""
        ...


class Reminder(Protocol):
    """Something that is easily forgotten, and lost then."""

    @property
    def code(self) -> str: ...

    @property
    def data(self) -> Mapping[str, Any]:
        """What its sentence needs."""
        ...


class State(Protocol):
    """A position."""

    def copy(self) -> Any: ...

    def to_json(self) -> dict[str, Any]: ...

    def state_hash(self) -> str: ...


class VisibleChange(Protocol):
    """Something that a move leaves to be seen until the turn ends."""

    @property
    def place(self) -> str:
        """A place, or a group whose things have no order."""
        ...

    @property
    def label(self) -> str:
        """What lies there afterwards."""
        ...

    @property
    def gone(self) -> str:
        """For a group: the label that is no longer in it."""
        ...


class Card(Protocol):
    """A printed card that lies on the table, with spaces for things to be laid on."""

    @property
    def number(self) -> int: ...

    @property
    def spaces(self) -> Sequence[Any]:
        """In reading order, each with its ``colour`` and its ``symbol``, if it has any."""
        ...


class Awaited(Protocol):
    """Something laid on the table that the game waits to be told (see ``Rules.awaited``)."""

    @property
    def what(self) -> str: ...

    @property
    def player(self) -> str | None: ...

    @property
    def places(self) -> Sequence[tuple[str, Sequence[str]]]:
        """Places to read, each with the labels that may lie there."""
        ...

    @property
    def moves(self) -> Callable[[tuple[str, ...]], Iterable[tuple[Move, ...]]]:
        """Given a label per place: every way it could have come about."""
        ...

    @property
    def left(self) -> Mapping[str, Mapping[str, int]]:
        """How many of each label there are, by the kind of place; nothing where there are always enough."""
        ...


class Count(Protocol):
    """How much a player has of something that is counted, and what it may be put right to by hand."""

    @property
    def player(self) -> str: ...

    @property
    def what(self) -> str: ...

    @property
    def value(self) -> int: ...

    @property
    def least(self) -> int: ...

    @property
    def most(self) -> int: ...


class Rules(Protocol):
    """The rules of one game. States are its own; nobody else looks inside them."""

    name: str
    sources: tuple[str, ...]
    """Where points come from, in the order of the score sheet."""
    statistics: tuple[str, ...]
    """What is counted of each player besides points, in the order in which it is shown."""

    def new(self, setup: Mapping[str, Any]) -> State: ...

    def check_new(self, setup: Mapping[str, Any]) -> None:
        """Sees to it that a new game can begin with *setup*. Raises ``ValueError`` when it cannot."""
        ...

    def seats(self, setup: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
        """Who plays by a set-up, in the order of the first round: ``colour``, ``kind`` (``person``, ``bot`` or
        ``automa``) and what each ``plays``."""
        ...

    def from_json(self, data: Mapping[str, Any]) -> State: ...

    def legal_moves(self, game: Any) -> list[Move]: ...

    def validate(self, game: Any, move: Move) -> Reason | None: ...

    def objections(self, game: Any, place: str) -> Sequence[tuple[Move, Reason]]:
        """What speaks against what the player in turn may want to do at a place of the table."""
        ...

    def reminders(self, game: Any, moves: Sequence[Move]) -> Sequence[Reminder]:
        """What the player in turn would miss by ending the turn after *moves*, an end of it left out."""
        ...

    def play(self, game: Any, move: Move) -> Sequence[Event]:
        """Checks and makes a move. Raises ``ValueError`` when it is illegal."""
        ...

    def apply(self, game: Any, move: Move) -> Sequence[Event]:
        """Makes a move that is known to be legal."""
        ...

    def parse_move(self, text: str) -> Move:
        """The inverse of ``str(move)``. Raises ``ValueError`` when the text is not a move."""
        ...

    def earlier(self, move: Move) -> Move | None:
        """The move as an earlier release of these rules may have made it, for journals of that time; None where all
        have made it alike. Its notation is the same, and it is legal where it was then."""
        ...

    def beyond(self, move: Move) -> Reason | None:
        """Why a move is on no table, whatever the position, though an earlier release may have made it."""
        ...

    def renamed(self, move: Move, colours: Mapping[str, str]) -> Move:
        """The same move where players have other colours: *colours* is which each of them has now.

        Who is not in it keeps theirs, and what people wrote themselves stays as it is.
        """
        ...

    def to_move(self, game: Any) -> str | None: ...

    def is_over(self, game: Any) -> bool: ...

    def ends_turn(self, move: Move) -> bool: ...

    def deal(self, game: Any, rng: Any) -> Move | None: ...

    def evaluate(self, game: Any, colour: str) -> float: ...

    def visible(self, game: Any) -> dict[str, tuple[str, ...]]: ...

    def is_unordered(self, group: str) -> bool: ...

    def cards(self, game: Any) -> Mapping[str, Card]:
        """Cards that come and go, by the group of places that their spaces are."""
        ...

    def visible_changes(self, game: Any, move: Move) -> Iterable[VisibleChange]: ...

    def visible_steps(self, game: Any, move: Move) -> Iterable[VisibleChange]:
        """What is taken and laid within *move*, in order, where one move is a whole turn (see ``automatic_turn``)."""
        ...

    def laying_out(self, game: Any) -> Sequence[Mapping[str, Any]]:
        """What people lay out now, step by step: a name under ``step``, and what the words about it need."""
        ...

    def awaited(self, game: Any) -> Sequence[Awaited]: ...

    def override(self, game: Any, shown: Mapping[str, Sequence[str]]) -> Move:
        """The move by which a table decides, whatever the rules say, that groups of places look as *shown*."""
        ...

    def counts(self, game: Any) -> Sequence[Count]:
        """How much everybody has of what is counted and may be put right by hand now."""
        ...

    def adjustment(self, game: Any, player: str, changes: Mapping[str, int], reason: str) -> Move:
        """The move by which the table puts right what *player* has, by how much more or less; never a legal move of
        the game, but possible whenever :meth:`counts` tells of it."""
        ...

    def is_adjustment(self, move: Move) -> bool:
        """Whether a move is one of :meth:`adjustment`, of one player, whom its description names."""
        ...

    def dice_awaited(self, game: Any) -> dict[str, int]: ...

    def reports(self, game: Any) -> Sequence[Move]:
        """What chance may have brought now that no camera sees, for a person to say which it was."""
        ...

    def automatic_turn(self, game: Any) -> Move | None:
        """The turn of a player who has nothing to choose; None when there is anything to decide."""
        ...

    def dice_are_seen(self, game: Any) -> bool:
        """Whether the dice that are awaited are rolled on the table."""
        ...

    def roll(self, game: Any, dice: Mapping[str, Sequence[int]]) -> Move: ...

    def dice_of(self, move: Move) -> dict[str, list[int]]: ...

    def key(self, game: Any) -> Hashable: ...

    def outcome(self, game: Any) -> Hashable: ...

    def log_weight(self, game: Any, move: Move) -> float: ...

    def unseen(self, game: Any) -> tuple[int, ...]: ...

    def describe(self, move: Move) -> dict[str, Any]: ...

    def view(self, game: Any) -> dict[str, Any]: ...

    def ranking(self, game: Any) -> list[str]: ...

    def tie_broken(self, game: Any) -> dict[str, Any] | None:
        """What made the winner of those with most points; None when nobody else has as many."""
        ...

    def statistics_of(
        self, player: str | None, move: Move, events: Sequence[Any]
    ) -> Iterable[tuple[str, str, int]]:
        """Whose count of what, of ``statistics``, goes up by how much by a move of *player*."""
        ...

    def score_sheet(self, game: Any) -> dict[str, dict[str, int]]:
        """Points by player and source; they add up to each player's score."""
        ...

    def timeline(self, game: Any) -> dict[str, list[int]]:
        """By player, the score after each round so far, and once more after the final scoring."""
        ...

    def short(self, game: Any, move: Move) -> str:
        """A move as people write it down, against the position it is made in."""
        ...

    def read_move(self, game: Any, text: str) -> Move:
        """The inverse of ``short``; reads full notation too. Raises ``ValueError`` when the text is not a move."""
        ...

    def drawing(self, game: Any, colour: str) -> str:
        """A player's board in text, for a terminal."""
        ...

    def table_rules(self, game: Any) -> Sequence[tuple[str, str, str]]:
        """Name, value and usual value of what has been agreed on where the print leaves it open."""
        ...
