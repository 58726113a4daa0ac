"""Completed county cards: points, moving their tiles to the duchy, and bonus tiles (S1178-1188)."""

from __future__ import annotations

from ...rules.events import Event
from ...rules.scoring import take_bonus_tile
from ...rules.tiles import TYPES, Tile
from .choosing import choose_by_white_die, resolve_symbols
from .context import Turn
from .extension import card_symbols
from .seat import LEFT, SIDES

BONUS_TILE = "bonus_tile"


def complete_cards(turn: Turn) -> None:
    """Scores and clears full cards, with the extra turns of modifier D, until none is full; then takes bonus tiles.

    New cards come only after all that (S1229).
    """
    filled: set[str] = set()
    while full := [side for side, card in enumerate(turn.seat.cards) if card is not None and not card.empty]:
        extra_turns = [tile_type for side in full for tile_type in _complete(turn, side, filled)]
        for tile_type in extra_turns:
            _extra_turn(turn, tile_type)
    _slide(turn)
    _take_bonus_tiles(turn, filled)


def _complete(turn: Turn, side: int, filled: set[str]) -> list[str]:
    """Scores a card by level and moves its tiles; returns the types whose extra turns they cover.

    Types that are full in the duchy now are added to *filled*.
    """
    seat = turn.seat
    card = seat.cards[side]
    assert card is not None
    number, points = card.card.number, card.card.points[seat.level]
    turn.step("card_completed", side=SIDES[side], card=number, level=seat.level)
    turn.score("card_done", "county_cards", points, card=number, side=SIDES[side])
    seat.cards[side] = None
    _resolve_corner(turn, number)
    marks = []
    turn.step("tiles_move")
    tiles = [placed for placed in card.tiles if placed is not None]
    for placed in tiles:
        if placed.face_down:
            turn.step("joker_turned", tile=placed.tile.label)
        marks += [placed.tile.type] if _move_to_duchy(turn, placed.tile) else []
        if seat.covered(placed.tile.type) == seat.print.spaces[placed.tile.type]:
            filled.add(placed.tile.type)
    turn.add_event("to_duchy", laid=[placed.tile.label for placed in tiles], card=number, side=SIDES[side])
    return marks


def _resolve_corner(turn: Turn, card: int) -> None:
    """Resolves the symbols in the corner of a completed card."""
    for name, symbol in card_symbols(turn.game).items():
        if turn.seat.has_symbol(card, name):
            symbol.benefit(turn)


def _move_to_duchy(turn: Turn, moved: Tile) -> bool:
    """Places a tile on the first empty space of its type, else on another tile; returns whether it is an extra turn.

    No tile has an effect there (S1182).
    """
    seat, tile_type = turn.seat, moved.type
    at_start = seat.print.covered_at_start(seat.modifiers, tile_type) - seat.face_down[tile_type]
    arrived = len(seat.duchy[tile_type]) - at_start
    if seat.covered(tile_type) == seat.print.spaces[tile_type]:
        turn.step("tile_stacked", tile=moved.label)
    seat.duchy[tile_type].append(moved)
    return seat.print.has_extra_turn(seat.modifiers, tile_type, arrived)


def _extra_turn(turn: Turn, tile_type: str) -> None:
    """Places one more tile by the white die on the remaining card, else sells; then resolves symbols (S1229-1231)."""
    turn.step("extra_turn", type=tile_type)
    choose_by_white_die(turn)
    resolve_symbols(turn)


def _slide(turn: Turn) -> None:
    """Slides the right card into a gap on the left (S1184)."""
    left, right = turn.seat.cards
    if left is None and right is not None:
        turn.seat.cards = [right, None]
        turn.step("card_slides")
        turn.add_event("card_slides", card=right.card.number, side=LEFT)


def _take_bonus_tiles(turn: Turn, filled: set[str]) -> None:
    """Takes the bonus tile of each filled type, if one is left and it has none (S1188)."""
    for tile_type in TYPES:
        if tile_type not in filled or tile_type in turn.seat.bonus_tiles:
            continue
        turn.step("colour_filled", type=tile_type)
        events: list[Event] = []
        take_bonus_tile(turn.game, turn.seat, tile_type, events)
        if not events:
            turn.step("no_bonus_tile", type=tile_type)
            turn.add_event("no_benefit", effect=BONUS_TILE)
        turn.add_events(events)
