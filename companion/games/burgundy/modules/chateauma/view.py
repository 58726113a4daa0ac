"""The Châteauma for the page, for a camera and for a terminal."""

from __future__ import annotations

from typing import Any

from ...rules.observation import stacks
from ...rules.state import GameState
from ...rules.tiles import EMPTY, GOODS, TYPES
from ...rules.view import owned
from .cards import EXTRA_TURNS
from .context import side_of
from .extension import card_symbols
from .seat import FACE_DOWN, SIDES, CardInPlay, Chateauma, PlacedTile


def view_of(game: GameState, seat: Chateauma) -> dict[str, dict[str, Any]]:
    index = game.index(seat.colour)
    drawn = {
        **owned(game, seat),
        "level": seat.level,
        "virtual": seat.virtual,
        "modifiers": list(seat.modifiers),
        "die": seat.die,
        "cards": [card and _card(card, side, seat, game) for side, card in enumerate(seat.cards)],
        "cards_left": list(seat.deck),
        "inventory": [
            {"type": tile_type, "tiles": [t.label for t in seat.stored if t.type == tile_type]}
            for tile_type in seat.print.inventory_order or TYPES
        ],
        "jokers": [t.label for t in seat.jokers],
        "duchy": [_duchy_type(seat, tile_type) for tile_type in TYPES],
        "timeline": [scores[index] for scores in game.score_history],
    }
    return {"chateauma": drawn}


def _card(card: CardInPlay, side: int, seat: Chateauma, game: GameState) -> dict[str, Any]:
    symbols = {name: seat.has_symbol(card.card.number, name) for name in card_symbols(game)}
    return {
        "number": card.card.number,
        "side": SIDES[side],
        "current": game.white is not None and side_of(game.white) == side,
        "points": card.card.points[seat.level],
        "spaces": [
            {
                "colour": space.tile_type,
                "symbol": space.symbol,
                "tile": there and there.tile.label,
                "face_down": there is not None and there.face_down,
            }
            for space, there in zip(card.card.spaces, card.tiles, strict=True)
        ],
        **({"symbols": symbols} if symbols else {}),
    }


def _duchy_type(seat: Chateauma, tile_type: str) -> dict[str, Any]:
    """Returns the spaces for one tile type in its duchy: how many are covered, and by what."""
    marks = seat.print.marks or {}
    return {
        "colour": tile_type,
        "spaces": seat.print.spaces[tile_type],
        "covered": seat.covered(tile_type),
        "face_down": seat.face_down[tile_type],
        "tiles": [t.label for t in seat.duchy[tile_type]],
        "extra_turns": list(marks.get(EXTRA_TURNS, {}).get(tile_type, ()))
        if EXTRA_TURNS in seat.modifiers
        else [],
    }


def visible_layout_of(seat: Chateauma) -> dict[str, tuple[str, ...]]:
    """Returns its cards' spaces in reading order, the top tile of each inventory stack with the jokers last, its goods.

    Its duchy is left out, because nobody has seen where its spaces are; so is everything if its pieces stay in the box.
    """
    if seat.virtual:
        return {}
    tops = {t.type: t.label for t in seat.stored}
    order = seat.print.inventory_order or TYPES
    jokers = FACE_DOWN if seat.jokers else EMPTY
    return {
        **{f"card:{SIDES[i]}": _labels(card) for i, card in enumerate(seat.cards)},
        "inventory": (*(tops.get(tile_type, EMPTY) for tile_type in order), jokers),
        f"goods:{seat.colour}": stacks(seat.goods, len(GOODS)),
    }


def _labels(card: CardInPlay | None) -> tuple[str, ...]:
    return tuple(map(_label, card.tiles)) if card else ()


def _label(there: PlacedTile | None) -> str:
    if there is None:
        return EMPTY
    return FACE_DOWN if there.face_down else there.tile.label


def text_board(seat: Chateauma) -> str:
    """Returns its cards, inventory and duchy as lines of text; face-down tiles are in brackets."""
    lines = [f"{SIDES[i]:<6}{_sketch(card)}" for i, card in enumerate(seat.cards)]
    stored = [t.label for t in seat.stored] + [f"({t.label})" for t in seat.jokers]
    lines.append(f"stock {' '.join(stored) or '-'}")
    duchy = (f"{tile_type} {seat.covered(tile_type)}/{seat.print.spaces[tile_type]}" for tile_type in TYPES)
    return "\n".join((*lines, f"duchy {', '.join(duchy)}"))


def _sketch(card: CardInPlay | None) -> str:
    if card is None:
        return "-"
    cells = (
        str(space.tile_type)
        if there is None
        else f"({there.tile.label})"
        if there.face_down
        else there.tile.label.upper()
        for space, there in zip(card.card.spaces, card.tiles, strict=True)
    )
    return f"{card.card.number}: {' '.join(cells)}"
