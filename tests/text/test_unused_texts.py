"""Every text is used: a key is written whole in the code, or can be composed by it at run time.

Python files and templates are parsed. Where a key is composed (``f"reason.{code}"``, ``"leave." ~ how``), each part
that is known only at run time must be a text of its own somewhere in the code or in the data. A text whose code has
gone is found, unless the same word is still used for something else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from companion.games.registry import plugins
from companion.text.catalogue import texts
from tests.support.paths import CHECKOUT

ANY = "\0"
"""Stands for a part of a composed text that is known only at run time."""
FOLDERS = ("companion", "web", "hardware", "vision", "calibration")
DATA = ("calibration/games/burgundy/data/*.json", "hardware/panel.toml")
JOINED = {"panel_test.hue.": "the parts of the light that are on, joined by underscores"}
"""Start of keys that are composed of several words -> what they are."""


def products(parts: list[set[str]]) -> set[str]:
    """Returns every text that has one alternative of each part."""
    return {"".join(choice) for choice in product(*parts)}


def python_forms(node: ast.expr) -> set[str]:
    """Returns what an expression can be as a text, with ``ANY`` for what is not written in it."""
    match node:
        case ast.Constant(value=str(value)):
            return {value}
        case ast.JoinedStr(values=values):
            return products([python_forms(value) for value in values])
        case ast.FormattedValue(value=value):
            return python_forms(value)
        case ast.IfExp(body=body, orelse=orelse):
            return python_forms(body) | python_forms(orelse)
    return {ANY}


def forms_in_python(source: str) -> Iterator[str]:
    """Yields each text in *source*, written whole or composed; keywords count, since they become keys of data."""
    tree = ast.parse(source)
    no_texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    no_texts |= {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values
    }
    for node in ast.walk(tree):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and id(node) not in no_texts:
            yield from python_forms(node) - {ANY}
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def template_forms(node: nodes.Node) -> set[str]:
    """Returns what an expression of a template can be as a text, as :func:`python_forms` does."""
    match node:
        case nodes.Const(value=str(value)) | nodes.TemplateData(data=str(value)):
            return {value}
        case nodes.Concat(nodes=parts):
            return products([template_forms(part) for part in parts])
        case nodes.CondExpr(expr1=one, expr2=other) if other is not None:
            return template_forms(one) | template_forms(other)
    return {ANY}


def forms_in_template(source: str) -> Iterator[str]:
    """Yields each text in the expressions of a template, written whole or composed."""
    for node in Environment().parse(source).find_all((nodes.Const, nodes.Concat)):
        yield from template_forms(node) - {ANY}


@cache
def forms_of_files() -> dict[Path, frozenset[str]]:
    """Returns the texts in each file of the code, and in the data."""
    forms: dict[Path, frozenset[str]] = {}
    for file in (file for folder in FOLDERS for file in (CHECKOUT / folder).rglob("*")):
        if file.suffix == ".py":
            forms[file] = frozenset(forms_in_python(file.read_text(encoding="utf-8")))
        elif "templates" in file.parts and file.is_file():
            forms[file] = frozenset(forms_in_template(file.read_text(encoding="utf-8")))
    for file in (file for pattern in DATA for file in CHECKOUT.glob(pattern)):
        forms[file] = frozenset(re.findall(r"[\w-]+", file.read_text(encoding="utf-8")))
    return forms


def composed_keys(forms: frozenset[str], sections: set[str]) -> Iterator[str]:
    """Yields the forms of a file that are keys of texts with a part known only at run time.

    Where the section is such a part itself (``f"{form}.{tile}"``), it is one that the same file names.
    """
    for form in forms:
        if form.startswith(f"{ANY}."):
            yield from (section + form[1:] for section in sections & forms)
        elif re.match(rf"[a-z_]+({ANY})?\.[^ ]*{ANY}", form):
            yield form
        elif re.fullmatch(r"[a-z_]+\.([\w.]*[._])?", form):
            yield form + ANY


def fits(form: str, text: str, words: frozenset[str]) -> bool:
    """Whether *text* is *form* with one of *words*, or a number, for each ``ANY``."""
    literal, is_open, rest = form.partition(ANY)
    if not is_open or not text.startswith(literal):
        return form == text
    text = text[len(literal) :]
    return any(
        (text[:end] in words or text[:end].isdigit()) and fits(rest, text[end:], words)
        for end in range(1, len(text) + 1)
    )


def ends(key: str) -> Iterator[str]:
    """Yields each part of *key* that may have been put in at run time: what follows one of its dots or underscores."""
    for cut in re.finditer(r"[._]", key):
        yield key[cut.end() :].partition(".")[0]


def unused(keys: set[str], files: list[frozenset[str]]) -> set[str]:
    """Returns those of *keys* that none of *files*, each given by its forms, writes or can compose."""
    forms = frozenset[str]().union(*files)
    written = frozenset(form for form in forms if ANY not in form)
    open_words = {form for form in forms - written if re.fullmatch(rf"[\w{ANY}]+", form) and "_" in form}
    words = written | {
        end for key in keys for end in ends(key) if any(fits(form, end, written) for form in open_words)
    }
    sections = {key.partition(".")[0] for key in keys}
    composed = {form for file in files for form in composed_keys(file, sections)}
    return {
        key
        for key in keys - written
        if not any(fits(form, key, words) for form in composed)
        and not any(key.startswith(start) and set(key[len(start) :].split("_")) <= words for start in JOINED)
    }


def test_every_text_is_used() -> None:
    keys = set().union(*(texts("en", game) for game in plugins()))
    assert sorted(unused(keys, list(forms_of_files().values()))) == []


def test_every_exception_is_still_composed_by_the_code() -> None:
    forms = frozenset[str]().union(*forms_of_files().values())
    assert {start + ANY for start in JOINED} <= forms


@pytest.mark.parametrize(
    ("key", "source"),
    [
        ("page.undo", 't("page.undo")'),
        ("reason.gone", 'key = f"reason.{code}"; raise Error("gone")'),
        ("source.area_3", 'key = f"source.{name}"; name = f"area_{size}"'),
        ("difference.on_top", "key = f\"difference.{counted if by else 'on_top'}\""),
        ("the_tile.mine", 'key = f"{form}.{tile}"; form, tile = "the_tile", "mine"'),
        ("setup_2011.clear", 'key = f"setup_{edition}.{step}"; edition, step = "2011", "clear"'),
        ("panel_test.hue.red_blue", "key = f\"panel_test.hue.{'_'.join(lit)}\"; lit = 'red', 'blue'"),
    ],
)
def test_a_text_that_python_writes_or_composes_is_used(key: str, source: str) -> None:
    assert unused({key}, [frozenset(forms_in_python(source))]) == set()


@pytest.mark.parametrize(
    ("key", "source"),
    [
        ("page.menu", """<p title="{{ t('page.menu') }}">"""),
        ("leave.over", """{{ t("leave." ~ how) }}{% set how = "over" %}"""),
        ("leave.over_hint", """{{ t("leave." ~ how ~ "_hint") }}{% set how = "over" %}"""),
        ("status.over.unseen", """{{ t("status." ~ "over" ~ (".unseen" if none else ".hint")) }}"""),
        ("seat.kind_bot", """{{ choices("seat.kind_") }}{% set kinds = ("bot", "person") %}"""),
    ],
)
def test_a_text_that_a_template_writes_or_composes_is_used(key: str, source: str) -> None:
    assert unused({key}, [frozenset(forms_in_template(source))]) == set()


@pytest.mark.parametrize(
    "source",
    ['f"reason.{code}"', 'code = "gone"', '"""Says reason.gone."""', "# reason.gone", 'f"notice.{gone}"'],
)
def test_a_text_that_nothing_writes_or_composes_is_noticed(source: str) -> None:
    assert unused({"reason.gone"}, [frozenset(forms_in_python(source))]) == {"reason.gone"}
