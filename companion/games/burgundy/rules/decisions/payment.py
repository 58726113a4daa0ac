"""How an action is paid for: by a die and workers, or by an open effect (S293-299, S372)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ..moves import parse_number, payment_text
from ..reason import Reason
from ..state import DISCARD, GameState, Pending, Player

NO_WORKERS = (0,) * 7
MOST_MOVES_CACHED = 4096
"""Moves of a kind that are cached, because making one takes longer than finding it again."""


class Paid(Protocol):
    """A move that a die or an effect pays for."""

    @property
    def word(self) -> str: ...
    @property
    def die(self) -> int | None: ...


class PaidWithWorkers(Paid, Protocol):
    """A move for which workers may change the die."""

    @property
    def workers(self) -> int: ...


def workers_needed(
    game: GameState, player: Player, shown: int | None, free_by: int | None
) -> tuple[int, ...]:
    """Returns the workers needed by value, if the die *shown* is changed (None: an effect that acts with any value).

    *free_by* is as in :func:`.worker_costs`.
    """
    return NO_WORKERS if shown is None else game.hooks.worker_costs(game, player, free_by)[shown]


def value_of(game: GameState, pending: Pending) -> int | None:
    """Returns the value that an effect acts with; None if it acts with any."""
    return game.white if game.ruleset.effects[pending.effect].reads_white_die else None


def open_effects(game: GameState) -> Sequence[Pending]:
    """Returns the waiting effects among which to choose; a tile that waits for a key space comes first (S338)."""
    if len(game.pending) < 2 or game.pending[-1].effect == DISCARD:
        return game.pending[-1:]
    return game.hooks.open_effects(game)


def open_effect(game: GameState, move: Any) -> Pending | None:
    """Returns the open effect among whose choices a move of this kind is; None if there is none.

    Of several that pay for the move, it is the one that leaves least open, so that the others can still be used for
    more; of equal ones, the last one opened.
    """
    effects = game.ruleset.effects
    able = [pending for pending in open_effects(game) if type(move) in effects[pending.effect].moves]
    if len(able) < 2:
        return able[0] if able else None
    return min(
        reversed(able),
        key=lambda pending: (
            _reason_against(game, pending, move) is not None,
            effects[pending.effect].breadth,
        ),
    )


def _reason_against(game: GameState, pending: Pending, move: Any) -> Reason | None:
    return game.ruleset.decision_of(move).reason_against_effect(game, pending, move)


def effect_missing(game: GameState, word: str, *, could_use_die: bool) -> Reason:
    """Returns why no open effect pays for a move: none is open, or another choice comes first."""
    if not game.pending:
        return Reason("needs_die", {"move": word}) if could_use_die else Reason("no_effect", {"move": word})
    return Reason("other_choice_first", {"effect": game.pending[-1].effect, "move": word})


def validate_source(game: GameState, move: Paid) -> Reason | None:
    """Checks that the move has its die, or an open effect that pays for it."""
    if move.die is None:
        return None if open_effect(game, move) else effect_missing(game, move.word, could_use_die=True)
    if game.pending:
        return Reason("other_choice_first", {"effect": game.pending[-1].effect, "move": "die"})
    if move.die not in game.player.dice:
        return Reason("no_such_die", {"die": move.die, "dice": list(game.player.dice)})
    return None


def validate_payment(
    game: GameState, move: PaidWithWorkers, value: int, free_by: int | None
) -> Reason | None:
    """Checks that the die, or the open effect, pays for a move with its workers."""
    if move.die is not None:
        return validate_workers(game, move, move.die, value, free_by)
    pending = open_effect(game, move)
    return (
        effect_missing(game, move.word, could_use_die=True)
        if pending is None
        else _reason_against(game, pending, move)
    )


def validate_workers(
    game: GameState, move: PaidWithWorkers, shown: int | None, value: int, free_by: int | None
) -> Reason | None:
    """Checks that changing the die *shown* to *value* costs as many workers as a move spends, and that they exist.

    *shown* is None for an effect that acts with any value.
    """
    if shown is None:
        return None if move.workers == 0 else Reason("workers_without_die")
    player = game.player
    needed = workers_needed(game, player, shown, free_by)[value]
    data = {"die": shown, "value": value, "needed": needed}
    if needed > player.workers:
        return Reason("not_enough_workers", {**data, "workers": player.workers})
    if needed != move.workers:
        return Reason("wrong_payment", {**data, "spent": move.workers})
    return None


def pay(game: GameState, move: Paid) -> None:
    """Uses the die, or the effect that replaces it, and the workers."""
    player = game.player
    if move.die is None:
        use_effect(game, move)
    else:
        player.dice.remove(move.die)
    player.workers -= getattr(move, "workers", 0)


def use_effect(game: GameState, move: Any) -> Pending:
    """Removes and returns the open effect that pays for a move."""
    pending = open_effect(game, move)
    assert pending is not None
    # The last one opened is found first: two equal effects are the same.
    index = len(game.pending) - 1 - game.pending[::-1].index(pending)
    return game.pending.pop(index)


def validate_nothing_pending(game: GameState, word: str) -> Reason | None:
    """Checks that no effect waits for its choice, which has to be made first."""
    if game.pending:
        return Reason("other_choice_first", {"effect": game.pending[-1].effect, "move": word})
    return None


def ways_to_pay(game: GameState, value: int, free_by: int | None) -> list[tuple[int | None, int]]:
    """Returns die and workers of every way to pay for a value; if all dice are used, of a die with that value."""

    def workers(shown: int | None) -> int:
        return workers_needed(game, game.player, shown, free_by)[value]

    if game.pending:
        return [(None, workers(value_of(game, pending))) for pending in open_effects(game)]
    return [(die, workers(die)) for die in game.player.dice or [value]]


def die_text(move: PaidWithWorkers, value: int) -> str:
    """Returns the die used, for a short notation, if its value is not the one needed; of an effect, the workers."""
    if move.die is None:
        return payment_text(None, move.workers)
    return "" if move.die == value else f" die {move.die}"


def parse_short_payment(
    game: GameState, words: list[str], value: int, free_by: int | None
) -> tuple[int | None, int]:
    """Returns the die used and the workers that it needs, or no die and those that are named for an open effect.

    Raises ``ValueError`` or ``LookupError`` if the words name no die.
    """
    if not words and game.pending:
        return None, 0
    die = value
    if words:
        name, number = words
        if name == "workers":
            return None, parse_number(number)
        if name != "die":
            raise ValueError(name)
        die = parse_number(number)
    return die, workers_needed(game, game.player, die, free_by)[value]
