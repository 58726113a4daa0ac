"""Rules: everybody is dealt a hidden goal and bids at once who begins; then each takes matches from one heap in turn.

At the end each match is a point, and five more go to whoever has as many as the goal says, odd or even.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from calibration.errors import CompanionError

HEAPS = (3, 5, 7)
GOALS = ("odd", "even")
GOAL_POINTS = 5
MOST_BID = 3
DEAL, BID, TURN, OVER = "deal", "bid", "turn", "over"


class NoMoveError(CompanionError, ValueError):
    """The text is no move, or the move is illegal."""


@dataclass(frozen=True)
class Reason:
    code: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Event:
    kind: str
    player: str | None = None
    points: int = 0

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "player": self.player, "points": self.points}


@dataclass(frozen=True)
class Move:
    """``deal red odd``, ``bid red 2`` or ``take 1 3``: three matches of heap 1."""

    word: str
    what: str
    how: str

    def __str__(self) -> str:
        return f"{self.word} {self.what} {self.how}"


@dataclass
class State:
    players: tuple[str, ...]
    heaps: list[int] = field(default_factory=lambda: list(HEAPS))
    goals: dict[str, str] = field(default_factory=dict)
    bids: dict[str, int] = field(default_factory=dict)
    taken: dict[str, list[int]] = field(default_factory=dict)
    turn: str | None = None

    @property
    def stage(self) -> str:
        if len(self.goals) < len(self.players):
            return DEAL
        if len(self.bids) < len(self.players):
            return BID
        return TURN if any(self.heaps) else OVER

    def copy(self) -> State:
        return replace(
            self,
            heaps=self.heaps[:],
            goals=dict(self.goals),
            bids=dict(self.bids),
            taken={player: taken[:] for player, taken in self.taken.items()},
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "players": list(self.players),
            "heaps": self.heaps[:],
            "goals": dict(sorted(self.goals.items())),
            "bids": dict(sorted(self.bids.items())),
            "taken": {player: self.taken.get(player, []) for player in self.players},
            "turn": self.turn,
        }

    def state_hash(self) -> str:
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()


class Matches:
    """The rules."""

    name = "matches"
    version = 1
    score_sources: tuple[str, ...] = ("matches", "goal")
    statistics: tuple[str, ...] = ("taken",)

    def new(self, setup: Mapping[str, Any]) -> State:
        players = tuple(player["colour"] for player in setup["players"])
        if len(players) != 2 or len(set(players)) != 2:
            raise NoMoveError("two play, with different colours")
        return State(players)

    def check_setup(self, setup: Mapping[str, Any]) -> None:
        self.new(setup)

    def seats(self, setup: Mapping[str, Any]) -> list[dict[str, str]]:
        return [{"colour": colour, "kind": "person", "plays": ""} for colour in self.new(setup).players]

    def from_json(self, data: Mapping[str, Any]) -> State:
        taken = {player: list(values) for player, values in data["taken"].items() if values}
        return State(
            tuple(data["players"]),
            list(data["heaps"]),
            dict(data["goals"]),
            dict(data["bids"]),
            taken,
            data["turn"],
        )

    def legal_moves(self, state: State) -> list[Move]:
        match state.stage:
            case "bid":
                left = [player for player in state.players if player not in state.bids]
                return [Move("bid", player, str(bid)) for player in left for bid in range(MOST_BID + 1)]
            case "turn":
                heaps = enumerate(state.heaps)
                return [Move("take", str(i), str(n)) for i, heap in heaps for n in range(1, heap + 1)]
        return []

    def validate(self, state: State, move: Move) -> Reason | None:
        if move.word == "deal":
            fits = state.stage == DEAL and move.what in state.players and move.what not in state.goals
            return None if fits and move.how in GOALS else Reason("wrong_stage", {})
        return None if move in self.legal_moves(state) else Reason("not_a_move")

    def illegal_moves_at(self, state: State, place: str) -> tuple[()]:
        return ()

    def reminders(self, state: State, moves: Sequence[Move]) -> tuple[()]:
        return ()

    def play(self, state: State, move: Move) -> list[Event]:
        if reason := self.validate(state, move):
            raise NoMoveError(f"{move} is illegal: {reason.code}")
        return self.apply(state, move)

    def apply(self, state: State, move: Move) -> list[Event]:
        if move.word == "deal":
            state.goals[move.what] = move.how
        elif move.word == "bid":
            state.bids[move.what] = int(move.how)
            if state.stage == TURN:
                state.turn = max(state.players, key=lambda player: state.bids[player])
        else:
            assert state.turn is not None
            state.heaps[int(move.what)] -= int(move.how)
            state.taken.setdefault(state.turn, []).append(int(move.how))
            event = Event("take", state.turn, int(move.how))
            state.turn = None if state.stage == OVER else next(p for p in state.players if p != state.turn)
            return [event]
        return [Event(move.word, move.what)]

    def parse_move(self, text: str) -> Move:
        words = text.split()
        if len(words) != 3 or words[0] not in ("deal", "bid", "take"):
            raise NoMoveError(f"{text!r} is no move of matches")
        return Move(*words)

    def short_notation(self, state: State, move: Move) -> str:
        return str(move)

    def parse_short(self, state: State, text: str) -> Move:
        return self.parse_move(text)

    def with_players(self, move: Move, colours: Mapping[str, str]) -> Move:
        return move if move.word == "take" else replace(move, what=colours.get(move.what, move.what))

    def to_move(self, state: State) -> str | None:
        return state.turn

    def is_over(self, state: State) -> bool:
        return state.stage == OVER

    def ends_turn(self, move: Move) -> bool:
        return move.word == "take"

    def sample_chance(self, state: State, rng: Any) -> Move | None:
        missing = [player for player in state.players if player not in state.goals]
        return Move("deal", missing[0], rng.choice(GOALS)) if missing else None

    def unobserved_chance_moves(self, state: State) -> list[Move]:
        missing = [player for player in state.players if player not in state.goals]
        return [Move("deal", missing[0], goal) for goal in GOALS] if missing else []

    def describe(self, move: Move) -> dict[str, Any]:
        return {"word": move.word, "text": str(move), "what": move.what, "how": move.how}

    def view(self, state: State) -> dict[str, Any]:
        return {"stage": state.stage, "heaps": state.heaps[:], "to_move": state.turn}

    def text_board(self, state: State, colour: str) -> str:
        return " ".join(map(str, state.taken.get(colour, [])))

    def modules_of(self, state: State) -> tuple[()]:
        return ()

    def table_rules(self, state: State) -> tuple[()]:
        return ()

    def ranking(self, state: State) -> list[str]:
        return sorted(state.players, key=lambda player: -sum(self._points(state, player).values()))

    def tie_break(self, state: State) -> None:
        return None

    def _points(self, state: State, player: str) -> dict[str, int]:
        matches = sum(state.taken.get(player, []))
        reached = state.stage == OVER and GOALS[matches % 2 == 0] == state.goals[player]
        return {"matches": matches, "goal": GOAL_POINTS if reached else 0}

    def score_sheet(self, state: State) -> dict[str, dict[str, int]]:
        return {player: self._points(state, player) for player in state.players}

    def score_history(self, state: State) -> dict[str, list[int]]:
        return {player: [sum(self._points(state, player).values())] for player in state.players}

    def statistics_of(
        self, player: str | None, move: Move, events: Iterable[Event]
    ) -> Iterator[tuple[str, str, int]]:
        if player is not None and move.word == "take":
            yield player, "taken", int(move.how)
