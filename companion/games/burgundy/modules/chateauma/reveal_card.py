"""Chance: the next county card, at set-up and whenever one is completed (S1073-1075, S1184)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...rules.decision import ChanceEvent, Rng
from ...rules.events import Event
from ...rules.moves import Move, parse_number
from ...rules.phases import begin_when_set_up, draw, next_turn
from ...rules.reason import Reason
from ...rules.state import SETUP, GameState, Seat
from ...rules.tiles import CASTLE, tile
from .seat import NEXT_CARD, SIDES, CardInPlay, Chateauma, PlacedTile, automa


@dataclass(frozen=True, slots=True)
class RevealCard(Move):
    """Chance: the next county card, at set-up and whenever one is completed."""

    word = "county"
    card: int

    def __str__(self) -> str:
        return f"county {self.card}"


class RevealCardEvent(ChanceEvent[RevealCard]):
    move = RevealCard
    stages = (SETUP, NEXT_CARD)

    def parse(self, words: list[str]) -> RevealCard:
        return RevealCard(parse_number(words[0]))

    def validate(self, game: GameState, move: RevealCard) -> Reason | None:
        seat = automa(game)
        if None not in seat.cards:
            return Reason("cards_lie", {})
        if move.card not in seat.deck:
            return Reason("card_not_left", {"card": move.card, "cards": list(seat.deck)})
        if move.card not in cards_to_come(seat):
            return Reason("card_without_castle", {"card": move.card})
        return None

    def apply(self, game: GameState, move: RevealCard) -> list[Event]:
        """Puts the card into the first gap; the first one at set-up gets its castle (S1073-1075, S1184)."""
        seat = automa(game)
        side = seat.cards.index(None)
        card = CardInPlay(seat.print.cards[move.card])
        seat.cards[side] = card
        seat.deck = tuple(number for number in seat.deck if number != move.card)
        events = [Event("reveal", seat.colour, data={"card": move.card, "side": SIDES[side]})]
        if game.stage != SETUP:
            end_turn(game, seat, events)
            return events
        if side == 0:
            castle = tile(CASTLE)
            draw(game, castle)
            space = card.card.castle
            assert space is not None
            card.tiles[space] = PlacedTile(castle)
        begin_when_set_up(game)
        return events

    def sample(self, game: GameState, seat: Seat, rng: Rng) -> RevealCard | None:
        if not isinstance(seat, Chateauma) or None not in seat.cards:
            return None
        return RevealCard(rng.choice(cards_to_come(seat)))

    def unobserved(self, game: GameState) -> Iterator[RevealCard]:
        seat = automa(game)
        return map(RevealCard, cards_to_come(seat) if awaits_card(seat) else ())


def end_turn(game: GameState, seat: Chateauma, events: list[Event]) -> None:
    """Ends the turn, unless a card has to fill a gap first (S1184)."""
    if awaits_card(seat):
        game.stage = NEXT_CARD
        return
    seat.die = None
    next_turn(game, events)


def awaits_card(seat: Chateauma) -> bool:
    """Returns whether there is a gap, and a card to fill it."""
    return None in seat.cards and bool(seat.deck)


def cards_to_come(seat: Chateauma) -> list[int]:
    """Returns the cards that may be revealed now: at set-up, the first one has a space for a castle (S1073)."""
    cards = seat.print.cards
    started = any(seat.cards) or len(seat.deck) < len(cards)
    return [number for number in seat.deck if started or cards[number].castle is not None]
