"""What is printed in the owner's copy: asked before a game that needs it, and learnt from what people report."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from companion.calibrate.games.burgundy.county_card import read_card
from companion.games.burgundy.modules.chateauma import UnknownPrintError
from companion.games.burgundy.modules.chateauma.assumed_print import answers, assumed
from companion.games.burgundy.owner_print import OwnersPrint, PrintFile, questions_before
from companion.games.burgundy.plugin import burgundy, chateauma_module
from companion.runtime.game_runner import NO_CAMERA
from companion.runtime.owner_print import UnansweredError
from companion.runtime.server import PageSettings
from companion.runtime.single_page import serve_until
from companion.text.translator import Translator

SEAT = "chateauma"
"""Part of a set-up that needs the print for the Châteauma."""


class BurgundyPrint:
    """What games ask, as :class:`companion.runtime.owner_print.OwnerPrint`."""

    unknown_error: type[Exception] = UnknownPrintError

    def assumed(self, setup: Mapping[str, Any]) -> dict[str, Any]:
        seat = setup[SEAT]
        printed = chateauma_module().print_of(setup["edition"])
        return {**setup, SEAT: {**seat, **answers(assumed(printed, seat.get("modifiers", ()), {}))}}

    def missing(self, setup: Mapping[str, Any], path: Path) -> int:
        completed = self.complete(setup, path)
        of_automa = _missing_of_automa(completed) if SEAT in completed else 0
        return len(questions_before(completed)) + of_automa

    def ask(
        self,
        setup: Mapping[str, Any],
        path: Path,
        page: PageSettings,
        translator: Translator,
        *,
        camera_name: str,
        can_go_back: bool,
        check_can_begin: Callable[[], None],
    ) -> PageSettings:
        return ask_owner(
            _print_for(setup, path),
            setup[SEAT]["modifiers"] if SEAT in setup else None,
            page,
            translator,
            questions=questions_before(setup),
            for_game=True,
            can_go_back=can_go_back,
            check_can_begin=check_can_begin,
            camera_name=camera_name,
        )

    def complete(self, setup: Mapping[str, Any], path: Path) -> dict[str, Any]:
        played = {*setup, *setup.get("modules", ())}
        asked = any(module.print_kinds for name, module in burgundy().modules.items() if name in played)
        if not asked and not questions_before(setup):
            return dict(setup)
        return PrintFile(path).complete(setup)

    def learn(self, state: Any, path: Path) -> None:
        if any(module.print_kinds for module in state.ruleset.modules):
            PrintFile(path).learn(state)


def _missing_of_automa(setup: Mapping[str, Any]) -> int:
    """Returns how many questions about the print for the Châteauma a set-up leaves open."""
    try:
        burgundy().new(setup)
    except UnknownPrintError as error:
        return len(error.unknown)
    return 0


def _print_for(setup: Mapping[str, Any], path: Path) -> OwnersPrint:
    return OwnersPrint(path, chateauma_module().print_of(setup["edition"]))


OWNER_PRINT = BurgundyPrint()


def ask_owner(
    own: OwnersPrint,
    modifiers: Sequence[str] | None,
    page: PageSettings,
    translator: Translator,
    *,
    questions: Sequence[str] = (),
    for_game: bool,
    can_go_back: bool = False,
    check_can_begin: Callable[[], None] = lambda: None,
    camera_name: str,
) -> PageSettings:
    """Serves the page about *own* until nothing is missing for a game, or the owner is done.

    *modifiers* and *questions* say what a game needs (:meth:`.OwnersPrint.missing`).

    If *for_game*, a game waits for the answers: the page asks nothing else, only people who know the PIN may answer,
    and nothing is saved while *check_can_begin* raises a :exc:`.JournalError`. With *can_go_back* they can also go back
    to the setup form. Returns *page* with the port that was used.

    :raises UnansweredError: if the page is closed before that; the message says where the answers are.
    :raises NotServedError: if the port is taken.
    """
    from web.games.burgundy.print_form import create_print_form_app

    done = threading.Event()
    app = create_print_form_app(
        own,
        modifiers,
        done.set,
        questions=questions,
        read_card=None
        if camera_name == NO_CAMERA or modifiers is None
        else partial(read_card, camera_name, own.known),
        for_game=for_game,
        go_back=done.set if can_go_back else None,
        check_can_begin=check_can_begin,
        page_language=translator.language,
        pin=page.pin,
        key=page.key,
        hosts=page.hosts,
    )
    try:
        return serve_until(
            done, app, page, announce=lambda address: click.echo(translator("print.open", address=address))
        )
    except KeyboardInterrupt:
        where = _not_begun_text if for_game else file_text
        raise UnansweredError(where(own, translator)) from None


def file_text(own: PrintFile, translator: Translator) -> str:
    """Returns in which file the owner's answers are, if there are any."""
    return translator("print.file" if _is_answered(own) else "print.no_file", file=own.path)


def _not_begun_text(own: PrintFile, translator: Translator) -> str:
    key = "print.not_begun" if _is_answered(own) else "print.not_begun_unanswered"
    return translator(key, file=own.path)


def _is_answered(own: PrintFile) -> bool:
    return any(own.answers.values())
