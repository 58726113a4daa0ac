"""The Châteauma's moves: its chance events, and its turn, in which it has no choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...moves import Move, parse_number
from ...tiles import tile


@dataclass(frozen=True, slots=True)
class RevealCard(Move):
    """Chance: the next county card, at set-up and whenever one is completed."""

    word = "county"
    card: int

    def __str__(self) -> str:
        return f"county {self.card}"


@dataclass(frozen=True, slots=True)
class StartTiles(Move):
    """Chance at set-up: the tiles that modifier B puts face up in its duchy."""

    word = "start-tiles"
    laid: tuple[str, ...]
    """Their labels."""

    def __str__(self) -> str:
        return f"start-tiles {','.join(self.laid)}"


@dataclass(frozen=True, slots=True)
class OwnRoll(Move):
    """Chance: its own die, rolled at the start of its turn."""

    word = "own-roll"
    player: str
    value: int

    def __str__(self) -> str:
        return f"own-roll {self.player}={self.value}"

    def shown(self) -> dict[str, list[int]]:
        return {self.player: [self.value]}


@dataclass(frozen=True, slots=True)
class AutomaTurn(Move):
    """Its whole turn: every choice in it is fixed by the rules."""

    word = "chateauma"
    ends_turn = True

    def __str__(self) -> str:
        return "chateauma"


def _parse_own_roll(words: list[str]) -> OwnRoll:
    player, value = words[0].split("=")
    return OwnRoll(player, parse_number(value))


PARSERS: dict[str, Callable[[list[str]], Move]] = {
    RevealCard.word: lambda w: RevealCard(parse_number(w[0])),
    StartTiles.word: lambda w: StartTiles(tuple(tile(label).label for label in w[0].split(","))),
    OwnRoll.word: _parse_own_roll,
    AutomaTurn.word: lambda w: AutomaTurn(*w),
}
