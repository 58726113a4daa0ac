"""What is printed for the Châteauma: county cards and its own duchy, as far as anybody has seen them.

The print comes from outside, as an edition does. What nobody has seen is None; the owner of the game completes it with
the answers in the set-up, and :meth:`Print.resolved` asks for those that are missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from calibration.errors import CompanionError

from ...rules.owner_print import AnswerError
from ...rules.tiles import CASTLE, TYPES

EASY, INTERMEDIATE, HARD = LEVELS = ("easy", "intermediate", "hard")
"""Which of a card's three values a completed card scores (S1180)."""
CARDS = 17
"""County cards in the box, those of expansions with them."""
SELL_GOODS = "sell_goods"
"""The only symbol of the base game's cards (S1172). Expansions add others (see :mod:`.extension`)."""
FACE_DOWN_TILES, FACE_UP_TILES, PLAYS_FIRST, EXTRA_TURNS = MODIFIERS = ("A", "B", "C", "D")
"""S1226-1229."""
MARKED = (FACE_DOWN_TILES, FACE_UP_TILES, EXTRA_TURNS)
"""Modifiers that have marks on board 36."""

Marks = Mapping[str, Mapping[str, tuple[int, ...]]]
"""Modifier -> tile type -> which spaces for that type have its mark, from 1 in reading order."""


@dataclass(frozen=True, slots=True)
class CountySpace:
    """One hexagon of a county card."""

    tile_type: str | None
    """Type of the tiles that it takes; None if nobody has seen it in print."""
    symbol: str | None = None
    """Symbol that is resolved once it is covered."""
    candidates: tuple[str, ...] = ()
    """Possible types if *tile_type* is None."""


@dataclass(frozen=True, slots=True)
class CountyCard:
    """A county card."""

    number: int
    spaces: tuple[CountySpace, ...]
    """In reading order."""
    points: Mapping[str, int]
    """By level."""

    @property
    def castle(self) -> int | None:
        """Index of the first space for a castle; None if there is none."""
        return next((i for i, space in enumerate(self.spaces) if space.tile_type == CASTLE), None)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something in print that the game needs and nobody has seen."""

    what: str
    """``card:8``, ``inventory_order`` or ``marks:D``: the answer's place in the set-up."""
    candidates: tuple[str, ...] = ()
    """What it may be, if there are only a few possibilities."""

    def __str__(self) -> str:
        return self.what + (f" ({' or '.join(self.candidates)})" if self.candidates else "")


class UnknownPrintError(CompanionError, ValueError):
    """The set-up lacks something that only the owner of the game can read from the print."""

    def __init__(self, unknown: Sequence[Unknown]) -> None:
        super().__init__(
            "nobody has seen this in print; look at your copy and add it to the set-up of the Châteauma: "
            + "; ".join(map(str, unknown))
        )
        self.unknown = tuple(unknown)


@dataclass(frozen=True, slots=True)
class Print:
    """County cards and the board beside them."""

    cards: Mapping[int, CountyCard]
    """By number."""
    spaces: Mapping[str, int]
    """How many spaces its duchy has for each tile type."""
    marked: Mapping[str, Mapping[str, int]]
    """Modifier -> tile type -> how many spaces have its mark, for modifiers whose tiles are placed at set-up."""
    inventory_order: tuple[str, ...] | None = None
    """Tile types in the order of the inventory, from the top left; None if nobody has seen it."""
    marks: Marks | None = None
    """Where the marks are; None if nobody has seen it."""
    symbols: Mapping[int, Mapping[str, bool]] = field(default_factory=dict)
    """By card, whether it has a symbol in its corner; what is missing is asked when the card is completed."""

    def resolved(self, answers: Mapping[str, Any], modifiers: Sequence[str]) -> Print:
        """Returns the print completed by the owner's *answers*.

        :raises UnknownPrintError: if something is missing that a game with these modifiers may need.
        :raises AnswerError: if an answer is impossible.
        """
        resolved = self.with_answers(answers)
        if unknown := list(resolved.unknown(modifiers)):
            raise UnknownPrintError(unknown)
        return resolved

    def with_answers(self, answers: Mapping[str, Any]) -> Print:
        """Returns the print with the owner's *answers*: ``cards``, ``inventory_order``, ``marks`` and ``symbols`` of a
        set-up.

        The owner's copy overrides what was known.

        :raises AnswerError: if an answer is impossible.
        """
        cards = {str(number): card for number, card in self.cards.items()}
        for number, spaces in answers.get("cards", {}).items():
            if str(number) not in cards:
                known = ", ".join(cards)
                raise AnswerError(
                    "no_card", f"no county card {number}; the known ones are {known}", number=number
                )
            cards[str(number)] = _answered(cards[str(number)], spaces)
        return replace(
            self,
            cards={card.number: card for card in cards.values()},
            inventory_order=_order(answers.get("inventory_order"), self.inventory_order),
            marks={**(self.marks or {}), **self._placed(answers["marks"])}
            if "marks" in answers
            else self.marks,
            symbols={**self.symbols, **_corners(answers.get("symbols", {}))},
        )

    def unknown(self, modifiers: Sequence[str]) -> Iterator[Unknown]:
        """Yields what a game with these modifiers may need and nobody has answered."""
        for card in self.cards.values():
            for space in card.spaces:
                if space.tile_type is None:
                    yield Unknown(f"card:{card.number}", space.candidates)
        if self.inventory_order is None:
            yield Unknown("inventory_order", TYPES)
        if EXTRA_TURNS not in modifiers:
            return  # how many spaces are covered at the start is enough then
        for modifier in modifiers:
            needs_places = modifier == EXTRA_TURNS or modifier in self.marked
            if needs_places and modifier not in (self.marks or {}):
                yield Unknown(f"marks:{modifier}")

    def _placed(self, answer: Mapping[str, Mapping[str, Sequence[int]]]) -> Marks:
        """Returns the marks where the owner says that they are."""
        for modifier, types in answer.items():
            if modifier not in MARKED:
                raise AnswerError(
                    "no_marks",
                    f"modifier {modifier} has no marks; those with marks are {', '.join(MARKED)}",
                    modifier=modifier,
                )
            for tile_type, spaces in types.items():
                self._check_spaces(modifier, tile_type, spaces)
            self._check_counts(modifier, {tile_type: len(spaces) for tile_type, spaces in types.items()})
        return {m: {t: tuple(spaces) for t, spaces in types.items()} for m, types in answer.items()}

    def _check_spaces(self, modifier: str, tile_type: str, spaces: Sequence[int]) -> None:
        there = range(1, self.spaces.get(tile_type, 0) + 1)
        if len(set(spaces) & set(there)) != len(spaces):
            raise AnswerError(
                "no_space",
                f"marks of modifier {modifier}: {list(spaces)} are not {tile_type} spaces, of which there are "
                f"{len(there)}",
                modifier=modifier,
                type=tile_type,
                spaces=len(there),
            )

    def _check_counts(self, modifier: str, counts: Mapping[str, int]) -> None:
        """Checks that as many are marked as known; if nobody has seen how many, at least one."""
        if not any(counts.values()):
            raise AnswerError(
                "nothing_marked",
                f"marks of modifier {modifier}: name at least one space",
                modifier=modifier,
            )
        known = self.marked.get(modifier, counts)
        for tile_type in {**known, **counts}:
            if (given := counts.get(tile_type, 0)) != (expected := known.get(tile_type, 0)):
                raise AnswerError(
                    "other_count",
                    f"marks of modifier {modifier}: there are {dict(known)}, not {dict(counts)}",
                    modifier=modifier,
                    type=tile_type,
                    given=given,
                    expected=expected,
                )

    def covered_at_start(self, modifiers: Sequence[str], tile_type: str) -> int:
        """Returns how many spaces for a type get tiles at set-up."""
        return sum(self.marked[m].get(tile_type, 0) for m in modifiers if m in self.marked)

    def has_extra_turn(self, modifiers: Sequence[str], tile_type: str, arrived: int) -> bool:
        """Returns whether the tile of a type that comes after *arrived* others covers the mark of an extra turn.

        Tiles go to the first empty space in reading order (S1182), surplus ones on others.
        """
        if EXTRA_TURNS not in modifiers or self.marks is None:
            return False
        taken = {s for m in modifiers if m in self.marked for s in self.marks[m].get(tile_type, ())}
        free = [space for space in range(1, self.spaces[tile_type] + 1) if space not in taken]
        return arrived < len(free) and free[arrived] in self.marks[EXTRA_TURNS].get(tile_type, ())


def _answered(card: CountyCard, answer: Sequence[str | Mapping[str, Any] | None]) -> CountyCard:
    """Returns a card with the owner's spaces.

    Each is a tile type, ``{"colour", "sell_goods"}``, or None if it is as it was known.
    """
    spaces = [_space(card, space, given) for space, given in zip(card.spaces, answer, strict=False)]
    if len(answer) != len(card.spaces):
        raise AnswerError(
            "other_size",
            f"county card {card.number} has {len(card.spaces)} spaces, not {len(answer)}",
            number=card.number,
            spaces=len(card.spaces),
            given=len(answer),
        )
    return replace(card, spaces=tuple(spaces))


def _space(card: CountyCard, known: CountySpace, given: str | Mapping[str, Any] | None) -> CountySpace:
    if given is None:
        return known
    tile_type = given if isinstance(given, str) else given["colour"]
    if tile_type not in TYPES:
        raise AnswerError(
            "no_type",
            f"county card {card.number}: {tile_type!r} is not a tile type; choose one of {', '.join(TYPES)}",
            number=card.number,
        )
    if isinstance(given, str):
        return CountySpace(tile_type, known.symbol)
    return CountySpace(tile_type, SELL_GOODS if given.get(SELL_GOODS) else None)


def _corners(answer: Mapping[str, Mapping[str, bool]]) -> dict[int, Mapping[str, bool]]:
    """Returns by card whether it has the symbols that are named. Raises :exc:`AnswerError` if there is no such card."""
    for number in answer:
        if number not in map(str, range(1, CARDS + 1)):
            raise AnswerError(
                "no_card", f"no county card {number}; they are numbered 1 to {CARDS}", number=number
            )
    return {int(number): dict(symbols) for number, symbols in answer.items()}


def _order(answer: Sequence[str] | None, known: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if answer is None:
        return known
    if sorted(answer) != sorted(TYPES):
        raise AnswerError(
            "no_order",
            f"the inventory's order must name each of {', '.join(TYPES)} once, not {', '.join(answer)}",
        )
    return tuple(answer)
