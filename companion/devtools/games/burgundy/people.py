"""What people at the table know and enter, for benchmarks (:mod:`companion.devtools.benchmarks`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.api import Move, Rules
from companion.games.burgundy.modules.trade_routes.report_square import ReportSquare
from companion.games.burgundy.modules.trade_routes.routes import MODULE, route_of
from companion.games.burgundy.plugin import burgundy, with_assumed_print
from companion.games.burgundy.rules.decisions import StartGoods
from companion.players.bots import Bot


def entered(event: Move) -> Iterator[str]:
    """Yields the notations by which chance is tapped besides dice and places: dealt goods, one by one."""
    if isinstance(event, StartGoods):
        for kind in event.goods:
            yield str(StartGoods(event.player, (kind,)))


def without_print(setup: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a set-up without what people need not tell beforehand of their copy's print."""
    return {part: value for part, value in setup.items() if part != MODULE}


def reporting(bot: Bot, setup: Mapping[str, Any], seed: int) -> Bot:
    """Returns *bot* with people who look at their trade routes, of which the page knows nothing."""
    if MODULE not in setup.get("modules", ()):
        return bot
    printed = burgundy().new(with_assumed_print(setup, seed))

    def bot_who_looks(rules: Rules, state: Any) -> Move:
        answers = [move for move in rules.legal_moves(state) if isinstance(move, ReportSquare)]
        squares = route_of(printed, state.player).squares if answers else ()
        true = [move for move in answers if (move.number, move.effect) == squares[move.squares[0] - 1]]
        none = [move for move in answers if move.number is None]
        first = sorted(true, key=lambda move: move.squares)
        return (first or none)[0] if answers else bot(rules, state)

    return bot_who_looks
