"""Views of the page, and the game in whose scenarios they are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from companion.games.registry import default_plugin

from ..game_part import game_part


@dataclass(frozen=True, slots=True)
class View:
    """A page or dialog."""

    name: str
    description: str
    """One sentence about it."""
    path: str = "/"
    taps: tuple[str, ...] = ()
    """CSS selectors of the elements that are tapped in turn."""
    full_page: bool = False
    """Whether the screenshot shows the page below the first screen too."""


@dataclass(frozen=True, slots=True)
class Section:
    """Views that belong together, by the scenario that shows them."""

    title: str
    scenarios: dict[str, tuple[View, ...]]


Scenario = tuple[str, str]
"""Its name, and the address at which it is served until the next one is requested."""


class Screenplay(Protocol):
    """The views of one game; what the package ``companion.devtools.games.GAME.screenshots`` has."""

    SECTIONS: Sequence[Section]
    MAIN: Collection[str]
    """Names of the views that are shown on every kind of screen."""
    ASSUMPTIONS: str
    """Sentence about what the pictures assume; empty if they assume nothing."""

    def scenarios(self, names: Collection[str]) -> Iterator[Scenario]:
        """Yields the scenarios *names*, and others that are passed on the way to them."""
        ...


def screenplay() -> Screenplay:
    """Returns the views of the default game, which the documentation shows.

    :raises NoGamePartError: if it has none.
    """
    return cast("Screenplay", game_part(default_plugin().id, "screenshots"))


def views_by_scenario() -> dict[str, tuple[View, ...]]:
    """Returns the views of each scenario, in the order of the document."""
    return {
        scenario: views for section in screenplay().SECTIONS for scenario, views in section.scenarios.items()
    }


def views() -> Iterator[View]:
    """Yields every view, in the order of the document."""
    for shown in views_by_scenario().values():
        yield from shown
