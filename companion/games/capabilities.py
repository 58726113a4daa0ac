"""What a game may be able to do besides what every game does (:class:`.api.Rules`).

Whoever needs one asks for it: ``capabilities.dice(rules).expected_dice(state)`` is answered by the game if it has dice,
else by a neutral stand-in, so that nobody has to tell games apart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable
from weakref import WeakKeyDictionary

from . import defaults
from .api import Card, Count, ExpectedLayout, Move, Reason, Rules, VisibleChange
from .choices import MoveChoice, PlacedPiece

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    S = TypeVar("S", default=Any, contravariant=True)
    M = TypeVar("M", default=Any)
    M_in = TypeVar("M_in", default=Any, contravariant=True)
    M_out = TypeVar("M_out", default=Any, covariant=True)
    C = TypeVar("C")
else:
    from typing import TypeVar  # the default matters to type checkers only

    S, M, M_in, M_out, C = map(TypeVar, ("S", "M", "M_in", "M_out", "C"))


@runtime_checkable
class Chance(Protocol[S, M_out]):
    """A game in which chance takes part: draws, rolls, tiles that are turned up."""

    def sample_chance(self, state: S, rng: Any) -> M_out | None:
        """Returns the next chance event, drawn with *rng*; None if the game waits for a decision or is over."""
        ...

    def unobserved_chance_moves(self, state: S) -> Sequence[M_out]:
        """Returns the chance events that may have happened now and that no camera sees, for a person to choose from."""
        ...


@runtime_checkable
class Dice(Protocol[S, M]):
    """A game that is played with dice."""

    def expected_dice(self, state: S) -> dict[str, int]:
        """Returns how many dice of each colour the game waits for; empty if it does not wait for a roll."""
        ...

    def rolls_on_table(self, state: S) -> bool:
        """Returns whether the expected dice are rolled on the table."""
        ...

    def roll_move(self, state: S, dice: Mapping[str, Sequence[int]]) -> M:
        """Returns the expected roll with these values by colour."""
        ...

    def dice_of(self, move: M) -> dict[str, list[int]]:
        """Returns a roll's values by colour; empty for other moves."""
        ...


@runtime_checkable
class Observable(Protocol[S, M_in]):
    """A game whose table a camera can watch."""

    @property
    def parts(self) -> Sequence[str]:
        """Names of the parts of the table that can be watched each on its own: texts ``page.watched_NAME``. Dice are
        not among them."""
        ...

    def part_of(self, group: str) -> str:
        """Returns the part that a group of places belongs to."""
        ...

    def visible_layout(self, state: S) -> dict[str, tuple[str, ...]]:
        """Returns the labels of everything that is visible on the table, by group of places."""
        ...

    def visible_labels(self, state: S) -> Collection[str]:
        """Returns the labels of all things that may lie on the table during this game."""
        ...

    def is_unordered(self, group: str) -> bool:
        """Returns whether a group's things may be in any order."""
        ...

    def visible_changes(self, state: S, move: M_in) -> Iterable[VisibleChange]:
        """Returns the visible effects of *move* that last until the end of the turn."""
        ...

    def visible_steps(self, state: S, move: M_in) -> Iterable[VisibleChange]:
        """Returns the visible effects within a move that is a whole turn (see ``automatic_turn``), in order, including
        those that do not last."""
        ...

    def expected_layouts(self, state: S) -> Sequence[ExpectedLayout]:
        """Returns what chance or set-up puts on the table now and the game has to read; dice are not among it."""
        ...

    def log_prior(self, state: S, move: M_in) -> float:
        """Returns the log of how usual a move is, relative to others with the same visible effects."""
        ...

    def hidden_resources(self, state: S) -> tuple[int, ...]:
        """Returns how much the current player owns of what no camera sees; more is better."""
        ...

    def transposition_key(self, state: S) -> Hashable:
        """Returns a key that is equal for positions within a turn from which the same can follow."""
        ...

    def end_of_turn_key(self, state: S) -> Hashable:
        """Returns a key that is equal for positions that are the same once the turn has ended."""
        ...


@runtime_checkable
class PartlyRedundant(Protocol):
    """A game in which some places show only what other places tell as well."""

    def is_redundant(self, group: str) -> bool:
        """Returns whether a table need not watch a group: what else is watched tells what happened there."""
        ...


@runtime_checkable
class Guided(Protocol[S]):
    """A game with so many legal moves that people are led to theirs step by step."""

    def move_choices(self, state: S, path: Sequence[str]) -> Sequence[MoveChoice]:
        """Returns what can be chosen after the *path* of keys chosen so far; nothing for a path that leads nowhere."""
        ...


@runtime_checkable
class Secrets(Protocol[S, M_in]):
    """A game in which players know what others must not see. Events are public: what they say, everybody may know."""

    def owner_of(self, move: M_in) -> str | None:
        """Returns the only player who may see what a move says, and enters it on their own page; None if everybody
        may."""
        ...

    def public_description(self, move: M_in) -> dict[str, Any]:
        """Returns a move as ``Rules.describe`` does, without what only its owner may see."""
        ...

    def has_secrets(self, state: S, player: str) -> bool:
        """Returns whether a player has a page of their own in this game, with what only they may see and do."""
        ...


@runtime_checkable
class PartlyReported(Protocol[S]):
    """A game whose tables need not tell the companion everything (``setup["told"]``)."""

    def unreported(self, state: S) -> Sequence[str]:
        """Returns what this table does not report, and what is therefore not checked: codes ``unreported.CODE``."""
        ...


@runtime_checkable
class FreelyPlaced(Protocol[S]):
    """A game with pieces that are placed freely instead of on printed places."""

    def placed_pieces(self, state: S) -> Mapping[str, Sequence[PlacedPiece]]:
        """Returns the pieces that lie free, by group."""
        ...


@runtime_checkable
class Cards(Protocol[S]):
    """A game with printed cards that come and go, on whose spaces things are placed."""

    def cards_on_table(self, state: S) -> Mapping[str, Card]:
        """Returns the cards that come and go, by the group of places that their spaces are."""
        ...


@runtime_checkable
class GuidedSetup(Protocol[S]):
    """A game that says step by step what people set up."""

    def setup_steps(self, state: S) -> Sequence[Mapping[str, Any]]:
        """Returns what people set up now, step by step: a name under ``step``, and the data for its sentence."""
        ...


@runtime_checkable
class Correctable(Protocol[S, M]):
    """A game in which players may decide against the rules, and correct counts by hand."""

    def override(self, state: S, shown: Mapping[str, Sequence[str]]) -> M:
        """Returns the move by which the players decide, whatever the rules say, that groups look as in *shown*."""
        ...

    def counts(self, state: S) -> Sequence[Count]:
        """Returns every count that can be corrected by hand now."""
        ...

    def adjustment(self, state: S, player: str, changes: Mapping[str, int], reason: str) -> M:
        """Returns the move that corrects counts of *player* by these differences.

        It is never among the legal moves, but possible whenever :meth:`counts` contains them.
        """
        ...

    def is_adjustment(self, move: M) -> bool:
        """Returns whether a move corrects counts of one player, whom its description names."""
        ...


@runtime_checkable
class Automatic(Protocol[S, M_out]):
    """A game in which a player may have no choice for a whole turn."""

    def automatic_turn(self, state: S) -> M_out | None:
        """Returns the turn of a player who has no choice; None if there is anything to decide."""
        ...


@runtime_checkable
class OutOfTurn(Protocol[S, M_out]):
    """A game in which players may do something while it is not their turn."""

    def out_of_turn_moves(self, state: S) -> Sequence[M_out]:
        """Returns what others than the player in turn may do now, as moves whose descriptions name their ``player``.

        They are legal but not among ``Rules.legal_moves``, and the turn goes on after them.
        """
        ...

    def is_beside_turn(self, state: S, move: Any) -> bool:
        """Returns whether a move is no part of a turn: one of :meth:`out_of_turn_moves`, or one that its player may
        make at any time and that is only offered where it is asked for."""
        ...


@runtime_checkable
class Evaluated(Protocol[S]):
    """A game for which bots can estimate a position."""

    def evaluate(self, state: S, colour: str) -> float:
        """Returns an estimate of how good the position is for a player, in points."""
        ...

    def value_parts(self, state: S, colour: str) -> Mapping[str, float]:
        """Returns what that estimate is the sum of, by name: texts ``coach.part.NAME``; empty in a game that has no
        estimate."""
        ...


@runtime_checkable
class Migrated(Protocol[M]):
    """A game with journals of releases that gave moves another effect."""

    def as_earlier_release(self, move: M) -> M | None:
        """Returns the move with the effect that an earlier release gave it, for journals written by that release.

        None if its effect has always been the same. Its notation does not change, and it is legal where it was then.
        """
        ...

    def impossible_reason(self, move: M) -> Reason | None:
        """Returns why a move is impossible in every position, though an earlier release may have accepted it; None if
        it is possible."""
        ...


def _capability(kind: type[C], without: Callable[[Rules], C]) -> Callable[[Rules], C]:
    """Returns a function from a game to its capability, or to what stands in for it."""
    stand_ins: WeakKeyDictionary[Rules, C | None] = WeakKeyDictionary()  # checking a protocol takes long

    def of(rules: Rules) -> C:
        if rules not in stand_ins:
            stand_ins[rules] = None if isinstance(rules, kind) else without(rules)
        return stand_ins[rules] or cast("C", rules)

    return of


chance = _capability(Chance, defaults.WithoutChance)  # type: ignore[type-abstract]  # a protocol is meant
dice = _capability(Dice, defaults.WithoutDice)  # type: ignore[type-abstract]  # a protocol is meant
observable = _capability(Observable, defaults.WithoutObservable)  # type: ignore[type-abstract]  # a protocol is meant
partly_redundant = _capability(PartlyRedundant, defaults.WithoutPartlyRedundant)  # type: ignore[type-abstract]  # a protocol is meant
guided = _capability(Guided, defaults.WithoutGuided)  # type: ignore[type-abstract]  # a protocol is meant
secrets = _capability(Secrets, defaults.WithoutSecrets)  # type: ignore[type-abstract]  # a protocol is meant
partly_reported = _capability(PartlyReported, defaults.WithoutPartlyReported)  # type: ignore[type-abstract]  # a protocol is meant
freely_placed = _capability(FreelyPlaced, defaults.WithoutFreelyPlaced)  # type: ignore[type-abstract]  # a protocol is meant
cards = _capability(Cards, defaults.WithoutCards)  # type: ignore[type-abstract]  # a protocol is meant
guided_setup = _capability(GuidedSetup, defaults.WithoutGuidedSetup)  # type: ignore[type-abstract]  # a protocol is meant
correctable = _capability(Correctable, defaults.WithoutCorrectable)  # type: ignore[type-abstract]  # a protocol is meant
automatic = _capability(Automatic, defaults.WithoutAutomatic)  # type: ignore[type-abstract]  # a protocol is meant
out_of_turn = _capability(OutOfTurn, defaults.WithoutOutOfTurn)  # type: ignore[type-abstract]  # a protocol is meant
evaluated = _capability(Evaluated, defaults.WithoutEvaluated)  # type: ignore[type-abstract]  # a protocol is meant
migrated = _capability(Migrated, defaults.WithoutMigrated)  # type: ignore[type-abstract]  # a protocol is meant


def description_for(rules: Rules, move: Move, viewer: str | None = None) -> dict[str, Any]:
    """Returns a move as plain data, as *viewer* may see it: a player, or None for everybody at the table."""
    owner = secrets(rules).owner_of(move)
    return rules.describe(move) if owner in (None, viewer) else secrets(rules).public_description(move)
