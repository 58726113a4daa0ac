"""Report what is printed on a square of which nobody knows it, when goods have just been put there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...rules.decision import Decision
from ...rules.decisions.payment import MOST_MOVES_CACHED, effect_missing, open_effect, use_effect
from ...rules.events import Event
from ...rules.moves import Move, parse_number
from ...rules.reason import Reason
from ...rules.state import GameState, Pending
from .routes import route_of, set_route
from .selling import QUESTION, asked_square, is_known, take_step
from .tiles import Square

OTHER_NUMBER = "other_number"
"""Answer that the square does not have the number of the goods: its bonus does not matter then."""
SAME_NUMBER_LOG_PRIOR = -10.0
"""Makes up for the points that a bonus brings, for which explanations of a turn otherwise prefer it. Set by hand."""


@dataclass(frozen=True, slots=True)
class ReportSquare(Move):
    """Report the number and the bonus of a square, counted from 1, or that it has another number than its goods."""

    word = "square"
    square: int
    number: int | None
    effect: str
    """The bonus."""

    def __str__(self) -> str:
        return f"square {self.square} " + ("-" if self.number is None else f"{self.number} {self.effect}")


class ReportSquareDecision(Decision[ReportSquare]):
    move = ReportSquare

    def __init__(self, bonuses: Sequence[str]) -> None:
        """*bonuses* are all that a square may have."""
        self._bonuses = bonuses

    def log_prior_of(self, move: ReportSquare) -> float:
        return 0.0 if move.number is None else SAME_NUMBER_LOG_PRIOR

    def parse(self, words: list[str]) -> ReportSquare:
        match words:
            case [square, "-"]:
                return ReportSquare(parse_number(square), None, OTHER_NUMBER)
            case [square, number, bonus] if bonus in self._bonuses:
                return ReportSquare(parse_number(square), parse_number(number), bonus)
        raise ValueError(" ".join(words))

    def by_effect(self, game: GameState, pending: Pending) -> Iterator[ReportSquare]:
        square, route = asked_square(game), route_of(game, game.player)
        if not is_known(game, square):
            for bonus in self._bonuses:
                yield _report_square(square + 1, route.goods[square], bonus)
            # A search looks at the last one first: what follows from the others is mostly the same or less usual.
            yield _report_square(square + 1, None, OTHER_NUMBER)

    def validate(self, game: GameState, move: ReportSquare) -> Reason | None:
        pending = open_effect(game, move)
        if pending is None:
            return effect_missing(game, move.word, could_use_die=False)
        if move in self.by_effect(game, pending):
            return None
        square = asked_square(game)
        goods = route_of(game, game.player).goods[square]
        return Reason("other_square_asked", {"square": square + 1, "goods": goods})

    def apply(self, game: GameState, move: ReportSquare) -> list[Event]:
        """Records what is printed; the bonus follows by itself."""
        player = game.player
        if move.number is None:
            use_effect(game, move)
            take_step(game, QUESTION)
        else:
            printed = Square(move.number, move.effect)
            set_route(game, player, route_of(game, player).with_squares(move.square - 1, (printed,)))
        return [Event("square", player.colour, data={"square": move.square, "effect": move.effect})]


_report_square = lru_cache(maxsize=MOST_MOVES_CACHED)(ReportSquare)
