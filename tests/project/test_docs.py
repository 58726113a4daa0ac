"""The documents: whatever they point at exists, and the commands that they name are those of the program."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest

from companion.cli.main import main
from companion.text.catalogue import texts
from tests.support.paths import CHECKOUT, DOCS

PAGES = sorted(
    [*CHECKOUT.glob("*.md"), *DOCS.rglob("*.md"), *(CHECKOUT / ".github").rglob("*.md")],
    key=lambda page: page.relative_to(CHECKOUT),
)
FOLDERS = ("companion", "vision", "hardware", "web", "calibration", "tests", "docs", ".ci", ".github")
FILE = re.compile(rf"`((?:{'|'.join(map(re.escape, FOLDERS))})/[\w./*-]*)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FOREIGN = ("http://", "https://", "mailto:")
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)|^(?=[^|\n]*(?:run|companion))([^`\n]+)$", re.MULTILINE)
"""Code between backticks, or a line that may be one of a block of code."""
COMMAND = re.compile(r"(?:.* && )?(?:sudo )?(?:\./run|table-companion) ([a-z].*)")
NOT_CLICK = ("check", "install", "prepare", "test", "uninstall", "update")
"""Commands of the shell script and of the installer."""
MENU_ITEM = re.compile(r"\*\*Menu\*\*, \*([^*]+)\*")


def files_named_in(text: str) -> list[str]:
    """Returns the repository's files and folders that *text* names in backticks; ``*`` and ``-N`` are wildcards."""
    return [name.replace("-N.", "-*.") for name in FILE.findall(text)]


def anchors_of(page: Path) -> set[str]:
    """Returns the anchors that a browser of the repository gives to the headings of *page*."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in plain}


EXAMPLE = re.compile(r"`(\S+)`:\n\n```")
"""The name of a file that a document shows as a whole, for readers to write."""


def broken_links(page: Path) -> Iterator[str]:
    """Yields the links of *page* whose file or heading does not exist."""
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if link.startswith(FOREIGN):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            yield link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_every_file_that_a_document_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    written_there = set(EXAMPLE.findall(text))
    named = files_named_in(text)
    assert [name for name in named if name not in written_there and not any(CHECKOUT.glob(name))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_every_link_of_a_document_leads_somewhere(page: Path) -> None:
    assert list(broken_links(page)) == []


def test_fifty_things_can_be_found_by_the_architecture_page() -> None:
    _, _, table = (DOCS / "architecture.md").read_text(encoding="utf-8").partition("## Where to find what")
    rows = re.findall(r"^\| (.+) \| `([^`]+)` \|$", table, re.MULTILINE)
    assert len(rows) >= 50
    assert [name for _, name in rows if not (CHECKOUT / name).is_file()] == []


def test_a_file_that_does_not_exist_is_noticed() -> None:
    assert files_named_in("see `web/nothing.py`, `tests/golden/version-N.jsonl` and `./run`") == [
        "web/nothing.py",
        "tests/golden/version-*.jsonl",
    ]


def test_a_link_to_a_missing_file_or_heading_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One *heading*: two\n[a](#one-heading-two) [b](#three) [c](page.md) [d](gone.md#x) [e](https://example.org)"
    )
    assert list(broken_links(page)) == ["#three", "gone.md#x"]


def glossary_rows(heading: str) -> list[list[str]]:
    """Returns the rows of the glossary's table under *heading*, without its two head lines."""
    text = (
        (DOCS / "glossary.md")
        .read_text(encoding="utf-8")
        .partition(f"## {heading}\n")[2]
        .partition("\n## ")[0]
    )
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")][2:]


@pytest.mark.parametrize("heading", ["The game", "Expansions", "What players see"])
def test_the_words_of_the_glossary_are_those_of_the_code(heading: str) -> None:
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in ("companion", "vision", "web", "calibration")
        for path in (CHECKOUT / folder).rglob("*.py")
    )
    words = [word for row in glossary_rows(heading) for word in re.findall(r"`(\w+)`", row[2])]
    assert words
    assert [word for word in words if not re.search(rf"\b{word}\b", code)] == []


def test_the_technical_words_of_the_glossary_are_in_the_files_that_it_names() -> None:
    rows = [(re.findall(r"^`(\w+)`", row[0]), row[2].strip("`")) for row in glossary_rows("The project")]
    named = [(word, file) for words, file in rows for word in words]
    assert named
    missing = [
        word
        for word, file in named
        if not re.search(rf"\bclass {word}\b", (CHECKOUT / file).read_text(encoding="utf-8"))
    ]
    assert missing == []


def commands_in(text: str) -> Iterator[list[str]]:
    """Yields the words of each command of ours in *text*, without its comment."""
    for code, line in CODE.findall(text):
        if command := COMMAND.fullmatch((code or line).replace("\n", " ").strip()):
            yield shlex.split(command[1], comments=True)


def options_of(command: click.Command) -> Sequence[click.Parameter]:
    """Returns the options of a command, also those that games add to it."""
    with click.Context(command) as context:
        return command.get_params(context)


def wrong_word(words: list[str]) -> str | None:
    """Returns the first word of a command that is neither a command nor one of its options; None if all are right."""
    command: click.Command = main
    for word in words:
        if isinstance(command, click.Group):
            named = command.get_command(click.Context(command), word)
            if named is None:
                return word
            command = named
        elif word.startswith("--"):
            known = [
                name for option in options_of(command) for name in (*option.opts, *option.secondary_opts)
            ]
            if word.partition("=")[0] not in (*known, "--help"):
                return word
    return None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_every_command_of_a_document_has_the_options_that_it_is_given(page: Path) -> None:
    commands = [words for words in commands_in(page.read_text(encoding="utf-8")) if words[0] not in NOT_CLICK]
    assert [(words, wrong) for words in commands if (wrong := wrong_word(words))] == []


def test_a_command_or_option_that_does_not_exist_is_noticed() -> None:
    text = "See `./run\ngames lend`.\n./run play --pins 3  # --gone\nsudo table-companion games list --all\n"
    assert [wrong_word(words) for words in commands_in(text)] == ["lend", "--pins", None]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_every_item_of_the_menu_that_a_document_names_is_on_the_page(page: Path) -> None:
    items = MENU_ITEM.findall(page.read_text(encoding="utf-8"))
    assert [item for item in items if item.replace("\n", " ") not in texts("en").values()] == []
