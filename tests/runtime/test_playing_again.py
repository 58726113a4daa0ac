"""The same game again: what is proposed, and what begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from companion.archive import Archive
from companion.games.burgundy.plugin import PLUGIN
from companion.runtime.setup_pages import SetupPages
from companion.text.translator import Translator
from tests.support.setup_forms import ANNA, YVES, choice_of

Ask = Callable[..., dict[str, Any] | None]


@pytest.fixture
def begun_as_proposed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ask:
    """Returns a function that asks who plays, and returns the setup with which people begin at once."""

    def form(
        games: Sequence[str],
        begin: Callable[[str, Mapping[str, Any]], None],
        *,
        proposed: Mapping[str, Any],
        **options: Any,
    ) -> None:
        begin(games[0], proposed)

    monkeypatch.setattr("web.setup_form.create_setup_form_app", form)
    monkeypatch.setattr(SetupPages, "_serve", lambda *ignored: None)
    pages = SetupPages(Archive(tmp_path), tmp_path / "print.json", mock.MagicMock(), Translator("en"))
    return lambda variant, repeated=None: pages.seats(
        None, "special", variant, lambda setup: None, repeated=repeated
    )


def test_the_same_game_again_is_proposed_as_it_was(begun_as_proposed: Ask) -> None:
    setup = PLUGIN.setup.setup(choice_of(YVES, ANNA, modules=["extra_tiles"], castle_action="mandatory"))
    assert begun_as_proposed({}, setup) == {**setup, "game": "burgundy"}


def test_the_same_game_again_keeps_rules_that_the_form_does_not_ask(begun_as_proposed: Ask) -> None:
    setup = PLUGIN.setup.setup(choice_of(YVES, ANNA)) | {"rules": {"automa_wants": "fewest"}}
    assert begun_as_proposed({}, setup) == {**setup, "game": "burgundy"}


@pytest.mark.parametrize("rules", [{"castle_action": "mandatory"}, {"automa_wants": "fewest"}])
def test_table_rules_of_the_command_line_are_played(begun_as_proposed: Ask, rules: dict[str, str]) -> None:
    setup = begun_as_proposed({"rules": rules})
    assert setup is not None and setup["rules"] == rules
