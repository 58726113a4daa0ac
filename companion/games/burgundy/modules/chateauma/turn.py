"""A turn of the Châteauma from its die to the next card, in the order of S1119-1126."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ...rules.decision import Decision
from ...rules.events import Event
from ...rules.moves import BLACK_DEPOT, Move
from ...rules.observation import VisibleChange
from ...rules.reason import Reason
from ...rules.state import GameState
from ...rules.tiles import EMPTY, TYPES, goods_label, tile
from .buying import buy, buy_as_earlier_release
from .choosing import choose_and_place, resolve_symbols
from .completing import complete_cards
from .context import Turn
from .reveal_card import end_turn
from .seat import FACE_DOWN, OWN_TURN, SIDES, automa_in_turn


@dataclass(frozen=True, slots=True)
class AutomaTurn(Move):
    """Its whole turn: every choice in it is fixed by the rules."""

    word = "chateauma"
    ends_turn = True
    earlier: bool = field(default=False, compare=False)
    """Whether it buys as earlier releases did."""

    def __str__(self) -> str:
        return "chateauma"

    def as_earlier_release(self) -> AutomaTurn:
        return replace(self, earlier=True)


class AutomaTurnDecision(Decision[AutomaTurn]):
    move = AutomaTurn
    stages = (OWN_TURN,)
    automatic = True

    def parse(self, words: list[str]) -> AutomaTurn:
        () = words
        return AutomaTurn()

    def choices(self, game: GameState) -> tuple[AutomaTurn]:
        return (AutomaTurn(),)

    def validate(self, game: GameState, move: AutomaTurn) -> Reason | None:
        """Returns None: its turn is legal as soon as its die is known."""
        return None

    def apply(self, game: GameState, move: AutomaTurn) -> list[Event]:
        return _take_turn(game, earlier=move.earlier)

    def visible_steps(self, game: GameState, move: AutomaTurn) -> Iterator[VisibleChange]:
        return _visible_steps(game)


def _take_turn(game: GameState, *, earlier: bool = False) -> list[Event]:
    """Makes its whole turn; each step is resolved entirely before the next (S1119-1126)."""
    seat = automa_in_turn(game)
    assert seat.die is not None
    turn = Turn(game, seat)
    turn.step("current_card", white=turn.white, side=SIDES[turn.current])
    turn.step("starts_at_own_die", depot=seat.die)
    choose_and_place(turn, seat.die)
    resolve_symbols(turn)
    complete_cards(turn)
    (buy_as_earlier_release if earlier else buy)(turn)
    end_turn(game, seat, turn.events)
    return turn.events


def completed_cards(game: GameState) -> list[int]:
    """Returns the numbers of the cards that its turn completes, in order."""
    return [event.data["card"] for event in _take_turn(game.copy()) if event.kind == "card_done"]


def _visible_steps(game: GameState) -> Iterator[VisibleChange]:
    """Yields what is taken from the main board and placed on its cards and in its inventory, even for a while.

    A completed card is cleared, and a tile in the inventory may be moved to a card.
    """
    seat = automa_in_turn(game)
    order = seat.print.inventory_order or TYPES
    for event in _take_turn(game.copy()):
        data = event.data
        if "slot" in data:
            depot = f"depot:{data['depot']}" if data["depot"] != BLACK_DEPOT else "black"
            yield VisibleChange(f"{depot}:{data['slot']}", EMPTY)
        if "place" in data:  # from which it takes a thing that another module adds
            yield VisibleChange(data["place"], EMPTY)
        match event.kind:
            case "card_place" | "card_place_stored":
                yield VisibleChange(f"card:{data['side']}:{data['nth']}", data["tile"])
            case "card_place_joker":
                yield VisibleChange(f"card:{data['side']}:{data['nth']}", FACE_DOWN)
            case "to_duchy":
                yield from (
                    VisibleChange(f"card:{data['side']}:{i}", EMPTY) for i in range(len(data["laid"]))
                )
            case "stock" | "buy":
                yield VisibleChange(f"inventory:{order.index(tile(data['tile']).type)}", data["tile"])
            case "load":
                yield from (VisibleChange(f"depot_goods:{depot}", EMPTY) for depot in data["depots"])
                yield from (
                    VisibleChange(f"goods:{seat.colour}", goods_label(kind)) for kind in data["goods"]
                )
