"""The toy games that the contract test plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.support.contract import Case

from .matches.rules import GOALS_REPORTED, Matches, State


def cases() -> Iterator[Case]:
    for reported in ([GOALS_REPORTED], []):
        setup = {"game": "matches", "players": [{"colour": "red"}, {"colour": "blue"}], "told": reported}
        yield Case(f"matches-{'+'.join(reported) or 'nothing'}", Matches(), setup, components)


def components(state: State) -> Counter[str]:
    """Returns every match, in a heap or taken."""
    return Counter(match=sum(state.heaps) + sum(map(sum, state.taken.values())))
