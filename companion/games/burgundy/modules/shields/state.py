"""Which shield is where, and what was done with some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from calibration.games.burgundy.facts import ShieldsFact

from ...rules.events import Event
from ...rules.hooks import Hooks
from ...rules.module import ModuleState
from ...rules.reason import Reason
from ...rules.state import GameState, Player, Seat
from ...rules.tiles import CASTLE, tile

ID = "shields"
NONE: Mapping[int, int] = {}
Depots = list[list[int | None]]


@dataclass
class Shields(ModuleState):
    """Represents the shields of one game. What is neither here nor in the supply is in the box."""

    printed: ShieldsFact
    depots: Depots = field(default_factory=list)
    """Number of the shield on each place, by depot; empty before they are laid out."""
    held: dict[str, dict[int, int]] = field(default_factory=dict)
    """Colour of a side -> space of a castle -> number of the shield on it."""
    automa: tuple[int, ...] = ()
    """Those of the Châteauma, face down."""
    copied: str | None = None
    """Whose monasteries shield 6 makes count for its owner too (S917)."""
    placed_freely: frozenset[int] = frozenset()
    """Shields by which whoever decides at the end of the phase has laid a tile."""
    has_turned_die: bool = False
    """Whether shield 16 has been used this turn."""

    def copy(self) -> Shields:
        return Shields(
            self.printed,
            [places[:] for places in self.depots],
            {colour: shields.copy() for colour, shields in self.held.items()},
            self.automa,
            self.copied,
            self.placed_freely,
            self.has_turned_die,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "depots": [list(places) for places in self.depots],
            "held": {
                colour: [list(pair) for pair in sorted(shields.items())]
                for colour, shields in sorted(self.held.items())
                if shields
            },
            "automa": list(self.automa),
            "copied": self.copied,
            "placed_freely": sorted(self.placed_freely),
            "has_turned_die": self.has_turned_die,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], printed: ShieldsFact) -> Shields:
        return cls(
            printed,
            [list(places) for places in data["depots"]],
            {colour: dict(map(tuple, pairs)) for colour, pairs in data["held"].items()},
            tuple(data["automa"]),
            data["copied"],
            frozenset(data["placed_freely"]),
            data["has_turned_die"],
        )

    def key(self) -> Hashable:
        held = tuple(tuple(sorted(shields.items())) for shields in self.held.values())
        return tuple(map(tuple, self.depots)), held, self.automa, self.copied, self.placed_freely

    def turn_key(self) -> Hashable:
        return self.has_turned_die

    def components(self) -> Counter[str]:
        """Returns the shields at the depots, on castles and with the Châteauma."""
        at_depots = (number for number in chain(*self.depots) if number is not None)
        on_castles = chain(*(shields.values() for shields in self.held.values()))
        return Counter(map(label_of, chain(at_depots, on_castles, self.automa)))

    def place_of(self, number: int) -> tuple[int, int] | None:
        """Returns depot and place of a shield; None if it lies at none."""
        for depot, places in enumerate(self.depots, 1):
            if number in places:
                return depot, places.index(number)
        return None

    def at(self, depot: int) -> Iterator[int]:
        """Yields the shields at a depot."""
        yield from (number for number in self.depots[depot - 1] if number is not None)


def shields(game: GameState) -> Shields:
    """Returns the shields of a game that is played with them."""
    state = game.module_states[ID]
    assert isinstance(state, Shields)
    return state


def label_of(number: int) -> str:
    """Returns the label of a shield that lies alone."""
    return f"shield/{number}"


def look_of(number: int) -> str:
    """Returns the label of a castle with a shield on it."""
    return f"{CASTLE}/shield_{number}"


def held_by(game: GameState, seat: Seat) -> Mapping[int, int]:
    """Returns the shields on a person's castles, by space."""
    return shields(game).held.get(seat.side.colour, NONE)


def holds(game: GameState, seat: Seat, number: int) -> bool:
    """Returns whether a person has a shield."""
    return number in held_by(game, seat).values()


def holder_of(game: GameState, number: int) -> Player | None:
    """Returns the person's side that has a shield; None if nobody has it."""
    return next((side for side in game.player_sides if holds(game, side, number)), None)


def lacks(game: GameState, number: int) -> Reason | None:
    """Returns why the current player cannot do what a shield allows; None if they have it."""
    return None if holds(game, game.seat, number) else Reason("needs_shield", {"number": number})


def decides_for_side(seat: Seat) -> bool:
    """Returns whether a person's seat is the one that decides where those of a side decide together."""
    return isinstance(seat, Player) and seat.colour == seat.side.colour


def castles(player: Player) -> Iterator[int]:
    """Yields the spaces with a castle, which may bear a shield (S902)."""
    yield from (
        space for space, there in enumerate(player.spaces) if there is not None and there.type == CASTLE
    )


def put_on_castle(game: GameState, player: Player, space: int, number: int, events: list[Event]) -> None:
    """Puts a shield on a castle; one that lies there leaves the game (S902)."""
    if space in held_by(game, player):
        lose(game, player, space, events)
    shields(game).held.setdefault(player.side.colour, {})[space] = number


def lose(game: GameState, player: Player, space: int, events: list[Event]) -> None:
    """Puts the shield of a castle into the box: its effect ends, and nothing is taken back (S902-906)."""
    number = shields(game).held[player.side.colour].pop(space)
    game.return_to_box(tile(label_of(number)))
    events.append(Event("lose_shield", player.colour, data={"number": number, "space": space}))


class CastleHooks(Hooks):
    """A shield lies on a castle."""

    def settle(self, game: GameState, events: list[Event]) -> None:
        """Takes shields away where an override has taken the castle."""
        super().settle(game, events)
        for side in game.player_sides:
            for space in [*held_by(game, side)]:
                there = side.spaces[space]
                if there is None or there.type != CASTLE:
                    lose(game, side, space, events)
