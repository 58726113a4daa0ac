"""Asking what the owner's copy prints, on a page, before it matters."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import click

from ..card_reading import read_card
from ..games.burgundy.chateauma import UnknownPrintError
from ..owners_print import OwnersPrint
from ..shelf import burgundy
from ..words import Words
from .errors import fail
from .options import NO_CAMERA
from .waiting import serve_until

MOST_PEOPLE = 3
"""Beside the Châteauma (S1040)."""


def seat_chateauma(
    setup: Mapping[str, Any] | None,
    seat: Mapping[str, Any],
    own: OwnersPrint,
    *,
    camera_name: str,
    host: str,
    port: int,
    words: Words,
) -> tuple[dict[str, Any], int]:
    """A game's set-up with the Châteauma's *seat* beside people; what its print lacks is asked on a page before.

    Returns the port, too: the page for the game belongs where the questions were.

    :raises ValueError: when nobody plays beside it, or there is no such game.
    :raises PortBusyError: when the port is taken.
    """
    if setup is None:
        raise ValueError(
            "who plays beside the Châteauma? Name a table file with --table, or --players red:se-1"
        )
    people = [player["colour"] for player in setup["players"]]
    if len(people) > MOST_PEOPLE:
        raise ValueError(f"the Châteauma plays beside one to {MOST_PEOPLE} people, not {len(people)}")
    if seat["colour"] in people:
        raise ValueError(
            f"a person plays {seat['colour']}: give the Châteauma another colour with --chateauma-colour"
        )
    try:
        burgundy().new({**setup, "chateauma": {**seat, **own.answers}})
    except UnknownPrintError as error:
        click.echo(words("print.asked_first", count=len(error.unknown)))
        port = ask_owner(
            own,
            seat["modifiers"],
            for_game=True,
            camera_name=camera_name,
            host=host,
            port=port,
            words=words,
        )
    return {**setup, "chateauma": {**seat, **own.answers}}, port


def ask_owner(
    own: OwnersPrint,
    modifiers: Sequence[str],
    *,
    for_game: bool,
    camera_name: str,
    host: str,
    port: int,
    words: Words,
) -> int:
    """Serves the page about *own* until nothing is missing for a game with these modifiers, or all is said.

    *for_game* is whether a game waits for it; then nothing else is asked. Returns the port.

    :raises PortBusyError: when the port is taken.
    """
    from web.owners_print import create_print_app

    done = threading.Event()
    app = create_print_app(
        own,
        modifiers,
        done.set,
        read_card=None if camera_name == NO_CAMERA else partial(read_card, camera_name, own.known),
        for_game=for_game,
        page_language=words.language,
    )
    try:
        return serve_until(
            done,
            app,
            host=host,
            port=port,
            say=lambda address: click.echo(words("print.open", address=address)),
        )
    except KeyboardInterrupt:
        fail(words("print.not_begun" if for_game else "print.file", file=own.path))
