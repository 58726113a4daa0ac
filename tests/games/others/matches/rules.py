"""Rules: everybody draws a hidden goal and bids at once who begins; then each takes matches from one heap in turn.

At the end each match is a point, and five more go to whoever has as many as the goal says, odd or even. A table may
keep its goals to itself (``"told": []``): then the companion neither asks for them nor counts their points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.stage import Due, Stage
from tests.games.others.plain import Event, NoMoveError, PlainRules, PlainState, Reason

HEAPS = (3, 5, 7)
GOALS = ("odd", "even")
GOAL_POINTS = 5
MOST_BID = 3
MOST_TAKEN = 3
"""Matches that may be taken at a time."""
GOALS_REPORTED = "goals"
"""What a table may tell or keep to itself."""
DEAL, BID, TURN, OVER = "deal", "bid", "turn", "over"
TAKE = "take"


@dataclass(frozen=True)
class Move:
    """``deal red odd``, ``bid red 2`` or ``take 1 3``: three matches of heap 1."""

    word: str
    what: str
    how: str

    def __str__(self) -> str:
        return f"{self.word} {self.what} {self.how}"


@dataclass
class State(PlainState):
    players: tuple[str, ...]
    heaps: list[int] = field(default_factory=lambda: list(HEAPS))
    goals: dict[str, str] = field(default_factory=dict)
    bids: dict[str, int] = field(default_factory=dict)
    taken: dict[str, list[int]] = field(default_factory=dict)
    turn: str | None = None
    reported: tuple[str, ...] = (GOALS_REPORTED,)

    @property
    def stage(self) -> str:
        if GOALS_REPORTED in self.reported and len(self.goals) < len(self.players):
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
            "told": list(self.reported),
        }


class Matches(PlainRules[State, Move]):
    """The rules."""

    name = "matches"
    score_sources: tuple[str, ...] = ("matches", "goal")
    statistics: tuple[str, ...] = ("taken",)

    def new(self, setup: Mapping[str, Any]) -> State:
        players = tuple(player["colour"] for player in setup["players"])
        if len(players) != 2 or len(set(players)) != 2:
            raise NoMoveError("two play, with different colours")
        return State(players, reported=tuple(setup.get("told", (GOALS_REPORTED,))))

    def from_json(self, data: Mapping[str, Any]) -> State:
        taken = {player: list(values) for player, values in data["taken"].items() if values}
        return State(
            tuple(data["players"]),
            list(data["heaps"]),
            dict(data["goals"]),
            dict(data["bids"]),
            taken,
            data["turn"],
            tuple(data["told"]),
        )

    def legal_moves(self, state: State) -> list[Move]:
        match state.stage:
            case "bid":
                left = [player for player in state.players if player not in state.bids]
                return [Move(BID, player, str(bid)) for player in left for bid in range(MOST_BID + 1)]
            case "turn":
                return [
                    Move(TAKE, str(i), str(n))
                    for i, heap in enumerate(state.heaps)
                    for n in range(1, min(heap, MOST_TAKEN) + 1)
                ]
        return []

    def validate(self, state: State, move: Move) -> Reason | None:
        if move.word == DEAL:
            if state.stage != DEAL or move.what in state.goals:
                return Reason("goals_are_dealt")
            return None if move.what in state.players and move.how in GOALS else Reason("no_such_goal")
        if move.word == BID:
            if state.stage != BID or move.what in state.bids:
                return Reason("bids_are_made")
            return None if move in self.legal_moves(state) else Reason("no_such_bid", {"most": MOST_BID})
        if state.stage != TURN:
            return Reason("nobody_takes_now")
        if int(move.how) > MOST_TAKEN:
            return Reason("too_many_at_once", {"most": MOST_TAKEN})
        heap = state.heaps[int(move.what)] if int(move.what) < len(state.heaps) else 0
        return None if 0 < int(move.how) <= heap else Reason("not_so_many", {"there": heap})

    def illegal_moves_at(self, state: State, place: str) -> list[tuple[Move, Reason]]:
        """Returns why all matches of a heap (``heap:1``) cannot be taken at once."""
        group, _, index = place.partition(":")
        if group != "heap" or index not in map(str, range(len(state.heaps))):
            return []
        move = Move(TAKE, index, str(state.heaps[int(index)]))
        reason = self.validate(state, move)
        return [(move, reason)] if reason else []

    def apply(self, state: State, move: Move) -> list[Event]:
        match move.word:
            case "deal":
                state.goals[move.what] = move.how
                return [Event("deal", move.what)]
            case "bid":
                return self._bid(state, move)
        return self._take(state, move)

    def _bid(self, state: State, move: Move) -> list[Event]:
        state.bids[move.what] = int(move.how)
        if state.stage != TURN:
            return [Event("bid", move.what)]
        state.turn = max(state.players, key=lambda player: state.bids[player])
        return [Event("bid", move.what), Event("reveal", state.turn, data={"bids": dict(state.bids)})]

    def _take(self, state: State, move: Move) -> list[Event]:
        assert state.turn is not None
        player = state.turn
        state.heaps[int(move.what)] -= int(move.how)
        state.taken.setdefault(player, []).append(int(move.how))
        events = [Event(TAKE, player, int(move.how), {"count": int(move.how), "what": move.what})]
        if state.stage != OVER:
            state.turn = next(p for p in state.players if p != player)
            return events
        state.turn = None
        reached = [p for p in state.players if self._points(state, p)["goal"]]
        return [*events, *(Event("goal", p, GOAL_POINTS, {"goal": state.goals[p]}) for p in reached)]

    def parse_move(self, text: str) -> Move:
        words = text.split()
        if len(words) != 3 or words[0] not in (DEAL, BID, TAKE):
            raise NoMoveError(f"{text!r} is no move of matches")
        if words[0] == TAKE and not (words[1].isdecimal() and words[2].isdecimal()):
            raise NoMoveError(f"{text!r} takes no number of matches from a numbered heap")
        return Move(*words)

    def with_players(self, move: Move, colours: Mapping[str, str]) -> Move:
        return move if move.word == TAKE else replace(move, what=colours.get(move.what, move.what))

    def to_move(self, state: State) -> str | None:
        return state.turn

    def stage(self, state: State) -> Stage:
        deciding = {BID: [p for p in state.players if p not in state.bids], TURN: [state.turn or ""]}
        return Stage(
            state.stage,
            actors=deciding.get(state.stage, ()),
            is_chance=state.stage == DEAL,
            order=state.players,
            due=[Due("draw_goals")] if state.stage == DEAL else (),
        )

    def owner_of(self, move: Move) -> str | None:
        return move.what if move.word in (DEAL, BID) else None

    def public_description(self, move: Move) -> dict[str, Any]:
        return {"word": f"hidden_{move.word}", "text": f"{move.word} {move.what}", "player": move.what}

    def has_secrets(self, state: State, player: str) -> bool:
        return True

    def unreported(self, state: State) -> list[str]:
        return [] if GOALS_REPORTED in state.reported else [GOALS_REPORTED]

    def is_over(self, state: State) -> bool:
        return state.stage == OVER

    def ends_turn(self, move: Move) -> bool:
        return move.word == TAKE

    def sample_chance(self, state: State, rng: Any) -> Move | None:
        missing = [player for player in state.players if player not in state.goals]
        return Move(DEAL, missing[0], rng.choice(GOALS)) if state.stage == DEAL else None

    def unobserved_chance_moves(self, state: State) -> list[Move]:
        if state.stage != DEAL:
            return []
        return [Move(DEAL, p, goal) for p in state.players if p not in state.goals for goal in GOALS]

    def describe(self, move: Move) -> dict[str, Any]:
        described = {"word": move.word, "text": str(move), "what": move.what, "how": move.how}
        if move.word == TAKE:
            return {**described, "count": int(move.how), "player": None}
        return {**described, "player": move.what}

    def view(self, state: State, viewer: str | None = None) -> dict[str, Any]:
        players = [
            {
                "colour": player,
                "taken": sum(state.taken.get(player, [])),
                "goal": state.goals.get(player) if player == viewer or state.stage == OVER else None,
                "bid": state.bids.get(player) if player == viewer or state.stage not in (DEAL, BID) else None,
            }
            for player in state.players
        ]
        return {"stage": state.stage, "heaps": state.heaps[:], "to_move": state.turn, "players": players}

    def text_board(self, state: State, colour: str) -> str:
        return " ".join(map(str, state.taken.get(colour, [])))

    def _points(self, state: State, player: str) -> dict[str, int]:
        matches = sum(state.taken.get(player, []))
        reached = state.stage == OVER and GOALS[matches % 2 == 0] == state.goals.get(player)
        return {"matches": matches, "goal": GOAL_POINTS if reached else 0}

    def score_sheet(self, state: State) -> dict[str, dict[str, int]]:
        return {player: self._points(state, player) for player in state.players}

    def score_history(self, state: State) -> dict[str, list[int]]:
        if state.stage != OVER:
            return {player: [] for player in state.players}
        return {player: [sum(self._points(state, player).values())] for player in state.players}

    def statistics_of(
        self, player: str | None, move: Move, events: Iterable[Event]
    ) -> Iterator[tuple[str, str, int]]:
        if player is not None and move.word == TAKE:
            yield player, "taken", int(move.how)
