"""The installed games: each is a folder beside this file, found by its name; nothing else lists them.

A game's folder has a module ``plugin`` with ``PLUGIN``, its :class:`GamePlugin`. One that cannot be loaded is no game:
whoever asks for it is told why, and the others are not touched.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import companion.games
from calibration.errors import CompanionError, Problem

from .api import Rules
from .lesson import Lesson
from .narration import Narration
from .setup import GameSetup, SimpleSetup

GAME, RULES_VERSION = "game", "rules_version"
"""Fields of a game's set-up: which game it is, and the version of the rules that wrote it."""


class UnknownGameError(CompanionError, ValueError):
    """No game of that name is installed, or it cannot be loaded."""

    problem = Problem("unknown_game")


@dataclass(frozen=True)
class ModuleInfo:
    """A part of a game that it may be played with or without."""

    id: str
    requires: Sequence[str] = ()
    """Modules without which it cannot be played."""
    excludes: Sequence[str] = ()
    """Modules with which it cannot be played."""
    is_named: bool = True
    """Whether it is chosen by its name; False if it has a part of its own in the set-up."""
    editions: Sequence[str] = ()
    """Editions of the game that have it; empty if all have."""


@dataclass(frozen=True)
class GamePlugin:
    """What the companion must know of a game before it asks for its rules."""

    id: str
    """Name of its folder, and of the game in set-ups."""
    rules: Callable[[], Rules]
    """Function that returns its rules, the same each time."""
    texts: Path
    """Folder with its texts, one file per language; they are merged over those that every game needs."""
    narration: Narration
    """What it adds to the texts."""
    title: str = ""
    """Its published name."""
    boardgamegeek: Mapping[str, int] = field(default_factory=dict)
    """Edition (empty if there is only one) -> its number at boardgamegeek.com/boardgame/NUMBER."""
    modules: Callable[[], Sequence[ModuleInfo]] = field(default=lambda: ())
    """Function that returns the parts that it may be played with or without."""
    module_texts: Callable[[], Sequence[Path]] = field(default=lambda: ())
    """Function that returns the folders with the texts of those parts."""
    setup: GameSetup = field(default_factory=SimpleSetup)
    """How people choose a set-up; the usual one lets them only sit down."""
    random_setup: Callable[[int, int, Sequence[str]], Mapping[str, Any]] | None = None
    """Function from the number of players, a seed and modules to a set-up that bots can play; None if only who is
    seated matters."""
    lesson: Lesson | None = None
    """How it teaches itself; None if it does not."""
    is_default: bool = False
    """Whether it is the game that is played unless another is named, and that of set-ups which name none."""

    @property
    def player_counts(self) -> range:
        """How many can play."""
        form = self.setup.form()
        return range(form.fewest, form.most + 1)

    @property
    def display_name(self) -> str:
        """Its published name, or that of its folder."""
        return self.title or self.id

    def new_setup(self, players: int, seed: int, modules: Sequence[str] = ()) -> dict[str, Any]:
        """Returns the set-up of a game that can begin; the same *seed* gives the same one."""
        named = {"modules": list(modules)} if modules else {}
        seats = [{"colour": colour} for colour in self.setup.form().colours[:players]]
        seated = self.random_setup(players, seed, modules) if self.random_setup else {"players": seats}
        return {GAME: self.id, **seated, **named}

    def text_folders(self) -> tuple[Path, ...]:
        """Returns the folders with its texts and those of its modules."""
        return (self.texts, *self.module_texts())


def plugins() -> dict[str, GamePlugin]:
    """Returns every installed game by name, sorted."""
    return {name: found for name, found in _found().items() if isinstance(found, GamePlugin)}


def broken_games() -> dict[str, str]:
    """Returns by name why a game's folder cannot be used."""
    return {name: found for name, found in _found().items() if isinstance(found, str)}


def _found() -> Mapping[str, GamePlugin | str]:
    return _loaded(tuple(companion.games.__path__))


@cache
def _loaded(folders: tuple[str, ...]) -> Mapping[str, GamePlugin | str]:
    """Returns each game in these folders by name, or why it cannot be used."""
    names = sorted(path.parent.name for folder in folders for path in Path(folder).glob("*/plugin.py"))
    return {name: _load(name) for name in names}


def _load(name: str) -> GamePlugin | str:
    try:
        found = importlib.import_module(f"{companion.games.__name__}.{name}.plugin").PLUGIN
    except Exception as error:  # a game that somebody is writing must not stop the others
        return f"its plugin.py cannot be loaded ({type(error).__name__}: {error})"
    if not isinstance(found, GamePlugin):
        return "PLUGIN in its plugin.py is no GamePlugin"
    if found.id != name:
        return f"its plugin.py calls it {found.id!r}: give it the name of its folder"
    return found


def plugin(name: str) -> GamePlugin:
    """Returns a game by name.

    :raises UnknownGameError: if it is not installed.
    """
    if name in (broken := broken_games()):
        raise UnknownGameError(f"the game {name!r} cannot be used: {broken[name]}")
    if name not in (installed := plugins()):
        raise UnknownGameError(f"there is no game {name!r}: choose {' or '.join(installed)}")
    return installed[name]


def default_plugin() -> GamePlugin:
    """Returns the game that is played unless another is named.

    :raises UnknownGameError: if there is none.
    """
    found = next((plugin for plugin in plugins().values() if plugin.is_default), None)
    if found is None:
        why = "; ".join(f"{name}: {reason}" for name, reason in broken_games().items())
        raise UnknownGameError(f"no game can be played by default ({why or 'none is installed'})")
    return found


def game_of(setup: Mapping[str, Any]) -> str:
    """Returns the name of the game that a set-up is for; early ones named none."""
    return str(setup.get(GAME, default_plugin().id))


def rules_of(setup: Mapping[str, Any]) -> Rules:
    """Returns the rules of the game that a set-up is for.

    :raises UnknownGameError: if it is not installed, or the set-up was written by later rules.
    """
    rules = plugin(game_of(setup)).rules()
    version = setup.get(RULES_VERSION, rules.version)
    if type(version) is not int or version > rules.version:
        raise UnknownGameError(
            f"this game was begun by version {str(version)[:20]} of the rules of {rules.name},"
            f" and this companion knows version {rules.version}: update it"
        )
    return rules
