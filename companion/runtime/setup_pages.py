"""Pages that ask, before a game begins, who plays and what is printed in the owner's copy."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click

from calibration.errors import CompanionError
from companion.archive import Archive, GameRecord, known_names
from companion.calibrate.games.burgundy.county_card import read_card
from companion.games.api import Rules
from companion.games.burgundy.modules.chateauma import UnknownPrintError
from companion.games.burgundy.owner_print import OwnersPrint
from companion.games.burgundy.plugin import (
    BURGUNDY_EDITIONS,
    boards_of,
    burgundy,
    chateauma_module,
    copies_of,
)
from companion.games.burgundy.setup_form import (
    SetupFormError,
    proposed_seats,
    setup_from_form,
)
from companion.players.errors import SetupError
from companion.players.setup import check_new_setup
from companion.service.power import power_switch
from companion.text.translator import Translator

from .game_runner import NO_CAMERA, GameRunner
from .server import PageSettings
from .single_page import serve_until


class WentBackError(CompanionError, RuntimeError):
    """People went from the questions about their copy back to the setup form."""


class UnansweredError(CompanionError, RuntimeError):
    """A page was closed before everything was answered; the message says what happened to the answers."""


def check_named(rules: Rules, setup: Mapping[str, Any]) -> None:
    """Checks that a game can begin with *setup* once the owner has answered what is unknown about their copy.

    :raises SetupError: if it cannot.
    """
    try:
        check_new_setup(rules, setup)
    except SetupError as error:
        if not isinstance(error.__cause__, UnknownPrintError):
            raise


class SetupPages:
    """Serves, at the *runner*'s address, the pages that ask what must be known before a game begins."""

    def __init__(self, games: Archive, print_path: Path, runner: GameRunner, translator: Translator) -> None:
        """*print_path* is the file with what is printed in the owner's copy."""
        self._games = games
        self._print_path = print_path
        self._runner = runner
        self._translator = translator

    def seats(
        self,
        on_table: Mapping[str, Any] | None,
        edition: str,
        variant: Mapping[str, Any],
        previous: Path | None = None,
    ) -> dict[str, Any] | None:
        """Returns the setup that people choose; None if they go back to the game in the journal *previous*.

        What is unknown about the owner's copy is asked as well; from there people can go back to their choices.

        *on_table* is the setup of the boards that the camera sees; None without a table file. *variant* has the parts
        of the setup besides edition and players.

        :raises NotServedError: if the port is taken.
        """
        chosen: Mapping[str, Any] = {"edition": edition}
        while True:
            asked = self._ask_seats(on_table, chosen, variant, previous)
            if asked is None:
                return None
            chosen, setup = asked
            with suppress(WentBackError):
                return self.with_print(setup, can_go_back=True)

    def _ask_seats(
        self,
        on_table: Mapping[str, Any] | None,
        proposed: Mapping[str, Any],
        variant: Mapping[str, Any],
        previous: Path | None,
    ) -> tuple[Mapping[str, Any], dict[str, Any]] | None:
        """Returns what people choose on the form, and its setup; None if they go back to the *previous* game.

        The form proposes the edition and, if there are any, the seats of *proposed*, an earlier choice.
        """
        from web.games.burgundy.setup_form import create_setup_form_app

        edition = proposed["edition"]
        editions = sorted(BURGUNDY_EDITIONS, key=lambda name: name != edition)
        boards = {name: boards_of(name) for name in editions}
        seated = on_table["players"] if on_table else ()
        past = self._games.records()
        usual = [duchy.name for duchy in boards[edition]]
        fixed = {key: on_table[key] for key in ("black_slots",) if on_table and key in on_table}
        fixed |= variant
        decided = threading.Event()
        decisions: list[tuple[Mapping[str, Any], dict[str, Any]] | None] = []
        """The first one counts."""

        def decide(decision: tuple[Mapping[str, Any], dict[str, Any]] | None) -> None:
            decisions.append(decision)
            decided.set()

        def begin(choice: Mapping[str, Any]) -> None:
            setup = {**setup_from_form(choice, {name: copies_of(name) for name in editions}), **fixed}
            try:
                check_named(burgundy(), setup)
            except SetupError as error:
                raise SetupFormError("cannot_be", why=str(error)) from error
            decide((choice, setup))

        page = self._runner.page
        app = create_setup_form_app(
            proposed.get("seats") or proposed_seats(past, usual, seated),
            begin,
            duchies=boards,
            names=known_names(past),
            seated=seated,
            page_language=self._translator.language,
            pin=page.pin,
            key=page.key,
            power=power_switch(),
            hosts=page.hosts,
            previous=self._record_of(previous) if previous else None,
            go_back=partial(decide, None) if previous else None,
        )
        self._serve(decided, app, "setup_form.open", self._translator("setup_form.not_begun"))
        return decisions[0]

    def _record_of(self, journal: Path) -> GameRecord | None:
        """Returns the record of a game; None if its journal is not in the archive or unreadable."""
        try:
            return self._games.game(journal.stem).record
        except LookupError:
            return None

    def with_print(self, setup: dict[str, Any], *, can_go_back: bool = False) -> dict[str, Any]:
        """Returns *setup* with what is printed for the Châteauma in the owner's copy; asks first what is unknown.

        :raises SetupError: if no game can begin with it.
        :raises NotServedError: if the port is taken.
        :raises WentBackError: if people go back to their choices instead of answering; only with *can_go_back*.
        """
        if "chateauma" not in setup:
            return setup
        seat = setup["chateauma"]
        own = OwnersPrint(self._print_path, chateauma_module().print_of(setup["edition"]))
        try:
            burgundy().new({**setup, "chateauma": {**seat, **own.answers}})
        except UnknownPrintError as error:
            click.echo(self._translator("print.asked_first", count=len(error.unknown)))
            self._runner.page = ask_owner(
                own,
                seat["modifiers"],
                self._runner.page,
                self._translator,
                for_game=True,
                can_go_back=can_go_back,
                camera_name=self._runner.camera_name,
            )
            if own.missing(seat["modifiers"]):
                raise WentBackError from None
        return {**setup, "chateauma": {**seat, **own.answers}}

    def _serve(self, done: threading.Event, app: Any, text_key: str, interrupted: str) -> None:
        try:
            self._runner.page = serve_until(
                done,
                app,
                self._runner.page,
                announce=lambda address: click.echo(self._translator(text_key, address=address)),
            )
        except KeyboardInterrupt:
            click.echo(interrupted, err=True)
            raise


def ask_owner(
    own: OwnersPrint,
    modifiers: Sequence[str],
    page: PageSettings,
    translator: Translator,
    *,
    for_game: bool,
    can_go_back: bool = False,
    camera_name: str,
) -> PageSettings:
    """Serves the page about *own* until nothing is missing for a game with these modifiers, or the owner is done.

    If *for_game*, a game waits for the answers: the page asks nothing else, and only people who know the PIN may
    answer. With *can_go_back* they can also go back to the setup form. Returns *page* with the port that was used.

    :raises UnansweredError: if the page is closed before that.
    :raises NotServedError: if the port is taken.
    """
    from web.games.burgundy.print_form import create_print_form_app

    done = threading.Event()
    app = create_print_form_app(
        own,
        modifiers,
        done.set,
        read_card=None if camera_name == NO_CAMERA else partial(read_card, camera_name, own.known),
        for_game=for_game,
        go_back=done.set if can_go_back else None,
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
        key = "print.not_begun" if for_game else "print.file"
        raise UnansweredError(translator(key, file=own.path)) from None
