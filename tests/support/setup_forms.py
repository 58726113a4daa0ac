"""The setup form's app for Burgundy, with as much around it as a test names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Flask

from companion.games.burgundy.plugin import PLUGIN
from web.setup_form import create_setup_form_app

ANNA = {"colour": "red", "kind": "person", "name": "Anna", "duchy": "se-1"}
YVES = {"colour": "blue", "kind": "person", "name": "Yves", "duchy": "se-2"}
AUTOMA = {"colour": "black", "kind": "automa", "level": "hard", "pieces": "virtual", "modifiers": ["A"]}


def choice_of(*seats: Mapping[str, Any], edition: str = "special", **options: Any) -> dict[str, Any]:
    """Returns the choice of these seats."""
    return {"options": {"edition": edition, **options}, "seats": list(seats)}


def setup_form_app(
    seats: Sequence[Mapping[str, Any]] = (ANNA, YVES),
    begin: Callable[[str, Any], None] = lambda game, choice: None,
    **options: Any,
) -> Flask:
    """Returns the app, which proposes these seats; *options* are those of :func:`create_setup_form_app`."""
    return create_setup_form_app([PLUGIN.id], begin, proposed=choice_of(*seats), **options)
