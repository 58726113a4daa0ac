"""What the tests' games have in common: plain values, and answers of a game that lacks what is asked for."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from calibration.errors import CompanionError
from companion.games.narration import Narration

NARRATION = Narration(
    tile=lambda text, label: label,
    the_tile=lambda text, label: label,
    place=lambda text, name: name,
    place_group=lambda text, group: group,
    amount=lambda text, what, count: f"{count} {what}",
    count_name=lambda text, what: what,
    setup_step=lambda text, step, edition: "",
    piece=lambda text, piece: "",
    mismatch=lambda text, mismatch: "",
)
"""Of a game without tiles."""


class NoMoveError(CompanionError, ValueError):
    """The text is no move, the move is illegal, or the set-up is none."""


@dataclass(frozen=True)
class Reason:
    code: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Event:
    kind: str
    player: str | None = None
    points: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "player": self.player, "points": self.points, **self.data}


class PlainState(ABC):
    """A position whose hash is that of its JSON."""

    players: tuple[str, ...]

    @abstractmethod
    def to_json(self) -> dict[str, Any]: ...

    def state_hash(self) -> str:
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()


class PlainMove(Protocol):
    def __str__(self) -> str: ...


S = TypeVar("S", bound=PlainState)
M = TypeVar("M", bound=PlainMove)


class PlainRules(ABC, Generic[S, M]):
    """Rules without modules, reminders and table rules, in which most points win."""

    version = 1
    statistics: tuple[str, ...] = ()

    @abstractmethod
    def new(self, setup: Mapping[str, Any]) -> S: ...

    @abstractmethod
    def validate(self, state: S, move: M) -> Reason | None: ...

    @abstractmethod
    def apply(self, state: S, move: M) -> list[Event]: ...

    @abstractmethod
    def parse_move(self, text: str) -> M: ...

    @abstractmethod
    def score_sheet(self, state: S) -> dict[str, dict[str, int]]: ...

    def check_setup(self, setup: Mapping[str, Any]) -> None:
        self.new(setup)

    def seats(self, setup: Mapping[str, Any]) -> list[dict[str, str]]:
        return [{"colour": colour, "kind": "person", "plays": ""} for colour in self.new(setup).players]

    def play(self, state: S, move: M) -> list[Event]:
        if reason := self.validate(state, move):
            raise NoMoveError(f"{move} is illegal: {reason.code}")
        return self.apply(state, move)

    def illegal_moves_at(self, state: S, place: str) -> list[tuple[M, Reason]]:
        return []

    def reminders(self, state: S, moves: Sequence[M]) -> tuple[()]:
        return ()

    def short_notation(self, state: S, move: M) -> str:
        return str(move)

    def parse_short(self, state: S, text: str) -> M:
        return self.parse_move(text)

    def with_players(self, move: M, colours: Mapping[str, str]) -> M:
        return move

    def modules_of(self, state: S) -> tuple[()]:
        return ()

    def table_rules(self, state: S) -> tuple[()]:
        return ()

    def ranking(self, state: S) -> list[str]:
        sheet = self.score_sheet(state)
        return sorted(state.players, key=lambda player: -sum(sheet[player].values()))

    def tie_break(self, state: S) -> None:
        return None

    def statistics_of(
        self, player: str | None, move: M, events: Iterable[Event]
    ) -> Iterator[tuple[str, str, int]]:
        return iter(())
