"""The view of the table: rendered once for all pages, of which each is sent only what has changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask, template_rendered
from jinja2 import Environment

from tests.support.pages import create_app
from tests.support.tables import Table, at_dice, watching, with_proposal
from web.view import Rendering, View, current_view, init_views


def app_of(table: Table, **options: Any) -> Flask:
    app = create_app(table.session, **options)
    app.testing = True
    return app


def view_of(app: Flask, language: str = "en") -> View:
    with app.test_request_context(f"/?lang={language}"):
        return current_view()


def sent(app: Flask, shown: str = "", language: str = "en") -> str:
    """Returns what is sent to a page that shows the parts with these tags."""
    answer = app.test_client().get("/table", query_string={"lang": language, "shown": shown})
    return str(answer.get_data(as_text=True))


def tags(html: str) -> str:
    """Returns the tags of all parts, as the page stores them."""
    return re.search('data-parts="([^"]*)"', html)[1]  # type: ignore[index]


def ids(html: str) -> set[str]:
    """Returns the sent elements and, separately, those of which only the tag is sent."""
    return set(re.findall('id="([a-z0-9-]+)"(?! data-same)', html))


@contextmanager
def renderings(app: Flask) -> Iterator[list[str]]:
    """Collects the names of the templates that are rendered in the meantime."""
    names: list[str] = []

    def note(sender: Flask, template: Any, **_: Any) -> None:
        names.append(template.name)

    with template_rendered.connected_to(note, app):
        yield names


def test_a_view_is_rendered_once_for_all_pages_of_a_language(table: Table) -> None:
    watching(table)
    app = app_of(table)
    with renderings(app) as rendered:
        for language in ("en", "fr", "fr", "en"):
            sent(app, language=language)
        table.session.ask_help()
        sent(app)
    assert rendered == ["table.html"] * 3


def test_a_view_is_rendered_again_when_a_device_changes_but_not_over_time(table: Table) -> None:
    watching(table)
    camera = {"settled": True, "age": 0.1, "name": "x", "error": None}
    app = app_of(table, camera=lambda: camera)
    first = view_of(app)
    camera["age"] = 4.0
    assert view_of(app) is first
    camera["settled"] = False
    assert view_of(app) is not first


def test_a_page_is_only_sent_missing_parts(table: Table) -> None:
    with_proposal(table)
    app = app_of(table)
    before = sent(app)
    assert {"card", "scores", "duchy-red", "duchy-blue", "depot-1"} <= ids(before)
    assert ids(sent(app, tags(before))) == {"state"}
    table.session.ask_help()
    assert ids(sent(app, tags(before))) == {"state", "card"}


def test_a_part_that_has_changed_is_sent_in_those_around_it(table: Table) -> None:
    """The page needs the element to find its place."""
    watching(table)
    app = app_of(table)
    shown = tags(sent(app)).split()
    outdated = " ".join("duchy-red:0" if tag.startswith("duchy-red:") else tag for tag in shown)
    html = sent(app, outdated)
    assert ids(html) == {"state", "player-red", "duchy-red"}
    assert html.index('id="player-red"') < html.index('id="duchy-red"') < html.index('id="player-blue"')


def test_a_stream_sends_each_part_once(table: Table) -> None:
    with_proposal(table)
    app = app_of(table)
    answer = app.test_client().get("/events", query_string={"shown": tags(sent(app))})
    pieces = (piece.decode() for piece in answer.iter_encoded())
    next(pieces)
    assert ids(next(pieces)) == {"state"}
    table.session.confirm()
    assert {"card", "scores"} <= ids(next(pieces))
    table.look()
    assert ids(next(pieces)) == {"state"}


def test_reused_parts_look_like_newly_rendered_ones(table: Table) -> None:
    """From one phase into the next, and through corrections: no part depends on more than it declares."""
    app, forgetful = app_of(table), app_of(table)
    at_dice(table)

    def check() -> None:
        init_views(forgetful)
        reused, rendered = view_of(app).parts, view_of(forgetful).parts
        assert [name for name in rendered if reused[name].html != rendered[name].html] == [
            "state"
        ]  # its token is the app's

    for _ in range(14):
        table.play(1)
        check()
        table.look()
        check()
    for change in CHANGES:
        change(table)
        check()


CHANGES: tuple[Callable[[Table], None], ...] = (
    lambda table: table.session.rename_player("red", "Anna"),
    lambda table: table.session.undo(),
    lambda table: table.session.watch(boards=False),
    lambda table: table.session.undo(),
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("board", '<p>above</p><div id="board"></div>'),
        ("board", '<div id="other"></div>'),
        ("board", "{% call part('inner') %}<b id='inner'></b>{% endcall %}"),
        ("my_board", '<div id="my_board"></div>'),
    ],
)
def test_a_part_that_no_page_would_find_again_raises_when_it_is_first_rendered(
    name: str, content: str
) -> None:
    template = f"{{% call part({name!r}) %}}{content}{{% endcall %}}"
    with pytest.raises(ValueError, match=f"part '(inner|{name})'"):
        Environment().from_string(template).render(part=Rendering().part)


@pytest.fixture
def table() -> Table:
    return Table()
