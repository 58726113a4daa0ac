"""The pages before a game: what they check while people can still change something."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.archive import Archive
from companion.journal import check_can_begin
from companion.journal.disk_errors import UnusableError
from companion.runtime.server import PageSettings
from companion.runtime.setup_pages import SetupPages
from companion.text.translator import Translator
from tests.support.setup_forms import ANNA, YVES, choice_of

CHOICE = {"game": "burgundy", **choice_of(ANNA, YVES)}


class Pages:
    """Serves the pages to a client in place of a browser, which does what the test says."""

    def __init__(self, folder: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.output: list[str] = []
        self.visits: list[Callable[[Any], None]] = []
        """What people do on each page, which has to end it."""
        self.setup_pages = SetupPages(
            archive,
            folder / "print.json",
            SimpleNamespace(page=PageSettings(), remark=self.output.append),  # type: ignore[arg-type]
            Translator("en"),
        )
        monkeypatch.setattr("companion.runtime.setup_pages.serve_until", self._serve)

    def _serve(self, done: Any, app: Any, page: PageSettings, **more: Any) -> PageSettings:
        app.testing = True
        self.visits.pop(0)(app.test_client())
        assert done.is_set()
        return page

    def seats(self, check: Callable[[Mapping[str, Any]], None]) -> dict[str, Any] | None:
        return self.setup_pages.seats(None, "special", {}, check)


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    with closing(Archive(tmp_path)) as archive:
        yield Pages(tmp_path, archive, monkeypatch)


def begin(client: Any, choice: Mapping[str, Any] = CHOICE, language: str = "en") -> Any:
    page = client.get(f"/?lang={language}").get_data(as_text=True)
    (token,) = re.findall(r'data-token="([^"]+)"', page)
    return client.post(f"/begin?lang={language}", json=choice, headers={"X-Token": token})


def test_the_form_stays_open_with_the_reason_until_the_disk_takes_the_game(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, lines: object) -> None:
        raise UnusableError(str(path), "cannot be made", "full", OSError("database or disk is full"))

    def visit(client: Any) -> None:
        with monkeypatch.context() as on_a_full_disk:
            on_a_full_disk.setattr("companion.journal.database.create", full)
            refused = begin(client, language="fr")
        assert refused.status_code == 400 and "le disque est plein" in refused.json["error"]
        assert begin(client).json == {"message": "The game begins."}

    pages.visits = [visit]
    setup = pages.seats(lambda setup: check_can_begin(pages.folder / "game.journal", setup))
    assert setup is not None and [player["duchy"] for player in setup["players"]] == ["se-1", "se-2"]
    assert list(pages.folder.glob("game.journal*")) == []


def test_the_form_stays_open_with_the_reason_while_the_file_of_the_print_is_unusable(pages: Pages) -> None:
    print_path = pages.folder / "print.json"
    green = {"colour": "green", "kind": "person", "name": "Zoé", "duchy": "se-3"}
    of_three = {"game": "burgundy", **choice_of(ANNA, YVES, green)}

    def visit(client: Any) -> None:
        print_path.write_text("notes")
        refused = begin(client, of_three, "fr")
        assert refused.status_code == 400
        assert f"{print_path} ne contient pas ce que montre un exemplaire" in refused.json["error"]
        print_path.write_text('{"black_slots": {"3": 6}}')
        assert begin(client, of_three).status_code == 200

    pages.visits = [visit]
    setup = pages.seats(lambda setup: None)
    assert setup is not None and setup["black_slots"] == 6
    assert "not valid JSON" in pages.output[0]


def test_an_impossible_choice_is_explained_in_the_language_of_the_page(pages: Pages) -> None:
    linked = {"game": "burgundy", **choice_of(ANNA, YVES, modules=["linked_castles"])}

    def visit(client: Any) -> None:
        refused = begin(client, linked, "fr")
        assert refused.status_code == 400 and "module" not in refused.json["error"]
        assert begin(client).status_code == 200

    pages.visits = [visit]
    assert pages.seats(lambda setup: None) is not None
