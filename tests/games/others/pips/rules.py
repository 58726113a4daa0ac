"""Rules: in turn, everybody rolls the white die, then keeps what it shows as points, or leaves it; two turns each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.stage import Due, Stage
from tests.games.others.plain import Event, NoMoveError, PlainRules, PlainState, Reason

WHITE = "white"
TURNS = 2
"""For each player."""
ROLL, KEEP, LEAVE = "roll", "keep", "leave"


@dataclass(frozen=True)
class Move:
    """``roll 4``, ``keep 4`` or ``leave 4``."""

    word: str
    value: int

    def __str__(self) -> str:
        return f"{self.word} {self.value}"


@dataclass
class State(PlainState):
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


class Pips(PlainRules[State, Move]):
    """The rules."""

    name = "pips"
    score_sources: tuple[str, ...] = ("pips",)

    def new(self, setup: Mapping[str, Any]) -> State:
        players = tuple(player["colour"] for player in setup["players"])
        if len(players) < 2 or len(set(players)) != len(players):
            raise NoMoveError("two or more play, with different colours")
        return State(players)

    def from_json(self, data: Mapping[str, Any]) -> State:
        return State(tuple(data["players"]), tuple(data["turns"]), data["shown"])

    def legal_moves(self, state: State) -> list[Move]:
        return [] if state.shown is None else [Move(KEEP, state.shown), Move(LEAVE, state.shown)]

    def validate(self, state: State, move: Move) -> Reason | None:
        is_legal = self._awaits_roll(state) if move.word == ROLL else move in self.legal_moves(state)
        return None if is_legal else Reason("not_now")

    def apply(self, state: State, move: Move) -> list[Event]:
        player = state.turn
        if move.word == ROLL:
            state.shown = move.value
            return [Event(ROLL, player, 0, {"value": move.value})]
        gained = move.value if move.word == KEEP else 0
        state.turns, state.shown = (*state.turns, gained), None
        return [Event(move.word, player, gained, {"value": move.value})]

    def parse_move(self, text: str) -> Move:
        word, _, value = text.partition(" ")
        if word not in (ROLL, KEEP, LEAVE) or value not in set("123456"):
            raise NoMoveError(f"{text!r} is no move of pips")
        return Move(word, int(value))

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

    def score_sheet(self, state: State) -> dict[str, dict[str, int]]:
        return {player: {"pips": self._gained(state, player)} for player in state.players}

    def score_history(self, state: State) -> dict[str, list[int]]:
        return {
            player: [self._gained(state, player)] if self.is_over(state) else [] for player in state.players
        }
