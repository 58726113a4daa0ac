"""The rules of *The Castles of Burgundy*: pure, without input or output, clock or randomness.

:class:`Burgundy` is what the rest of the companion uses. The modules behind it are

* what is printed or agreed on: tiles, board, edition, table_rules, setup_validation, setup_steps;
* the position and its moves: state, moves, notation, events, reason;
* the rules: legality, validation, effects, phases, scoring, abilities, future_supply;
* what comes from outside: chance, observation, overrides, corrections;
* what is shown: view, text_board, area_progress, reminders, statistics; and evaluation for bots;
* modules: expansions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from . import (
    chance,
    corrections,
    evaluation,
    legality,
    notation,
    observation,
    overrides,
    reminders,
    scoring,
    setup_steps,
    setup_validation,
    statistics,
    text_board,
    validation,
    view,
)
from .board import Duchy
from .edition import Edition
from .effects import apply
from .events import Event
from .modules import chateauma
from .moves import Adjust, EndTurn, InvalidMoveError, Move, Override, Skip, parse_move
from .reason import Reason
from .setup_validation import InvalidSetupError
from .state import OVER, TURN, GameState, Player, Seat
from .table_rules import TableRules
from .validation import IllegalMoveError

__all__ = [
    "Burgundy",
    "Duchy",
    "Edition",
    "Event",
    "GameState",
    "IllegalMoveError",
    "InvalidMoveError",
    "Move",
]

DIE_UNUSED, EFFECT_SKIPPED = -5.0, -6.0
"""Log priors of moves that have no visible effect and that players rarely make. Set by hand."""
MOST_BLACK_SLOTS = 8
"""Spaces of the largest black depot in print."""


class Burgundy:
    """Represents the game to the session, the referee, the journal and the page (see :mod:`companion.games.api`)."""

    name = "burgundy"
    score_sources = scoring.SOURCES
    statistics = statistics.STATISTICS

    def __init__(
        self,
        editions: Mapping[str, Edition],
        duchies: Mapping[str, Duchy],
        chateauma_prints: Mapping[str, chateauma.Print] | None = None,
        boards: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """*chateauma_prints* is what is printed for the Châteauma, by edition; *boards* are the names of each edition's
        duchies, in the order of their numbers."""
        self.editions = editions
        self.duchies = duchies
        self.chateauma_prints = chateauma_prints or {}
        self.boards = boards or {}

    # Setting up and storing

    def new(self, setup: Mapping[str, Any]) -> GameState:
        """Returns a new game from ``{"edition": "special", "players": [{"colour": "red", "duchy": "se-1"}, ...]}``.

        A player may have ``spaces`` (37 pairs of tile type and die) instead of a known duchy, with ``first_expansion``
        true if the board belongs to that set. ``black_slots`` is given if the owner's main board differs from the
        data, ``rules`` if the group plays by other table rules than the usual ones (``{"tie_break": "most_empty"}``,
        see :mod:`.table_rules`). With ``chateauma`` (``{"colour": "black"}``, see :func:`.chateauma.from_setup`) the
        Châteauma plays beside one to three people.

        :raises InvalidSetupError: if the edition, a duchy or a rule is not known, or the number of players is not
            possible.
        :raises UnknownPrintError: if the Châteauma needs something that nobody has seen in print.
        """
        if setup["edition"] not in self.editions:
            raise InvalidSetupError(
                f"no edition {setup['edition']!r}; the known ones are {', '.join(self.editions)}"
            )
        edition = self.editions[setup["edition"]]
        rules = TableRules.agreed(edition.table_rules, setup.get("rules", {}))
        people = [Player(player["colour"], self._duchy(player)) for player in setup["players"]]
        black_slots = _black_slots(setup)
        if "chateauma" not in setup:
            return GameState(edition, people, black_slots, rules)
        automa = chateauma.from_setup(setup["chateauma"], self.chateauma_print(edition.name))
        state = GameState(edition, chateauma.seated(people, automa), black_slots, rules)
        chateauma.set_up(state, automa)
        return state

    def check_setup(self, setup: Mapping[str, Any]) -> None:
        """Checks that a new game can begin with *setup*; :meth:`new` also accepts what old journals contain.

        :raises InvalidSetupError: as :meth:`new`, and if a colour or a duchy does not belong to the edition.
        """
        setup_validation.check(setup, self.boards)
        self.new(setup)

    def chateauma_print(self, edition: str) -> chateauma.Print:
        """Returns what is printed for the Châteauma. Raises :exc:`InvalidSetupError` if the edition has none."""
        if edition not in self.chateauma_prints:
            raise InvalidSetupError(
                f"no Châteauma in edition {edition!r}; there is one in {', '.join(self.chateauma_prints)}"
            )
        return self.chateauma_prints[edition]

    def _duchy(self, player: Mapping[str, Any]) -> Duchy:
        """Returns a known duchy, or the owner's own board from its spaces."""
        if "spaces" in player:
            return Duchy(
                f"own-{player['colour']}", player["spaces"], linkable=player.get("first_expansion", False)
            )
        if player["duchy"] not in self.duchies:
            raise InvalidSetupError(
                f"no duchy {player['duchy']!r}; the known ones are {', '.join(self.duchies)}"
            )
        return self.duchies[player["duchy"]]

    def seats(self, setup: Mapping[str, Any]) -> list[dict[str, str]]:
        """Returns the seats of a set-up in the order of the first round: ``colour``, ``kind`` (``person``, ``bot`` or
        ``automa``) and what each ``plays``, a duchy or the automa's level.
        """
        bots = {player["colour"] for player in setup["players"] if "bot" in player}
        return [
            {"colour": seat.colour, "kind": "bot" if seat.colour in bots else seat.kind, "plays": seat.plays}
            for seat in self.new(setup).seats
        ]

    def from_json(self, data: Mapping[str, Any]) -> GameState:
        seats = [self._seat(seat, data["edition"]) for seat in data["players"]]
        return GameState.from_json(data, self.editions[data["edition"]], seats)

    def _seat(self, data: Mapping[str, Any], edition: str) -> Seat:
        if "chateauma" not in data:
            return Player.from_json(data, self.duchies[data["duchy"]])
        made = chateauma.from_setup(data["chateauma"], self.chateauma_print(edition))
        return chateauma.Chateauma.from_json(data, made.print)

    # Playing

    def legal_moves(self, state: GameState) -> list[Move]:
        return legality.legal_moves(state)

    def validate(self, state: GameState, move: Move) -> Reason | None:
        return validation.validate(state, move)

    def illegal_moves_at(self, state: GameState, place: str) -> list[tuple[Move, Reason]]:
        """Returns what the current player may want to do at a place of the table but cannot, with the reasons."""
        return list(validation.illegal_moves_at(state, place))

    def reminders(self, state: GameState, moves: Sequence[Move]) -> list[reminders.Reminder]:
        """Returns what the current player would miss by ending the turn after *moves*."""
        return reminders.reminders(state, moves)

    def play(self, state: GameState, move: Move) -> list[Event]:
        return validation.play(state, move)

    def apply(self, state: GameState, move: Move) -> list[Event]:
        return apply(state, move)

    def parse_move(self, text: str) -> Move:
        return parse_move(text)

    def as_earlier_release(self, move: Move) -> Move | None:
        """Returns the move with the effect that an earlier release gave it; None if that has always been the same."""
        return move.as_earlier_release()

    def impossible_reason(self, move: Move) -> Reason | None:
        """Returns why a move is impossible in every position: an override to more than anybody ever has."""
        return overrides.impossible_reason(move) if isinstance(move, Override) else None

    def with_players(self, move: Move, colours: Mapping[str, str]) -> Move:
        """Returns the move after players have changed colours: *colours* maps each old colour to the new one."""
        return move.with_players(colours)

    def short_notation(self, state: GameState, move: Move) -> str:
        """Returns a move as people write it (see :mod:`.notation`)."""
        return notation.short_notation(state, move)

    def parse_short(self, state: GameState, text: str) -> Move:
        """Returns the move written as *text* in short or full notation.

        :raises InvalidMoveError: if the text is not a move.
        """
        return notation.parse_short(state, text)

    def to_move(self, state: GameState) -> str | None:
        """Returns the colour of the current player; None while the game waits for something else."""
        return legality.to_move(state)

    def is_over(self, state: GameState) -> bool:
        return state.stage == OVER

    def ends_turn(self, move: Move) -> bool:
        return move.ends_turn

    def sample_chance(self, state: GameState, rng: chance.Rng) -> Move | None:
        return chance.sample(state, rng)

    def evaluate(self, state: GameState, colour: str) -> float:
        return evaluation.evaluate(state, state.index(colour))

    # What a camera sees

    def visible_layout(self, state: GameState) -> dict[str, tuple[str, ...]]:
        return observation.visible_layout(state)

    def is_unordered(self, group: str) -> bool:
        return group.split(":")[0] in observation.UNORDERED

    def cards_on_table(self, state: GameState) -> dict[str, chateauma.CountyCard]:
        """Returns the Châteauma's county cards on the table, by the group of places that their spaces are."""
        return chateauma.cards_on_table(state)

    def visible_changes(self, state: GameState, move: Move) -> Iterator[observation.VisibleChange]:
        return observation.visible_changes(state, move)

    def visible_steps(self, state: GameState, move: Move) -> Iterator[observation.VisibleChange]:
        return observation.visible_steps(state, move)

    def setup_steps(self, state: GameState) -> list[setup_steps.Step]:
        """Returns what people set up now, step by step (see :mod:`.setup_steps`)."""
        return setup_steps.steps(state)

    def expected_layouts(self, state: GameState) -> list[observation.ExpectedLayout]:
        return observation.expected_layouts(state)

    def override(self, state: GameState, shown: Mapping[str, Sequence[str]]) -> Override:
        """Returns the override after which the groups look as in *shown*."""
        return overrides.override_to(state, shown)

    def counts(self, state: GameState) -> list[corrections.Count]:
        """Returns every count that can be corrected by hand now."""
        return corrections.counts(state)

    def adjustment(self, state: GameState, player: str, changes: Mapping[str, int], reason: str) -> Adjust:
        """Returns the move that corrects counts of *player* by these differences."""
        return corrections.of(state, player, changes, reason)

    def is_adjustment(self, move: Move) -> bool:
        """Returns whether a move corrects counts of one player."""
        return isinstance(move, Adjust)

    def expected_dice(self, state: GameState) -> dict[str, int]:
        """Returns how many dice of each colour the game waits for."""
        expected = observation.EXPECTED_ROLLS.get(state.stage)
        return expected.dice(state) if expected else {}

    def unobserved_chance_moves(self, state: GameState) -> list[Move]:
        """Returns the chance events that no camera sees: the Châteauma's cards, and tiles of its modifiers."""
        return chateauma.unobserved_chance_moves(state)

    def automatic_turn(self, state: GameState) -> Move | None:
        """Returns the Châteauma's turn, in which it has no choice."""
        return self.legal_moves(state)[0] if state.stage == chateauma.OWN_TURN else None

    def rolls_on_table(self, state: GameState) -> bool:
        """Returns whether the expected dice are on the table: the Châteauma's is not if its pieces stay in the box."""
        return state.stage != chateauma.OWN_DIE or not chateauma.is_virtual(state)

    def roll_move(self, state: GameState, dice: Mapping[str, Sequence[int]]) -> Move:
        """Returns the expected roll with these values by colour."""
        return observation.EXPECTED_ROLLS[state.stage].move(state, dice)

    def dice_of(self, move: Move) -> dict[str, list[int]]:
        """Returns a roll's values by colour; empty for other moves."""
        return move.shown()

    def transposition_key(self, state: GameState) -> Hashable:
        """Returns a key that is equal for positions within a turn from which the same can follow."""
        if state.stage != TURN:
            return state.state_hash()
        player = state.player
        return (
            self.end_of_turn_key(state),
            tuple(player.dice),
            tuple(state.pending),
            state.bought,
            state.monastery_6_used,
        )

    def end_of_turn_key(self, state: GameState) -> Hashable:
        """Returns a key that is equal for positions that are the same once the turn has ended."""
        if state.stage != TURN:
            return state.state_hash()
        player = state.player
        return (
            tuple(player.spaces),
            tuple(sorted(t.label for t in player.storage)),
            tuple(player.goods),
            player.silver,
            player.workers,
            player.score,
            tuple(map(tuple, state.depots)),
            tuple(map(tuple, state.depot_goods)),
            tuple(state.black),
        )

    def log_prior(self, state: GameState, move: Move) -> float:
        """Returns how much less usual a move is than others with the same visible effects."""
        if isinstance(move, EndTurn):
            return DIE_UNUSED * len(state.player.dice)
        return EFFECT_SKIPPED if isinstance(move, Skip) else 0.0

    def hidden_resources(self, state: GameState) -> tuple[int, ...]:
        """Returns how much the current player owns of what no camera sees."""
        if state.stage != TURN:
            return ()
        player = state.player
        return player.workers, player.silver, player.score

    # Showing

    def describe(self, move: Move) -> dict[str, Any]:
        """Returns a move as plain data: ``word`` (what is done), its fields, and ``text`` (its notation)."""
        return {"word": move.word, "text": str(move), **asdict(move)}

    def view(self, state: GameState) -> dict[str, Any]:
        """Returns the whole position as plain data for the page."""
        return view.draw(state)

    def table_rules(self, state: GameState) -> list[tuple[str, str, str]]:
        """Returns name, value and this edition's usual value of each table rule."""
        usual = asdict(TableRules.agreed(state.edition.table_rules, {}))
        return [(name, value, usual[name]) for name, value in asdict(state.rules).items()]

    def text_board(self, state: GameState, colour: str) -> str:
        """Returns a player's duchy as text for a terminal."""
        return text_board.draw(state.seats[state.index(colour)])

    def ranking(self, state: GameState) -> list[str]:
        return [seat.colour for seat in scoring.ranking(state)]

    def tie_break(self, state: GameState) -> dict[str, Any] | None:
        """Returns what decided between the players with most points; None if there is only one."""
        return scoring.tie_break(state)

    def statistics_of(
        self, player: str | None, move: Move, events: Sequence[Event]
    ) -> Iterator[tuple[str, str, int]]:
        """Returns what a move of *player* adds to :attr:`statistics`: whose count, of what, and how much."""
        return statistics.statistics_of(player, move, events)

    def score_sheet(self, state: GameState) -> dict[str, dict[str, int]]:
        """Returns points by player and source, in the order of the score sheet; they add up to the score marker."""
        return {
            seat.colour: {s: seat.points[s] for s in scoring.SOURCES if s in seat.points}
            for seat in state.seats
        }

    def score_history(self, state: GameState) -> dict[str, list[int]]:
        """Returns by player the score after each round so far, and once more after the final scoring."""
        return {
            seat.colour: [scores[i] for scores in state.score_history] for i, seat in enumerate(state.seats)
        }


def _black_slots(setup: Mapping[str, Any]) -> int | None:
    """Returns how many tiles the black depot of the owner's board takes; None if it is as in the data.

    :raises InvalidSetupError: if no board has such a depot.
    """
    slots = setup.get("black_slots")
    if slots is not None and (type(slots) is not int or not 0 < slots <= MOST_BLACK_SLOTS):
        raise InvalidSetupError(
            f"a black depot for {slots} tiles is not possible: a main board has 1 to {MOST_BLACK_SLOTS} spaces for them"
        )
    return slots
