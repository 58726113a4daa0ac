"""Rules: in turn, everybody lays a pebble anywhere on a cloth where it touches no other; each is a point.

Whoever lays the last one, because there is no more room or everybody has laid all of theirs, has two more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from math import hypot
from typing import Any

from companion.games.choices import MoveChoice, PlacedPiece
from companion.games.stage import Stage
from tests.games.others.plain import Event, NoMoveError, PlainRules, PlainState, Reason

CLOTH_MM = (200, 150)
STEP_MM = 5
"""How finely positions are written."""
PEBBLE_MM = 20
"""Across a pebble."""
PEBBLES = 6
"""What each player has."""
LAST_POINTS = 2
PEBBLE = "pebble"


@dataclass(frozen=True)
class Move:
    """``lay 45 120``: a pebble with its centre there, in mm from the top left corner of the cloth."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"lay {self.x} {self.y}"


@dataclass
class State(PlainState):
    players: tuple[str, ...]
    pebbles: list[tuple[int, int]] = field(default_factory=list)
    """In the order in which they were laid, the first by the first player."""

    @property
    def is_over(self) -> bool:
        return len(self.pebbles) == PEBBLES * len(self.players) or not any(free_spots(self))

    @property
    def turn(self) -> str:
        return self.players[len(self.pebbles) % len(self.players)]

    def copy(self) -> State:
        return State(self.players, self.pebbles[:])

    def to_json(self) -> dict[str, Any]:
        return {"players": list(self.players), "pebbles": [list(at) for at in self.pebbles]}


def is_free(state: State, x: int, y: int) -> bool:
    return all(hypot(x - there_x, y - there_y) >= PEBBLE_MM for there_x, there_y in state.pebbles)


def free_spots(state: State) -> Iterator[tuple[int, int]]:
    """Yields where a pebble may lie, column by column."""
    width, height = CLOTH_MM
    for x in range(PEBBLE_MM // 2, width - PEBBLE_MM // 2 + 1, STEP_MM):
        for y in range(PEBBLE_MM // 2, height - PEBBLE_MM // 2 + 1, STEP_MM):
            if is_free(state, x, y):
                yield x, y


class Pebbles(PlainRules[State, Move]):
    """The rules."""

    name = "pebbles"
    score_sources: tuple[str, ...] = ("pebbles", "last")

    def new(self, setup: Mapping[str, Any]) -> State:
        players = tuple(player["colour"] for player in setup["players"])
        if not 2 <= len(players) <= 3 or len(set(players)) != len(players):
            raise NoMoveError("two or three play, with different colours")
        return State(players)

    def from_json(self, data: Mapping[str, Any]) -> State:
        return State(tuple(data["players"]), [(x, y) for x, y in data["pebbles"]])

    def legal_moves(self, state: State) -> list[Move]:
        return [] if state.is_over else [Move(x, y) for x, y in free_spots(state)]

    def validate(self, state: State, move: Move) -> Reason | None:
        if state.is_over:
            return Reason("nobody_lays_now")
        if move.x % STEP_MM or move.y % STEP_MM:
            return Reason("between_two_lines", {"step": STEP_MM})
        edge = PEBBLE_MM // 2
        inside = all(edge <= at <= size - edge for at, size in zip((move.x, move.y), CLOTH_MM, strict=True))
        if not inside:
            return Reason("over_the_edge")
        return None if is_free(state, move.x, move.y) else Reason("touches_another")

    def apply(self, state: State, move: Move) -> list[Event]:
        player = state.turn
        state.pebbles.append((move.x, move.y))
        events = [Event("lay", player, 1)]
        return [*events, Event("last", player, LAST_POINTS)] if state.is_over else events

    def parse_move(self, text: str) -> Move:
        word, *at = text.split()
        if word != "lay" or len(at) != 2 or not all(part.isdecimal() for part in at):
            raise NoMoveError(f"{text!r} is no move of pebbles")
        return Move(int(at[0]), int(at[1]))

    def stage(self, state: State) -> Stage:
        if state.is_over:
            return Stage("over", order=state.players)
        return Stage(
            "turn",
            actors=[state.turn],
            order=state.players,
            acted=state.players[: len(state.pebbles) % len(state.players)],
            round=len(state.pebbles) // len(state.players) + 1,
            rounds=PEBBLES,
        )

    def to_move(self, state: State) -> str | None:
        return None if state.is_over else state.turn

    def is_over(self, state: State) -> bool:
        return state.is_over

    def ends_turn(self, move: Move) -> bool:
        return True

    # Choosing among more than a thousand moves: first the column, then the place in it

    def move_choices(self, state: State, path: Sequence[str]) -> list[MoveChoice]:
        spots = [] if state.is_over else list(free_spots(state))
        if not path:
            columns = dict.fromkeys(x for x, _ in spots)
            return [MoveChoice(str(x), code="column", data={"x": x}) for x in columns]
        return [MoveChoice(str(y), Move(x, y)) for x, y in spots if [str(x)] == [*path]]

    # Pieces that lie free

    def placed_pieces(self, state: State) -> dict[str, list[PlacedPiece]]:
        owners = cycle(state.players)
        return {
            "cloth": [
                PlacedPiece(PEBBLE, x, y, (PEBBLE_MM, PEBBLE_MM), player=player)
                for (x, y), player in zip(state.pebbles, owners, strict=False)
            ]
        }

    # Showing

    def describe(self, move: Move) -> dict[str, Any]:
        return {"word": "lay", "text": str(move), "x": move.x, "y": move.y}

    def view(self, state: State, viewer: str | None = None) -> dict[str, Any]:
        return {
            "to_move": self.to_move(state),
            "players": [
                {"colour": player, "left": PEBBLES - laid} for player, laid in self._laid(state).items()
            ],
        }

    def _laid(self, state: State) -> dict[str, int]:
        count = len(state.players)
        return {player: len(state.pebbles[i::count]) for i, player in enumerate(state.players)}

    def text_board(self, state: State, colour: str) -> str:
        return " ".join(
            f"{x},{y}" for x, y in state.pebbles[state.players.index(colour) :: len(state.players)]
        )

    def score_sheet(self, state: State) -> dict[str, dict[str, int]]:
        last = state.players[(len(state.pebbles) - 1) % len(state.players)] if state.is_over else None
        return {
            player: {"pebbles": laid, "last": LAST_POINTS if player == last else 0}
            for player, laid in self._laid(state).items()
        }

    def score_history(self, state: State) -> dict[str, list[int]]:
        return {player: [sum(points.values())] for player, points in self.score_sheet(state).items()}
