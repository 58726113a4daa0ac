"""The rules of *The Castles of Burgundy*: pure, without input or output, clock or randomness.

:class:`Burgundy` is what the rest of the companion uses. The files behind it are

* what is printed or agreed on: tiles, board, edition, owner_print, table_rules, setup_validation, setup_steps;
* the position: state, events, reason;
* one game's rules: ruleset, compiled from decisions (one file a move), hooks (what modules may change) and modules
  (module; the folders are beside this one);
* what decisions have in common: moves, decision, storage, placement, purchases, effects, gains, supply, abilities;
* the rules at work: legality, validation, notation, phases, scoring, future_supply;
* what is seen and shown: observation, view, stages, text_board, area_progress, reminders, statistics;
* what bots think of a position: evaluation.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from companion.games.stage import Stage

from . import (
    evaluation,
    legality,
    notation,
    observation,
    reminders,
    scoring,
    setup_steps,
    setup_validation,
    stages,
    statistics,
    validation,
    view,
)
from .board import Duchy
from .decision import Rng
from .decisions import DECISIONS, Adjust, EndTurn, Override, adjust, override
from .edition import Edition
from .events import RULES, Event
from .module import Module, in_order
from .moves import InvalidMoveError, Move
from .reason import Reason
from .ruleset import Ruleset, by_word
from .setup_validation import InvalidSetupError
from .state import OVER, SETUP, TURN, GameState, Player, Seat
from .table_rules import OPTIONS, TableRules
from .tiles import GOODS, LABELS, goods_label
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

BOARDS = "boards"
"""The part of the table that a camera watches besides dice."""
DIE_UNUSED = -5.0
"""Log prior of leaving a die unused. Set by hand."""
MOST_BLACK_SLOTS = 8
"""Spaces of the largest black depot in print."""


class Burgundy:
    """Represents the game to the session, the referee, the journal and the page (see :mod:`companion.games.api`)."""

    name = setup_validation.GAME
    version = 1
    statistics = statistics.STATISTICS

    def __init__(
        self,
        editions: Mapping[str, Edition],
        duchies: Mapping[str, Duchy],
        modules: Iterable[Module] = (),
        boards: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """*modules* are all that the box has, in the order in which they change the rules; *boards* are the names of
        each edition's duchies, in the order of their numbers."""
        self.editions = editions
        self.duchies = duchies
        self.modules = {module.id: module for module in in_order(modules)}
        self.boards = boards or {}
        self.score_sources = scoring.with_sources(module.sources for module in self.modules.values())
        self.table_rule_options = {**OPTIONS, **self._module_table_rules}
        self.event_lines = {**RULES, **_merged(module.events for module in self.modules.values())}
        """Kind of event -> the lines of the rule texts behind it."""
        self._statistic_of_event = {
            **statistics.STATISTIC_OF_EVENT,
            **_merged(module.statistics for module in self.modules.values()),
        }
        self._decision_by_word = by_word(
            (*DECISIONS, *(d for module in self.modules.values() for d in module.decisions))
        )
        self.labels = LABELS.union(*(module.labels for module in self.modules.values()))
        """Labels of all tiles of the box."""
        self.looks = frozenset[str]().union(*(module.looks for module in self.modules.values()))
        """Labels that a camera sees where a thing covers a tile."""
        self._unordered = frozenset(observation.UNORDERED).union(
            *(m.unordered for m in self.modules.values())
        )
        self._redundant = frozenset[str]().union(*(m.redundant for m in self.modules.values()))
        self._rulesets: dict[tuple[str, TableRules, tuple[str, ...]], Ruleset] = {}

    @property
    def _module_table_rules(self) -> dict[str, tuple[str, ...]]:
        return _merged(module.table_rules for module in self.modules.values())

    # Setting up and storing

    def new(self, setup: Mapping[str, Any]) -> GameState:
        """Returns a new game from ``{"edition": "special", "players": [{"colour": "red", "duchy": "se-1"}, ...]}``.

        A player may have ``spaces`` (37 pairs of tile type and die) instead of a known duchy, with ``first_expansion``
        true if the board belongs to that set. ``black_slots`` is given if the owner's main board differs from the
        data, ``rules`` if the group plays by other table rules than the usual ones (``{"tie_break": "most_empty"}``,
        see :mod:`.table_rules`), ``modules`` if it plays with modules (their names); some have a part of
        their own in the set-up.

        :raises InvalidSetupError: if the edition, a duchy, a module or a rule is not known, or the number of players
            is not possible.
        """
        ruleset = self._ruleset_for(setup)
        seats: Sequence[Seat] = [Player(p["colour"], self._duchy(p)) for p in setup["players"]]
        for module in ruleset.modules:
            seats = module.share_sides(module.seats(setup, ruleset.edition.name, seats))
        state = GameState(ruleset, seats, _black_slots(setup))
        for module in ruleset.modules:
            module.set_up(state, setup)
        return state

    def check_setup(self, setup: Mapping[str, Any]) -> None:
        """Checks that a new game can begin with *setup*; :meth:`new` also accepts what old journals contain.

        :raises InvalidSetupError: as :meth:`new`, and if a colour or a duchy does not belong to the edition, or if a
            module that is asked for changes nothing on any duchy.
        """
        setup_validation.check_form(setup)
        setup_validation.check(setup, self.boards)
        game = self.new(setup)
        for seat in game.seats:
            setup_validation.check_colour(seat.colour)
        for module in self._asked_for(setup):
            self._check_suits(module, setup["edition"], [player.duchy for player in game.players])

    def suitable_duchies(self, module: str, edition: str) -> list[str]:
        """Returns the names of the known duchies of an edition on which a module makes a difference."""
        suits = self.modules[module].suits
        return [name for name in self.boards[edition] if suits(self.duchies[name])]

    def _asked_for(self, setup: Mapping[str, Any]) -> Iterator[Module]:
        """Yields the modules that a set-up names, or switches on by a table rule."""
        rules, names = setup.get("rules", {}), setup.get("modules", ())
        for module in self.modules.values():
            rule, value = module.switched_on_by or ("", "")
            usual = module.usual_table_rules(setup["edition"]).get(rule)
            if module.id in names or (rule and rules.get(rule) == value != usual):
                yield module

    def _check_suits(self, module: Module, edition: str, duchies: Iterable[Duchy]) -> None:
        if not any(map(module.suits, duchies)):
            suitable = self.suitable_duchies(module.id, edition)
            instead = f"give somebody one of {', '.join(suitable)}, or " if suitable else ""
            raise InvalidSetupError(
                f"module {module.id} changes nothing on these duchies: {instead}leave it out",
                "unsuitable_duchies",
                game_module=module.id,
            )

    def ruleset(self, edition: Edition, rules: TableRules, modules: Sequence[Module]) -> Ruleset:
        """Returns the rules of games with this edition, these table rules and modules; equal games share them."""
        key = edition.name, rules, tuple(module.id for module in modules)
        if key not in self._rulesets:
            self._rulesets[key] = Ruleset(edition, rules, modules, self.modules.values())
        return self._rulesets[key]

    def _ruleset_for(self, setup: Mapping[str, Any]) -> Ruleset:
        """Returns the rules that a set-up asks for. Raises :exc:`InvalidSetupError` if there are none such."""
        if setup["edition"] not in self.editions:
            raise InvalidSetupError(
                f"no edition {setup['edition']!r}; the known ones are {', '.join(self.editions)}"
            )
        edition = self.editions[setup["edition"]]
        named = self._named_modules(setup)
        switches = dict(module.switched_on_by for module in named if module.switched_on_by)
        chosen = {**switches, **setup.get("rules", {})}
        rules = self.table_rules_of(edition.name, chosen)
        modules = [m for m in self.modules.values() if m.is_chosen(setup, rules.to_json())]
        for module in named:
            if module not in modules:
                needed = "=".join(module.switched_on_by or ())
                raise InvalidSetupError(
                    f"a table rule contradicts the module {module.id}: it needs {needed}; leave one of them out"
                )
        _check_combination(modules, edition.name)
        return self.ruleset(edition, rules, modules)

    def _named_modules(self, setup: Mapping[str, Any]) -> list[Module]:
        for name in (names := setup.get("modules", ())):
            if name not in self.modules:
                raise InvalidSetupError(f"no module {name!r}; there are {', '.join(self.modules)}")
        return [module for module in self.modules.values() if module.id in names]

    def table_rules_of(self, edition: str, chosen: Mapping[str, str]) -> TableRules:
        """Returns the table rules of a game with those that a group has *chosen*.

        :raises InvalidSetupError: if there is no such rule, or no such value.
        """
        usual = _merged(module.usual_table_rules(edition) for module in self.modules.values())
        defaults = {**usual, **self.editions[edition].table_rules}
        switches = {module.switched_on_by[0] for module in self.modules.values() if module.switched_on_by}
        return TableRules.agreed(defaults, chosen, self._module_table_rules, switches)

    def _duchy(self, player: Mapping[str, Any]) -> Duchy:
        """Returns a known duchy, or the owner's own board from its spaces."""
        if "spaces" in player:
            return Duchy.in_rows(
                f"own-{player['colour']}", player["spaces"], linkable=player.get("first_expansion", False)
            )
        if player["duchy"] not in self.duchies:
            raise InvalidSetupError(
                f"no duchy {player['duchy']!r}; the known ones are {', '.join(self.duchies)}"
            )
        return self.duchies[player["duchy"]]

    def seats(self, setup: Mapping[str, Any]) -> list[dict[str, str]]:
        """Returns the seats of a set-up in the order of the first round: ``colour``, ``kind`` (``person``, ``bot`` or
        that of a module) and what each ``plays``, its duchy or what else tells it apart.
        """
        bots = {player["colour"] for player in setup["players"] if "bot" in player}
        return [
            {"colour": seat.colour, "kind": "bot" if seat.colour in bots else seat.kind, "plays": seat.plays}
            for seat in self.new(setup).seats
        ]

    def from_json(self, data: Mapping[str, Any]) -> GameState:
        modules = [module for module in self.modules.values() if module.is_part_of(data)]
        rules = self.table_rules_of(data["edition"], data["rules"])
        ruleset = self.ruleset(self.editions[data["edition"]], rules, modules)
        seats: Sequence[Seat] = [
            self._seat_from_json(seat, data["edition"], modules) for seat in data["players"]
        ]
        for module in modules:
            seats = module.share_sides(seats)
        return GameState.from_json(data, ruleset, seats)

    def _seat_from_json(self, data: Mapping[str, Any], edition: str, modules: Sequence[Module]) -> Seat:
        for module in modules:
            if seat := module.seat_from_json(data, edition):
                return seat
        return Player.from_json(data, self.duchies[data["duchy"]])

    # Playing

    # Asked for at every position of a search: a call less counts.
    legal_moves = staticmethod(legality.legal_moves)
    apply = staticmethod(validation.apply)

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

    def parse_move(self, text: str) -> Move:
        return notation.parse_move(self._decision_by_word, self.labels, text)

    def as_earlier_release(self, move: Move) -> Move | None:
        """Returns the move with the effect that an earlier release gave it; None if that has always been the same."""
        return move.as_earlier_release()

    def impossible_reason(self, move: Move) -> Reason | None:
        """Returns why a move is impossible in every position: an override to more than anybody ever has."""
        return override.impossible_reason(move) if isinstance(move, Override) else None

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
        return notation.parse_short(state, self._decision_by_word, self.labels, text)

    def to_move(self, state: GameState) -> str | None:
        """Returns the colour of the current player; None while the game waits for something else."""
        return legality.to_move(state)

    def stage(self, state: GameState) -> Stage:
        return stages.stage(state)

    def out_of_turn_moves(self, state: GameState) -> list[Move]:
        """Returns what others than the current player may do now; none of it ends a turn."""
        return list(state.hooks.out_of_turn_moves(state))

    def is_beside_turn(self, state: GameState, move: Move) -> bool:
        """Returns whether a move is no part of a turn, whenever it is made."""
        decision = state.ruleset.decisions.get(type(move))
        return (decision is not None and decision.is_beside_turn) or move in self.out_of_turn_moves(state)

    def is_over(self, state: GameState) -> bool:
        return state.stage == OVER

    def ends_turn(self, move: Move) -> bool:
        return move.ends_turn

    def sample_chance(self, state: GameState, rng: Rng) -> Move | None:
        events = state.ruleset.chance_at.get(state.stage)
        if not events:
            return None
        # At set-up seat by seat; later an event is everybody's, or that of the seat in turn.
        for seat in state.seats if state.stage == SETUP else (state.seat,):
            for event in events:
                sampled: Move | None = event.sample(state, seat, rng)
                if sampled:
                    return sampled
        return None

    def evaluate(self, state: GameState, colour: str) -> float:
        return evaluation.evaluate(state, state.index(colour))

    def value_parts(self, state: GameState, colour: str) -> dict[str, float]:
        return evaluation.value_parts(state, state.index(colour))

    # What a camera sees

    parts = (BOARDS,)

    def part_of(self, group: str) -> str:
        """Returns the part of the table that a group of places belongs to: all boards are watched, or none."""
        return BOARDS

    def visible_layout(self, state: GameState) -> dict[str, tuple[str, ...]]:
        return observation.visible_layout(state)

    def visible_labels(self, state: GameState) -> frozenset[str]:
        """Returns the labels of all tiles and goods of this game, and of what modules add to them."""
        return state.ruleset.labels.union(map(goods_label, GOODS))

    def is_unordered(self, group: str) -> bool:
        return group.split(":")[0] in self._unordered

    def is_redundant(self, group: str) -> bool:
        """Returns whether a table need not watch a group of places, one of a module."""
        return group.split(":")[0] in self._redundant

    def cards_on_table(self, state: GameState) -> dict[str, Any]:
        """Returns the printed cards on the table, by the group of places that their spaces are."""
        return _merged(module.cards_on_table(state) for module in state.ruleset.modules)

    def visible_changes(self, state: GameState, move: Move) -> Iterable[observation.VisibleChange]:
        yield from state.ruleset.decision_of(move).visible_changes(state, move)
        yield from state.hooks.further_changes(state, move)

    def visible_steps(self, state: GameState, move: Move) -> Iterable[observation.VisibleChange]:
        return state.ruleset.decision_of(move).visible_steps(state, move)

    def setup_steps(self, state: GameState) -> list[setup_steps.Step]:
        """Returns what people set up now, step by step (see :mod:`.setup_steps`)."""
        return setup_steps.steps(state)

    def expected_layouts(self, state: GameState) -> list[observation.ExpectedLayout]:
        events = state.ruleset.chance_at.get(state.stage, ())
        return [layout for event in events for layout in event.expected_layouts(state)]

    def override(self, state: GameState, shown: Mapping[str, Sequence[str]]) -> Override:
        """Returns the override after which the groups look as in *shown*."""
        return override.override_to(state, shown)

    def counts(self, state: GameState) -> list[adjust.Count]:
        """Returns every count that can be corrected by hand now."""
        return adjust.counts(state)

    def adjustment(self, state: GameState, player: str, changes: Mapping[str, int], reason: str) -> Adjust:
        """Returns the move that corrects counts of *player* by these differences."""
        return adjust.of(state, player, changes, reason)

    def is_adjustment(self, move: Move) -> bool:
        """Returns whether a move corrects counts of one player."""
        return isinstance(move, Adjust)

    def expected_dice(self, state: GameState) -> dict[str, int]:
        """Returns how many dice of each colour the game waits for."""
        roll = state.ruleset.roll_at(state.stage)
        return roll.dice(state) if roll else {}

    def unobserved_chance_moves(self, state: GameState) -> list[Move]:
        """Returns the chance events, and what an effect waits for, that no camera sees, for a person to choose from."""
        events = state.ruleset.chance_at.get(state.stage, ())
        return [
            *legality.reports(state),
            *(move for event in events for move in event.unobserved(state)),
        ]

    def automatic_turn(self, state: GameState) -> Move | None:
        """Returns the turn of a seat that has no choice; None if there is anything to decide."""
        decisions = state.ruleset.decisions_at.get(state.stage, ())
        return next((move for d in decisions if d.automatic for move in d.choices(state)), None)

    def rolls_on_table(self, state: GameState) -> bool:
        """Returns whether the expected dice are on the table: not those of a player whose pieces stay in the box."""
        roll = state.ruleset.roll_at(state.stage)
        return roll is None or roll.on_table(state)

    def roll_move(self, state: GameState, dice: Mapping[str, Sequence[int]]) -> Move:
        """Returns the expected roll with these values by colour. Raises ``ValueError`` if no roll is expected."""
        roll = state.ruleset.roll_at(state.stage)
        if roll is None:
            raise ValueError(f"no roll is expected at the stage {state.stage}")
        move: Move = roll.of(state, dice)
        return move

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
            tuple(added.turn_key() for added in state.module_states.values()),
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
            tuple(added.key() for added in state.module_states.values()),
        )

    def log_prior(self, state: GameState, move: Move) -> float:
        """Returns how much less usual a move is than others with the same visible effects."""
        if isinstance(move, EndTurn):
            return DIE_UNUSED * len(state.player.dice)
        return state.ruleset.decision_of(move).log_prior_of(move)

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

    def view(self, state: GameState, viewer: str | None = None) -> dict[str, Any]:
        """Returns the whole position as plain data for the page: everybody may see everything."""
        return view.draw(state)

    def modules_of(self, state: GameState) -> list[str]:
        """Returns the modules that are chosen by name and played, sorted."""
        return sorted(module.id for module in state.ruleset.modules if module.is_named)

    def table_rules(self, state: GameState) -> list[tuple[str, str, str]]:
        """Returns name, value and this edition's usual value of each table rule of the game."""
        first = {name: values[0] for name, values in self.table_rule_options.items()}
        usual = first | self.table_rules_of(state.edition.name, {}).to_json()
        of_modules = dict.fromkeys(name for module in state.ruleset.modules for name in module.table_rules)
        agreed = state.rules.to_json()
        return [(name, agreed.get(name, first[name]), usual[name]) for name in {**agreed, **of_modules}]

    def text_board(self, state: GameState, colour: str) -> str:
        """Returns a player's duchy as text for a terminal."""
        return state.hooks.text_board(state.seats[state.index(colour)])

    def ranking(self, state: GameState) -> list[str]:
        return [seat.colour for seat in scoring.ranking(state)]

    def tie_break(self, state: GameState) -> dict[str, Any] | None:
        """Returns what decided between the players with most points; None if there is only one."""
        return scoring.tie_break(state)

    def statistics_of(
        self, player: str | None, move: Move, events: Sequence[Event]
    ) -> Iterator[tuple[str, str, int]]:
        """Returns what a move of *player* adds to :attr:`statistics`: whose count, of what, and how much."""
        return statistics.statistics_of(player, move, events, self._statistic_of_event)

    def score_sheet(self, state: GameState) -> dict[str, dict[str, int]]:
        """Returns points by player and source, in the order of the score sheet; they add up to the score marker."""
        return {
            seat.colour: {s: seat.points[s] for s in self.score_sources if s in seat.points}
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


def _merged(mappings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return {name: value for mapping in mappings for name, value in mapping.items()}


def _check_combination(modules: Sequence[Module], edition: str) -> None:
    """Checks that the edition has each module, with those that it requires and none that it excludes.

    :raises InvalidSetupError: if one has not.
    """
    played = {module.id for module in modules}
    for module in modules:
        if module.editions is not None and edition not in module.editions:
            raise InvalidSetupError(f"edition {edition!r} has no module {module.id}; leave it out")
        if missing := sorted(module.requires - played):
            raise InvalidSetupError(
                f"module {module.id} cannot be played without {', '.join(missing)}: add it, or leave {module.id} out"
            )
        if excluded := sorted(module.excludes & played):
            raise InvalidSetupError(
                f"module {module.id} cannot be played with {', '.join(excluded)}: leave one of them out"
            )
