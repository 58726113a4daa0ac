"""What the bonuses of squares bring: what the building or the castle brings whose icon they bear (ruling 132)."""

from __future__ import annotations

from collections.abc import Mapping

from ...rules.decision import ANY_TYPE, Effect
from ...rules.decisions import Place, Sell, Skip, Take, TakeWorkers
from ...rules.effects import TAKEN_BY, has_choice
from ...rules.events import Event
from ...rules.scoring import award
from ...rules.state import GameState, Pending, Player
from ...rules.tiles import BANK, BOARDING_HOUSE, CARPENTER, CHURCH, MARKET, TOWN_HALL, WAREHOUSE

POINTS = 4
SOURCE = "trade_route"
"""Line of the score sheet for the points of bonuses, and of the Châteauma's sales."""
POINTS_4, EXTRA_ACTION, TAKE_ANY_HEX = "points_4", "extra_action", "take_any_hex"
AT_ONCE: Mapping[str, str] = {"silver_2": BANK, "workers_4": BOARDING_HOUSE}
"""Bonus without a choice -> the building that brings the same."""
CHOICES: Mapping[str, str] = {
    "take_building": CARPENTER,
    "take_castle_mine_monastery": CHURCH,
    "take_ship_or_livestock": MARKET,
    "sell_goods": WAREHOUSE,
    "place_tile": TOWN_HALL,
}
"""Bonus with a choice -> the building that opens the same."""
EFFECTS: Mapping[str, Effect] = {
    **{
        bonus: Effect((Take, Skip), TAKEN_BY[building], is_lost_without_room=True)
        for bonus, building in CHOICES.items()
        if building in TAKEN_BY
    },
    "sell_goods": Effect((Sell, Skip)),
    "place_tile": Effect((Place, Skip)),
    EXTRA_ACTION: Effect((Take, Place, Sell, TakeWorkers, Skip), is_action=True),
    TAKE_ANY_HEX: Effect((Take, Skip), ANY_TYPE),
}
"""Bonus that waits for a choice -> what may be done with it."""


def receive(game: GameState, player: Player, square: int, bonus: str, events: list[Event]) -> None:
    """Gives the current player the bonus of a square, or opens its choice; without any choice it is lost (S502)."""
    points = POINTS if bonus == POINTS_4 else 0
    events.append(Event("trade_bonus", player.colour, points, {"square": square + 1, "effect": bonus}))
    award(game, player, SOURCE, points, events)
    if bonus in AT_ONCE:
        game.hooks.use_building(game, player, AT_ONCE[bonus], events)
    elif bonus in EFFECTS and _can_be_used(game, player, bonus):
        game.pending.append(Pending(bonus))


def _can_be_used(game: GameState, player: Player, bonus: str) -> bool:
    if bonus == EXTRA_ACTION:
        return True
    if bonus == TAKE_ANY_HEX:
        return any(any(depot) for depot in game.depots)
    return has_choice(game, player, CHOICES[bonus])
