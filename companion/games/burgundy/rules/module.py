"""A module: an expansion of the box, or another player, as what it adds to the base game and what it changes in it."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from .board import Duchy
from .decision import Consequence, Decision, Effect, Rng
from .hooks import Hooks
from .moves import Move
from .owner_print import PrintKind
from .reason import Reason
from .state import GameState, Player, Seat
from .tiles import Tile


class ModuleState(ABC):
    """What a module adds to the position of one game."""

    @abstractmethod
    def copy(self) -> ModuleState:
        """Returns an independent copy."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Returns every component as plain data."""

    def key(self) -> Hashable:
        """Returns a key that is equal for equal states of the module; asked for at every position of a search."""
        return json.dumps(self.to_json(), sort_keys=True)

    def turn_key(self) -> Hashable:
        """Returns a key of what matters only until the turn ends and is not in :meth:`key`."""
        return ()


class OverridablePlace(Protocol):
    """A kind of places that a module adds, for overrides; a place is named by what follows its kind."""

    def has(self, game: GameState, names: Sequence[str]) -> bool:
        """Returns whether the game has such a place."""
        ...

    def tiles(self, game: GameState, names: Sequence[str]) -> Sequence[str]:
        """Returns the labels of what is there, from the supply or the box of the game."""
        ...

    def may_hold(self, game: GameState, names: Sequence[str], labels: Sequence[str]) -> bool:
        """Returns whether these things may be there, whatever the rules say."""
        ...

    def put(self, game: GameState, names: Sequence[str], labels: Sequence[str]) -> None:
        """Makes these things be there, and nothing else."""
        ...


class Module:
    """Represents a module. Its attributes say what it adds; :attr:`hooks` are the base rules that it changes.

    One object serves all games: what belongs to one game is in a :class:`ModuleState`.
    """

    id: ClassVar[str]
    """Name by which it is chosen."""
    requires: ClassVar[frozenset[str]] = frozenset()
    """Modules without which it cannot be played."""
    excludes: ClassVar[frozenset[str]] = frozenset()
    """Modules with which it cannot be played."""
    editions: ClassVar[frozenset[str] | None] = None
    """Editions whose box has it; None if all have."""
    after: ClassVar[frozenset[str]] = frozenset()
    """Modules whose rules it changes in turn, so that its :attr:`hooks` are asked before theirs."""
    is_named: ClassVar[bool] = True
    """Whether a set-up chooses it by name; False if it has a part of its own there."""
    switched_on_by: ClassVar[tuple[str, str] | None] = None
    """Table rule and value that switch it on, if that is how a group chooses it."""
    hooks: ClassVar[type[Hooks]] = Hooks
    decisions: Sequence[Decision[Any]] = ()
    """Its moves. One for a kind of move of the base game takes the place of the base rule."""
    consequences: Sequence[Consequence] = ()
    """What follows by itself once a move, whatever its kind, has been made."""
    effects: ClassVar[Mapping[str, Effect]] = {}
    """Effects that wait for a choice, by name."""
    choices: ClassVar[Mapping[str, tuple[type[Move], ...]]] = {}
    """Kinds of moves that it adds to what may be done with an effect, by the effect's name; before those it has."""
    looks: ClassVar[frozenset[str]] = frozenset()
    """Labels of places where things of the module cover a tile: a camera sees them, no tile is called so."""
    labels: ClassVar[frozenset[str]] = frozenset()
    """Labels of the tiles that it adds to the game."""
    spaces_for: ClassVar[Mapping[str, Callable[[Player], int]]] = {}
    """Spaces on which a tile may lie at all, as a bit set, by the types of its tiles that no space is printed for."""
    not_hexagonal: ClassVar[frozenset[str]] = frozenset()
    """Those of :attr:`labels` that no depot, key space or duchy takes: they lie only on places that it adds."""
    unordered: ClassVar[frozenset[str]] = frozenset()
    """Kinds of the groups of places that it adds in which things may be in any order."""
    redundant: ClassVar[frozenset[str]] = frozenset()
    """Kinds of the groups of places that it adds of which the others tell what happens there, so that a table need not
    watch them."""
    overridable: ClassVar[Mapping[str, OverridablePlace]] = {}
    """Kinds of the places that it adds whose things an override may exchange (see :mod:`.decisions.override`)."""
    table_rules: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Its table rules: name -> values, the usual one first."""
    sources: ClassVar[Mapping[str, str]] = {}
    """Where its points come from -> the source after which it stands on the score sheet."""
    events: ClassVar[Mapping[str, str]] = {}
    """Kind of event -> the lines of the rule texts behind it."""
    statistics: ClassVar[Mapping[str, str]] = {}
    """Kind of event -> statistic that it increases by one (see :mod:`.statistics`)."""
    print_kinds: Sequence[PrintKind] = ()
    """What it asks about the print of the owner's copy."""
    assumption: ClassVar[str] = ""
    """Sentence that says what :meth:`with_assumed_print` makes up; empty if it makes up nothing."""

    def usual_table_rules(self, edition: str) -> Mapping[str, str]:
        """Returns the values of its table rules that an edition prints otherwise."""
        return {}

    def supply(self, edition: str) -> Mapping[Tile, int]:
        """Returns how many of its tiles are drawn from the supply of an edition."""
        return {}

    @property
    def is_named_in_state(self) -> bool:
        """Whether a state written as JSON names it, because nothing else in the state tells that it is played."""
        return self.is_named and self.switched_on_by is None

    def is_chosen(self, setup: Mapping[str, Any], rules: Mapping[str, str]) -> bool:
        """Returns whether a game with this set-up and these table rules is played with the module."""
        return self._is_played(setup.get("modules", ()), rules)

    def is_part_of(self, state: Mapping[str, Any]) -> bool:
        """Returns whether the module is part of a state written as JSON."""
        return self._is_played(state.get("modules", {}), state["rules"])

    def _is_played(self, named: Collection[str], rules: Mapping[str, str]) -> bool:
        if self.switched_on_by is None:
            return self.id in named
        rule, value = self.switched_on_by
        return rules[rule] == value

    def why_not_in_play(self, move: Move) -> Reason:
        """Returns why one of its moves is illegal in a game without it."""
        return Reason("module_not_in_play", {"game_module": self.id})

    # A new game

    def with_print(self, setup: Mapping[str, Any], answers: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns a set-up with what its games need of the owner's *answers*, which are by kind."""
        return setup

    def with_assumed_print(self, setup: Mapping[str, Any], players: int, rng: Rng) -> Mapping[str, Any]:
        """Returns a set-up with what a simulated game assumes about print that nobody has seen; *players* is for how
        many everything is printed (:attr:`.GameState.played_as`)."""
        return setup

    def suits(self, duchy: Duchy) -> bool:
        """Returns whether the module makes a difference on a duchy."""
        return True

    def seats(self, setup: Mapping[str, Any], edition: str, seats: Sequence[Seat]) -> Sequence[Seat]:
        """Returns everybody who takes turns, in the order of the first round, given the seats without this module.

        Raises ``InvalidSetupError`` if the set-up asks for something impossible.
        """
        return seats

    def share_sides(self, seats: Sequence[Seat]) -> Sequence[Seat]:
        """Returns the seats of which some share a side (see :attr:`.Seat.side`), given a side of its own for each.

        A seat that shares a side is written as JSON like any other, and passes here again when it is read.
        """
        return seats

    def set_up(self, game: GameState, setup: Mapping[str, Any]) -> None:
        """Does what happens before the first move: things that leave the supply, a state of the module.

        Raises ``InvalidSetupError`` if its part of the set-up is impossible.
        """

    # Reading a state

    def seat_from_json(self, data: Mapping[str, Any], edition: str) -> Seat | None:
        """Returns a seat written as JSON; None if it is not one that the module adds."""
        return None

    def state_from_json(self, data: Mapping[str, Any]) -> ModuleState | None:
        """Returns the module's part of a state written as JSON; None if it has no state of its own."""
        return None

    def restore(self, game: GameState) -> None:
        """Completes a game that was read from JSON by what follows from it."""

    # Cards of its own

    def cards_on_table(self, game: GameState) -> Mapping[str, Any]:
        """Returns its printed cards on the table, by the group of places that their spaces are."""
        return {}


def in_order(modules: Iterable[Module]) -> list[Module]:
    """Returns modules in the order in which they change the rules: each behind those in its :attr:`Module.after`.

    Raises ``ValueError`` if two come after each other.
    """
    rest, ordered = list(modules), list[Module]()
    while rest:
        waiting = {module.id for module in rest}
        ready = next((module for module in rest if not module.after & waiting), None)
        if ready is None:
            raise ValueError(f"modules that come after each other: {', '.join(sorted(waiting))}")
        rest.remove(ready)
        ordered.append(ready)
    return ordered
