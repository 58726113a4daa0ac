"""What simulated games and demos assume of the Châteauma's print if nobody has seen it.

At a real table its owner is asked.

    answers = assumed(chateauma_module().prints["special"], "AD", {"card:8": "castle,mine,livestock,ship"})

An assumption is a text, named as :class:`.cards.Unknown` names what is
missing: the types of a card's spaces, those of the inventory in order, or the marked spaces of each tile type
(``building:4,9 ship:3``). What is asked in the course of a game is assumed as well: the cards that have a symbol in
their corner (``symbols:NAME``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from calibration.errors import CompanionError

from .cards import CARDS, Print
from .extension import CardSymbol

ASSUMED = {
    "card:8": "castle,mine,castle,ship",
    "inventory_order": "castle,mine,ship,livestock,building,monastery",
    "marks:A": "building:1,2 livestock:1 ship:1 monastery:1",
    "marks:B": "building:3 mine:1 castle:1",
    "marks:D": "building:5,9 livestock:4 ship:4",
}
"""Default assumption about each thing that nobody has seen. All are made up but the first: of the candidates it is the
one with which the cards have as many castles as the duchy."""


class AssumptionError(CompanionError, ValueError):
    """An assumption about something that is known, or that cannot be parsed."""


def assumed(
    printed: Print,
    modifiers: Iterable[str],
    others: Mapping[str, str],
    symbols: Mapping[str, CardSymbol] | None = None,
) -> dict[str, str]:
    """Returns what a game with these modifiers has to assume: the defaults, or *others* in their place.

    *symbols* are those in the corner of cards that are in play, by name.

    :raises AssumptionError: if *others* name something else, or what this game does not use.
    """
    of_symbols = assumed_symbols(symbols or {})
    usual = ASSUMED | of_symbols
    unknown = [*(open_.what for open_ in printed.unknown(tuple(modifiers))), *of_symbols]
    for name in others:
        if name not in usual:
            raise AssumptionError(f"nothing is assumed about {name!r}; choose {', '.join(usual)}")
        if name not in unknown:
            raise AssumptionError(f"nothing needs to be assumed about {name} in this game: leave it out")
    return {name: others.get(name, usual[name]) for name in unknown}


def assumed_symbols(symbols: Mapping[str, CardSymbol]) -> dict[str, str]:
    """Returns which cards are assumed to have these symbols in their corner."""
    return {f"symbols:{name}": ",".join(map(str, symbol.assumed_on)) for name, symbol in symbols.items()}


def answers(assumptions: Mapping[str, str]) -> dict[str, Any]:
    """Returns the assumptions in the form of the Châteauma's set-up.

    :raises AssumptionError: if one cannot be parsed.
    """
    parsed: dict[str, Any] = {}
    for name, text in assumptions.items():
        part, _, which = name.partition(":")
        if part == "inventory_order":
            parsed[part] = text.split(",")
        elif part == "card":
            parsed.setdefault("cards", {})[which] = text.split(",")
        elif part == "symbols":
            for card in map(str, range(1, CARDS + 1)):
                parsed.setdefault("symbols", {}).setdefault(card, {})[which] = card in text.split(",")
        else:
            parsed.setdefault("marks", {})[which] = _spaces_by_type(text)
    return parsed


def describe(assumptions: Mapping[str, str]) -> str:
    """Returns the assumptions in a sentence."""
    return "assumed about the unknown print: " + "; ".join(
        f"{name} {value}" for name, value in assumptions.items()
    )


def _spaces_by_type(text: str) -> dict[str, list[int]]:
    try:
        pairs = [word.split(":") for word in text.split()]
        return {tile_type: [int(space) for space in spaces.split(",")] for tile_type, spaces in pairs}
    except ValueError as error:
        raise AssumptionError(f"marks are written like 'building:4,9 ship:3', not {text!r}") from error
