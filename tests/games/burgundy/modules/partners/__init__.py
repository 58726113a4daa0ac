"""Partners: two and two share a duchy, goods, silver, workers and points; dice, turns and key spaces are one's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.rules.edition import Edition
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module
from companion.games.burgundy.rules.state import GameState, Player, Seat

SIDES = 2
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

    def __init__(self, seat: Player, side: Player) -> None:
        """Takes colour, tiles and dice from *seat*, and the rest from *side*."""
        self._side = side
        self.colour = seat.colour
        self.storage, self.dice = seat.storage[:], seat.dice[:]

    @property
    def side(self) -> Player:
        return self._side


for name in SHARED:
    setattr(Partner, name, _shared(name))


class PartnerHooks(Hooks):
    def seat_counts(self, edition: Edition) -> Sequence[int]:
        return (4,)

    def copy_of(self, seats: Sequence[Seat]) -> list[Seat]:
        sides = {seat.side: seat.side.copy() for seat in seats}
        return [_partner(seat, sides[seat.side]) for seat in seats]

    def start_resources(self, game: GameState) -> None:
        for side, workers in zip(game.player_sides, (3, 5), strict=True):
            side.silver, side.workers = 2, workers


class PartnerModule(Module):
    id = "partners"
    excludes = frozenset({"chateauma"})
    hooks = PartnerHooks

    def share_sides(self, seats: Sequence[Seat]) -> Sequence[Seat]:
        """Returns the seats, every second one on a side."""
        return [_partner(seat, seats[number % SIDES]) for number, seat in enumerate(seats)]


def _partner(seat: Seat, side: Seat) -> Partner:
    assert isinstance(seat, Player) and isinstance(side, Player)
    return Partner(seat, side)


def create(facts: Facts) -> PartnerModule:
    return PartnerModule()
