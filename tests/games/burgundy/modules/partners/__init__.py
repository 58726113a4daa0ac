"""Partners: two and two share a duchy, goods, silver, workers and points; dice, turns and key spaces are one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module
from companion.games.burgundy.rules.state import GameState, Player, Seat

SHARED = (
    "duchy",
    "spaces",
    "occupied",
    "frontier",
    "monasteries",
    "ruled",
    "goods",
    "sold",
    "silver",
    "workers",
    "score",
    "points",
    "bonus_tiles",
)


def _shared(name: str) -> property:
    def get(seat: Partner) -> Any:
        return getattr(seat.side, name)

    def change(seat: Partner, value: object) -> None:
        setattr(seat.side, name, value)

    return property(get, change)


class Partner(Player):
    """A seat whose side it shares with its partner."""

    __slots__ = ("_side",)

    def __init__(self, colour: str, side: Player) -> None:
        self._side = side
        self.colour = colour
        self.storage, self.dice = [], []

    @property
    def side(self) -> Player:
        return self._side

    def with_side(self, side: Player) -> Partner:
        new = Partner(self.colour, side)
        new.storage, new.dice = self.storage[:], self.dice[:]
        return new

    def to_json(self) -> dict[str, Any]:
        own = {"storage": [t.label for t in self.storage], "dice": sorted(self.dice)}
        return {"colour": self.colour, "partner": own, "side": self.side.to_json()}


for name in SHARED:
    setattr(Partner, name, _shared(name))


class PartnerHooks(Hooks):
    def copy_of(self, seats: Sequence[Seat]) -> list[Seat]:
        sides = {id(seat.side): seat.side.copy() for seat in seats}
        copies: list[Seat] = []
        for seat in seats:
            side = sides[id(seat.side)]
            assert isinstance(seat, Partner) and isinstance(side, Player)
            copies.append(seat.with_side(side))
        return copies

    def start_resources(self, game: GameState) -> None:
        for side, workers in zip(game.player_sides, (3, 5), strict=True):
            side.silver, side.workers = 2, workers

    def ranking_key(self, game: GameState, index: int) -> tuple[int, ...]:
        first, *others = super().ranking_key(game, index)
        return (first, game.sides.index(game.seats[index].side), *others)


class PartnerModule(Module):
    id = "partners"
    hooks = PartnerHooks

    def seats(self, setup: Mapping[str, Any], edition: str, seats: Sequence[Seat]) -> Sequence[Seat]:
        first, second, *others = seats
        sides = {True: first, False: second}
        partners: list[Seat] = []
        for number, seat in enumerate((first, second, *others)):
            side = sides[number % 2 == 0]
            assert isinstance(side, Player)
            partners.append(Partner(seat.colour, side))
        return partners


def create(facts: Facts) -> PartnerModule:
    return PartnerModule()
