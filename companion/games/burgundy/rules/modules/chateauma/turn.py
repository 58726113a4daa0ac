"""A turn of the Châteauma from its die to the next card, in the order of S1119-1126."""

from __future__ import annotations

from collections.abc import Iterator

from ...events import Event
from ...moves import BLACK_DEPOT
from ...observation import VisibleChange
from ...phases import begin_when_set_up, draw, next_turn
from ...state import SETUP, GameState
from ...tiles import CASTLE, EMPTY, TYPES, goods_label, tile
from .buying import buy
from .choosing import choose_and_place, resolve_symbols
from .completing import complete_cards
from .context import Turn
from .moves import AutomaTurn, OwnRoll, RevealCard
from .seat import (
    FACE_DOWN,
    NEXT_CARD,
    OWN_TURN,
    SIDES,
    CardInPlay,
    Chateauma,
    PlacedTile,
    automa,
    automa_in_turn,
)


def own_roll(game: GameState, move: OwnRoll) -> list[Event]:
    """Rolls its die, on its turn and not with the others (S1110, S1136)."""
    seat = automa_in_turn(game)
    seat.die = move.value
    game.stage = OWN_TURN
    return [Event("own_roll", seat.colour, data={"die": move.value})]


def take_turn(game: GameState, move: AutomaTurn) -> list[Event]:
    """Makes its whole turn; each step is resolved entirely before the next (S1119-1126)."""
    seat = automa_in_turn(game)
    assert seat.die is not None
    turn = Turn(game, seat)
    turn.step("current_card", white=turn.white, side=SIDES[turn.current])
    turn.step("starts_at_own_die", depot=seat.die)
    choose_and_place(turn, seat.die)
    resolve_symbols(turn)
    complete_cards(turn)
    buy(turn)
    _end(game, seat, turn.events)
    return turn.events


def visible_steps(game: GameState, move: AutomaTurn) -> Iterator[VisibleChange]:
    """Yields what is taken from the main board and placed on its cards and in its inventory, even for a while.

    A completed card is cleared, and a tile in the inventory may be moved to a card.
    """
    seat = automa_in_turn(game)
    order = seat.print.inventory_order or TYPES
    for event in take_turn(game.copy(), move):
        data = event.data
        if "slot" in data:
            depot = f"depot:{data['depot']}" if data["depot"] != BLACK_DEPOT else "black"
            yield VisibleChange(f"{depot}:{data['slot']}", EMPTY)
        match event.kind:
            case "card_place" | "card_place_stored":
                yield VisibleChange(f"card:{data['side']}:{data['nth']}", data["tile"])
            case "card_place_joker":
                yield VisibleChange(f"card:{data['side']}:{data['nth']}", FACE_DOWN)
            case "to_duchy":
                yield from (
                    VisibleChange(f"card:{data['side']}:{i}", EMPTY) for i in range(len(data["laid"]))
                )
            case "stock" | "buy":
                yield VisibleChange(f"inventory:{order.index(tile(data['tile']).type)}", data["tile"])
            case "load":
                yield from (VisibleChange(f"depot_goods:{depot}", EMPTY) for depot in data["depots"])
                yield from (
                    VisibleChange(f"goods:{seat.colour}", goods_label(kind)) for kind in data["goods"]
                )


def _end(game: GameState, seat: Chateauma, events: list[Event]) -> None:
    """Ends the turn, unless a card has to fill a gap first (S1184)."""
    if seat.deck and None in seat.cards:
        game.stage = NEXT_CARD
        return
    seat.die = None
    next_turn(game, events)


def reveal_card(game: GameState, move: RevealCard) -> list[Event]:
    """Puts the next card into the first gap; the first one at set-up gets its castle (S1073-1075, S1184)."""
    seat = automa(game)
    assert seat is not None
    side = seat.cards.index(None)
    card = CardInPlay(seat.print.cards[move.card])
    seat.cards[side] = card
    seat.deck = tuple(number for number in seat.deck if number != move.card)
    events = [Event("reveal", seat.colour, data={"card": move.card, "side": SIDES[side]})]
    if game.stage != SETUP:
        _end(game, seat, events)
        return events
    if side == 0:
        castle = tile(CASTLE)
        draw(game, castle)
        space = card.card.castle
        assert space is not None
        card.tiles[space] = PlacedTile(castle)
    begin_when_set_up(game)
    return events
