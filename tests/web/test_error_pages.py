"""Errors: a page for people who followed a link, JSON for the page's own script."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.pages import create_app
from tests.support.setup_forms import setup_form_app
from tests.support.tables import Table

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
SCRIPT = {"Accept": "*/*"}


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    app = create_app(Table().session)
    app.testing = True
    with app.test_client() as client:
        yield client


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_broken_link_shows_a_sentence_and_the_way_back(client: FlaskClient, language: str) -> None:
    answer = client.get(f"/games/none?lang={language}", headers=BROWSER)
    assert answer.status_code == 404
    assert Translator(language)("page.not_found") in answer.text and 'href="/"' in answer.text


def test_the_pages_script_gets_the_same_sentence_as_json(client: FlaskClient) -> None:
    answer = client.get("/score/x?lang=en", headers=SCRIPT)
    assert answer.status_code == 404 and answer.get_json()["error"] == Translator("en")("page.not_found")


def test_an_internal_error_shows_an_error_page(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("out of order")

    client.application.testing = False  # else the error would come through to the test
    monkeypatch.setattr("web.archive._record", fail)
    answer = client.get("/games/now?lang=en", headers=BROWSER)
    assert answer.status_code == 500
    assert Translator("en")("page.server_error") in answer.text and "out of order" not in answer.text


def test_the_pages_before_a_game_show_it_too() -> None:
    app = setup_form_app()
    answer = app.test_client().get("/none?lang=fr", headers=BROWSER)
    assert answer.status_code == 404 and Translator("fr")("page.not_found") in answer.text
