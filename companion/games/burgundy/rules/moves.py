"""What every move has: its word and notation, and how the parts of a notation are written and read.

A move is one decision or one reported chance event, small and frozen; the classes are in :mod:`.decisions`. It does not
name the current player. ``die`` is the value of the die used, None if an effect pays for the move; ``workers`` is how
many are spent to change that value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from calibration.errors import CompanionError

from .tiles import tile

BLACK_DEPOT = 0
"""Number by which moves name the black depot."""
LONGEST_QUOTED = 60
"""Characters of an invalid text that an error repeats."""
WORD_COUNT = "it has a word too few or too many"
MOST_DIGITS = 20
"""More than any number of a legal move has, but enough for scores in old journals, which had no limit."""
_NUMBER = re.compile(rf"0|-?[1-9][0-9]{{0,{MOST_DIGITS - 1}}}")


class InvalidMoveError(CompanionError, ValueError):
    """The text is not a move."""


@dataclass(frozen=True, slots=True)
class Move:
    """One decision or chance event; ``str(move)`` is its notation."""

    word: ClassVar[str]
    """First word of its notation."""
    ends_turn: ClassVar[bool] = False
    """Whether it ends the turn."""

    def shown(self) -> dict[str, list[int]]:
        """Returns a roll's values by colour; empty for other moves."""
        return {}

    def labels(self) -> Iterable[str]:
        """Returns the labels of the tiles that it names."""
        return ()

    def as_earlier_release(self) -> Move | None:
        """Returns the move with the effect that an earlier release gave it; None if that has always been the same.

        Overrides of those releases had no limits for counts, left nothing for later phases, exchanged no tile of the
        supply, did not store a tile that waited for a key space when they made room for it, and let what they had
        opened score again.
        """
        return None

    def with_players(self, colours: Mapping[str, str]) -> Move:
        """Returns the move after players have changed colours: *colours* maps each old colour to the new one."""
        player = getattr(self, "player", None)
        if player is None:
            return self
        return replace(self, player=colours.get(player, player))  # type: ignore[call-arg]  # of some moves


def numbers_text(values: Iterable[int]) -> str:
    """Returns numbers as notations write them: ``1,4``, or ``-`` for none."""
    return ",".join(map(str, values)) or "-"


def tiles_text(labels: Iterable[str | None]) -> str:
    """Returns tiles as notations write them, with ``-`` where there is none."""
    return ",".join(label or "-" for label in labels)


def payment_text(die: int | None, workers: int) -> str:
    """Returns how a move is paid for as notations write it, with a space before it."""
    return (f" die {die}" if die is not None else "") + (f" workers {workers}" if workers else "")


def parse_number(text: str) -> int:
    """Returns the integer written as *text*, in the digits 0 to 9.

    :raises ValueError: if it is none, or longer than any in a move.
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{quoted(text)} is not a whole number of at most {MOST_DIGITS} digits")
    return int(text)


def quoted(text: str) -> str:
    """Returns *text* as an error repeats it: in quotes, and cut if it is long."""
    return repr(text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}…")


def misplaced(words: Iterable[str]) -> ValueError:
    """Returns the error of words that a move does not have where they stand."""
    text = " ".join(words)
    return ValueError(f"{quoted(text)} cannot stand there" if text else "something is missing")


def about_words(error: Exception) -> str:
    """Returns what is wrong with the words of a move; what Python says of their number helps nobody who wrote it."""
    if isinstance(error, KeyError):
        return f"nothing is called {quoted(str(error.args[0]))}"
    is_about_number = isinstance(error, IndexError | TypeError) or "values to unpack" in str(error)
    return WORD_COUNT if is_about_number else str(error)


def parse_numbers(text: str) -> tuple[int, ...]:
    """Returns the integers written as ``1,4`` or ``-``. Raises ``ValueError`` if one is none."""
    return () if text == "-" else tuple(map(parse_number, text.split(",")))


def parse_tile(text: str) -> str:
    """Returns the label of a tile. Raises ``ValueError`` if the game has no such tile."""
    return tile(text).label


def parse_tiles(text: str) -> tuple[str | None, ...]:
    """Returns the labels written as ``mine,-,ship``; None for a space without a tile."""
    return tuple(None if part == "-" else parse_tile(part) for part in text.split(",")) if text else ()


def parse_payment(words: list[str]) -> tuple[int | None, int]:
    """Returns die and workers. Raises ``ValueError`` if the words say anything else."""
    match words:
        case []:
            return None, 0
        case ["die", die]:
            return parse_number(die), 0
        case ["die", die, "workers", workers]:
            return parse_number(die), parse_number(workers)
        case ["workers", workers]:
            return None, parse_number(workers)
    raise misplaced(words)


def parse_slot(text: str) -> tuple[int, int]:
    """Returns depot and slot, written as ``3.1``."""
    depot, slot = text.split(".")
    return parse_number(depot), parse_number(slot)
