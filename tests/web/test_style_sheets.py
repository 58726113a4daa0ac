"""The style sheets match the templates and scripts: a name that was changed in one of them breaks the page silently."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.paths import CHECKOUT

WEB = CHECKOUT / "web"
SHEETS = sorted(WEB.rglob("*.css"))
COMMENT = re.compile(r"/\*.*?\*/", re.S)
BLOCK = re.compile(r"\{[^{}]*\}")
NAME = r"[a-zA-Z][\w-]*"
PREFIX = re.compile(rf"""({NAME}-)(?:\{{\{{|["'] ~|\$\{{)""")
"""What is completed by a value: ``tile-{{ colour }}``, ``'tile-' ~ colour``, ``tile-${colour}``."""


def used() -> str:
    """Returns the text of all templates, drawing code and scripts, which use the names of the style sheets."""
    scripts = [path for path in WEB.rglob("*.js") if ".min." not in path.name]
    templates = [
        path for path in WEB.rglob("*") if path.suffix in (".html", ".svg") and "static" not in path.parts
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in [*templates, *scripts, *WEB.rglob("*.py")])


def rules(sheet: Path) -> str:
    return COMMENT.sub("", sheet.read_text(encoding="utf-8"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.relative_to(WEB)))
def test_every_class_and_id_of_a_style_sheet_is_used(sheet: Path) -> None:
    selectors = BLOCK.sub("{}", rules(sheet))
    text = used()
    prefixes = tuple(set(PREFIX.findall(text)))
    unused = {
        name
        for name in re.findall(rf"[.#]({NAME})", selectors)
        if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) and not name.startswith(prefixes)
    }
    assert unused == set()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.relative_to(WEB)))
def test_every_attribute_of_a_style_sheet_is_set(sheet: Path) -> None:
    attributes = set(re.findall(r"\[(data-[\w-]+)", rules(sheet)))
    scripted = {
        re.sub("[A-Z]", lambda m: f"-{m[0].lower()}", name) for name in re.findall(r"dataset\.(\w+)", used())
    }
    assert {
        name for name in attributes if name not in used() and name.removeprefix("data-") not in scripted
    } == set()


def test_every_named_grid_area_is_in_a_grid_template() -> None:
    text = "\n".join(map(rules, SHEETS))
    templates = " ".join(re.findall(r"grid-template(?:-areas)?:([^;}]*)", text))
    areas = set(re.findall(rf"grid-area: ({NAME})", text)) - {"auto"}
    assert areas == set(re.findall(NAME, " ".join(re.findall(r'"([^"]*)"', templates))))
