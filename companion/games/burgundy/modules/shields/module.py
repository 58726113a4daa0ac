"""Shields as a module: what it adds to the base game and changes in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from calibration.games.burgundy.facts import ShieldsFact

from ...rules.decision import Effect
from ...rules.decisions import Override
from ...rules.events import Event
from ...rules.module import Module, OverridablePlace
from ...rules.moves import Move
from ...rules.state import GameState
from ...rules.tiles import CASTLE, Tile
from ..chateauma import Chateauma
from ..chateauma.extension import CardSymbol, Extension
from .advice import AdviceHooks
from .any_value import ANY_VALUE, TurnDieDecision, forget_turned_die
from .any_value import EFFECT as ANY_VALUE_EFFECT
from .automa import CARD_SYMBOLS, NOT_WITH_AUTOMA, STEPS, AutomaHooks
from .free_placement import FreePlacementHooks, PlaceFreelyDecision, PlaceNoMoreDecision
from .income import ADDS, SHIELD_9_WITH_MONASTERY_3, SHIELD_ONLY, IncomeHooks
from .monasteries import CopyDecision, MonasteryHooks, count_own_monasteries, update_copies
from .overriding import PLACES
from .placing import PlacingHooks
from .scoring import SOURCE, ScoringHooks
from .setting_up import GROUP, SetUpHooks, SetUpShieldsEvent, put_away, supply_of
from .ships import EFFECT as MORE_GOODS_EFFECT
from .ships import MORE_GOODS, LoadMoreDecision, ShipHooks, end_without_choice
from .showing import ShowingHooks
from .state import ID, Shields, drop_without_castle, label_of, look_of, shields
from .storage import StorageHooks, discard_surplus
from .upkeep import ForgoDecision, PayUpkeepDecision, UpkeepHooks
from .winning import TakeShield, TakeShieldDecision

OVERRIDE = Override.word
"""Kind of the first event of an override."""


class ShieldHooks(
    SetUpHooks,
    UpkeepHooks,  # after those of FreePlacementHooks, which it calls
    FreePlacementHooks,
    ShipHooks,
    MonasteryHooks,
    IncomeHooks,
    ScoringHooks,
    AutomaHooks,
    AdviceHooks,
    ShowingHooks,
    StorageHooks,  # those asked most come last: super() looks through all that follow
    PlacingHooks,
):
    """The base rules that shields change, by idea."""


def settle(game: GameState, events: list[Event]) -> None:
    """Does what follows from who has which shield now."""
    state: Shields = game.module_states[ID]  # type: ignore[assignment]
    # After most moves nothing follows, and a search makes many: a call less counts.
    if events and events[0].kind == OVERRIDE:
        drop_without_castle(game, state, events)  # the others ask who has which shield
        count_own_monasteries(game)
        state.may_overflow = True
    if state.copied:
        update_copies(game, state)
    if state.has_turned_die:
        forget_turned_die(game, state)
    if game.pending and game.pending[-1].effect == MORE_GOODS:
        end_without_choice(game)
    if state.may_overflow:
        discard_surplus(game, state)


class ShieldModule(Module, Extension):
    """Shields; *printed* is what their faces say, and how many are laid out."""

    id = ID
    editions = frozenset({"special"})
    after = frozenset(
        {"linked_castles", "extra_tiles", "white_castles", "inns", "border_posts", "trade_routes"}
    )
    hooks = ShieldHooks
    redundant = frozenset({GROUP})
    decisions = (
        TakeShieldDecision(),
        TurnDieDecision(),
        LoadMoreDecision(),
        CopyDecision(),
        PlaceFreelyDecision(),
        PlaceNoMoreDecision(),
        PayUpkeepDecision(),
        ForgoDecision(),
        SetUpShieldsEvent(),
    )
    consequences = (settle,)  # before those of other modules, which may go on where an effect has ended
    effects: ClassVar[Mapping[str, Effect]] = {ANY_VALUE: ANY_VALUE_EFFECT, MORE_GOODS: MORE_GOODS_EFFECT}
    choices: ClassVar[Mapping[str, tuple[type[Move], ...]]] = {CASTLE: (TakeShield,)}
    overridable: ClassVar[Mapping[str, OverridablePlace]] = PLACES
    table_rules: ClassVar[Mapping[str, tuple[str, ...]]] = {SHIELD_9_WITH_MONASTERY_3: (SHIELD_ONLY, ADDS)}
    sources: ClassVar[Mapping[str, str]] = {SOURCE: "monastery_26"}
    events: ClassVar[Mapping[str, str]] = {
        "shields_laid": "S880-898",
        "take_shield": "S902-904, S922",
        "lose_shield": "S902-906",
        "turn_die": "S927",
        "upkeep": "S906, S914",
        "copy": "S917",
        "worker_from_others": "S913",
        "automa_shield": "S1253-1255",
    }

    automa_card_symbols: ClassVar[Mapping[str, CardSymbol]] = CARD_SYMBOLS
    automa_steps: ClassVar[Mapping[str, str]] = STEPS

    def __init__(self, printed: ShieldsFact) -> None:
        self.printed = printed
        self.labels = frozenset(map(label_of, printed.shields))  # type: ignore[misc]  # of this box
        self.not_hexagonal = self.labels  # type: ignore[misc]
        self.looks = frozenset(map(look_of, printed.shields))  # type: ignore[misc]

    def supply(self, edition: str) -> Mapping[Tile, int]:
        return supply_of(tuple(self.printed.shields))

    def set_up(self, game: GameState, setup: Mapping[str, Any]) -> None:
        game.module_states[self.id] = Shields(self.printed)
        if any(isinstance(seat, Chateauma) for seat in game.seats):
            put_away(game, NOT_WITH_AUTOMA)

    def state_from_json(self, data: Mapping[str, Any]) -> Shields:
        return Shields.from_json(data, self.printed)

    def restore(self, game: GameState) -> None:
        update_copies(game, shields(game))
