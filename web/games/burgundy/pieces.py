"""The pieces that people touch to make a move: what they take, where they put it, and the die they use.

Pieces have the names of their places (``depot:3:0``, ``duchy:red:8``); those that are no places are ``die:red:4``,
``goods:red:2`` and ``workers:red``.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.burgundy.rules.tiles import EMPTY

from ...ways import Role
from . import modules
from .drawing import Move, View, slot, storage_places

TAKEN = ("take", "buy")


def roles_of(move: Move, view: View) -> list[Role]:
    """Returns the roles of a move of the player in turn, each with the pieces that can play it; empty if the move is
    made with none."""
    seat = next((seat for seat in view["players"] if seat["colour"] == view["to_move"]), None)
    return [role for role in _roles(move, view, seat) if role.pieces] if seat else []


def _roles(move: Move, view: View, seat: View) -> Iterator[Role]:
    colour, word = seat["colour"], move["word"]
    places = next((found for page in modules.pages().values() if (found := page.places_of(move, view))), None)
    if places is not None:
        yield from (Role(frozenset({place})) for place in places)
    elif "slot" in move:
        yield Role(frozenset({slot(move)}))
    if word in TAKEN:
        yield Role(_stored(seat, EMPTY), is_implied=True)
    elif word in ("place", "discard"):
        yield Role(_stored(seat, move["tile"]))
    elif word == "goods":
        yield from (Role(frozenset({f"depot_goods:{depot}"})) for depot in move["depots"])
    elif word == "sell":
        yield Role(frozenset({f"goods:{colour}:{move['goods']}"}))
    elif word == "workers":
        yield Role(frozenset({f"workers:{colour}"}))
    if places is None and "space" in move:
        yield Role(frozenset({f"duchy:{colour}:{move['space']}"}))
    yield Role(frozenset(f"die:{colour}:{die}" for die in _dice(move)), is_die=True)


def _stored(seat: View, label: str) -> frozenset[str]:
    """Returns the places of a player's storage with that label."""
    labels = [label or EMPTY for label in seat["storage"]]
    labels += [EMPTY] * (storage_places(seat) - len(labels))
    return frozenset(f"storage:{seat['colour']}:{i}" for i, stored in enumerate(labels) if stored == label)


def _dice(move: Move) -> tuple[int, ...]:
    return tuple(move["dice"]) if "dice" in move else (move["die"],) if move.get("die") else ()


def has_own_button(move: Move) -> bool:
    """Returns whether a module has a button for a move."""
    return any(move["word"] in page.own_buttons for page in modules.pages().values())
