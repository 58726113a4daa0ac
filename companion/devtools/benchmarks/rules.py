"""How fast the rules of the default game are, beside python-chess, and whether random games end well."""

from __future__ import annotations

import random
import statistics
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, product
from time import perf_counter
from typing import Any, Protocol, TypeVar, cast

from calibration.errors import CompanionError
from companion.games.api import Rules
from companion.games.registry import GamePlugin, default_plugin
from companion.players.bots import BOTS, decisions, random_bot

from ..game_part import game_part
from .timing import alternate, median_us

T = TypeVar("T")
AIM = 1.0
"""Our decisions per move of python-chess: no fewer (the project's own aim)."""
SPEED_PLAYERS = 4
SEED = 1
CHESS_STATES = 400
"""Positions that chess is measured on; our own are those of one four-player game, about as many."""
MEMORY_COPIES = 5
"""Copies of each position whose memory is counted."""


class ReferenceMissingError(CompanionError, ImportError):
    """What the figures are measured against is not installed."""


@dataclass(frozen=True)
class Speed:
    """Random play by both rules in turns: medians over the slices."""

    decisions_per_second: float
    """Ours, with four players: legal moves listed, one chosen and made; what chance decides is dealt in between."""
    chess_moves_per_second: float
    """Legal moves listed, one chosen and pushed."""
    ratio: float
    """Median of the ratios of neighbouring slices."""
    lowest: float
    highest: float
    slices: int

    @property
    def aim_met(self) -> bool:
        return self.ratio >= AIM


@dataclass(frozen=True)
class StateCost:
    """What one position costs: medians over the positions of random play, and the mean memory."""

    copy_us: float
    hash_us: float
    bytes: float
    """What each copy has for itself. Parts that never change are shared by all copies and not counted."""


@dataclass(frozen=True)
class Batch:
    """Random games of one edition with one number of players, played to the end."""

    edition: str
    players: int
    games: int
    decisions: int
    seconds: float
    failures: tuple[str, ...]
    """One sentence for each game that raised an error or whose score sheet did not add up."""

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.games else 0.0


@dataclass(frozen=True)
class RulesFigures:
    """All that ``companion bench rules`` measures."""

    chess_version: str
    speed: Speed
    state: StateCost
    chess_state: StateCost
    batches: tuple[Batch, ...]

    @property
    def failures(self) -> list[str]:
        return [failure for batch in self.batches for failure in batch.failures]


def measure(
    *, games: int, slices: int, slice_s: float, bot: str = "random", modules: Sequence[str] = ()
) -> RulesFigures:
    """Measures everything: speed in *slices* of *slice_s* seconds for each side, then *games* whole games of a *bot*.

    Speed and size are those of a game with *modules*; the whole games have any.

    :raises ReferenceMissingError: when python-chess is not installed.
    """
    chess = load_chess()
    game = default_plugin()
    pairs = alternate(random_decisions(game, modules), random_chess_moves(chess), slices, slice_s)
    return RulesFigures(
        chess_version=chess.__version__,
        speed=speed(pairs),
        state=state_cost(
            random_states(game, modules), lambda state: state.copy(), lambda state: state.state_hash()
        ),
        chess_state=state_cost(
            random_boards(chess), lambda board: board.copy(stack=False), chess.polyglot.zobrist_hash
        ),
        batches=tuple(play_batches(game, games, bot)),
    )


def load_chess() -> Any:
    """Returns the package ``chess``, which only this benchmark needs.

    :raises ReferenceMissingError: when it is not installed.
    """
    try:
        import chess.polyglot
    except ModuleNotFoundError as error:
        raise ReferenceMissingError(
            "the rules are measured against the package chess, which is not installed here: "
            "type './run bench rules', which brings it along, or 'pip install chess'"
        ) from error
    return chess


# Speed


def random_decisions(game: GamePlugin, modules: Sequence[str] = ()) -> Iterator[object]:
    """Yields one step for each decision in random games, one game after the other without end."""
    rules = game.rules()
    for seed in count(SEED):
        state = rules.new(game.new_setup(SPEED_PLAYERS, seed, modules))
        yield from decisions(rules, state, random_bot(seed), random.Random(seed))


def random_chess_moves(chess: Any) -> Iterator[Any]:
    """Yields the board after each move in random games of chess, one game after the other without end.

    Games end as they do at the board, but for draws by repetition: to look for those would slow chess a lot.
    """
    rng = random.Random(SEED)
    while True:
        board = chess.Board()
        while not (board.is_insufficient_material() or board.is_seventyfive_moves()):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            yield board


def speed(pairs: Sequence[tuple[float, float]]) -> Speed:
    """Sums up what was measured in turns: decisions and chess moves per second."""
    ours, chess = zip(*pairs, strict=True)
    ratios = [decided / moved for decided, moved in pairs]
    return Speed(
        decisions_per_second=statistics.median(ours),
        chess_moves_per_second=statistics.median(chess),
        ratio=statistics.median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
        slices=len(pairs),
    )


# One position


def random_states(game: GamePlugin, modules: Sequence[str] = ()) -> list[Any]:
    """Returns every position of one random four-player game in which a decision has just been made."""
    rules = game.rules()
    state: Any = rules.new(game.new_setup(SPEED_PLAYERS, SEED, modules))
    return [state.copy() for _ in decisions(rules, state, random_bot(SEED), random.Random(SEED))]


def random_boards(chess: Any) -> list[Any]:
    """Returns positions of random games of chess, without the moves that led there."""
    moves = random_chess_moves(chess)
    return [next(moves).copy(stack=False) for _ in range(CHESS_STATES)]


def state_cost(
    states: Sequence[T], copy: Callable[[T], object], stable_hash: Callable[[T], object]
) -> StateCost:
    return StateCost(
        copy_us=median_us(copy, states),
        hash_us=median_us(stable_hash, states),
        bytes=bytes_each(copy, list(states) * MEMORY_COPIES),
    )


def bytes_each(make: Callable[[T], object], items: Sequence[T]) -> float:
    """Returns the mean memory that *make* allocates for its result for each of *items*."""
    made: list[object] = [None] * len(items)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for index, item in enumerate(items):
            made[index] = make(item)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (after - before) / len(items)


# Whole games


class RandomGames(Protocol):
    """Random games of one game; what the module ``companion.devtools.games.GAME.random_games`` has."""

    EDITIONS: Sequence[str]

    def any_setup(self, edition: str, players: int, seed: int) -> dict[str, Any]:
        """Returns the set-up of a random game; the same *seed* gives the same one."""
        ...

    def components(self, state: Any) -> Counter[str]:
        """Returns how many there are of everything that can neither appear nor disappear."""
        ...

    def check_end(self, rules: Rules, state: Any) -> None:
        """Checks a game that is over.

        :raises ValueError: when its components contradict its score sheet.
        """
        ...


def play_batches(game: GamePlugin, games: int, bot: str = "random") -> Iterator[Batch]:
    """Plays *games* games of a *bot*, spread over all editions and every number of players."""
    found = cast("RandomGames", game_part(game.id, "random_games"))
    kinds = list(product(found.EDITIONS, game.player_counts))
    share = Counter(kinds[number % len(kinds)] for number in range(games))
    for edition, players in kinds:
        yield play_batch(game.rules(), found, edition, players, share[edition, players], bot)


def play_batch(rules: Rules, found: RandomGames, edition: str, players: int, games: int, bot: str) -> Batch:
    """Plays *games* games of a *bot*; a game that goes wrong is noted, and the next one played."""
    made, failures = 0, []
    started = perf_counter()
    for seed in range(SEED, SEED + games):
        try:
            state: Any = rules.new(found.any_setup(edition, players, seed))
            everything = found.components(state)
            for move in decisions(rules, state, BOTS[bot](seed), random.Random(seed)):
                made += 1
                if found.components(state) != everything:
                    raise ValueError(f"{move} has made something appear or disappear")
            found.check_end(rules, state)
        except Exception as error:  # any error of the rules is a finding
            failures.append(f"{edition}, {players} players, seed {seed}: {type(error).__name__}: {error}")
    return Batch(edition, players, games, made, perf_counter() - started, tuple(failures))
