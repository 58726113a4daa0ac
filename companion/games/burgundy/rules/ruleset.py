"""The rules of one game: those of an edition, of the modules that are played, and of the table, compiled once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .decision import ChanceEvent, Consequence, Decision, DiceEvent, Effect
from .decisions import DECISIONS, EFFECTS
from .edition import Edition
from .hooks import Hooks
from .module import Module
from .moves import Move
from .notation import word_of
from .state import Player
from .table_rules import TableRules
from .tiles import LABELS, Tile


class Ruleset:
    """Represents the rules of a game as tables.

    States share it; two games with different modules have one each.
    """

    def __init__(
        self, edition: Edition, rules: TableRules, modules: Sequence[Module], known: Iterable[Module]
    ) -> None:
        """*modules* are those that are played, in the order in which they change the rules; *known* are all that the
        box has."""
        self.edition = edition
        self.rules = rules
        self.modules = tuple(modules)
        bases = tuple(dict.fromkeys(module.hooks for module in reversed(self.modules)))
        self.hooks: Hooks = type("Hooks", (*(base for base in bases if base is not Hooks), Hooks), {})()
        self.tiles_are_of_one_size = type(self.hooks).storage_size is Hooks.storage_size
        """Whether every tile needs one key space."""
        self.decisions: dict[type[Move], Decision[Any]] = {
            decision.move: decision
            for decision in (*DECISIONS, *(d for module in modules for d in module.decisions))
        }
        """Kind of move -> its rules."""
        self.consequences: Sequence[Consequence] = tuple(
            consequence for module in reversed(self.modules) for consequence in module.consequences
        )
        """What follows by itself once a move has been made; like the hooks, those of the last module come first."""
        self._spaces_for = {name: spaces for module in modules for name, spaces in module.spaces_for.items()}
        self.decision_by_word = by_word(self.decisions.values())
        self.not_in_play = {
            d.move: module for module in known for d in module.decisions if d.move not in self.decisions
        }
        """Kind of move -> the module that would have to be played for it."""
        self.effects: dict[str, Effect] = dict(EFFECTS)
        for module in modules:
            self.effects.update(module.effects)
        for module in modules:
            for name, moves in module.choices.items():
                self.effects[name] = replace(self.effects[name], moves=(*moves, *self.effects[name].moves))
        self.supply: Mapping[Tile, int] = _sum([edition.supply, *(m.supply(edition.name) for m in modules)])
        """How many of each tile there are."""
        self.labels = LABELS.union(*(module.labels for module in modules))
        self.hexagonal = self.labels.difference(*(module.not_hexagonal for module in modules))
        """Labels of the tiles that depots, key spaces and duchies take."""
        self.label_of_word = {word_of(label): label for label in self.labels} | {
            name: name for name in self.labels
        }
        """Tile as people write it -> its label."""

        # Modules come first, so that the end of the turn is the last move listed.
        added = [d for d in self.decisions.values() if d not in DECISIONS]
        listed = [*added, *(d for d in self.decisions.values() if d not in added)]
        deciding = [d for d in listed if _overrides(d, "choices")]
        stages = {stage for d in deciding for stage in d.stages}
        self.decisions_at = _by_stage(deciding, stages)
        """Stage -> the rules of the moves to choose from that neither a die nor an effect pays for."""
        self.chance_at: Mapping[str, tuple[ChanceEvent[Any], ...]] = _by_stage(
            d for d in listed if isinstance(d, ChanceEvent)
        )
        """Stage -> the rules of the chance events that it waits for."""
        self.interrupting_at = _by_stage((d for d in listed if d.interrupts), stages)
        """Stage -> the rules of the moves that are possible though an effect waits for its choice."""
        self.paid_by_die = tuple(d for d in self.decisions.values() if _overrides(d, "by_die"))
        self.decisions_of_effect = {
            name: tuple(self.decisions[move] for move in effect.moves)
            for name, effect in self.effects.items()
        }

    def spaces_for(self, player: Player, tile_type: str) -> int:
        """Returns the spaces on which a tile of this type may lie at all, as a bit set."""
        unprinted = self._spaces_for.get(tile_type)
        return unprinted(player) if unprinted else player.duchy.of_type.get(tile_type, 0)

    def decision_of(self, move: Move) -> Decision[Any]:
        """Returns the rules of a kind of move. Raises ``KeyError`` if no game with these modules has it."""
        return self.decisions[type(move)]

    def roll_at(self, stage: str) -> DiceEvent[Any] | None:
        """Returns the rules of the roll that a stage waits for; None if it waits for none."""
        return next((d for d in self.chance_at.get(stage, ()) if isinstance(d, DiceEvent)), None)


def by_word(decisions: Iterable[Decision[Any]]) -> dict[str, Decision[Any]]:
    """Returns rules of moves by the first word of the notation."""
    return {decision.move.word: decision for decision in decisions}


def _overrides(decision: Decision[Any], method: str) -> bool:
    return getattr(type(decision), method) is not getattr(Decision, method)


def _by_stage(decisions: Iterable[Any], all_stages: Iterable[str] = ()) -> dict[str, tuple[Any, ...]]:
    """Returns rules of moves by stage; those without stages of their own are at each of *all_stages*."""
    at: dict[str, tuple[Any, ...]] = {}
    for decision in decisions:
        for stage in decision.stages or all_stages:
            at[stage] = (*at.get(stage, ()), decision)
    return at


def _sum(supplies: Iterable[Mapping[Tile, int]]) -> dict[Tile, int]:
    total: dict[Tile, int] = {}
    for supply in supplies:
        for t, count in supply.items():
            total[t] = total.get(t, 0) + count
    return total
