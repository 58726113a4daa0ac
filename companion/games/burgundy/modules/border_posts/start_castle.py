"""Set-up with border posts: the starting castle may link two of them, where one space touches both."""

from __future__ import annotations

from ...rules.decisions import StartCastle
from ...rules.decisions.start_castle import StartCastleDecision
from ...rules.events import Event
from ...rules.state import GameState
from .rewards import reward_links


class LinkingStartCastle(StartCastleDecision):
    """The rules of a starting castle, which scores nothing but what it links."""

    def apply(self, game: GameState, move: StartCastle) -> list[Event]:
        events = super().apply(game, move)
        reward_links(game, game.player_of(move.player), move.space, events)
        return events
