"""Which shield is where, and what was done with some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from calibration.games.burgundy.facts import ShieldsFact

from ...rules.board import bits
from ...rules.events import Event
from ...rules.module import ModuleState
from ...rules.reason import Reason
from ...rules.state import GameState, Player, Seat
from ...rules.tiles import CASTLE, tile

ID = "shields"


@dataclass
class Shields(ModuleState):
    """Represents the shields of one game. What is neither here nor in the supply is in the box."""

    # Positions are copied often and shields seldom move: copies share these, and a change replaces them.
    printed: ShieldsFact
    depots: tuple[tuple[int | None, ...], ...] = ()
    """Number of the shield on each place, by depot; empty before they are laid out."""
    held: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    """Number of a shield on a castle -> colour of the side that has it, and the castle's space."""
    automa: tuple[int, ...] = ()
    """Those of the Châteauma, face down."""
    copied: str | None = None
    """Whose monasteries shield 6 makes count for its owner too (S917)."""
    placed_freely: frozenset[int] = frozenset()
    """Shields by which whoever decides at the end of the phase has laid a tile."""
    has_turned_die: bool = False
    """Whether shield 16 has been used this turn."""
    may_overflow: bool = field(default=True, compare=False)
    """Whether somebody may have more tiles in storage than fit, because shield 4 has been lost; seen after a move."""

    def copy(self) -> Shields:
        return Shields(
            self.printed,
            self.depots,
            self.held,
            self.automa,
            self.copied,
            self.placed_freely,
            self.has_turned_die,
            self.may_overflow,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "depots": [list(places) for places in self.depots],
            "held": [[number, *where] for number, where in sorted(self.held.items())],
            "automa": list(self.automa),
            "copied": self.copied,
            "placed_freely": sorted(self.placed_freely),
            "has_turned_die": self.has_turned_die,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], printed: ShieldsFact) -> Shields:
        return cls(
            printed,
            tuple(map(tuple, data["depots"])),
            {number: (colour, space) for number, colour, space in data["held"]},
            tuple(data["automa"]),
            data["copied"],
            frozenset(data["placed_freely"]),
            data["has_turned_die"],
        )

    def key(self) -> Hashable:
        return self.depots, frozenset(self.held.items()), self.automa, self.copied, self.placed_freely

    def turn_key(self) -> Hashable:
        return self.has_turned_die

    def components(self) -> Counter[str]:
        """Returns the shields at the depots, on castles and with the Châteauma."""
        at_depots = (number for number in chain(*self.depots) if number is not None)
        return Counter(map(label_of, chain(at_depots, self.held, self.automa)))

    def at(self, depot: int) -> Iterator[int]:
        """Yields the shields at a depot."""
        yield from (number for number in self.depots[depot - 1] if number is not None)

    def put_at(self, depot: int, place: int, number: int | None) -> None:
        """Makes this shield lie on a place of a depot, or none."""
        there = list(self.depots[depot - 1])
        there[place] = number
        self.depots = (*self.depots[: depot - 1], tuple(there), *self.depots[depot:])

    def take_from(self, depot: int, number: int) -> None:
        """Takes a shield away from a depot."""
        self.put_at(depot, self.depots[depot - 1].index(number), None)


def shields(game: GameState) -> Shields:
    """Returns the shields of a game that is played with them."""
    # The rules ask for every move, so the type is not checked again.
    return game.module_states[ID]  # type: ignore[return-value]


def label_of(number: int) -> str:
    """Returns the label of a shield that lies alone."""
    return f"shield/{number}"


def look_of(number: int) -> str:
    """Returns the label of a castle with a shield on it."""
    return f"{CASTLE}/shield_{number}"


def held_by(game: GameState, seat: Seat) -> dict[int, int]:
    """Returns the shields on a person's castles, by space."""
    colour = seat.side.colour
    return {space: number for number, (owner, space) in shields(game).held.items() if owner == colour}


def holds(game: GameState, seat: Seat, number: int) -> bool:
    """Returns whether a person has a shield."""
    held: Mapping[int, tuple[str, int]] = game.module_states[ID].held  # type: ignore[attr-defined]  # as above
    return number in held and held[number][0] == seat.side.colour


def holder_of(game: GameState, number: int) -> Player | None:
    """Returns the person's side that has a shield; None if nobody has it."""
    where = shields(game).held.get(number)
    return None if where is None else next(side for side in game.player_sides if side.colour == where[0])


def lacks(game: GameState, number: int) -> Reason | None:
    """Returns why the current player cannot do what a shield allows; None if they have it."""
    return None if holds(game, game.seat, number) else Reason("needs_shield", {"number": number})


def decides_for_side(seat: Seat) -> bool:
    """Returns whether a person's seat is the one that decides where those of a side decide together."""
    return isinstance(seat, Player) and seat.colour == seat.side.colour


def castles(player: Player) -> Iterator[int]:
    """Yields the spaces with a castle, which may bear a shield (S902)."""
    for space in bits(player.occupied):
        there = player.spaces[space]
        if there is not None and there.type == CASTLE:
            yield space


def put_on_castle(game: GameState, player: Player, space: int, number: int, events: list[Event]) -> None:
    """Puts a shield on a castle; one that lies there leaves the game (S902)."""
    if (there := held_by(game, player).get(space)) is not None:
        lose(game, there, events)
    state = shields(game)
    state.held = {**state.held, number: (player.side.colour, space)}


def lose(game: GameState, number: int, events: list[Event]) -> None:
    """Puts a shield of a castle into the box: its effect ends, and nothing is taken back (S902-906)."""
    state = shields(game)
    colour, space = state.held[number]
    state.held = {other: where for other, where in state.held.items() if other != number}
    state.may_overflow = True
    game.return_to_box(tile(label_of(number)))
    events.append(Event("lose_shield", colour, data={"number": number, "space": space}))


def drop_without_castle(game: GameState, state: Shields, events: list[Event]) -> None:
    """Takes shields away where an override, and nothing else can, has taken the castle."""
    for number, (colour, space) in state.held.items():
        if space not in castles(game.player_of(colour)):
            lose(game, number, events)
