"""Report what is printed on squares of which nobody knows it, when goods have just been put there or will be next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...rules.decision import Decision
from ...rules.decisions.payment import MOST_MOVES_CACHED, effect_missing, open_effect
from ...rules.events import Event
from ...rules.moves import Move, misplaced, parse_number
from ...rules.reason import Reason
from ...rules.state import GameState, Pending
from .routes import route_of, set_route
from .selling import open_squares, pass_up_to
from .tiles import Square

OTHER_NUMBER, OTHER_NUMBERS = "other_number", "other_numbers"
"""Answer that a square, or none of several, has the number of its goods: the bonus does not matter then."""
SAME_NUMBER_LOG_PRIOR = -10.0
"""Makes up for the points that a bonus brings, for which explanations of a turn otherwise prefer it. Set by hand."""
_BETWEEN = ","


@dataclass(frozen=True, slots=True)
class ReportSquare(Move):
    """Report number and bonus of the first square that pays, or that none of several does; counted from 1."""

    word = "square"
    squares: tuple[int, ...]
    """One that pays, or those that do not."""
    number: int | None
    """None if it is another one than that of the goods."""
    effect: str
    """The bonus."""

    def __str__(self) -> str:
        squares = _BETWEEN.join(map(str, self.squares))
        return f"square {squares} " + ("-" if self.number is None else f"{self.number} {self.effect}")


class ReportSquareDecision(Decision[ReportSquare]):
    """One answer is about all squares that are asked about: the first one that pays, or none of them."""

    move = ReportSquare

    def __init__(self, bonuses: Sequence[str]) -> None:
        """*bonuses* are all that a square may have."""
        self._bonuses = bonuses

    def log_prior_of(self, move: ReportSquare) -> float:
        return 0.0 if move.number is None else SAME_NUMBER_LOG_PRIOR

    def parse(self, words: list[str]) -> ReportSquare:
        match words:
            case [squares, "-"]:
                return _none_of(tuple(map(parse_number, squares.split(_BETWEEN))))
            case [square, number, bonus] if bonus in self._bonuses:
                return _report_square((parse_number(square),), parse_number(number), bonus)
        raise misplaced(words)

    def by_effect(self, game: GameState, pending: Pending) -> Iterator[ReportSquare]:
        squares = list(open_squares(game))
        for square, goods in squares:
            for bonus in self._bonuses:
                yield _report_square((square + 1,), goods, bonus)
        # A search looks at the last one first: what follows from the others is mostly the same or less usual.
        if squares:
            yield _none_of(tuple(square + 1 for square, _ in squares))

    def validate(self, game: GameState, move: ReportSquare) -> Reason | None:
        if open_effect(game, move) is None:
            return effect_missing(game, move.word, could_use_die=False)
        asked = {square + 1: goods for square, goods in open_squares(game)}
        if move.number is None:
            is_asked = move.squares == (*asked,)[: len(move.squares)]  # the first ones may be answered alone
        else:
            is_asked = asked.get(*move.squares) == move.number
        return None if is_asked else Reason("other_square_asked", {"squares": list(asked)})

    def apply(self, game: GameState, move: ReportSquare) -> list[Event]:
        """Records what is printed; the bonus follows by itself."""
        player, last = game.player, move.squares[-1] - 1
        passed = [square for square, _ in open_squares(game)]
        passed = passed[: passed.index(last) + (move.number is None)]
        if passed:
            pass_up_to(game, passed[-1])
        if move.number is not None:
            printed = Square(move.number, move.effect)
            set_route(game, player, route_of(game, player).with_squares(last, (printed,)))
        return [Event("square", player.colour, data={"squares": list(move.squares), "effect": move.effect})]


def _none_of(squares: tuple[int, ...]) -> ReportSquare:
    return _report_square(squares, None, OTHER_NUMBER if len(squares) == 1 else OTHER_NUMBERS)


_report_square = lru_cache(maxsize=MOST_MOVES_CACHED)(ReportSquare)
