"""Hostels: tiles for a space of any colour, which make its area one larger. One can be bought in each phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.rules.board import Area, bits
from companion.games.burgundy.rules.decision import Decision
from companion.games.burgundy.rules.events import Event
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module, ModuleState
from companion.games.burgundy.rules.moves import BLACK_DEPOT, Move
from companion.games.burgundy.rules.observation import VisibleChange
from companion.games.burgundy.rules.purchases import reason_against_purchase
from companion.games.burgundy.rules.reason import Reason
from companion.games.burgundy.rules.state import GameState, Player
from companion.games.burgundy.rules.storage import receive
from companion.games.burgundy.rules.tiles import EMPTY, Tile, tile

HOSTEL = "hostel"
GROUP = "hostels"
"""Place beside the black depot, for the one that is for sale."""
HOSTELS = 5


@dataclass
class Hostels(ModuleState):
    """The stack, and whether its top tile is for sale in this phase."""

    left: int = HOSTELS
    for_sale: bool = True

    def copy(self) -> Hostels:
        return Hostels(self.left, self.for_sale)

    def to_json(self) -> dict[str, Any]:
        return {"left": self.left, "for_sale": self.for_sale}

    def components(self) -> Counter[str]:
        """Returns the tiles that nobody has bought."""
        return Counter({HOSTEL: self.left})


def hostels(game: GameState) -> Hostels:
    state = game.module_states[HostelModule.id]
    assert isinstance(state, Hostels)
    return state


@dataclass(frozen=True, slots=True)
class BuyHostel(Move):
    """Buy the hostel of this phase for silver."""

    word = "hostel"

    def __str__(self) -> str:
        return "hostel"


class BuyHostelDecision(Decision[BuyHostel]):
    move = BuyHostel
    interrupts = True

    def parse(self, words: list[str]) -> BuyHostel:
        return BuyHostel(*words)

    def choices(self, game: GameState) -> tuple[BuyHostel, ...]:
        return () if self.validate(game, BuyHostel()) else (BuyHostel(),)

    def validate(self, game: GameState, move: BuyHostel) -> Reason | None:
        return reason_against_purchase(game, BLACK_DEPOT) or (
            None if hostels(game).for_sale else Reason("already_bought")
        )

    def apply(self, game: GameState, move: BuyHostel) -> list[Event]:
        game.player.silver -= game.edition.silver_price
        game.bought = True
        hostels(game).left -= 1
        hostels(game).for_sale = False
        receive(game, tile(HOSTEL))
        return [Event("buy", game.player.colour, data={"tile": HOSTEL, "depot": BLACK_DEPOT})]

    def visible_changes(self, game: GameState, move: BuyHostel) -> Iterator[VisibleChange]:
        yield VisibleChange(f"{GROUP}:0", EMPTY)


class HostelHooks(Hooks):
    def open_spaces(self, game: GameState, player: Player, tile_type: str) -> int:
        spaces = super().open_spaces(game, player, tile_type)
        if tile_type == HOSTEL:
            for space in bits(spaces):
                if _has_hostel(player, player.duchy.area_of[space]):
                    spaces &= ~(1 << space)
        return spaces

    def tile_effect(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        if placed.type != HOSTEL:
            super().tile_effect(game, player, placed, space, events)

    def area_size(self, game: GameState, player: Player, area: Area) -> int:
        return super().area_size(game, player, area) + _has_hostel(player, area)

    def visible_layout_of_board(self, game: GameState) -> dict[str, tuple[str, ...]]:
        return {
            **super().visible_layout_of_board(game),
            GROUP: (HOSTEL if hostels(game).for_sale else EMPTY,),
        }

    def view_of_board(self, game: GameState) -> dict[str, Any]:
        return {**super().view_of_board(game), "hostels": hostels(game).to_json()}

    def phase_ends(self, game: GameState, events: list[Event]) -> None:
        super().phase_ends(game, events)
        hostels(game).for_sale = hostels(game).left > 0


def _has_hostel(player: Player, area: Area) -> bool:
    return any(
        t is not None and t.type == HOSTEL
        for t in (player.spaces[i] for i in bits(area.spaces & player.occupied))
    )


class HostelModule(Module):
    id = "hostels"
    hooks = HostelHooks
    decisions = (BuyHostelDecision(),)
    labels = frozenset([HOSTEL])
    spaces_for: ClassVar[Mapping[str, Callable[[Player], int]]] = {
        HOSTEL: lambda player: player.duchy.everything
    }
    sources: ClassVar[Mapping[str, str]] = {"area_9": "area_8"}

    def set_up(self, game: GameState, setup: Mapping[str, Any]) -> None:
        game.module_states[self.id] = Hostels()

    def state_from_json(self, data: Mapping[str, Any]) -> Hostels:
        return Hostels(data["left"], data["for_sale"])


def create(facts: Facts) -> HostelModule:
    return HostelModule()
