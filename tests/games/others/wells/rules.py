"""Rules: in turn, everybody draws a bucket from the well if they like, then rests; three turns each.

A bucket may be drunk at any time, also by those who are not in turn, for a point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.games.stage import Stage
from tests.games.others.plain import Event, NoMoveError, PlainRules, PlainState, Reason

TURNS = 3
"""For each player."""
DRAW, REST, DRINK = "draw", "rest", "drink"
DRUNK = "drunk"


@dataclass(frozen=True)
class Move:
    """``draw``, ``rest`` or ``drink red``."""

    word: str
    player: str | None = None

    def __str__(self) -> str:
        return f"{self.word} {self.player}" if self.player else self.word


@dataclass
class State(PlainState):
    players: tuple[str, ...]
    buckets: dict[str, int]
    points: dict[str, int]
    turns: int = 0
    drawn: bool = False
    """Whether the player in turn has drawn."""

    @property
    def turn(self) -> str:
        return self.players[self.turns % len(self.players)]

    def copy(self) -> State:
        return replace(self, buckets={**self.buckets}, points={**self.points})

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "players": list(self.players)}


class Wells(PlainRules[State, Move]):
    """The rules. Everybody has a page of their own, though there are no secrets."""

    name = "wells"
    score_sources: tuple[str, ...] = ("water",)
    statistics: tuple[str, ...] = (DRUNK,)

    def new(self, setup: Mapping[str, Any]) -> State:
        players = tuple(player["colour"] for player in setup["players"])
        if len(players) < 2 or len(set(players)) != len(players):
            raise NoMoveError("two or more play, with different colours")
        return State(players, dict.fromkeys(players, 1), dict.fromkeys(players, 0))

    def from_json(self, data: Mapping[str, Any]) -> State:
        return State(**{**data, "players": tuple(data["players"])})

    def legal_moves(self, state: State) -> list[Move]:
        if self.is_over(state):
            return []
        drinks = [Move(DRINK, state.turn)] if state.buckets[state.turn] else []
        return [Move(REST), *([] if state.drawn else [Move(DRAW)]), *drinks]

    def out_of_turn_moves(self, state: State) -> list[Move]:
        if self.is_over(state):
            return []
        return [Move(DRINK, other) for other in state.players if other != state.turn and state.buckets[other]]

    def is_beside_turn(self, state: State, move: Move) -> bool:
        return move in self.out_of_turn_moves(state)

    def validate(self, state: State, move: Move) -> Reason | None:
        legal = (*self.legal_moves(state), *self.out_of_turn_moves(state))
        return None if move in legal else Reason("not_now")

    def apply(self, state: State, move: Move) -> list[Event]:
        player = move.player or state.turn
        if move.word == DRINK:
            state.buckets[player] -= 1
            state.points[player] += 1
            return [Event(DRINK, player, 1)]
        if move.word == DRAW:
            state.buckets[player] += 1
            state.drawn = True
        else:
            state.turns, state.drawn = state.turns + 1, False
        return [Event(move.word, player)]

    def parse_move(self, text: str) -> Move:
        word, _, player = text.partition(" ")
        if word not in (DRAW, REST, DRINK) or bool(player) != (word == DRINK):
            raise NoMoveError(f"{text!r} is no move of wells")
        return Move(word, player or None)

    def with_players(self, move: Move, colours: Mapping[str, str]) -> Move:
        return Move(move.word, move.player and colours.get(move.player, move.player))

    def stage(self, state: State) -> Stage:
        if self.is_over(state):
            return Stage("over", order=state.players)
        return Stage("turn", actors=[state.turn], order=state.players)

    def to_move(self, state: State) -> str | None:
        return None if self.is_over(state) else state.turn

    def is_over(self, state: State) -> bool:
        return state.turns == TURNS * len(state.players)

    def ends_turn(self, move: Move) -> bool:
        return move.word == REST

    def statistics_of(
        self, player: str | None, move: Move, events: Iterable[Event]
    ) -> Iterator[tuple[str, str, int]]:
        if player is not None and move.word == DRINK:
            yield player, DRUNK, 1

    # Pages of their own

    def owner_of(self, move: Move) -> None:
        return None

    def public_description(self, move: Move) -> dict[str, Any]:
        return self.describe(move)

    def has_secrets(self, state: State, player: str) -> bool:
        return True

    # Showing

    def describe(self, move: Move) -> dict[str, Any]:
        return {"word": move.word, "text": str(move), "player": move.player}

    def view(self, state: State, viewer: str | None = None) -> dict[str, Any]:
        players = [{"colour": player, "buckets": state.buckets[player]} for player in state.players]
        return {"to_move": self.to_move(state), "players": players}

    def text_board(self, state: State, colour: str) -> str:
        return "U" * state.buckets[colour]

    def score_sheet(self, state: State) -> dict[str, dict[str, int]]:
        return {player: {"water": points} for player, points in state.points.items()}

    def score_history(self, state: State) -> dict[str, list[int]]:
        over = self.is_over(state)
        return {player: [points] if over else [] for player, points in state.points.items()}
