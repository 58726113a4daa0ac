"""The Châteauma's seat and set-up (S1061-1082, S1216-1229)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calibration.fields import Field

from ...rules.phases import START_SILVER
from ...rules.setup_steps import Step
from ...rules.setup_validation import InvalidSetupError
from ...rules.state import GameState, Seat
from ...rules.tiles import GOODS
from .cards import FACE_DOWN_TILES, FACE_UP_TILES, INTERMEDIATE, LEVELS, MARKED, MODIFIERS, PLAYS_FIRST, Print
from .owner_print import kinds_of
from .seat import ON_TABLE, PIECES, Chateauma

BOARD, BOARD_WITH_MARKS = 35, 36
"""Its board by the printed number: the back has the marks of modifiers A, B and D (S1071, S1226-1229)."""
OPTIONS = ("colour", "level", "modifiers", "cards", "inventory_order", "marks", "symbols", "pieces")


def from_setup(setup: Mapping[str, Any], printed: Print) -> Chateauma:
    """Returns the Châteauma for its part of a game's set-up.

    ``{"colour": "black"}`` is enough if everything that the game needs is known in print. ``level`` is ``easy``,
    ``intermediate`` (usual) or ``hard``; ``modifiers`` are any of A to D, independent of the level (S1233). What nobody
    has seen in print is in ``cards`` (``{"8": ["castle", "mine", "livestock", "ship"]}``), ``inventory_order`` and,
    with modifier D, ``marks`` (``{"D": {"building": [3, 7]}}``). What is known of the corners of cards is in
    ``symbols`` (``{"5": {"border": True}}``). ``pieces`` are on the ``table`` (usual), or ``virtual``: then they stay
    in the box, and only the main board is used.

    :raises UnknownPrintError: if an answer is missing.
    :raises InvalidSetupError: if there is no such option, level, modifier or answer.
    """
    _check_form(Field.document(setup, "chateauma", InvalidSetupError), printed)
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


def _check_form(part: Field, printed: Print) -> None:
    """Checks the kinds of the values; the error of the field is raised for another one."""
    part["colour"].text()
    for modifier in modifiers.items() if (modifiers := part.get("modifiers")) else ():
        modifier.text()
    for kind in kinds_of(printed):
        if (answer := part.get(kind.name)) is not None:
            kind.parse(answer)


def seated(people: Sequence[Seat], seat: Chateauma) -> list[Seat]:
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


def start_steps(seat: Chateauma) -> Iterator[Step]:
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
