"""What both dice and five points buy: one action an edition, with all that they have in common (S703, A1308-1312)."""

from __future__ import annotations

from ...rules.events import Event
from ...rules.reason import Reason
from ...rules.scoring import change_score
from ...rules.state import DICE_PER_PLAYER, GameState

POINTS = 5
"""Price, besides the dice."""
SOURCE = "castle_action"
"""Line of the score sheet for the points that were paid."""
RECOVER, OUTPOST = "recover", "outpost"
"""Take a castle that was set aside into storage; place a stored castle apart from all other tiles."""
ACTION_OF_EDITION = {"special": RECOVER, "2011": OUTPOST}


def reason_against_action(game: GameState, action: str) -> Reason | None:
    """Returns why both dice and five points cannot pay for this action now; None if they can."""
    player = game.player
    if not player.duchy.linkable:
        return Reason("rule_not_in_play", {"rule": "castle_links"})
    if action != (printed := ACTION_OF_EDITION[game.edition.name]):
        return Reason("other_edition", {"move": printed})
    if len(player.dice) < DICE_PER_PLAYER:
        return Reason("needs_both_dice", {"dice": list(player.dice)})
    if player.score < POINTS:
        return Reason("not_enough_points", {"needed": POINTS, "score": player.score})
    return None


def pay_both_dice(game: GameState) -> list[Event]:
    """Pays for the action."""
    player = game.player
    player.dice.clear()
    events = [Event("pay_points", player.colour, -POINTS)]
    change_score(game, player, SOURCE, -POINTS, events)
    return events
