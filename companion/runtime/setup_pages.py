"""Pages that ask, before a game begins, who plays and what is printed in the owner's copy."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click

from calibration.errors import CompanionError
from companion.archive import Archive, GameRecord
from companion.games.api import Rules
from companion.games.lesson import LESSON
from companion.games.registry import GAME, game_of, plugin, plugins
from companion.games.setup import Choice, SetupFormError
from companion.journal import JournalError
from companion.journal.disk_errors import problem_of
from companion.players.errors import SetupError
from companion.players.setup import check_new_setup
from companion.service.file_errors import describe
from companion.service.power import power_switch
from companion.text.translator import Translator

from .game_runner import GameRunner
from .owner_print import owner_print_of
from .single_page import serve_until

CHOSEN = (GAME, "modules", "rules")
"""Parts of a variant that people choose on the form, where they are proposed."""

Decision = tuple[str, Choice, dict[str, Any]]
"""The game that people choose, what they choose for it, and its setup."""

CanBegin = Callable[[Mapping[str, Any]], None]
"""Checks that a game with this setup can be saved; raises :exc:`.JournalError` if it cannot."""


def _unasked_rules(choice: Choice, variant: Mapping[str, Any]) -> dict[str, str]:
    """Returns the table rules of a *variant* that the form did not ask."""
    return {name: value for name, value in variant.get("rules", {}).items() if name not in choice["options"]}


class WentBackError(CompanionError, RuntimeError):
    """People went from the questions about their copy back to the setup form."""


def check_named(rules: Rules, setup: Mapping[str, Any]) -> None:
    """Checks that a game can begin with *setup* once the owner has answered what is unknown about their copy.

    :raises SetupError: if it cannot.
    """
    try:
        check_new_setup(rules, setup)
    except SetupError as error:
        owner_print = owner_print_of(rules.name)
        if owner_print is None or not isinstance(error.__cause__, owner_print.unknown_error):
            raise
        check_new_setup(rules, owner_print.assumed(setup))


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
        check_can_begin: CanBegin,
        previous: Path | None = None,
        repeated: Mapping[str, Any] | None = None,
    ) -> dict[str, Any] | None:
        """Returns the setup that people choose; None if they go back to the game in the journal *previous*.

        What is unknown about the owner's copy is asked as well; from there people can go back to their choices.

        *on_table* is the setup of the boards that the camera sees; None without a table file. *variant* has the parts
        of the setup besides edition and players: its game, edition and modules are proposed. *repeated* is the setup of
        a game that is to be played again, which is proposed instead. The pages stay open while no game can begin with
        the setup.

        :raises NotServedError: if the port is taken.
        """
        if repeated is not None:
            game = game_of(repeated)
            variant = {GAME: game, "rules": repeated.get("rules", {})}
            chosen = plugin(game).setup.again(repeated, on_table)
        else:
            game, chosen = self._proposed(on_table, edition, variant)
        while True:
            asked = self._ask_seats(game, chosen, on_table, variant, check_can_begin, previous)
            if asked is None:
                return None
            game, chosen, setup = asked
            with suppress(WentBackError):
                return self.with_print(setup, check_can_begin, can_go_back=True)

    def _proposed(
        self, on_table: Mapping[str, Any] | None, edition: str, variant: Mapping[str, Any]
    ) -> tuple[str, Choice]:
        """Returns the game of the *variant*, and the choice that is proposed for it."""
        game = game_of(variant)
        named = {
            "edition": edition,
            "modules": list(variant.get("modules", ())),
            "rules": variant.get("rules", {}),
        }
        options = {name: value for name, value in named.items() if value}
        past = [record for record in self._games.records() if record.game == game]
        return game, plugin(game).setup.proposal(past, on_table, options)

    def _ask_seats(
        self,
        game: str,
        proposed: Choice,
        on_table: Mapping[str, Any] | None,
        variant: Mapping[str, Any],
        check_can_begin: CanBegin,
        previous: Path | None,
    ) -> Decision | None:
        """Returns what people choose on the form; None if they go back to the *previous* game.

        The form proposes a choice for *game*. Boards on the table are those of the *variant*'s game alone.
        """
        from web.setup_form import create_setup_form_app

        games = [game] if on_table else [game, *(other for other in plugins() if other != game)]
        decided = threading.Event()
        decisions: list[Decision | None] = []
        """The first one counts."""

        def decide(decision: Decision | None) -> None:
            decisions.append(decision)
            decided.set()

        def begin(chosen_game: str, choice: Choice) -> None:
            if decided.is_set():
                raise SetupFormError("decided")
            setup = {**plugin(chosen_game).setup.setup(choice, on_table), GAME: chosen_game}
            if chosen_game == game_of(variant):
                setup |= {part: value for part, value in variant.items() if part not in CHOSEN}
                if rules := {**_unasked_rules(choice, variant), **setup.get("rules", {})}:
                    setup["rules"] = rules
            try:
                check_named(plugin(chosen_game).rules(), setup)
                self._missing(setup)
            except (CompanionError, OSError) as error:
                self._runner.remark(describe(error) if isinstance(error, OSError) else str(error))
                raise SetupFormError("cannot_be", problem=problem_of(error)) from error
            try:
                check_can_begin(setup)
            except JournalError as error:
                raise SetupFormError("not_saved", problem=error.problem) from error
            decide((chosen_game, choice, setup))

        def learn(taught: str) -> None:
            lesson = plugin(taught).lesson
            assert lesson is not None, "only the button of a game with a lesson begins one"
            decide((taught, plugin(taught).setup.proposal(), dict(lesson.setup)))

        page = self._runner.page
        app = create_setup_form_app(
            games,
            begin,
            learn=learn,
            proposed=proposed,
            past=self._games.records(),
            on_table=on_table,
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

    def _missing(self, setup: Mapping[str, Any]) -> int:
        """Returns how many questions about the owner's copy must be answered before a game with *setup*.

        :raises CompanionError: if the file with the answers cannot be used.
        :raises OSError: if it cannot be read.
        """
        owner_print = owner_print_of(game_of(setup))
        return 0 if owner_print is None else owner_print.missing(setup, self._print_path)

    def with_print(
        self, setup: dict[str, Any], check_can_begin: CanBegin, *, can_go_back: bool = False
    ) -> dict[str, Any]:
        """Returns *setup* with what is printed in the owner's copy; asks first what is unknown.

        The page that asks stays open while no game can begin with *setup*.

        :raises SetupError: if no game can begin with it.
        :raises NotServedError: if the port is taken.
        :raises WentBackError: if people go back to their choices instead of answering; only with *can_go_back*.
        """
        owner_print = owner_print_of(game_of(setup))
        if owner_print is None or setup.get(LESSON):
            return setup
        if missing := self._missing(setup):
            translator = self._translator.of_game(game_of(setup))
            click.echo(translator("print.asked_first", count=missing))
            self._runner.page = owner_print.ask(
                setup,
                self._print_path,
                self._runner.page,
                translator,
                camera_name=self._runner.camera_name,
                can_go_back=can_go_back,
                check_can_begin=partial(check_can_begin, setup),
            )
            if self._missing(setup):
                raise WentBackError
        return owner_print.complete(setup, self._print_path)

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
