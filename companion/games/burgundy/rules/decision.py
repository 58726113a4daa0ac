"""What the rules say about one kind of move, as an interface: one file of :mod:`.decisions`, or of a module, each.

Whoever reads a move's class finds beside it how it is written, when it is legal and why not, what it does, and what it
changes on the table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from .events import Event
from .moves import Move
from .observation import ExpectedLayout, VisibleChange
from .reason import Reason
from .state import TURN, GameState, Pending, Seat
from .tiles import TYPES

T = TypeVar("T")
M = TypeVar("M", bound=Move)
R = TypeVar("R", bound=Move)

ANY_TYPE = frozenset(TYPES)
Consequence: TypeAlias = Callable[[GameState, list[Event]], None]
"""What follows by itself once a move has been made; adds its events to those of the move."""


class Rng(Protocol):
    """A source of randomness, such as :class:`random.Random`."""

    def randint(self, a: int, b: int) -> int: ...

    def choice(self, seq: Sequence[T]) -> T: ...


@dataclass(frozen=True, slots=True)
class Effect:
    """What may be done with an effect that waits for a choice."""

    moves: tuple[type[Move], ...]
    """Kinds of moves among which to choose, in the order in which they are listed."""
    takes: frozenset[str] = ANY_TYPE
    """Types of the tiles that it takes from the numbered depots."""
    reads_white_die: bool = False
    """Whether it acts with the white die's value, which workers may change, instead of any value."""
    is_action: bool = False
    """Whether it is an extra action, which a table rule may make mandatory (S372)."""
    is_lost_without_room: bool = False
    """Whether it is a building's, which a table rule loses if the storage has no room for the tile that it takes."""
    is_report: bool = False
    """Whether it waits for people to report what they see, and nobody chooses."""

    @property
    def breadth(self) -> tuple[int, int, bool]:
        """How much it leaves open: kinds of moves, types of tiles, values."""
        return len(self.moves), len(self.takes), not self.reads_white_die


class Decision(ABC, Generic[M]):
    """What the rules say about one kind of move. It has no state: a ruleset holds one object of each kind."""

    move: type[M]
    stages: tuple[str, ...] = (TURN,)
    """Stages of the game at which the move is possible, and an open effect pays for it at any stage; none: it is
    possible at every stage, and offered wherever people decide."""
    interrupts: bool = False
    """Whether a person may make it while an effect waits for its choice."""
    automatic: bool = False
    """Whether it is the whole turn of a seat that has no choice."""
    is_beside_turn: bool = False
    """Whether it is no part of a turn, whenever its player makes it."""
    log_prior: float = 0.0
    """How much less usual it is than other moves with the same visible effects, as a logarithm; set by hand."""

    def log_prior_of(self, move: M) -> float:
        """Returns :attr:`log_prior`, which may differ by move."""
        return self.log_prior

    # How it is written

    @abstractmethod
    def parse(self, words: list[str]) -> M:
        """Returns the move whose notation has these words after the first one.

        Raises ``ValueError``, ``IndexError`` or ``TypeError`` if there is none.
        """

    def short(self, game: GameState, move: M) -> str:
        """Returns the move as people write it (see :mod:`.notation`)."""
        return str(move)

    def parse_short(self, game: GameState, words: list[str]) -> M | None:
        """Returns the move whose short notation has these words; None if there is no notation but the full one.

        Raises ``ValueError`` or ``LookupError`` if the words are no such move.
        """
        return None

    # When it is legal

    def choices(self, game: GameState) -> Iterable[M]:
        """Returns the legal moves of this kind at its stage that neither a die nor an effect pays for."""
        return ()

    def by_die(self, game: GameState, die: int) -> Iterable[M]:
        """Returns the legal moves of this kind that this die of the current player pays for."""
        return ()

    def by_effect(self, game: GameState, pending: Pending) -> Iterable[M]:
        """Returns the legal moves of this kind that the open effect pays for."""
        return ()

    def reason_against_effect(self, game: GameState, pending: Pending, move: M) -> Reason | None:
        """Returns why an open effect that pays for moves of this kind does not pay for this one; None if it does."""
        return None

    @abstractmethod
    def validate(self, game: GameState, move: M) -> Reason | None:
        """Returns why the move is illegal at one of its :attr:`stages`; None if it is legal."""

    # What it does

    @abstractmethod
    def apply(self, game: GameState, move: M) -> list[Event]:
        """Makes the move, which is not checked again; returns its events."""

    # What it changes on the table

    def visible_changes(self, game: GameState, move: M) -> Iterable[VisibleChange]:
        """Returns the visible effects that last until the end of the turn, without storage."""
        return ()

    def visible_steps(self, game: GameState, move: M) -> Iterable[VisibleChange]:
        """Returns the visible effects within a move that is a whole turn, in order, even those that do not last."""
        return ()


class ChanceEvent(Decision[M]):
    """A move that is reported, not chosen."""

    def sample(self, game: GameState, seat: Seat, rng: Rng) -> M | None:
        """Returns the event that the game waits for at one of its stages, drawn with *rng*; None if it has happened.

        *seat* is the one whose set-up it is; the stages of play have one event for all.
        """
        return None

    def expected_layouts(self, game: GameState) -> Iterable[ExpectedLayout]:
        """Returns what it puts on the table at one of its stages, for a camera to read."""
        return ()

    def unobserved(self, game: GameState) -> Iterable[M]:
        """Returns what may have happened at one of its stages and no camera sees, for a person to choose from."""
        return ()


class DiceEvent(ChanceEvent[R]):
    """A roll of dice."""

    @abstractmethod
    def dice(self, game: GameState) -> dict[str, int]:
        """Returns how many dice of each colour are rolled."""

    @abstractmethod
    def of(self, game: GameState, dice: Mapping[str, Sequence[int]]) -> R:
        """Returns the roll that shows these values by colour."""

    def on_table(self, game: GameState) -> bool:
        """Returns whether the dice are rolled on the table."""
        return True
