"""Why a chance event or turn of the Châteauma is illegal."""

from __future__ import annotations

from collections import Counter

from ...abilities import DICE
from ...reason import Reason
from ...state import SETUP, GameState
from ...tiles import tile
from .moves import AutomaTurn, OwnRoll, RevealCard, StartTiles
from .seat import automa
from .setup import FACE_UP_TYPES, cards_to_come, lacks_start_tiles


def validate_reveal(game: GameState, move: RevealCard) -> Reason | None:
    """Returns why the card cannot be revealed now; None if it can."""
    seat = automa(game)
    if seat is None:
        return Reason("no_automa", {"move": move.word})
    if game.stage == SETUP and None not in seat.cards:
        return Reason("cards_lie", {})
    if move.card not in seat.deck:
        return Reason("card_not_left", {"card": move.card, "cards": list(seat.deck)})
    if move.card not in cards_to_come(seat):
        return Reason("card_without_castle", {"card": move.card})
    return None


def validate_start_tiles(game: GameState, move: StartTiles) -> Reason | None:
    """Returns why these cannot be the tiles of modifier B; None if they can."""
    seat = automa(game)
    if seat is None:
        return Reason("no_automa", {"move": move.word})
    if not lacks_start_tiles(seat):
        return Reason("no_start_tiles", {})
    if tuple(tile(label).type for label in move.laid) != FACE_UP_TYPES:
        return Reason("wrong_start_tiles", {"types": list(FACE_UP_TYPES)})
    for t, count in Counter(map(tile, move.laid)).items():
        if (left := game.supply.get(t, 0)) < count:
            data = {"tile": t.label, "colour": t.type, "given": count, "left": left}
            return Reason("tile_not_in_supply", data)
    return None


def validate_own_roll(game: GameState, move: OwnRoll) -> Reason | None:
    """Returns why its die cannot show this value; None if it can."""
    if move.player != game.seat.colour:
        return Reason("wrong_players", {"expected": [game.seat.colour]})
    return None if move.value in DICE else Reason("no_such_value", {"value": move.value})


def validate_turn(game: GameState, move: AutomaTurn) -> Reason | None:
    """Returns None: its turn is legal as soon as its die is known."""
    return None
