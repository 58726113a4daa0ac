"""Border posts of the Châteauma: symbols on its county cards (S1243-1246)."""

from __future__ import annotations

from collections.abc import Mapping

from ...rules.events import Event
from ..chateauma.context import Turn
from ..chateauma.extension import CardSymbol
from .rewards import LINK_POINTS, take_border_tile
from .state import BORDER, links_of

PAYING_CARD, TILE_CARD = 2, 3
"""Which of its completed cards with the symbol pays the phase's points, and which takes the bonus tile."""
ASSUMED_CARDS = (2, 5, 8)
"""Made up."""


def _border(turn: Turn) -> None:
    links = links_of(turn.game)
    links.cards += 1
    turn.step("border_card", count=links.cards)
    if links.cards == PAYING_CARD:
        points = turn.game.edition.phase_points[turn.game.phase_letter]
        turn.step("border_pays", phase=turn.game.phase_letter)
        turn.score("border_cards", LINK_POINTS, points)
    elif links.cards == TILE_CARD:
        _take_tile(turn)
    else:
        turn.add_event("no_benefit", effect=BORDER)


def _take_tile(turn: Turn) -> None:
    """Takes the bonus tile that is on top; there are no points of the phase (S1246)."""
    turn.step("border_tile")
    events: list[Event] = []
    take_border_tile(turn.game, turn.seat, events)
    if not events:
        turn.step("border_tiles_gone")
        turn.add_event("no_benefit", effect=BORDER)
    turn.add_events(events)


SYMBOL = CardSymbol(_border, ASSUMED_CARDS)
STEPS: Mapping[str, str] = {
    "border_card": "S1244",
    "border_pays": "S1245",
    "border_tile": "S1246",
    "border_tiles_gone": "S1246",
}
