"""What is wrong, in the language of those who play: errors have English messages for those who start the companion."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from typing import Any

import pytest

from calibration.errors import CompanionError
from companion.games.burgundy.plugin import burgundy
from companion.games.registry import UnknownGameError
from companion.journal import disk_errors
from companion.journal.disk_errors import UnusableError, problem_of
from companion.journal.record import DamagedError, JournalError, NewerError, ReplayError
from companion.players.errors import SetupError
from companion.players.setup import check_new_setup
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from vision.geometry import CollinearError

CAUSES = ("busy", "read", "full", "read_only", "unreachable", "failing", "blocked")
RED, BLUE = {"colour": "red", "duchy": "se-1"}, {"colour": "blue", "duchy": "se-7"}


def setup(*players: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"edition": "special", "players": list(players), **more}


def words_of(error: Exception, language: str) -> str:
    return Translator(language, strict=True).problem(problem_of(error))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "error",
    [
        *(UnusableError("x.journal", "cannot be opened", cause, OSError("x")) for cause in CAUSES),
        *(kind("found") for kind in (JournalError, DamagedError, NewerError, ReplayError)),
        *(kind("found") for kind in (UnknownGameError, CollinearError)),
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
        KeyError("players"),
    ],
    ids=repr,
)
def test_an_error_that_players_may_meet_has_words_in_every_language(error: Exception, language: str) -> None:
    words = words_of(error, language)
    assert words[0].islower() and words[-1] != "." and "found" not in words.split()


def test_every_cause_of_the_disk_is_tested() -> None:
    assert {*disk_errors._CURES} == {*CAUSES}


@pytest.mark.parametrize(
    ("impossible", "english", "french"),
    [
        (setup({**RED, "colour": "purple"}, BLUE), "nobody has purple pieces", "personne n’a de pièces"),
        (setup({**RED, "duchy": "se-99"}, BLUE), "no duchy se-99 for Red", "pas de duché se-99 pour Rouge"),
        (
            setup({**RED, "duchy": "2011-1"}, BLUE),
            "2011-1 of Red belongs to the other",
            "2011-1 de Rouge est de l’autre",
        ),
        (setup(RED, BLUE, modules=["linked_castles"]), "“linked castles” changes", "ne change rien"),
        (setup(RED), "not for 1 player", "pas pour 1 joueur"),
        (setup(RED, {**RED, "duchy": "se-2"}), "the same colour", "la même couleur"),
    ],
)
def test_an_impossible_set_up_is_explained_in_every_language(
    impossible: dict[str, Any], english: str, french: str
) -> None:
    with pytest.raises(SetupError) as refused:
        check_new_setup(burgundy(), impossible)
    assert english in words_of(refused.value, "en") and french in words_of(refused.value, "fr")


def test_an_error_without_words_of_its_own_is_shown_in_english_and_else_named_by_its_place() -> None:
    error = CompanionError("panel.toml: there is no pin 99")
    assert words_of(error, "en") == "panel.toml: there is no pin 99"
    assert words_of(error, "fr") == "la raison se trouve là où le compagnon a été lancé"


def test_an_error_that_is_explained_by_another_of_ours_has_its_words() -> None:
    error = SetupError("this game cannot be set up")
    error.__cause__ = UnknownGameError("there is no game 'chess'")
    assert "does not have that game" in words_of(error, "en")
