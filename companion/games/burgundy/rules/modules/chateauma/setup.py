"""The Châteauma's seat and set-up (S1061-1082, S1216-1229)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from ...chance import Rng, sample_setup
from ...events import Event
from ...moves import Move
from ...phases import START_SILVER, begin_when_set_up, draw, is_set_up
from ...setup_steps import Step, start_steps
from ...setup_validation import InvalidSetupError
from ...state import SETUP, GameState, Player, Seat
from ...tiles import BUILDING, CASTLE, GOODS, MINE, tile
from .cards import FACE_DOWN_TILES, FACE_UP_TILES, INTERMEDIATE, LEVELS, MARKED, MODIFIERS, PLAYS_FIRST, Print
from .moves import RevealCard, StartTiles
from .seat import NEXT_CARD, ON_TABLE, PIECES, Chateauma, automa

FACE_UP_TYPES = (BUILDING, MINE, CASTLE)
"""Tiles of modifier B, in the order of S1227."""
BOARD, BOARD_WITH_MARKS = 35, 36
"""Its board by the printed number: the back has the marks of modifiers A, B and D (S1071, S1226-1229)."""
OPTIONS = ("colour", "level", "modifiers", "cards", "inventory_order", "marks", "pieces")


def from_setup(setup: Mapping[str, Any], printed: Print) -> Chateauma:
    """Returns the Châteauma for its part of a game's set-up.

    ``{"colour": "black"}`` is enough if everything that the game needs is known in print. ``level`` is ``easy``,
    ``intermediate`` (usual) or ``hard``; ``modifiers`` are any of A to D, independent of the level (S1233). What nobody
    has seen in print is in ``cards`` (``{"8": ["castle", "mine", "livestock", "ship"]}``), ``inventory_order`` and,
    with modifier D, ``marks`` (``{"D": {"building": [3, 7]}}``). ``pieces`` are on the ``table``
    (usual), or ``virtual``: then they stay in the box, and only the main board is used.

    :raises UnknownPrintError: if an answer is missing.
    :raises InvalidSetupError: if there is no such option, level, modifier or answer.
    """
    for name in setup:
        if name not in OPTIONS:
            raise InvalidSetupError(f"the Châteauma has no option {name!r}; there are {', '.join(OPTIONS)}")
    level, modifiers = setup.get("level", INTERMEDIATE), tuple(sorted(set(setup.get("modifiers", ()))))
    if level not in LEVELS:
        raise InvalidSetupError(f"no level {level!r}; choose {', '.join(LEVELS)}")
    if unknown := [modifier for modifier in modifiers if modifier not in MODIFIERS]:
        raise InvalidSetupError(f"no modifier {unknown[0]!r}; there are {', '.join(MODIFIERS)}")
    if (pieces := setup.get("pieces", ON_TABLE)) not in PIECES:
        raise InvalidSetupError(f"its pieces are not {pieces!r}; choose {', '.join(PIECES)}")
    return Chateauma(
        {**setup, "level": level, "modifiers": list(modifiers)}, printed.resolved(setup, modifiers)
    )


def seated(people: Sequence[Player], seat: Chateauma) -> list[Seat]:
    """Returns the seats in the order of the first round: the Châteauma last (S1082), first with modifier C (S1228)."""
    return [seat, *people] if PLAYS_FIRST in seat.modifiers else [*people, seat]


def set_up(game: GameState, seat: Chateauma) -> None:
    """Gives it one of each kind of goods (S1076), and the face-down tiles of modifier A, which nobody looks at (S1226).

    It gets its silver with everybody (S1077).
    """
    for kind in GOODS:
        game.goods_supply[kind] -= 1
        seat.goods[kind] += 1
    if FACE_DOWN_TILES in seat.modifiers:
        seat.face_down |= seat.print.marked[FACE_DOWN_TILES]


def lacks_start_tiles(seat: Chateauma) -> bool:
    """Returns whether the tiles of modifier B are still missing."""
    return FACE_UP_TILES in seat.modifiers and not seat.duchy[MINE]


def start_tiles(game: GameState, move: StartTiles) -> list[Event]:
    """Puts a building, a mine and a castle face up in its duchy (S1227)."""
    seat = automa(game)
    assert seat is not None
    for placed in map(tile, move.laid):
        draw(game, placed)
        seat.duchy[placed.type].append(placed)
    begin_when_set_up(game)
    return [Event("start_tiles", seat.colour, data={"laid": list(move.laid)})]


@is_set_up.register
def _is_set_up(seat: Chateauma) -> bool:
    """Returns whether it has both cards, and the tiles of its modifiers."""
    return None not in seat.cards and not lacks_start_tiles(seat)


@sample_setup.register
def _sample_setup(seat: Chateauma, game: GameState, rng: Rng) -> Move | None:
    if None in seat.cards:
        return RevealCard(rng.choice(cards_to_come(seat)))
    if lacks_start_tiles(seat):
        return StartTiles(tuple(_drawn(game, rng, tile_type) for tile_type in FACE_UP_TYPES))
    return None


@start_steps.register
def _start_steps(seat: Chateauma, place: int) -> Iterator[Step]:
    """Yields what it gets (S1061-1079); its goods leave the supply even if its pieces stay in the box."""
    yield {
        "step": "automa_virtual" if seat.virtual else "automa",
        "player": seat.colour,
        "board": BOARD_WITH_MARKS if set(seat.modifiers) & set(MARKED) else BOARD,
        "silver": START_SILVER,
    }
    for modifier in () if seat.virtual else (FACE_DOWN_TILES, FACE_UP_TILES):
        if modifier in seat.modifiers:
            yield {"step": f"modifier_{modifier}", "player": seat.colour}


def unobserved_chance_moves(game: GameState) -> list[Move]:
    """Returns each chance event that the Châteauma may have now: a card, or the tiles of modifier B."""
    seat = automa(game)
    if seat is None or game.stage not in (SETUP, NEXT_CARD):
        return []
    if None in seat.cards and seat.deck:
        return [RevealCard(number) for number in cards_to_come(seat)]
    if lacks_start_tiles(seat):
        kinds = (
            {t.label for t, n in game.supply.items() if n and not t.black and t.type == one}
            for one in FACE_UP_TYPES
        )
        return [StartTiles(labels) for labels in product(*map(sorted, kinds))]
    return []


def _drawn(game: GameState, rng: Rng, tile_type: str) -> str:
    bag = [t for t, n in game.supply.items() if t.type == tile_type and not t.black for _ in range(n)]
    return rng.choice(bag).label


def cards_to_come(seat: Chateauma) -> list[int]:
    """Returns the cards that may be revealed now: at set-up, the first one has a space for a castle (S1073)."""
    cards = seat.print.cards
    started = any(seat.cards) or len(seat.deck) < len(cards)
    return [number for number in seat.deck if started or cards[number].castle is not None]
