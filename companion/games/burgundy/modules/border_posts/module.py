"""Border posts as a module: what they add to the base game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from calibration.games.burgundy.facts import DUCHY_SPACES, BorderPostsFact

from ...rules.module import Module
from ...rules.setup_validation import InvalidSetupError
from ...rules.state import GameState
from ...rules.statistics import BONUS_TILES
from ...rules.table_rules import OFF, ON
from ..chateauma.extension import CardSymbol, Extension
from . import automa
from .hooks import BorderPostHooks
from .links import Spot
from .owner_print import PostPlaces, places_in
from .rewards import EACH_PAIR, FIRST_ONLY, LINK_POINTS, LINKS, TILE_COUNTS, TILE_POINTS
from .start_castle import LinkingStartCastle
from .state import BORDER, MODULE, Links


class BorderPosts(Module, Extension):
    """Border posts. *printed* is where they stand and what their tiles bring."""

    id = MODULE
    editions = frozenset({"special"})
    hooks = BorderPostHooks
    decisions = (LinkingStartCastle(),)
    table_rules: ClassVar[Mapping[str, tuple[str, ...]]] = {
        LINKS: (EACH_PAIR, FIRST_ONLY),
        TILE_COUNTS: (ON, OFF),
    }
    sources: ClassVar[Mapping[str, str]] = {TILE_POINTS: "bonus_tiles", LINK_POINTS: "phase"}
    events: ClassVar[Mapping[str, str]] = {
        "border_link": "S751",
        "border_cards": "S1245",
        "border_bonus": "S753, S1246",
    }
    statistics: ClassVar[Mapping[str, str]] = {"border_bonus": BONUS_TILES}
    automa_card_symbols: ClassVar[Mapping[str, CardSymbol]] = {BORDER: automa.SYMBOL}
    automa_steps: ClassVar[Mapping[str, str]] = automa.STEPS

    def __init__(self, printed: BorderPostsFact) -> None:
        self.printed = printed
        self.print_kinds = (PostPlaces(self._checked),)

    def with_print(self, setup: Mapping[str, Any], answers: Mapping[str, Any]) -> Mapping[str, Any]:
        asked = any(kind.questions(setup) for kind in self.print_kinds)
        return {**setup, self.id: answers[self.id]} if asked and self.id in answers else setup

    def set_up(self, game: GameState, setup: Mapping[str, Any]) -> None:
        for player in game.players:
            if len(player.spaces) != DUCHY_SPACES:
                raise InvalidSetupError(
                    f"there are no border posts beside the duchy {player.duchy.name}",
                    "no_posts_beside",
                    duchy=player.duchy.name,
                )
        places = places_in(setup)
        spots = self.printed.spots if places is None else self._checked(places)
        game.module_states[self.id] = Links(spots, self.printed.bonus_points)

    def state_from_json(self, data: Mapping[str, Any]) -> Links:
        return Links.from_json(data, self.printed.bonus_points)

    def _checked(self, places: Sequence[Sequence[int]]) -> tuple[Spot, ...]:
        """Returns the places of the owner's posts. Raises :exc:`InvalidSetupError` if no board can have them there."""
        spots = tuple(tuple(sorted(place)) for place in places)
        for spot in spots:
            if spot not in self.printed.possible_spots:
                raise InvalidSetupError(
                    f"no border post can touch the spaces {list(spot)}: it is in a notch or at a corner of the duchy"
                )
        if len(spots) != len(self.printed.spots) or len(set(spots)) != len(spots):
            raise InvalidSetupError(
                f"border posts: name {len(self.printed.spots)} different places, not {list(spots)}"
            )
        return spots
