"""What the page of one game adds to the page that all games share.

A game's part of the page is the package ``web.games.GAME``, found by its name; a game without one is shown by the
common templates alone. All of it is optional:

* ``PAGE``, a :class:`GamePage`: what Python has to know.
* ``templates/``: a template that is named like a *slot* (``web/templates/slots/``) takes its place. Other templates are
  the game's own; their names begin with the game's, as in ``{% include "GAME/die.html" %}``.
* ``templates/modules/MODULE/``: what a module adds to the game's templates, found by the name of the file. Where it
  belongs, a template says ``{% for added in of_modules("NAME") %}{% include added %}{% endfor %}``, which is nothing
  without the module.
* ``static/``: served under ``/static/games/GAME/``. Its style sheets are linked after the common ones: ``style.css``
  on every screen, those named like one of :data:`web.preferences.LAYOUTS` on the same screens. ``icons.svg`` holds its
  icons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Protocol

from flask import Blueprint, Flask, Response, abort, send_from_directory, url_for

import web.games
from companion.games import capabilities
from companion.games.parts import part
from companion.games.registry import plugin
from companion.session import Snapshot, TableSession
from companion.text.translator import Translator

from . import setup_steps
from .templating import game_folders
from .ways import Role

SLOTS = Path(__file__).parent / "templates" / "slots"
COMMON_STATIC = Path(__file__).parent / "static"
ENDPOINT = "game_static"
"""Endpoint of the games' static files."""

View = Mapping[str, Any]
"""A position as the game describes it (``Rules.view``)."""
Move = Mapping[str, Any]
"""A move as the game describes it (``Rules.describe``)."""
Event = Mapping[str, Any]
"""An event as plain data (``Event.to_json``)."""


class SetupSheet(Protocol):
    """What people set up now, in place of the boards. The slot ``setup`` draws it."""

    @property
    def stage(self) -> str:
        """``start`` (what players begin with), ``first`` (before the first round) or ``later``; scores are shown later
        only."""
        ...

    @property
    def by_hand(self) -> bool:
        """Whether people enter everything by taps."""
        ...

    @property
    def asked(self) -> str | None:
        """The place to enter next; None if the page asks for none."""
        ...

    def title(self, t: Translator) -> str:
        """Returns the heading of the card."""
        ...


@dataclass(frozen=True, slots=True)
class Moment:
    """The table at one moment, for a game's templates."""

    view: View
    events: Sequence[Event]
    """Those of the latest entry."""
    t: Translator
    snapshot: Snapshot | None = None
    """None in the replay of a game."""
    modules: Sequence[str] = ()
    """Those of the game that are played (``Rules.modules_of``)."""
    changed: Sequence[str] = ()
    """The places that the latest entry has changed, in the replay of a game."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GamePage:
    """What Python has to know of one game's page."""

    draw: Any = None
    """What its templates use by this name, such as a module of functions."""
    context: Callable[[Moment], Mapping[str, Any]] = lambda moment: {}
    """Returns what its templates need besides, by name, to draw the table."""
    sheets: Blueprint | None = None
    """Sheets of its own that open over the table."""

    # --- the table ---

    seats: Callable[[View], Sequence[View]] = lambda view: view["players"]
    """Returns all seats of a position, each with its ``colour``, in the order in which they are drawn."""
    setup: Callable[[TableSession, Snapshot], SetupSheet | None] = setup_steps.setup_sheet
    """Returns what people set up now; None if the table is shown instead."""
    reported_by_moves: Sequence[str] = ()
    """Kinds of events that the text of their move already describes."""

    # --- places and moves ---

    moves_at: Callable[[str, View, Iterable[Move]], list[Move]] = lambda place, view, legal: [
        move for move in legal if move.get("place") == place
    ]
    """(place, view, legal moves) -> the moves that concern the place, usual ones first."""
    roles_of: Callable[[Move, View], Sequence[Role]] | None = None
    """(legal move, view) -> the roles of the pieces that people touch to make it (see :mod:`.touch`). None for a game
    that is played from its list of moves."""
    has_own_button: Callable[[Move], bool] = lambda move: False
    """Whether the game's templates have a button for a move that is made with no piece."""
    labels_for: Callable[[str, str, View], list[str]] = lambda place, before, view: [before]
    """(place, its label now, view) -> the labels that it may have after a legal turn, likely ones first."""
    in_order: Callable[[Iterable[str]], list[str]] = sorted
    """Sorts labels for people."""
    rarely_adjusted: Sequence[str] = ()
    """Kinds of counts that are corrected so rarely that the form hides them at first."""

    # --- results ---

    rules_of: Mapping[str, str] = field(default_factory=dict)
    """Kind of event -> where the printed rules say how it scores."""
    section: Callable[[Event], str | None] = lambda event: None
    """Returns the sign of the section that begins with an event, to which a replay can jump; None for other events."""
    sections: Sequence[str] = ()
    """Signs of all sections of a game, for the chart of its scores."""
    rounds: int = 0
    """Rounds of each section."""

    # --- setting up ---

    picture: Callable[[str, Any], str | None] = lambda option, value: None
    """(option of the setup form, value) -> a drawing of it, as SVG; None if there is none."""


@dataclass(frozen=True, eq=False)
class GamePart:
    """The page part of one game, complete with the common page where it has nothing of its own."""

    game: str
    page: GamePage
    folder: Path | None
    """None if there is no part for the game."""

    def slot(self, name: str) -> str:
        """Returns the template that fills a slot."""
        return f"{self.game}/{name}.html" if name in self._templates else f"slots/{name}.html"

    def of_modules(self, modules: Iterable[str], name: str) -> list[str]:
        """Returns the templates of that *name* of those *modules* that have one."""
        return [
            f"{self.game}/modules/{module}/{name}.html"
            for module in modules
            if (module, name) in self._module_templates
        ]

    @property
    def is_plain(self) -> bool:
        """Whether the common page draws the players' boards, as text."""
        return self.slot("board").startswith("slots/")

    @cached_property
    def _templates(self) -> frozenset[str]:
        return (
            frozenset(path.stem for path in self.folder.glob("templates/*.html"))
            if self.folder
            else frozenset()
        )

    @cached_property
    def _module_templates(self) -> frozenset[tuple[str, str]]:
        """Module and name of each template of a module."""
        found = self.folder.glob("templates/modules/*/*.html") if self.folder else ()
        return frozenset((path.parent.name, path.stem) for path in found)

    @cached_property
    def _is_watchable(self) -> bool:
        """Whether a camera can watch the game."""
        return bool(capabilities.observable(plugin(self.game).rules()).parts)

    def style_sheets(self, name: str) -> list[str]:
        """Returns the addresses of the style sheets of that name, the common one first; only during a request."""
        own = self.folder / "static" / name if self.folder else None
        common = [url_for("static", filename=name)] if (COMMON_STATIC / name).is_file() else []
        return [*common, self.static(name)] if own and own.is_file() else common

    def context(self, modules: Iterable[str] = ()) -> dict[str, Any]:
        """Returns what templates about the game, played with these *modules*, can use; only during a request."""
        return {
            "slot": self.slot,
            "of_modules": partial(self.of_modules, modules),
            "draw": self.page.draw,
            "game_page": self.page,
            "is_watchable": self._is_watchable,
            "sheets": self.style_sheets,
            "game_icons": self.static("icons.svg"),
        }

    def static(self, name: str) -> str:
        """Returns the address of one of its static files; only during a request."""
        return url_for(ENDPOINT, game=self.game, filename=name)


def part_of(game: str) -> GamePart:
    """Returns the page part of a game by name."""
    return _part_of(game, tuple(web.games.__path__))


@cache
def _part_of(game: str, folders: tuple[str, ...]) -> GamePart:
    found = part("web", game)
    page = getattr(found, "PAGE", None) or GamePage()
    return GamePart(game, page, Path(found.__path__[0]) if found else None)


def init_game_page(app: Flask, game: str) -> None:
    """Makes the templates of *app* about a *game*, and serves the static files of all games."""
    app.add_url_rule("/static/games/<game>/<path:filename>", ENDPOINT, _static)
    app.context_processor(part_of(game).context)


def _static(game: str, filename: str) -> Response:
    """Returns a static file of a game."""
    folder = next((path for path in game_folders() if path.name == game), None)
    if folder is None:
        abort(404)
    return send_from_directory(folder / "static", filename)
