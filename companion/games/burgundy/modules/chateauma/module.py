"""The Châteauma as a module: what it adds to the base game, and which rules are its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from ...rules.hooks import Hooks
from ...rules.module import Module
from ...rules.moves import Move
from ...rules.reason import Reason
from ...rules.setup_steps import Step
from ...rules.setup_validation import InvalidSetupError
from ...rules.state import GameState, Seat
from ...rules.statistics import AREAS, PLACED
from . import scoring, setup, view
from .cards import CountyCard, Print
from .corners import ReportSymbolsEvent, await_symbols
from .own_roll import OwnRollEvent
from .owner_print import kinds_of
from .reveal_card import RevealCardEvent
from .scarcity import FEWEST, MISSING, TABLE_RULE
from .seat import SIDES, Chateauma, automa
from .start_tiles import StartTilesEvent, lacks_start_tiles
from .turn import AutomaTurnDecision

SETUP_KEY = "chateauma"
"""Its part of a game's set-up, and of its seat in a state."""


class ChateaumaHooks(Hooks):
    """The rules that differ for its seat."""

    def is_set_up(self, seat: Seat) -> bool:
        """Returns whether it has both cards, and the tiles of its modifiers."""
        if isinstance(seat, Chateauma):
            return None not in seat.cards and not lacks_start_tiles(seat)
        return super().is_set_up(seat)

    def start_steps(self, seat: Seat, place: int) -> Iterator[Step]:
        return setup.start_steps(seat) if isinstance(seat, Chateauma) else super().start_steps(seat, place)

    def mine_income(self, game: GameState, seat: Seat) -> tuple[int, int]:
        return scoring.mine_income(seat) if isinstance(seat, Chateauma) else super().mine_income(game, seat)

    def final_points(self, game: GameState, seat: Seat) -> dict[str, int]:
        return scoring.final_points(seat) if isinstance(seat, Chateauma) else super().final_points(game, seat)

    def visible_layout_of(self, game: GameState, seat: Seat) -> dict[str, tuple[str, ...]]:
        if isinstance(seat, Chateauma):
            return view.visible_layout_of(seat)
        return super().visible_layout_of(game, seat)

    def view_of(self, game: GameState, seat: Seat) -> dict[str, dict[str, Any]]:
        return view.view_of(game, seat) if isinstance(seat, Chateauma) else super().view_of(game, seat)

    def text_board(self, seat: Seat) -> str:
        return view.text_board(seat) if isinstance(seat, Chateauma) else super().text_board(seat)


class ChateaumaModule(Module):
    """The Châteauma. *prints* are what is printed for it, by edition."""

    id = "chateauma"
    hooks = ChateaumaHooks
    decisions = (
        RevealCardEvent(),
        StartTilesEvent(),
        OwnRollEvent(),
        ReportSymbolsEvent(),
        AutomaTurnDecision(),
    )
    consequences = (await_symbols,)
    is_named = False  # it is a player
    table_rules: ClassVar[Mapping[str, tuple[str, ...]]] = {TABLE_RULE: (MISSING, FEWEST)}
    sources: ClassVar[Mapping[str, str]] = {
        "county_cards": "bonus_tiles",
        "boarding_houses": "watchtowers",
        "inventory": "monasteries",
        "open_cards": "inventory",
    }
    statistics: ClassVar[Mapping[str, str]] = {
        "card_place": PLACED,
        "card_place_stored": PLACED,
        "card_place_joker": PLACED,
        "card_done": AREAS,  # a completed county card is its area
    }
    # Its steps name the lines behind the events that it has in common with people.
    events: ClassVar[Mapping[str, str]] = {
        "start_tiles": "S1227",
        "reveal": "S1073-1074, S1184",
        "own_roll": "S1136",
        "symbols": "S1244, S1253",
        "card_place": "S1139",
        "card_place_stored": "S1141, S1160",
        "card_place_joker": "S1142-1143",
        "joker": "S1144",
        "stock": "S1157-1159",
        "boarding_house": "S1156",
        "no_benefit": "S1157-1160, S1168, S1188, S1202",
        "card_done": "S1180",
        "to_duchy": "S1182",
        "card_slides": "S1184",
    }

    def __init__(self, prints: Mapping[str, Print]) -> None:
        self.prints = prints
        self.print_kinds = [kind for printed in prints.values() for kind in kinds_of(printed)]

    def print_of(self, edition: str) -> Print:
        """Returns what is printed for it. Raises :exc:`InvalidSetupError` if the edition has no Châteauma."""
        if edition not in self.prints:
            raise InvalidSetupError(
                f"no Châteauma in edition {edition!r}; there is one in {', '.join(self.prints)}"
            )
        return self.prints[edition]

    def is_chosen(self, setup: Mapping[str, Any], rules: Mapping[str, str]) -> bool:
        return SETUP_KEY in setup

    def is_part_of(self, state: Mapping[str, Any]) -> bool:
        return any(SETUP_KEY in seat for seat in state["players"])

    def why_not_in_play(self, move: Move) -> Reason:
        return Reason("no_automa", {"move": move.word})

    def with_print(self, setup_: Mapping[str, Any], answers: Mapping[str, Any]) -> Mapping[str, Any]:
        if SETUP_KEY not in setup_:
            return setup_
        answered = {kind.name: answers[kind.name] for kind in self.print_kinds if kind.name in answers}
        return {**setup_, SETUP_KEY: {**setup_[SETUP_KEY], **answered}}

    def seats(self, setup_: Mapping[str, Any], edition: str, seats: Sequence[Seat]) -> Sequence[Seat]:
        """Adds its seat. Raises :exc:`UnknownPrintError` if it needs something that nobody has seen in print."""
        return setup.seated(seats, setup.from_setup(setup_[SETUP_KEY], self.print_of(edition)))

    def set_up(self, game: GameState, setup_: Mapping[str, Any]) -> None:
        setup.set_up(game, automa(game))

    def seat_from_json(self, data: Mapping[str, Any], edition: str) -> Seat | None:
        if SETUP_KEY not in data:
            return None
        made = setup.from_setup(data[SETUP_KEY], self.print_of(edition))
        return Chateauma.from_json(data, made.print)

    def cards_on_table(self, game: GameState) -> dict[str, CountyCard]:
        seat = automa(game)
        if seat.virtual:
            return {}
        return {f"card:{SIDES[i]}": there.card for i, there in enumerate(seat.cards) if there is not None}
