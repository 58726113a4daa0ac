"""The rules of *The Castles of Burgundy*: pure, without input or output, clock or randomness.

:class:`Burgundy` is what the rest of the companion uses; the modules behind it are tiles, duchy, edition (what is
printed), table_rules (what is agreed on), setting_up (what a new game can begin with), state, moves, notation,
legality, objections, effects, flow, scoring, powers (the rules), laying_out (before they begin), coming (what later
phases need), progress and reminders (what is left to do, what is easily forgotten), chance, sight, ruling and
adjustment (what comes from outside), picture and drawing (for page and terminal), heuristics (for bots).
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
"""Log weights of moves that leave no trace and that players seldom make. Set by hand."""
MOST_BLACK_SLOTS = 8
"""Spaces of the largest black depot that a main board has in print; no text counts further."""


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
        """*chateauma_prints* is what is printed for the Châteauma, by edition, where there is one; *boards* are the
        names of each edition's duchies, in the order of their numbers."""
        self.editions = editions
        self.duchies = duchies
        self.chateauma_prints = chateauma_prints or {}
        self.boards = boards or {}

    # Setting up and storing

    def new(self, setup: Mapping[str, Any]) -> GameState:
        """A new game from ``{"edition": "special", "players": [{"colour": "red", "duchy": "se-1"}, ...]}``.

        A player may have ``spaces`` (37 pairs of colour and die) instead of a known duchy, with ``first_expansion``
        true when the board is one of that set; ``black_slots`` may be
        added where the owner's main board differs from the data, and ``rules`` where the group plays by other table
        rules than the usual ones (``{"tie_break": "most_empty"}``, see :mod:`.table_rules`). With ``chateauma``
        (``{"colour": "black"}``, see :func:`.chateauma.from_setup`) the Châteauma plays beside one to three people.

        :raises InvalidSetupError: when the edition, a duchy or a rule is not known, or the number of players is not
            possible.
        :raises UnknownPrintError: when the Châteauma needs something that nobody has seen in print.
        """
        if setup["edition"] not in self.editions:
            raise InvalidSetupError(f"no edition {setup['edition']!r}; known are {', '.join(self.editions)}")
        edition = self.editions[setup["edition"]]
        rules = TableRules.agreed(edition.table_rules, setup.get("rules", {}))
        people = [Player(player["colour"], self._duchy(player)) for player in setup["players"]]
        black_slots = _black_slots(setup)
        if "chateauma" not in setup:
            return GameState(edition, people, black_slots, rules)
        automa = chateauma.from_setup(setup["chateauma"], self.chateauma_print(edition.name))
        game = GameState(edition, chateauma.seated(people, automa), black_slots, rules)
        chateauma.lay_out(game, automa)
        return game

    def check_setup(self, setup: Mapping[str, Any]) -> None:
        """Sees to it that a new game can begin with *setup*; :meth:`new` takes what journals of old hold, too.

        :raises InvalidSetupError: as :meth:`new`, and when a colour or a duchy is none of the edition's.
        """
        setup_validation.check(setup, self.boards)
        self.new(setup)

    def chateauma_print(self, edition: str) -> chateauma.Print:
        """What is printed for the Châteauma; raises :exc:`InvalidSetupError` where an edition has none."""
        if edition not in self.chateauma_prints:
            raise InvalidSetupError(
                f"no Châteauma in edition {edition!r}; there is one in {', '.join(self.chateauma_prints)}"
            )
        return self.chateauma_prints[edition]

    def _duchy(self, player: Mapping[str, Any]) -> Duchy:
        """A known duchy, or the owner's own board by its spaces."""
        if "spaces" in player:
            return Duchy(
                f"own-{player['colour']}", player["spaces"], linkable=player.get("first_expansion", False)
            )
        if player["duchy"] not in self.duchies:
            raise InvalidSetupError(f"no duchy {player['duchy']!r}; known are {', '.join(self.duchies)}")
        return self.duchies[player["duchy"]]

    def seats(self, setup: Mapping[str, Any]) -> list[dict[str, str]]:
        """Who plays by a set-up, in the order of the first round: ``colour``, ``kind`` (``person``, ``bot`` or
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

    def legal_moves(self, game: GameState) -> list[Move]:
        return legality.legal_moves(game)

    def validate(self, game: GameState, move: Move) -> Reason | None:
        return validation.validate(game, move)

    def illegal_moves_at(self, game: GameState, place: str) -> list[tuple[Move, Reason]]:
        """What speaks against what the player in turn may want to do at a place of the table."""
        return list(validation.illegal_moves_at(game, place))

    def reminders(self, game: GameState, moves: Sequence[Move]) -> list[reminders.Reminder]:
        """What the player in turn would miss by ending the turn after *moves*."""
        return reminders.reminders(game, moves)

    def play(self, game: GameState, move: Move) -> list[Event]:
        return validation.play(game, move)

    def apply(self, game: GameState, move: Move) -> list[Event]:
        return apply(game, move)

    def parse_move(self, text: str) -> Move:
        return parse_move(text)

    def as_earlier_release(self, move: Move) -> Move | None:
        """The move as an earlier release may have made it, None where all have made it alike."""
        return move.as_earlier_release()

    def impossible_reason(self, move: Move) -> Reason | None:
        """Why a move is on no table, whatever the position: a ruling of more than anybody ever has."""
        return overrides.impossible_reason(move) if isinstance(move, Override) else None

    def with_players(self, move: Move, colours: Mapping[str, str]) -> Move:
        """The same move where players have other colours: *colours* is which each of them has now."""
        return move.with_players(colours)

    def short_notation(self, game: GameState, move: Move) -> str:
        """A move as people write it down (see :mod:`.notation`)."""
        return notation.short_notation(game, move)

    def parse_short(self, game: GameState, text: str) -> Move:
        """The inverse of :meth:`short_notation`; reads full notation too.

        :raises InvalidMoveError: when the text is not a move, or may mean several.
        """
        return notation.parse_short(game, text)

    def to_move(self, game: GameState) -> str | None:
        """Colour of the player in turn, None while the game waits for something else."""
        return legality.to_move(game)

    def is_over(self, game: GameState) -> bool:
        return game.stage == OVER

    def ends_turn(self, move: Move) -> bool:
        return move.ends_turn

    def sample_chance(self, game: GameState, rng: chance.Rng) -> Move | None:
        return chance.sample(game, rng)

    def evaluate(self, game: GameState, colour: str) -> float:
        return evaluation.evaluate(game, game.index(colour))

    # Seeing

    def visible_layout(self, game: GameState) -> dict[str, tuple[str, ...]]:
        return observation.visible_layout(game)

    def is_unordered(self, group: str) -> bool:
        return group.split(":")[0] in observation.UNORDERED

    def cards_on_table(self, game: GameState) -> dict[str, chateauma.CountyCard]:
        """The Châteauma's county cards on the table, by the group of places that their spaces are."""
        return chateauma.cards_on_table(game)

    def visible_changes(self, game: GameState, move: Move) -> Iterator[observation.VisibleChange]:
        return observation.visible_changes(game, move)

    def visible_steps(self, game: GameState, move: Move) -> Iterator[observation.VisibleChange]:
        return observation.visible_steps(game, move)

    def setup_steps(self, game: GameState) -> list[setup_steps.Step]:
        """What people lay out now, step by step (see :mod:`.laying_out`)."""
        return setup_steps.steps(game)

    def expected_layouts(self, game: GameState) -> list[observation.ExpectedLayout]:
        return observation.expected_layouts(game)

    def override(self, game: GameState, shown: Mapping[str, Sequence[str]]) -> Move:
        """What the table decides, whatever the rules say, when the groups *shown* are to look so."""
        return overrides.to_show(game, shown)

    def counts(self, game: GameState) -> list[corrections.Count]:
        """How much everybody has of what is counted and may be put right by hand now."""
        return corrections.counts(game)

    def adjustment(self, game: GameState, player: str, changes: Mapping[str, int], reason: str) -> Move:
        """The move by which the table puts right by hand what *player* has: by how much more or less of what."""
        return corrections.of(game, player, changes, reason)

    def is_adjustment(self, move: Move) -> bool:
        """Whether a move puts right by hand what one player has."""
        return isinstance(move, Adjust)

    def expected_dice(self, game: GameState) -> dict[str, int]:
        """Dice of each colour whose roll the game waits for."""
        expected = observation.EXPECTED_ROLLS.get(game.stage)
        return expected.dice(game) if expected else {}

    def unobserved_chance_moves(self, game: GameState) -> list[Move]:
        """What chance may have brought now that no camera sees: the Châteauma's cards, and tiles of its modifiers."""
        return chateauma.unobserved_chance_moves(game)

    def automatic_turn(self, game: GameState) -> Move | None:
        """The Châteauma's turn, in which it has nothing to choose."""
        return self.legal_moves(game)[0] if game.stage == chateauma.OWN_TURN else None

    def rolls_on_table(self, game: GameState) -> bool:
        """Where its pieces stay in the box, the Châteauma's die does, too."""
        return game.stage != chateauma.OWN_DIE or not chateauma.is_virtual(game)

    def roll_move(self, game: GameState, dice: Mapping[str, Sequence[int]]) -> Move:
        """The roll that the game waits for, showing *dice* (values by colour)."""
        return observation.EXPECTED_ROLLS[game.stage].move(game, dice)

    def dice_of(self, move: Move) -> dict[str, list[int]]:
        """Values by colour of a roll; nothing for other moves."""
        return move.shown()

    def transposition_key(self, game: GameState) -> Hashable:
        """Equal for positions within one turn from which the same can follow."""
        if game.stage != TURN:
            return game.state_hash()
        player = game.player
        return (
            self.end_of_turn_key(game),
            tuple(player.dice),
            tuple(game.pending),
            game.bought,
            game.monastery_6_used,
        )

    def end_of_turn_key(self, game: GameState) -> Hashable:
        """Equal for positions that are the same once the turn is over."""
        if game.stage != TURN:
            return game.state_hash()
        player = game.player
        return (
            tuple(player.spaces),
            tuple(sorted(t.label for t in player.storage)),
            tuple(player.goods),
            player.silver,
            player.workers,
            player.score,
            tuple(map(tuple, game.depots)),
            tuple(map(tuple, game.depot_goods)),
            tuple(game.black),
        )

    def log_prior(self, game: GameState, move: Move) -> float:
        """How much less usual a move is than others that leave the same trace."""
        if isinstance(move, EndTurn):
            return DIE_UNUSED * len(game.player.dice)
        return EFFECT_SKIPPED if isinstance(move, Skip) else 0.0

    def hidden_resources(self, game: GameState) -> tuple[int, ...]:
        """What the player in turn owns that no camera sees; more of each is better."""
        if game.stage != TURN:
            return ()
        player = game.player
        return player.workers, player.silver, player.score

    # Telling

    def describe(self, move: Move) -> dict[str, Any]:
        """A move as plain data: ``word`` (what is done), its fields, and ``text`` (its notation)."""
        return {"word": move.word, "text": str(move), **asdict(move)}

    def view(self, game: GameState) -> dict[str, Any]:
        """The whole position as a page draws it."""
        return view.draw(game)

    def table_rules(self, game: GameState) -> list[tuple[str, str, str]]:
        """Name, value and this edition's usual value of each table rule."""
        usual = asdict(TableRules.agreed(game.edition.table_rules, {}))
        return [(name, value, usual[name]) for name, value in asdict(game.rules).items()]

    def text_board(self, game: GameState, colour: str) -> str:
        """A player's duchy in text, for a terminal."""
        return text_board.draw(game.seats[game.index(colour)])

    def ranking(self, game: GameState) -> list[str]:
        return [seat.colour for seat in scoring.ranking(game)]

    def tie_break(self, game: GameState) -> dict[str, Any] | None:
        """What made the winner of those with most points; None when nobody else has as many."""
        return scoring.tie_break(game)

    def statistics_of(
        self, player: str | None, move: Move, events: Sequence[Event]
    ) -> Iterator[tuple[str, str, int]]:
        """Whose count of what, of :attr:`statistics`, goes up by how much by a move of *player*."""
        return statistics.statistics_of(player, move, events)

    def score_sheet(self, game: GameState) -> dict[str, dict[str, int]]:
        """Points by player and source, in the order of the score sheet; they add up to the marker."""
        return {
            seat.colour: {s: seat.points[s] for s in scoring.SOURCES if s in seat.points}
            for seat in game.seats
        }

    def score_history(self, game: GameState) -> dict[str, list[int]]:
        """Everybody's points at the end of each round so far, and once more after the final scoring."""
        return {
            seat.colour: [scores[i] for scores in game.score_history] for i, seat in enumerate(game.seats)
        }


def _black_slots(setup: Mapping[str, Any]) -> int | None:
    """How many tiles the black depot of the owner's board takes; None where it is as the data say.

    :raises InvalidSetupError: when no board has such a depot.
    """
    slots = setup.get("black_slots")
    if slots is not None and (type(slots) is not int or not 0 < slots <= MOST_BLACK_SLOTS):
        raise InvalidSetupError(
            f"a black depot for {slots} tiles is not possible: a main board has 1 to {MOST_BLACK_SLOTS} spaces for them"
        )
    return slots
