"""What a French reader finds on the pages is set as French is: no mark of two parts without its space."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from tests.support.pages import create_app
from tests.support.sheets import SHEETS
from tests.support.tables import STATUSES, Table

READ = ("aria-label", "title", "alt", "placeholder")
"""Attributes that are read to people."""
BARE = re.compile(r"[^\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\d][:;!?»](?=\s|$)|«(?!\N{NO-BREAK SPACE})")
"""A mark without the space before it that does not break; hours and results have none (20:15, 3:2)."""
PAGES = (*SHEETS, "/adjust/red", "/tiles", "/why", "/games/now")


class _Read(HTMLParser):
    """Collects what people read or hear."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in ("script", "style")
        self.texts += [value for name, value in attrs if name in READ and value]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.texts.append(data.strip())


def bare(html: str) -> Iterator[str]:
    parser = _Read()
    parser.feed(html)
    return (text for text in parser.texts if BARE.search(text) and text != "?")


@pytest.mark.parametrize("status", STATUSES)
def test_french_pages_have_a_space_before_double_marks(status: str) -> None:
    table = Table(colours=("red", "blue", "green"))
    STATUSES[status](table)
    client = create_app(table.session).test_client()
    found = {path: list(bare(client.get(f"{path}?lang=fr").text)) for path in ("/", *PAGES)}
    assert {path: texts for path, texts in found.items() if texts} == {}
