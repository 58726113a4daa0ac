"""Placing tiles on a duchy: where they may go, and what follows (S344-348, S425, S513-519)."""

from __future__ import annotations

from .abilities import has
from .events import Event
from .reason import Reason
from .scoring import score_completion
from .state import GameState, Player
from .storage import remove
from .tiles import BUILDING, BUILDINGS, CASTLE, Tile


def repeats_building(player: Player, stored: Tile, space: int) -> bool:
    """Returns whether the city would contain one of the eight buildings twice, which only monastery 1 allows (S425,
    S645)."""
    return (
        stored.type == BUILDING
        and stored.variant in BUILDINGS
        and not has(player.monasteries, 1)
        and player.has_building_in_city(str(stored.variant), space)
    )


def place_stored(game: GameState, label: str, space: int) -> list[Event]:
    """Places a stored tile of the current player on a space, with everything that follows at once."""
    return place_tile(game, remove(game.player, label), space)


def place_tile(game: GameState, placed: Tile, space: int) -> list[Event]:
    """Places a tile on a space of the current player's duchy, with everything that follows at once."""
    player = game.player
    player.put(space, placed)
    events = [Event("place", player.colour, data={"tile": placed.label, "space": space})]
    game.hooks.tile_effect(game, player, placed, space, events)
    score_completion(game, player, space, events)
    game.hooks.after_placing(game, player, placed, space, events)
    return events


def validate_castle_on(player: Player, space: int) -> Reason | None:
    """Checks that there is such a space, and that castles go there."""
    if not 0 <= space < len(player.spaces):
        return Reason("no_such_space")
    tile_type = player.duchy.spaces[space].tile_type
    return None if tile_type == CASTLE else Reason("wrong_colour", {"tile": CASTLE, "colour": tile_type})
