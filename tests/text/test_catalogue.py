"""The texts of each folder, and how those of a game and its modules are merged over those that every game needs."""

from __future__ import annotations

import re
import string
import subprocess
import sys
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.decisions import DECISIONS
from companion.games.burgundy.rules.module import Module
from companion.games.registry import plugin, plugins
from companion.text.catalogue import (
    LANGUAGES,
    LANGUAGES_FOLDER,
    common_texts,
    merged_texts,
    texts,
    texts_in,
)
from companion.text.translator import Translator
from tests.support.modules import more_modules
from tests.support.other_games import FOLDER, only_other_games
from tests.support.paths import CHECKOUT

FOLDERS = [LANGUAGES_FOLDER, *chain.from_iterable(game.text_folders() for game in plugins().values())]
OVERRIDDEN = {
    "command.course",
    "doctor.check.boards",
    "doctor.says.boards",
    "doctor.says.boards_lost",
    "doctor.says.places_unknown",
    "leave.reseat_hint",
    "notice.roll_awaited",
    "page.adjust_hint",
    "page.app_name",
    "page.automa",
    "page.automatic_hint",
    "page.automatic_turn",
    "page.board_lost",
    "page.board_nudged",
    "page.lines_hint",
    "page.reseat_hint",
    "page.title",
    "privacy.everything_goes",
    "reason.nothing_to_confirm_layout",
    "setup.hint_done",
    "setup.hint_fill",
    "setup.hint_setup",
    "setup_form.by_looks",
    "setup_form.hint",
    "status.dice.hint",
    "status.layout.title",
    "storage_notices.goes_on",
}
"""Common texts that Burgundy says in the words of its own things."""
OWN_WORDS = {
    "en": r"burgundy|ch[âa]teau|castle|duch(y|ies)|depot|livestock|monaster|silver|worker|county",
    "fr": r"bourgogne|ch[âa]teau|duché|dépôt|bétail|monastère|ouvrier|comté",
}
"""Words for Burgundy's things, by language."""
OTHER_WORDS_IN_FRENCH = r"\brégions?\b|\bbateaux?\b|\btuiles? frontière\b"
"""What Burgundy calls *secteur*, *navire* and *tuile des postes frontaliers*."""

each_folder = pytest.mark.parametrize(
    "folder", FOLDERS, ids=[str(folder.parent.relative_to(CHECKOUT)) for folder in FOLDERS]
)
each_language = pytest.mark.parametrize("language", LANGUAGES)


def fields(text: str) -> set[str]:
    """Names of a text's fields, those that only choose a plural form left out."""
    return {name for _, name, spec, _ in string.Formatter().parse(text) if name and "|" not in (spec or "")}


@each_folder
@each_language
def test_every_language_has_the_same_texts(folder: Path, language: str) -> None:
    assert texts_in(folder, language).keys() == texts_in(folder, "en").keys()


@each_folder
@each_language
def test_every_text_has_the_same_fields_in_every_language(folder: Path, language: str) -> None:
    english = texts_in(folder, "en")
    different = {k for k, text in texts_in(folder, language).items() if fields(text) != fields(english[k])}
    assert different == set()


@each_folder
@each_language
def test_no_text_is_empty(folder: Path, language: str) -> None:
    assert [key for key, text in texts_in(folder, language).items() if not text.strip()] == []


@each_folder
def test_french_has_its_own_apostrophes_and_spaces(folder: Path) -> None:
    """Typographic apostrophes, and before double signs a space that does not break; fields are left out."""
    without_fields = {key: re.sub(r"\{[^}]*\}", "", text) for key, text in texts_in(folder, "fr").items()}
    assert {
        key for key, text in without_fields.items() if re.search(r"'|(?<!\N{NO-BREAK SPACE})[:;!?]", text)
    } == set()


@each_folder
def test_french_has_one_word_for_each_thing_of_burgundy(folder: Path) -> None:
    found = texts_in(folder, "fr").items()
    assert {key for key, text in found if re.search(OTHER_WORDS_IN_FRENCH, text, re.IGNORECASE)} == set()


def test_a_text_is_in_two_folders_only_where_the_game_says_it_in_its_own_words() -> None:
    own = Counter(chain.from_iterable(texts_in(folder, "en") for folder in plugin("burgundy").text_folders()))
    assert {key for key, count in own.items() if count > 1} == set()
    assert common_texts("en").keys() & own.keys() == OVERRIDDEN


@each_language
def test_a_text_of_a_game_differs_from_the_common_one_that_it_replaces(language: str) -> None:
    assert {key for key in OVERRIDDEN if texts(language)[key] == common_texts(language)[key]} == set()


@each_language
def test_what_every_game_needs_names_nothing_of_burgundy(language: str) -> None:
    named = re.compile(OWN_WORDS[language], re.IGNORECASE)
    assert {key: text for key, text in common_texts(language).items() if named.search(text)} == {}


@pytest.mark.parametrize("module", burgundy().modules.values(), ids=burgundy().modules)
def test_a_module_has_its_texts_in_its_own_folder(module: Module) -> None:
    needed = {f"game_module.{module.id}"}
    moves = {each.move for each in module.decisions} - {each.move for each in DECISIONS}
    needed |= {f"{section}.{move.word}" for move in moves for section in ("move", "doing")}
    needed |= {f"event.{kind}" for kind in module.events}
    needed |= {f"source.{source}" for source in module.sources}
    needed |= {f"table_rule.{rule}" for rule in module.table_rules}
    folder = next(folder for folder in FOLDERS if folder.parent.name == module.id)
    assert needed - texts_in(folder, "en").keys() == set()


def test_another_module_brings_its_texts_in_its_folder() -> None:
    move = {"word": "take", "tile": "hostel", "depot": 0, "slot": 0, "die": 4, "workers": 0}
    with more_modules():
        translator = Translator("fr", strict=True)
        assert translator.move({"word": "hostel"}) == "Acheter le gîte"
        assert translator.move(move) == "Prendre le gîte au dépôt noir avec le 4"
    assert not Translator("fr").has("tile.hostel")


@each_language
def test_another_game_has_the_common_texts_and_its_own_over_them(language: str) -> None:
    own = texts_in(FOLDER / "pebbles" / "texts", language)
    with only_other_games():
        assert texts(language, "pebbles") == {**common_texts(language), **own}
        assert texts(language) == texts(language, "pebbles")
    assert own["page.title"] != common_texts(language)["page.title"]


@pytest.mark.parametrize(
    ("language", "written"),
    [("en", "Put 2 pebbles on the second heap"), ("fr", "Poser 2 cailloux sur le deuxième tas")],
)
def test_another_game_writes_its_fields_in_its_own_way(language: str, written: str) -> None:
    """No formatter of Burgundy's is used for a game that brings its own."""
    with only_other_games():
        translator = Translator(language, "pebbles", strict=True)
    assert translator.move({"word": "add", "count": 2, "heap": 1}) == written


def test_a_translator_of_one_game_leads_to_that_of_another() -> None:
    with only_other_games():
        pebbles = Translator("fr", "pebbles", strict=True)
    again = pebbles.of_game("burgundy", {"names": {"red": "Anna"}})
    assert pebbles.player("red") == "Rouge" and again.player("red") == "Anna"
    assert (again.language, again.strict, again.tile("mine")) == ("fr", True, "mine")


def test_another_game_is_written_without_anything_of_burgundy() -> None:
    program = (
        "import sys, companion.games\n"
        "from companion.text.translator import Translator\n"
        f"companion.games.__path__ = [{str(FOLDER)!r}]\n"
        "print(Translator('en').place('heap:0'))\n"
        "print(sorted(name for name in sys.modules if 'burgundy' in name))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=CHECKOUT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.stdout, run.stderr) == ("the first heap\n[]\n", "")


def test_what_a_game_has_in_no_other_language_is_in_english(tmp_path: Path) -> None:
    (tmp_path / "en.json").write_text('{"move": {"add": "Put a pebble"}}', encoding="utf-8")
    assert merged_texts("fr", (LANGUAGES_FOLDER, tmp_path)) == {
        **common_texts("fr"),
        "move.add": "Put a pebble",
    }


def test_a_folder_without_texts_names_the_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match=rf"no texts in 'en': {re.escape(str(tmp_path / 'en.json'))}"):
        merged_texts("fr", (LANGUAGES_FOLDER, tmp_path))
