"""Choosing a tile and placing it on a county card, and the benefit of the placed tile (S1132-1176).

A castle and a town hall place further tiles, so the search and the benefits call each other. What other modules add is
in :mod:`.extension`.
"""

from __future__ import annotations

from collections import Counter

from ...rules.moves import BLACK_DEPOT
from ...rules.tiles import BUILDING, CASTLE, TOWN_HALL, Tile
from . import placing
from .cards import SELL_GOODS
from .context import Turn, clockwise
from .extension import Benefit, SymbolBenefit, added_benefits, added_symbols
from .seat import SIDES, CardInPlay, PlacedTile
from .selling import sell

NO_MATCH_SILVER = 2
"""S1145."""


def choose_by_white_die(turn: Turn) -> None:
    """Chooses and places one more tile, searched from the white die's depot on (S1153, S1229)."""
    turn.step("starts_at_white_die", depot=turn.white)
    choose_and_place(turn, turn.white)


def choose_and_place(turn: Turn, depot: int) -> None:
    """Takes the action "choose and place a tile", searching from *depot* on; with no space left it is a sale instead.

    The tile goes to the current card, or to the other one if that is full or gone (S1153, S1184, S1229).
    """
    open_cards = turn.open_cards()
    if not open_cards:
        turn.step("cards_full" if any(turn.seat.cards) else "cards_gone")
        sell(turn)
        return
    side, card = open_cards[0]
    if side != turn.current:
        missing = turn.seat.cards[turn.current] is None
        turn.step("card_missing" if missing else "card_full", side=SIDES[side])
    if not _from_depots(turn, side, card, depot) and not _from_inventory(turn, side, card):
        _without_tile(turn)


def _from_depots(turn: Turn, side: int, card: CardInPlay, start: int) -> bool:
    """Tries for each depot in order all empty spaces of the card in reading order (S1138)."""
    for number in clockwise(start):
        tiles = turn.game.depots[number - 1]
        for space in card.empty:
            tile_type = card.card.spaces[space].tile_type
            fitting = [
                slot for slot, there in enumerate(tiles) if there is not None and there.type == tile_type
            ]
            if not fitting:
                continue
            turn.step("depot_fits", depot=number, type=tile_type, nth=space)
            if len(fitting) > 1:
                turn.step("top_of_several", depot=number, count=len(fitting))
            slot = fitting[0]
            place(
                turn, side, space, PlacedTile(turn.take(number, slot)), "card_place", depot=number, slot=slot
            )
            return True
        turn.step("depot_without_fit", depot=number)
    turn.step("nothing_fits")
    return False


def _from_inventory(turn: Turn, side: int, card: CardInPlay) -> bool:
    """Tries a typed tile for the first empty space with one (S1141), else the latest joker, without effect (S1142)."""
    seat = turn.seat
    for space in card.empty:
        stored = seat.take_stored(str(card.card.spaces[space].tile_type))
        if stored is not None:
            turn.step("stored_fits", type=stored.type, nth=space)
            place(turn, side, space, PlacedTile(stored), "card_place_stored")
            return True
    turn.step("nothing_stored_fits")
    if not seat.jokers:
        return False
    turn.step("joker_used", nth=card.empty[0])
    place(turn, side, card.empty[0], PlacedTile(seat.jokers.pop(), face_down=True), "card_place_joker")
    return True


def _without_tile(turn: Turn) -> None:
    """Makes the black depot's first tile a joker in the inventory (S1144), or else pays silver (S1145)."""
    turn.step("no_joker")
    black = turn.game.black
    slot = next((slot for slot, there in enumerate(black) if there is not None), None)
    if slot is None:
        turn.step("black_depot_empty")
        turn.pay(NO_MATCH_SILVER)
        return
    turn.step("joker_gained", nth=slot)
    joker, black[slot] = black[slot], None
    assert joker is not None
    turn.seat.jokers.append(joker)
    turn.add_event("joker", tile=joker.label, depot=BLACK_DEPOT, slot=slot)


def place(turn: Turn, side: int, space: int, placed: PlacedTile, kind: str, **data: int) -> None:
    """Places a tile on a card, records a symbol that it covers, and resolves its benefit."""
    card = turn.seat.cards[side]
    assert card is not None
    card.tiles[space] = placed
    if card.card.spaces[space].symbol is not None:
        turn.symbols.append((side, space))
    turn.add_event(kind, tile=placed.tile.label, card=card.card.number, side=SIDES[side], nth=space, **data)
    if placed.face is not None:
        name = str(placed.face.variant) if placed.face.type == BUILDING else placed.face.type
        if benefit := (BENEFITS | added_benefits(turn.game)).get(name):
            benefit(turn, placed.face)


def _castle(turn: Turn, placed: Tile) -> None:
    """Places one more tile (S1153)."""
    turn.step("castle")
    choose_by_white_die(turn)


def _town_hall(turn: Turn, placed: Tile) -> None:
    """Places a typed tile of the inventory on the current card, else on the other: the type it has most of (S1160).

    In a tie, the type whose space comes first on the card.
    """
    counts = Counter(t.type for t in turn.seat.stored)
    for side, card in turn.open_cards():
        spaces: dict[str, int] = {}
        for space in card.empty:
            spaces.setdefault(str(card.card.spaces[space].tile_type), space)
        if not (fitting := [tile_type for tile_type in spaces if counts[tile_type]]):
            continue
        chosen = max(fitting, key=lambda tile_type: (counts[tile_type], -spaces[tile_type]))
        turn.step("town_hall_most", type=chosen, count=counts[chosen])
        if sum(counts[tile_type] == counts[chosen] for tile_type in fitting) > 1:
            turn.step("town_hall_tie", type=chosen, nth=spaces[chosen])
        stored = turn.seat.take_stored(chosen)
        assert stored is not None
        place(turn, side, spaces[chosen], PlacedTile(stored), "card_place_stored")
        return
    turn.step("town_hall_nothing")
    turn.add_event("no_benefit", effect=TOWN_HALL)


BENEFITS: dict[str, Benefit] = {
    **placing.BENEFITS,
    CASTLE: _castle,
    TOWN_HALL: _town_hall,
}
"""Building or tile type -> its benefit when it is placed face up. Mines and monasteries have none (S1088)."""


def resolve_symbols(turn: Turn) -> None:
    """Resolves each symbol that was covered, on either card (S1172-1176)."""
    for side, space in turn.symbols:
        card = turn.seat.cards[side]
        assert card is not None
        turn.step("symbol_covered", side=SIDES[side], nth=space)
        (SYMBOLS | added_symbols(turn.game))[str(card.card.spaces[space].symbol)](turn)
    turn.symbols.clear()


SYMBOLS: dict[str, SymbolBenefit] = {SELL_GOODS: sell}
"""Symbol of a card's space -> benefit of covering it (S1172)."""
