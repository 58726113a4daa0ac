"""Moves: one decision (or one reported chance event) each, small and frozen, with a text notation that round-trips.

A move does not name the current player. ``die`` is the value of the die used, None if an effect pays for the move;
``workers`` is how many are spent to change that value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from calibration.errors import CompanionError

from .tiles import tile

BLACK_DEPOT = 0
"""Number by which moves name the black depot."""
BECAUSE = "because"
"""Word before the reason of a move; everything after it is the reason."""
LONGEST_QUOTED = 60
"""Characters of an invalid text that an error repeats."""
MOST_DIGITS = 20
"""More than any number of a legal move has, but enough for scores in old journals, which had no limit."""
_NUMBER = re.compile(rf"0|-?[1-9][0-9]{{0,{MOST_DIGITS - 1}}}")
_DIFFERENCE = re.compile(rf"([a-z]+(?::[1-9])?)([+-](?:0|[1-9][0-9]{{0,{MOST_DIGITS - 1}}}))")


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


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Take a tile from a numbered depot into storage."""

    word = "take"
    tile: str
    depot: int
    slot: int
    die: int | None = None
    workers: int = 0

    def __str__(self) -> str:
        return f"take {self.tile} {self.depot}.{self.slot}{_payment(self)}"


@dataclass(frozen=True, slots=True)
class Place(Move):
    """Place a tile from storage on a space of the duchy."""

    word = "place"
    tile: str
    space: int
    die: int | None = None
    workers: int = 0

    def __str__(self) -> str:
        return f"place {self.tile} {self.space}{_payment(self)}"


@dataclass(frozen=True, slots=True)
class Sell(Move):
    """Sell all goods of one kind."""

    word = "sell"
    goods: int
    die: int | None = None
    workers: int = 0

    def __str__(self) -> str:
        return f"sell {self.goods}{_payment(self)}"


@dataclass(frozen=True, slots=True)
class TakeWorkers(Move):
    """Take workers from the supply."""

    word = "workers"
    die: int | None = None

    def __str__(self) -> str:
        return f"workers{_payment(self)}"


@dataclass(frozen=True, slots=True)
class TakeGoods(Move):
    """Load goods on a ship from its depots (two with monastery 5); *kinds* are those that fit."""

    word = "goods"
    depots: tuple[int, ...]
    kinds: tuple[int, ...]

    def __str__(self) -> str:
        return f"goods {_numbers(self.depots)} {_numbers(self.kinds)}"


@dataclass(frozen=True, slots=True)
class Buy(Move):
    """Buy a tile: from the black depot for silver, or from a numbered depot by monastery 6."""

    word = "buy"
    tile: str
    depot: int
    slot: int

    def __str__(self) -> str:
        return f"buy {self.tile} {self.depot}.{self.slot}"


@dataclass(frozen=True, slots=True)
class Recover(Move):
    """For both dice and five points: take a castle that was set aside into storage (S703)."""

    word = "recover"

    def __str__(self) -> str:
        return "recover"


@dataclass(frozen=True, slots=True)
class Outpost(Move):
    """For both dice and five points: place a stored castle apart from all other tiles (A1308-1312)."""

    word = "outpost"
    space: int

    def __str__(self) -> str:
        return f"outpost {self.space}"


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Put a stored tile back into the box to make room."""

    word = "discard"
    tile: str

    def __str__(self) -> str:
        return f"discard {self.tile}"


@dataclass(frozen=True, slots=True)
class Skip(Move):
    """Decline the effect whose choice is open."""

    word = "skip"

    def __str__(self) -> str:
        return "skip"


@dataclass(frozen=True, slots=True)
class EndTurn(Move):
    """End the turn; unused dice are lost."""

    word = "end"
    ends_turn = True

    def __str__(self) -> str:
        return "end"


@dataclass(frozen=True, slots=True)
class StartCastle(Move):
    """Set-up: a player places the starting castle."""

    word = "castle"
    player: str
    space: int

    def __str__(self) -> str:
        return f"castle {self.player} {self.space}"


@dataclass(frozen=True, slots=True)
class StartGoods(Move):
    """Chance at set-up: the goods that a player was dealt, all at once or one by one."""

    word = "start-goods"
    player: str
    goods: tuple[int, ...]

    def __str__(self) -> str:
        return f"start-goods {self.player} {_numbers(self.goods)}"


@dataclass(frozen=True, slots=True)
class Fill(Move):
    """Chance at the start of a phase: the tiles and goods turned up."""

    word = "fill"
    depots: tuple[tuple[str | None, ...], ...]
    """Tile per slot of depots 1 to 6; None if the supply ran out."""
    black: tuple[str | None, ...]
    goods: tuple[int, ...]

    def __str__(self) -> str:
        depots = " ".join(_tiles(depot) for depot in self.depots)
        return f"fill {depots} {_tiles(self.black)} {_numbers(self.goods)}"


@dataclass(frozen=True, slots=True)
class Roll(Move):
    """Chance at the start of a round: everybody's two dice and the white die."""

    word = "roll"
    dice: tuple[tuple[str, tuple[int, int]], ...]
    """Player and values, in the players' order."""
    white: int

    def __str__(self) -> str:
        dice = " ".join(f"{player}={_numbers(values)}" for player, values in self.dice)
        return f"roll {dice} white={self.white}"

    def shown(self) -> dict[str, list[int]]:
        return {colour: list(values) for colour, values in self.dice} | {"white": [self.white]}

    def with_players(self, colours: Mapping[str, str]) -> Roll:
        return replace(self, dice=tuple((colours.get(colour, colour), two) for colour, two in self.dice))


@dataclass(frozen=True, slots=True)
class Override(Move):
    """A decision of the players against the rules: what is where, or how much a player has (see :mod:`.overrides`)."""

    word = "ruling"
    changes: tuple[tuple[str, str], ...]
    earlier: bool = field(default=False, compare=False)
    """Whether it has the effect that earlier releases gave it (see :meth:`as_earlier_release`)."""

    def __str__(self) -> str:
        return " ".join(("ruling", *(f"{what}={value}" for what, value in self.changes)))

    def as_earlier_release(self) -> Override:
        return replace(self, earlier=True)

    def with_players(self, colours: Mapping[str, str]) -> Override:
        return replace(
            self, changes=tuple((_with_players(what, colours), value) for what, value in self.changes)
        )


@dataclass(frozen=True, slots=True)
class Adjust(Move):
    """A correction of one player's counts by hand, and why (see :mod:`.corrections`)."""

    word = "adjust"
    player: str
    differences: tuple[tuple[str, int], ...]
    """What is counted, and the difference."""
    reason: str
    """In the players' own words, or a code for a usual reason."""
    earlier: bool = field(default=False, compare=False)
    """As for :class:`Override`."""

    def __str__(self) -> str:
        changes = (f"{what}{by:+}" for what, by in self.differences)
        return " ".join(("adjust", self.player, *changes, BECAUSE, self.reason))

    def as_earlier_release(self) -> Adjust:
        return replace(self, earlier=True)


def _with_players(what: str, colours: Mapping[str, str]) -> str:
    """Renames the player in ``duchy:red:6``; what is before the first colon is a kind of place, even ``black``."""
    kind, *names = what.split(":")
    return ":".join((kind, *(colours.get(name, name) for name in names)))


def _payment(move: Take | Place | Sell | TakeWorkers) -> str:
    workers = getattr(move, "workers", 0)
    return (f" die {move.die}" if move.die is not None else "") + (f" workers {workers}" if workers else "")


def _numbers(values: tuple[int, ...]) -> str:
    return ",".join(map(str, values)) or "-"


def _tiles(labels: tuple[str | None, ...]) -> str:
    return ",".join(label or "-" for label in labels)


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


def about_words(error: Exception) -> str:
    """Returns what is wrong with the words of a move; what Python says of their number helps nobody who wrote it."""
    if isinstance(error, KeyError):
        return f"nothing is called {quoted(str(error.args[0]))}"
    is_about_number = isinstance(error, IndexError | TypeError) or "values to unpack" in str(error)
    return "it has a word too few or too many" if is_about_number else str(error)


def _parse_numbers(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(map(parse_number, text.split(",")))


def _parse_tile(text: str) -> str:
    return tile(text).label


def _parse_tiles(text: str) -> tuple[str | None, ...]:
    return tuple(None if part == "-" else _parse_tile(part) for part in text.split(",")) if text else ()


def _parse_payment(words: list[str]) -> tuple[int | None, int]:
    match words:
        case []:
            return None, 0
        case ["die", die]:
            return parse_number(die), 0
        case ["die", die, "workers", workers]:
            return parse_number(die), parse_number(workers)
        case ["workers", workers]:
            return None, parse_number(workers)
    raise ValueError(" ".join(words))


def _parse_slot(text: str) -> tuple[int, int]:
    depot, slot = text.split(".")
    return parse_number(depot), parse_number(slot)


def _parse_roll(words: list[str]) -> Roll:
    *dice, white = words
    pairs = []
    for word in dice:
        player, values = word.split("=")
        first, second = _parse_numbers(values)
        pairs.append((player, (first, second)))
    if not white.startswith("white="):
        raise ValueError(white)
    return Roll(tuple(pairs), parse_number(white.removeprefix("white=")))


def _parse_change(text: str) -> tuple[str, str]:
    what, _, value = text.partition("=")
    return what, value


def _parse_adjust(words: list[str]) -> Adjust:
    reason = words.index(BECAUSE)
    changes = (_DIFFERENCE.fullmatch(word) for word in words[1:reason])
    pairs = tuple((change[1], int(change[2])) for change in changes if change)
    return Adjust(words[0], pairs, " ".join(words[reason + 1 :]))


PARSERS: dict[str, Callable[[list[str]], Move]] = {
    Take.word: lambda w: Take(_parse_tile(w[0]), *_parse_slot(w[1]), *_parse_payment(w[2:])),
    Place.word: lambda w: Place(_parse_tile(w[0]), parse_number(w[1]), *_parse_payment(w[2:])),
    Sell.word: lambda w: Sell(parse_number(w[0]), *_parse_payment(w[1:])),
    TakeWorkers.word: lambda w: TakeWorkers(_parse_payment(w)[0]),
    TakeGoods.word: lambda w: TakeGoods(_parse_numbers(w[0]), _parse_numbers(w[1])),
    Buy.word: lambda w: Buy(_parse_tile(w[0]), *_parse_slot(w[1])),
    Recover.word: lambda w: Recover(*w),
    Outpost.word: lambda w: Outpost(parse_number(w[0])),
    Discard.word: lambda w: Discard(_parse_tile(w[0])),
    Skip.word: lambda w: Skip(*w),
    EndTurn.word: lambda w: EndTurn(*w),
    StartCastle.word: lambda w: StartCastle(w[0], parse_number(w[1])),
    StartGoods.word: lambda w: StartGoods(w[0], _parse_numbers(w[1])),
    Fill.word: lambda w: Fill(tuple(map(_parse_tiles, w[:6])), _parse_tiles(w[6]), _parse_numbers(w[7])),
    Roll.word: _parse_roll,
    Adjust.word: _parse_adjust,
    Override.word: lambda w: Override(tuple(map(_parse_change, w))),
}
"""First word -> parser of the words after it. Expansions add their own moves."""


def parse_move(text: str) -> Move:
    """Returns the move written as *text*; the inverse of ``str(move)``.

    :raises InvalidMoveError: if *text* is not a move (legality is not checked).
    """
    if not _is_valid_unicode(text):
        raise InvalidMoveError(f"{quoted(text)} is not a move: it contains half a character")
    word, *words = text.split() or [""]
    if word not in PARSERS:
        raise InvalidMoveError(
            f"{quoted(text)} is not a move: it must begin with one of {', '.join(PARSERS)}"
        )
    try:
        move = PARSERS[word](words)
    except (ValueError, IndexError, TypeError) as error:
        raise InvalidMoveError(f"{quoted(text)} is not a {word!r} move: {about_words(error)}") from error
    if str(move) != " ".join(text.split()):
        raise InvalidMoveError(
            f"{quoted(text)} is not a {word!r} move: it would be written {quoted(str(move))}"
        )
    return move


def _is_valid_unicode(text: str) -> bool:
    """Returns whether every character can be stored: JSON may contain half of one (``\\ud800``), which no file can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
