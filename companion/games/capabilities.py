"""What a game may be able to do besides what every game does (:class:`.api.Rules`).

Whoever needs one asks for it: ``capabilities.dice(rules).expected_dice(state)`` is answered by the game if it has dice,
else by a neutral stand-in, so that nobody has to tell games apart.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast, runtime_checkable
from weakref import WeakKeyDictionary

from .api import Card, Count, ExpectedLayout, Move, Reason, Rules, VisibleChange


@runtime_checkable
class Chance(Protocol):
    """A game in which chance takes part: draws, rolls, tiles that are turned up."""

    def sample_chance(self, state: Any, rng: Any) -> Move | None:
        """Returns the next chance event, drawn with *rng*; None if the game waits for a decision or is over."""
        ...

    def unobserved_chance_moves(self, state: Any) -> Sequence[Move]:
        """Returns the chance events that may have happened now and that no camera sees, for a person to choose from."""
        ...


@runtime_checkable
class Dice(Protocol):
    """A game that is played with dice."""

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


@runtime_checkable
class Observable(Protocol):
    """A game whose table a camera can watch."""

    def visible_layout(self, state: Any) -> dict[str, tuple[str, ...]]:
        """Returns the labels of everything that is visible on the table, by group of places."""
        ...

    def is_unordered(self, group: str) -> bool:
        """Returns whether a group's things may be in any order."""
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


@runtime_checkable
class Cards(Protocol):
    """A game with printed cards that come and go, on whose spaces things are placed."""

    def cards_on_table(self, state: Any) -> Mapping[str, Card]:
        """Returns the cards that come and go, by the group of places that their spaces are."""
        ...


@runtime_checkable
class GuidedSetup(Protocol):
    """A game that says step by step what people set up."""

    def setup_steps(self, state: Any) -> Sequence[Mapping[str, Any]]:
        """Returns what people set up now, step by step: a name under ``step``, and the data for its sentence."""
        ...


@runtime_checkable
class Correctable(Protocol):
    """A game in which players may decide against the rules, and correct counts by hand."""

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


@runtime_checkable
class Automatic(Protocol):
    """A game in which a player may have no choice for a whole turn."""

    def automatic_turn(self, state: Any) -> Move | None:
        """Returns the turn of a player who has no choice; None if there is anything to decide."""
        ...


@runtime_checkable
class Evaluated(Protocol):
    """A game for which bots can estimate a position."""

    def evaluate(self, state: Any, colour: str) -> float:
        """Returns an estimate of how good the position is for a player, in points."""
        ...


@runtime_checkable
class Migrated(Protocol):
    """A game with journals of releases that gave moves another effect."""

    def as_earlier_release(self, move: Move) -> Move | None:
        """Returns the move with the effect that an earlier release gave it, for journals written by that release.

        None if its effect has always been the same. Its notation does not change, and it is legal where it was then.
        """
        ...

    def impossible_reason(self, move: Move) -> Reason | None:
        """Returns why a move is impossible in every position, though an earlier release may have accepted it; None if
        it is possible."""
        ...


# --- what a game without the capability answers ---


class _Without:
    def __init__(self, game: str) -> None:
        self.game = game


class _WithoutChance(_Without):
    def sample_chance(self, state: Any, rng: Any) -> Move | None:
        return None

    def unobserved_chance_moves(self, state: Any) -> Sequence[Move]:
        return ()


class _WithoutDice(_Without):
    def expected_dice(self, state: Any) -> dict[str, int]:
        return {}

    def rolls_on_table(self, state: Any) -> bool:
        return False

    def roll_move(self, state: Any, dice: Mapping[str, Sequence[int]]) -> Move:
        raise ValueError(f"{self.game} has no dice")

    def dice_of(self, move: Move) -> dict[str, list[int]]:
        return {}


class _WithoutObservable(_Without):
    def visible_layout(self, state: Any) -> dict[str, tuple[str, ...]]:
        return {}

    def is_unordered(self, group: str) -> bool:
        return False

    def visible_changes(self, state: Any, move: Move) -> Iterable[VisibleChange]:
        return ()

    def visible_steps(self, state: Any, move: Move) -> Iterable[VisibleChange]:
        return ()

    def expected_layouts(self, state: Any) -> Sequence[ExpectedLayout]:
        return ()

    def log_prior(self, state: Any, move: Move) -> float:
        return 0.0

    def hidden_resources(self, state: Any) -> tuple[int, ...]:
        return ()

    def transposition_key(self, state: Any) -> Hashable:
        return cast("str", state.state_hash())

    def end_of_turn_key(self, state: Any) -> Hashable:
        return cast("str", state.state_hash())


class _WithoutCards(_Without):
    def cards_on_table(self, state: Any) -> Mapping[str, Card]:
        return {}


class _WithoutGuidedSetup(_Without):
    def setup_steps(self, state: Any) -> Sequence[Mapping[str, Any]]:
        return ()


class _WithoutCorrectable(_Without):
    def override(self, state: Any, shown: Mapping[str, Sequence[str]]) -> Move:
        raise ValueError(f"nothing can be decided against the rules of {self.game}")

    def counts(self, state: Any) -> Sequence[Count]:
        return ()

    def adjustment(self, state: Any, player: str, changes: Mapping[str, int], reason: str) -> Move:
        raise ValueError(f"{self.game} has no counts to correct")

    def is_adjustment(self, move: Move) -> bool:
        return False


class _WithoutAutomatic(_Without):
    def automatic_turn(self, state: Any) -> Move | None:
        return None


class _WithoutEvaluated(_Without):
    def evaluate(self, state: Any, colour: str) -> float:
        return 0.0


class _WithoutMigrated(_Without):
    def as_earlier_release(self, move: Move) -> Move | None:
        return None

    def impossible_reason(self, move: Move) -> Reason | None:
        return None


C = TypeVar("C")


def _capability(kind: type[C], without: Callable[[str], C]) -> Callable[[Rules], C]:
    """Returns a function from a game to its capability, or to what stands in for it."""
    stand_ins: WeakKeyDictionary[Rules, C | None] = WeakKeyDictionary()  # checking a protocol takes long

    def of(rules: Rules) -> C:
        if rules not in stand_ins:
            stand_ins[rules] = None if isinstance(rules, kind) else without(rules.name)
        return stand_ins[rules] or cast("C", rules)

    return of


chance = _capability(Chance, _WithoutChance)  # type: ignore[type-abstract]  # a protocol is meant
dice = _capability(Dice, _WithoutDice)  # type: ignore[type-abstract]  # a protocol is meant
observable = _capability(Observable, _WithoutObservable)  # type: ignore[type-abstract]  # a protocol is meant
cards = _capability(Cards, _WithoutCards)  # type: ignore[type-abstract]  # a protocol is meant
guided_setup = _capability(GuidedSetup, _WithoutGuidedSetup)  # type: ignore[type-abstract]  # a protocol is meant
correctable = _capability(Correctable, _WithoutCorrectable)  # type: ignore[type-abstract]  # a protocol is meant
automatic = _capability(Automatic, _WithoutAutomatic)  # type: ignore[type-abstract]  # a protocol is meant
evaluated = _capability(Evaluated, _WithoutEvaluated)  # type: ignore[type-abstract]  # a protocol is meant
migrated = _capability(Migrated, _WithoutMigrated)  # type: ignore[type-abstract]  # a protocol is meant
