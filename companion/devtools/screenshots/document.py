"""The documentation page with all screenshots."""

from __future__ import annotations

from collections.abc import Iterator

from .pictures import file_name, screens_of
from .view import View, screenplay

HEAD = """\
# Every view

Each picture shows a view four times: in English and French, with light and dark colours. The tables are virtual,
as in `./run demo`; the games are seeded games between bots, named after their colours. {assumptions}
`./run screens` writes this page and its pictures (it needs `chromium` and takes some minutes).
"""


def document(folder: str) -> str:
    """Returns the page in Markdown; *folder* is the folder of the screenshots."""
    return "\n".join([HEAD.format(assumptions=screenplay().ASSUMPTIONS), *_index(), *_sections(folder)])


def _index() -> Iterator[str]:
    for section in screenplay().SECTIONS:
        views = [view for shown in section.scenarios.values() for view in shown]
        yield f"- {section.title}: {', '.join(f'[{_title(view)}](#{view.name})' for view in views)}"
    yield ""


def _sections(folder: str) -> Iterator[str]:
    for section in screenplay().SECTIONS:
        yield f"## {section.title}\n"
        for view in (view for shown in section.scenarios.values() for view in shown):
            yield f"### {view.name}\n\n{view.description}\n"
            for screen in screens_of(view):
                yield f"![{_title(view)} on {screen.description}]({folder}/{file_name(view.name, screen)})"
            yield ""


def _title(view: View) -> str:
    return view.name.replace("-", " ")
