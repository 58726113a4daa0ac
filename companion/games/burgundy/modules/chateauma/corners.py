"""Symbols in the corner of county cards, which count when such a card is completed.

Nobody has seen which cards have which. So the game waits for a report before a turn that completes a card about which
the owner has not said yet whether it has a symbol that is in play; what is known need not be asked again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress, product

from ...rules.decision import ChanceEvent, Rng
from ...rules.events import Event
from ...rules.moves import Move, parse_number
from ...rules.reason import Reason
from ...rules.state import GameState, Seat
from .extension import card_symbols
from .seat import CARD_SYMBOLS, OWN_TURN, Chateauma, automa_in_turn
from .turn import completed_cards

NONE = "-"
"""How a report writes that there is no symbol."""
SUBJECT = "symbols"
"""What a report is about, before the number of the card."""


@dataclass(frozen=True, slots=True)
class ReportSymbols(Move):
    """What is printed in the corner of a county card: which of the symbols that are in play."""

    word = "tell"
    card: int
    symbols: tuple[str, ...]

    def __str__(self) -> str:
        return f"tell {SUBJECT}:{self.card} {','.join(self.symbols) or NONE}"


class ReportSymbolsEvent(ChanceEvent[ReportSymbols]):
    move = ReportSymbols
    stages = (CARD_SYMBOLS,)

    def parse(self, words: list[str]) -> ReportSymbols:
        subject, names = words
        kind, card = subject.split(":")
        if kind != SUBJECT:
            raise ValueError(f"{kind!r} cannot be told")
        return ReportSymbols(parse_number(card), () if names == NONE else tuple(names.split(",")))

    def validate(self, game: GameState, move: ReportSymbols) -> Reason | None:
        card = _card_in_question(game)
        if move.card != card:
            return Reason("card_not_asked", {"card": move.card, "asked": card})
        if move.symbols not in _possible(game, card):
            return Reason("no_such_symbols", {"symbols": _unknown(game, card)})
        return None

    def apply(self, game: GameState, move: ReportSymbols) -> list[Event]:
        seat = automa_in_turn(game)
        seat.report_symbols(move.card, {name: name in move.symbols for name in _unknown(game, move.card)})
        return [Event("symbols", seat.colour, data={"card": move.card, "symbols": list(move.symbols)})]

    def sample(self, game: GameState, seat: Seat, rng: Rng) -> ReportSymbols:
        card = _card_in_question(game)
        return ReportSymbols(card, rng.choice(_possible(game, card)))

    def unobserved(self, game: GameState) -> Iterator[ReportSymbols]:
        card = _card_in_question(game)
        return (ReportSymbols(card, symbols) for symbols in _possible(game, card))


def await_symbols(game: GameState, events: list[Event]) -> None:
    """Lets the turn of the Châteauma wait as long as it completes a card with an unknown corner."""
    if game.stage in (OWN_TURN, CARD_SYMBOLS) and card_symbols(game):
        game.stage = CARD_SYMBOLS if _cards_in_question(game) else OWN_TURN


def _card_in_question(game: GameState) -> int:
    return _cards_in_question(game)[0]


def _cards_in_question(game: GameState) -> list[int]:
    """Returns the cards that this turn completes and that may have a symbol that nobody has reported."""
    return [card for card in completed_cards(game) if _unknown(game, card)]


def _unknown(game: GameState, card: int) -> list[str]:
    """Returns the symbols in play of which nobody has said whether a card has them."""
    return unknown_symbols(game, automa_in_turn(game), card)


def unknown_symbols(game: GameState, seat: Chateauma, card: int) -> list[str]:
    """Returns the symbols in play of which nobody has said whether a card of a seat has them."""
    return [name for name in card_symbols(game) if seat.has_symbol(card, name) is None]


def _possible(game: GameState, card: int) -> list[tuple[str, ...]]:
    """Returns every answer about a card: the symbols that it may have together."""
    names = _unknown(game, card)
    return [tuple(compress(names, chosen)) for chosen in product((False, True), repeat=len(names))]
