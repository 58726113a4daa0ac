"""What a game without a capability (:mod:`.capabilities`) answers, so that nobody has to tell games apart."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, cast
from weakref import proxy

from .api import Card, Count, ExpectedLayout, Move, Reason, Rules, VisibleChange
from .choices import MoveChoice, PlacedPiece


class Without:
    """A game without a capability."""

    def __init__(self, rules: Rules) -> None:
        self.rules: Rules = proxy(rules)  # which is kept only while somebody else keeps it


class WithoutChance(Without):
    def sample_chance(self, state: Any, rng: Any) -> Move | None:
        return None

    def unobserved_chance_moves(self, state: Any) -> Sequence[Move]:
        return ()


class WithoutDice(Without):
    def expected_dice(self, state: Any) -> dict[str, int]:
        return {}

    def rolls_on_table(self, state: Any) -> bool:
        return False

    def roll_move(self, state: Any, dice: Mapping[str, Sequence[int]]) -> Move:
        raise ValueError(f"{self.rules.name} has no dice")

    def dice_of(self, move: Move) -> dict[str, list[int]]:
        return {}


class WithoutObservable(Without):
    parts: Sequence[str] = ()

    def part_of(self, group: str) -> str:
        return ""

    def visible_layout(self, state: Any) -> dict[str, tuple[str, ...]]:
        return {}

    def visible_labels(self, state: Any) -> Collection[str]:
        return ()

    def is_unordered(self, group: str) -> bool:
        return False

    def visible_changes(self, state: Any, move: Move) -> Iterable[VisibleChange]:
        return ()

    def visible_steps(self, state: Any, move: Move) -> Iterable[VisibleChange]:
        return ()

    def expected_layouts(self, state: Any) -> Sequence[ExpectedLayout]:
        return ()

    def log_prior(self, state: Any, move: Move) -> float:
        return 0.0

    def hidden_resources(self, state: Any) -> tuple[int, ...]:
        return ()

    def transposition_key(self, state: Any) -> Hashable:
        return cast("str", state.state_hash())

    def end_of_turn_key(self, state: Any) -> Hashable:
        return cast("str", state.state_hash())


class WithoutPartlyRedundant(Without):
    def is_redundant(self, group: str) -> bool:
        return False


MOST_LISTED = 40
"""Moves that are shown at once; of more, people first choose what kind of move it is."""


class WithoutGuided(Without):
    def move_choices(self, state: Any, path: Sequence[str]) -> Sequence[MoveChoice]:
        moves = self.rules.legal_moves(state)
        word_of = {str(move): str(self.rules.describe(move)["word"]) for move in moves}
        words = list(dict.fromkeys(word_of.values()))
        if not path and len(moves) > MOST_LISTED and len(words) > 1:
            return [MoveChoice(word, code=word) for word in words]
        return [MoveChoice(str(move), move) for move in moves if not path or [word_of[str(move)]] == [*path]]


class WithoutSecrets(Without):
    def owner_of(self, move: Move) -> str | None:
        return None

    def public_description(self, move: Move) -> dict[str, Any]:
        return self.rules.describe(move)

    def has_secrets(self, state: Any, player: str) -> bool:
        return False


class WithoutPartlyReported(Without):
    def unreported(self, state: Any) -> Sequence[str]:
        return ()


class WithoutFreelyPlaced(Without):
    def placed_pieces(self, state: Any) -> Mapping[str, Sequence[PlacedPiece]]:
        return {}


class WithoutCards(Without):
    def cards_on_table(self, state: Any) -> Mapping[str, Card]:
        return {}


class WithoutGuidedSetup(Without):
    def setup_steps(self, state: Any) -> Sequence[Mapping[str, Any]]:
        return ()


class WithoutCorrectable(Without):
    def override(self, state: Any, shown: Mapping[str, Sequence[str]]) -> Move:
        raise ValueError(f"nothing can be decided against the rules of {self.rules.name}")

    def counts(self, state: Any) -> Sequence[Count]:
        return ()

    def adjustment(self, state: Any, player: str, changes: Mapping[str, int], reason: str) -> Move:
        raise ValueError(f"{self.rules.name} has no counts to correct")

    def is_adjustment(self, move: Move) -> bool:
        return False


class WithoutOutOfTurn(Without):
    def out_of_turn_moves(self, state: Any) -> Sequence[Move]:
        return ()

    def is_beside_turn(self, state: Any, move: Move) -> bool:
        return False


class WithoutAutomatic(Without):
    def automatic_turn(self, state: Any) -> Move | None:
        return None


class WithoutEvaluated(Without):
    def evaluate(self, state: Any, colour: str) -> float:
        return 0.0

    def value_parts(self, state: Any, colour: str) -> Mapping[str, float]:
        return {}


class WithoutMigrated(Without):
    def as_earlier_release(self, move: Move) -> Move | None:
        return None

    def impossible_reason(self, move: Move) -> Reason | None:
        return None
