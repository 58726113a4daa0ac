"""Trade routes as a module: what they add to the base game and change in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from ...rules.decision import Effect, Rng
from ...rules.events import Event
from ...rules.hooks import Hooks
from ...rules.module import Module, OverridablePlace
from ...rules.moves import Move
from ...rules.observation import VisibleChange
from ...rules.setup_steps import Step
from ...rules.state import GameState, Player, Seat
from . import bonuses, forecast, selling, setup, view
from .assumed_print import SENTENCE, assumed
from .automa import TradingAutoma
from .overriding import GROUP, RouteSquares
from .owner_print import TradeTiles
from .report_square import ReportSquare, ReportSquareDecision
from .report_tile import ReportTileDecision
from .routes import MODULE, Routes
from .tiles import TradePrint

TRADE_ORDER = "trade_order"
"""Table rule: whether the tiles lie as they come (S777), or as their owners like (S779); a note for the group."""


class TradeRouteHooks(Hooks):
    """Sold goods go on the route; a bonus with all that follows comes before the next goods."""

    def steps_before_game(self, game: GameState) -> Iterator[Step]:
        yield from super().steps_before_game(game)
        yield from setup.steps(game)

    def sell(self, game: GameState, player: Player, kind: int) -> list[Event]:
        count = player.goods[kind]
        events = super().sell(game, player, kind)
        selling.begin(game, player, kind, count)
        return events

    def evaluate(self, game: GameState, player: Player) -> float:
        waiting = forecast.value_of_waiting(game, player) if player is game.seat else 0.0
        return super().evaluate(game, player) + waiting

    def further_changes(self, game: GameState, move: Move) -> Iterable[VisibleChange]:
        yield from super().further_changes(game, move)
        yield from view.changes(game, move)

    def visible_layout_of(self, game: GameState, seat: Seat) -> dict[str, tuple[str, ...]]:
        layout = super().visible_layout_of(game, seat)
        return {**layout, **view.layout_of(game, seat)} if isinstance(seat, Player) else layout

    def view_of(self, game: GameState, seat: Seat) -> dict[str, dict[str, Any]]:
        views = super().view_of(game, seat)
        if isinstance(seat, Player):
            views["players"] |= view.view_of(game, seat)
        return views

    def view_of_board(self, game: GameState) -> dict[str, Any]:
        return {**super().view_of_board(game), MODULE: view.view_of_tiles(game)}


class TradeRoutes(Module, TradingAutoma):
    """Trade routes."""

    id = MODULE
    editions = frozenset({"special"})
    hooks = TradeRouteHooks
    redundant = frozenset({GROUP})
    table_rules: ClassVar[Mapping[str, tuple[str, ...]]] = {
        selling.TRADE_BONUS: (selling.AT_ONCE, selling.AFTER_SALE),
        TRADE_ORDER: ("random", "chosen"),
    }
    consequences = (selling.go_on,)
    effects: ClassVar[Mapping[str, Effect]] = {
        **bonuses.EFFECTS,
        selling.GOODS: Effect(()),
        selling.SQUARE: Effect(()),
        selling.QUESTION: Effect((ReportSquare,), is_report=True),
    }
    overridable: ClassVar[Mapping[str, OverridablePlace]] = {GROUP: RouteSquares()}
    assumption = SENTENCE
    sources: ClassVar[Mapping[str, str]] = {bonuses.SOURCE: "sales"}
    events: ClassVar[Mapping[str, str]] = {
        "square": "S781",
        "route": "S777-779",
        "trade_bonus": "S781",
        "trade_sale": "S1247",
    }

    def __init__(self, printed: TradePrint) -> None:
        self._printed = printed
        self.decisions = (ReportSquareDecision(printed.bonuses), ReportTileDecision(printed.bonuses))
        self.print_kinds = (TradeTiles(printed),)

    def with_print(self, setup_: Mapping[str, Any], answers: Mapping[str, Any]) -> Mapping[str, Any]:
        if self.id not in setup_.get("modules", ()) or self.id not in answers:
            return setup_
        part = setup_.get(self.id, {})
        return {**setup_, self.id: {**part, "tiles": {**answers[self.id], **part.get("tiles", {})}}}

    def with_assumed_print(self, setup_: Mapping[str, Any], players: int, rng: Rng) -> Mapping[str, Any]:
        colours = [player["colour"] for player in setup_["players"]]
        return {**setup_, self.id: assumed(self._printed, colours, players, rng)}

    def set_up(self, game: GameState, setup_: Mapping[str, Any]) -> None:
        game.module_states[self.id] = setup.from_setup(setup_.get(self.id, {}), game, self._printed)

    def state_from_json(self, data: Mapping[str, Any]) -> Routes:
        return Routes.from_json(data, self._printed)
