"""What every game provides to the session, the referee, the journal and the page."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol

Move = Any
"""One decision or chance event; ``str(move)`` is its notation."""


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


class Rules(Protocol):
    """The rules of one game. Only the game itself looks inside its states."""

    name: str
    """Name of the game, as in set-ups."""
    version: int
    """Version of the rules; a later one plays the games of earlier ones alike."""
    score_sources: tuple[str, ...]
    """Where points come from, in the order of the score sheet."""
    statistics: tuple[str, ...]
    """What is counted for each player besides points, in the order in which it is shown."""

    # Setting up and storing

    def new(self, setup: Mapping[str, Any]) -> State:
        """Returns the first position of a game with this *setup*. Raises ``ValueError`` if there is no such game."""
        ...

    def check_setup(self, setup: Mapping[str, Any]) -> None:
        """Checks that a new game can begin with *setup*. Raises ``ValueError`` if it cannot."""
        ...

    def seats(self, setup: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
        """Returns the seats of a set-up in the order of the first round: ``colour``, ``kind`` (``person``, ``bot`` or
        ``automa``) and what each ``plays``."""
        ...

    def from_json(self, data: Mapping[str, Any]) -> State:
        """Returns the state that ``State.to_json`` has written."""
        ...

    # Playing

    def legal_moves(self, state: Any) -> list[Move]:
        """Returns every legal decision, each once; chance events are not among them."""
        ...

    def validate(self, state: Any, move: Move) -> Reason | None:
        """Returns why *move* is illegal; None if it is legal."""
        ...

    def illegal_moves_at(self, state: Any, place: str) -> Sequence[tuple[Move, Reason]]:
        """Returns what the current player may want to do at a place of the table but cannot, with the reasons."""
        ...

    def reminders(self, state: Any, moves: Sequence[Move]) -> Sequence[Reminder]:
        """Returns what the current player would miss by ending the turn after *moves*; an end of the turn in *moves* is
        ignored."""
        ...

    def play(self, state: Any, move: Move) -> Sequence[Event]:
        """Checks and makes a move; returns its events. Raises ``ValueError`` if the move is illegal."""
        ...

    def apply(self, state: Any, move: Move) -> Sequence[Event]:
        """Makes a move without checking it; returns its events."""
        ...

    def parse_move(self, text: str) -> Move:
        """Returns the move written as *text*; the inverse of ``str(move)``. Raises ``ValueError`` if it is none."""
        ...

    def short_notation(self, state: Any, move: Move) -> str:
        """Returns the move as people write it, which leaves out what follows from the position."""
        ...

    def parse_short(self, state: Any, text: str) -> Move:
        """Returns the move written as *text* in short or full notation. Raises ``ValueError`` if it is none."""
        ...

    def as_earlier_release(self, move: Move) -> Move | None:
        """Returns the move with the effect that an earlier release gave it, for journals written by that release.

        None if its effect has always been the same. Its notation does not change, and it is legal where it was then.
        """
        ...

    def impossible_reason(self, move: Move) -> Reason | None:
        """Returns why a move is impossible in every position, though an earlier release may have accepted it; None if
        it is possible."""
        ...

    def with_players(self, move: Move, colours: Mapping[str, str]) -> Move:
        """Returns the move after players have changed colours: *colours* maps each old colour to the new one.

        Other colours and texts that people wrote stay as they are.
        """
        ...

    def to_move(self, state: Any) -> str | None:
        """Returns the colour of the current player; None if the game waits for chance or set-up, or is over."""
        ...

    def is_over(self, state: Any) -> bool:
        """Returns whether the game is over."""
        ...

    def ends_turn(self, move: Move) -> bool:
        """Returns whether the turn is over after *move*."""
        ...

    def automatic_turn(self, state: Any) -> Move | None:
        """Returns the turn of a player who has no choice; None if there is anything to decide."""
        ...

    # Chance

    def sample_chance(self, state: Any, rng: Any) -> Move | None:
        """Returns the next chance event, drawn with *rng*; None if the game waits for a decision or is over."""
        ...

    def unobserved_chance_moves(self, state: Any) -> Sequence[Move]:
        """Returns the chance events that may have happened now and that no camera sees, for a person to choose from."""
        ...

    def expected_dice(self, state: Any) -> dict[str, int]:
        """Returns how many dice of each colour the game waits for; empty if it does not wait for a roll."""
        ...

    def rolls_on_table(self, state: Any) -> bool:
        """Returns whether the expected dice are rolled on the table."""
        ...

    def roll_move(self, state: Any, dice: Mapping[str, Sequence[int]]) -> Move:
        """Returns the expected roll with these values by colour."""
        ...

    def dice_of(self, move: Move) -> dict[str, list[int]]:
        """Returns a roll's values by colour; empty for other moves."""
        ...

    # What a camera sees

    def visible_layout(self, state: Any) -> dict[str, tuple[str, ...]]:
        """Returns the labels of everything that is visible on the table, by group of places."""
        ...

    def is_unordered(self, group: str) -> bool:
        """Returns whether a group's things may be in any order."""
        ...

    def cards_on_table(self, state: Any) -> Mapping[str, Card]:
        """Returns the cards that come and go, by the group of places that their spaces are."""
        ...

    def visible_changes(self, state: Any, move: Move) -> Iterable[VisibleChange]:
        """Returns the visible effects of *move* that last until the end of the turn."""
        ...

    def visible_steps(self, state: Any, move: Move) -> Iterable[VisibleChange]:
        """Returns the visible effects within a move that is a whole turn (see ``automatic_turn``), in order, including
        those that do not last."""
        ...

    def expected_layouts(self, state: Any) -> Sequence[ExpectedLayout]:
        """Returns what chance or set-up puts on the table now and the game has to read; dice are not among it."""
        ...

    def setup_steps(self, state: Any) -> Sequence[Mapping[str, Any]]:
        """Returns what people set up now, step by step: a name under ``step``, and the data for its sentence."""
        ...

    def log_prior(self, state: Any, move: Move) -> float:
        """Returns the log of how usual a move is, relative to others with the same visible effects."""
        ...

    def hidden_resources(self, state: Any) -> tuple[int, ...]:
        """Returns how much the current player owns of what no camera sees; more is better."""
        ...

    def transposition_key(self, state: Any) -> Hashable:
        """Returns a key that is equal for positions within a turn from which the same can follow."""
        ...

    def end_of_turn_key(self, state: Any) -> Hashable:
        """Returns a key that is equal for positions that are the same once the turn has ended."""
        ...

    # Corrections by hand

    def override(self, state: Any, shown: Mapping[str, Sequence[str]]) -> Move:
        """Returns the move by which the players decide, whatever the rules say, that groups look as in *shown*."""
        ...

    def counts(self, state: Any) -> Sequence[Count]:
        """Returns every count that can be corrected by hand now."""
        ...

    def adjustment(self, state: Any, player: str, changes: Mapping[str, int], reason: str) -> Move:
        """Returns the move that corrects counts of *player* by these differences.

        It is never among the legal moves, but possible whenever :meth:`counts` contains them.
        """
        ...

    def is_adjustment(self, move: Move) -> bool:
        """Returns whether a move corrects counts of one player, whom its description names."""
        ...

    # Showing

    def describe(self, move: Move) -> dict[str, Any]:
        """Returns a move as plain data: ``word`` (what is done), its fields, and ``text`` (its notation)."""
        ...

    def view(self, state: Any) -> dict[str, Any]:
        """Returns the whole position as plain data for the page."""
        ...

    def text_board(self, state: Any, colour: str) -> str:
        """Returns a player's board as text for a terminal."""
        ...

    def modules_of(self, state: Any) -> Sequence[str]:
        """Returns the modules that are chosen by name and played, sorted."""
        ...

    def table_rules(self, state: Any) -> Sequence[tuple[str, str, str]]:
        """Returns name, value and usual value of everything that the players agreed on where the print leaves it
        open."""
        ...

    # Result

    def ranking(self, state: Any) -> list[str]:
        """Returns the colours of all players, the winner first."""
        ...

    def tie_break(self, state: Any) -> dict[str, Any] | None:
        """Returns what decided between the players with most points; None if there is only one."""
        ...

    def score_sheet(self, state: Any) -> dict[str, dict[str, int]]:
        """Returns points by player and source; they add up to each player's score."""
        ...

    def score_history(self, state: Any) -> dict[str, list[int]]:
        """Returns by player the score after each round so far, and once more after the final scoring."""
        ...

    def statistics_of(
        self, player: str | None, move: Move, events: Sequence[Any]
    ) -> Iterable[tuple[str, str, int]]:
        """Returns what a move of *player* adds to :attr:`statistics`: whose count, of what, and how much."""
        ...

    def evaluate(self, state: Any, colour: str) -> float:
        """Returns an estimate of how good the position is for a player, in points."""
        ...
