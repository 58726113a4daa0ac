"""What is printed for the Châteauma, from the facts that ship with the companion."""

from __future__ import annotations

from calibration.games.burgundy.facts import Facts

from .cards import EASY, HARD, INTERMEDIATE, SELL_GOODS, CountyCard, CountySpace, Print

_POINTS_OF_LEVEL = {EASY: "easy", INTERMEDIATE: "medium", HARD: "hard"}
"""Level -> difficulty in the data of the cards."""


def print_of(facts: Facts) -> Print:
    """Returns what is printed for the Châteauma; what nobody has seen stays None."""
    board = facts.automa_board
    return Print(
        cards={
            number: CountyCard(
                number,
                tuple(
                    CountySpace(hex_.tile_type, SELL_GOODS if hex_.sells_goods else None, hex_.candidates)
                    for hex_ in card.hexes
                ),
                {level: card.points[name] for level, name in _POINTS_OF_LEVEL.items()},
            )
            for number, card in facts.county_cards.items()
        },
        spaces=board.spaces,
        marked={modifier: marks for modifier, marks in board.symbols.items() if marks is not None},
        inventory_order=board.inventory_order,
    )
