"""Rules: in turn, everybody rolls the white die, then keeps what it shows as points, or leaves it; two turns each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calibration.errors import CompanionError
from companion.games.stage import Due, Stage

WHITE = "white"
TURNS = 2
"""For each player."""
ROLL, KEEP, LEAVE = "roll", "keep", "leave"


class NoMoveError(CompanionError, ValueError):
    """The text is no move, or the move is illegal."""


@dataclass(frozen=True)
class Reason:
    code: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Event:
    kind: str
    player: str | None
    points: int
    value: int

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "player": self.player, "points": self.points, "value": self.value}


@dataclass(frozen=True)
class Move:
    """``roll 4``, ``keep 4`` or ``leave 4``."""

    word: str
    value: int

    def __str__(self) -> str:
        return f"{self.word} {self.value}"


@dataclass
class State:
    players: tuple[str, ...]
    turns: tuple[int, ...] = ()
    """Points of each turn, 0 where the roll was left."""
    shown: int | None = None
    """What the die shows; None before it is rolled."""

    @property
    def turn(self) -> str:
        return self.players[len(self.turns) % len(self.players)]

    def copy(self) -> State:
        return State(self.players, self.turns, self.shown)

    def to_json(self) -> dict[str, Any]:
        return {"players": list(self.players), "turns": list(self.turns), "shown": self.shown}

    def state_hash(self) -> str:
        return hashlib.sha256(json.dumps(self.to_json()).encode()).hexdigest()


class Pips:
    """The rules."""

    name = "pips"
    version = 1
    score_sources: tuple[str, ...] = ("pips",)
    statistics: tuple[str, ...] = ()

    def new(self, setup: Mapping[str, Any]) -> State:
        players = tuple(player["colour"] for player in setup["players"])
        if len(players) < 2 or len(set(players)) != len(players):
            raise NoMoveError("two or more play, with different colours")
        return State(players)

    def check_setup(self, setup: Mapping[str, Any]) -> None:
        self.new(setup)

    def seats(self, setup: Mapping[str, Any]) -> list[dict[str, str]]:
        return [{"colour": colour, "kind": "person", "plays": ""} for colour in self.new(setup).players]

    def from_json(self, data: Mapping[str, Any]) -> State:
        return State(tuple(data["players"]), tuple(data["turns"]), data["shown"])

    def legal_moves(self, state: State) -> list[Move]:
        return [] if state.shown is None else [Move(KEEP, state.shown), Move(LEAVE, state.shown)]

    def validate(self, state: State, move: Move) -> Reason | None:
        is_legal = self._awaits_roll(state) if move.word == ROLL else move in self.legal_moves(state)
        return None if is_legal else Reason("not_now")

    def illegal_moves_at(self, state: State, place: str) -> tuple[()]:
        return ()

    def reminders(self, state: State, moves: Sequence[Move]) -> tuple[()]:
        return ()

    def play(self, state: State, move: Move) -> list[Event]:
        if reason := self.validate(state, move):
            raise NoMoveError(f"{move} is illegal: {reason.code}")
        return self.apply(state, move)

    def apply(self, state: State, move: Move) -> list[Event]:
        player = state.turn
        if move.word == ROLL:
            state.shown = move.value
            return [Event(ROLL, player, 0, move.value)]
        gained = move.value if move.word == KEEP else 0
        state.turns, state.shown = (*state.turns, gained), None
        return [Event(move.word, player, gained, move.value)]

    def parse_move(self, text: str) -> Move:
        word, _, value = text.partition(" ")
        if word not in (ROLL, KEEP, LEAVE) or value not in set("123456"):
            raise NoMoveError(f"{text!r} is no move of pips")
        return Move(word, int(value))

    def short_notation(self, state: State, move: Move) -> str:
        return str(move)

    def parse_short(self, state: State, text: str) -> Move:
        return self.parse_move(text)

    def with_players(self, move: Move, colours: Mapping[str, str]) -> Move:
        return move

    def stage(self, state: State) -> Stage:
        if self.is_over(state):
            return Stage("over", order=state.players)
        if self._awaits_roll(state):
            due = [Due("roll", {"player": state.turn})]
            return Stage("roll", is_chance=True, order=state.players, due=due)
        return Stage("choose", actors=[state.turn], order=state.players)

    def to_move(self, state: State) -> str | None:
        return None if state.shown is None else state.turn

    def is_over(self, state: State) -> bool:
        return len(state.turns) == TURNS * len(state.players)

    def ends_turn(self, move: Move) -> bool:
        return move.word != ROLL

    # The die

    def _awaits_roll(self, state: State) -> bool:
        return state.shown is None and not self.is_over(state)

    def sample_chance(self, state: State, rng: Any) -> Move | None:
        return Move(ROLL, rng.randint(1, 6)) if self._awaits_roll(state) else None

    def unobserved_chance_moves(self, state: State) -> tuple[()]:
        return ()

    def expected_dice(self, state: State) -> dict[str, int]:
        return {WHITE: 1} if self._awaits_roll(state) else {}

    def rolls_on_table(self, state: State) -> bool:
        return True

    def roll_move(self, state: State, dice: Mapping[str, Sequence[int]]) -> Move:
        return Move(ROLL, dice[WHITE][0])

    def dice_of(self, move: Move) -> dict[str, list[int]]:
        return {WHITE: [move.value]} if move.word == ROLL else {}

    # Showing

    def describe(self, move: Move) -> dict[str, Any]:
        return {"word": move.word, "text": str(move), "value": move.value, "player": None}

    def view(self, state: State, viewer: str | None = None) -> dict[str, Any]:
        players = [{"colour": player, "kept": self._gained(state, player)} for player in state.players]
        return {"to_move": self.to_move(state), "shown": state.shown, "players": players}

    def _gained(self, state: State, player: str) -> int:
        return sum(state.turns[state.players.index(player) :: len(state.players)])

    def text_board(self, state: State, colour: str) -> str:
        return "." * self._gained(state, colour)

    def modules_of(self, state: State) -> tuple[()]:
        return ()

    def table_rules(self, state: State) -> tuple[()]:
        return ()

    def ranking(self, state: State) -> list[str]:
        return sorted(state.players, key=lambda player: -self._gained(state, player))

    def tie_break(self, state: State) -> None:
        return None

    def score_sheet(self, state: State) -> dict[str, dict[str, int]]:
        return {player: {"pips": self._gained(state, player)} for player in state.players}

    def score_history(self, state: State) -> dict[str, list[int]]:
        return {
            player: [self._gained(state, player)] if self.is_over(state) else [] for player in state.players
        }

    def statistics_of(self, player: str | None, move: Move, events: Iterable[Event]) -> tuple[()]:
        return ()
