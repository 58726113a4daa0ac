"""Templates are compiled once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import Environment

from web.templating import TemplateBytecode, compile_templates, set_up_templates


@pytest.fixture
def bytecode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TemplateBytecode:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "cache").mkdir()
    return TemplateBytecode(tmp_path / "cache")


def app_with(bytecode: TemplateBytecode, folder: Path, text: str) -> Flask:
    """An app with one template, whose loader is new."""
    (folder / "templates").mkdir(exist_ok=True)
    (folder / "templates" / "page.html").write_text(text)
    app = Flask("pages", root_path=str(folder))
    set_up_templates(app)
    app.jinja_options["bytecode_cache"] = bytecode
    return app


def shown(app: Flask) -> str:
    return app.jinja_env.get_template("page.html").render(name="Anna")


def refuse(*_: object, **__: object) -> str:
    raise AssertionError("was compiled again")


def test_what_was_compiled_is_not_compiled_again_wherever_the_folder_is_moved_to(
    bytecode: TemplateBytecode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    compile_templates(app_with(bytecode, tmp_path / "here", "Hello {{ name }}"))
    monkeypatch.setattr(Environment, "compile", refuse)
    assert shown(app_with(bytecode, tmp_path / "there", "Hello {{ name }}")) == "Hello Anna"


def test_a_template_that_was_changed_is_shown_as_it_is_now(
    bytecode: TemplateBytecode, tmp_path: Path
) -> None:
    for text in ("Hello {{ name }}", "Good evening {{ name }}"):
        assert shown(app_with(bytecode, tmp_path, text)) == text.replace("{{ name }}", "Anna")


@pytest.mark.parametrize("kept", [0, 10, 100])
def test_bytecode_that_is_damaged_is_made_anew(bytecode: TemplateBytecode, tmp_path: Path, kept: int) -> None:
    compile_templates(app_with(bytecode, tmp_path, "Hello {{ name }}"))
    (file,) = (tmp_path / "cache").iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:kept])
    assert shown(app_with(bytecode, tmp_path, "Hello {{ name }}")) == "Hello Anna"
    assert len(file.read_bytes()) == len(whole)


def test_whoever_plays_may_read_what_another_account_has_compiled(
    bytecode: TemplateBytecode, tmp_path: Path
) -> None:
    compile_templates(app_with(bytecode, tmp_path, "Hello {{ name }}"))
    (file,) = (tmp_path / "cache").iterdir()
    assert file.stat().st_mode & 0o777 == 0o644


def test_where_nothing_can_be_written_pages_are_shown_all_the_same(tmp_path: Path) -> None:
    nowhere = TemplateBytecode(tmp_path / "nowhere")
    assert shown(app_with(nowhere, tmp_path, "Hello {{ name }}")) == "Hello Anna"


def test_python_that_is_to_leave_no_bytecode_leaves_none(
    bytecode: TemplateBytecode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    compile_templates(app_with(bytecode, tmp_path, "Hello {{ name }}"))
    assert list((tmp_path / "cache").iterdir()) == []
