"""The toy games that the contract test plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.support.contract import Case

from .matches import rules as matches
from .matches.rules import GOALS_REPORTED, Matches
from .pebbles import rules as pebbles
from .pebbles.rules import Pebbles
from .pips.rules import Pips
from .wells.rules import Wells


def cases() -> Iterator[Case]:
    for reported in ([GOALS_REPORTED], []):
        setup = {"game": "matches", "players": [{"colour": "red"}, {"colour": "blue"}], "told": reported}
        yield Case(f"matches-{'+'.join(reported) or 'nothing'}", Matches(), setup, every_match)
    setup = {"game": "pebbles", "players": [{"colour": "red"}, {"colour": "blue"}, {"colour": "green"}]}
    yield Case("pebbles", Pebbles(), setup, every_pebble)
    setup = {"game": "pips", "players": [{"colour": "red"}, {"colour": "blue"}]}
    yield Case("pips", Pips(), setup, lambda state: Counter(die=1))
    yield Case("wells", Wells(), setup, lambda state: Counter(well=1))


def every_match(state: matches.State) -> Counter[str]:
    """Returns every match, in a heap or taken."""
    return Counter(match=sum(state.heaps) + sum(map(sum, state.taken.values())))


def every_pebble(state: pebbles.State) -> Counter[str]:
    """Returns every pebble, on the cloth or with its player."""
    left = sum(player["left"] for player in Pebbles().view(state)["players"])
    return Counter(pebble=len(state.pebbles) + left)
