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
    """Returns an app with one template and a new loader."""
    (folder / "templates").mkdir(exist_ok=True)
    (folder / "templates" / "page.html").write_text(text)
    app = Flask("pages", root_path=str(folder))
    set_up_templates(app)
    app.jinja_options |= {"bytecode_cache": bytecode, "loader": app.create_global_jinja_loader()}
    return app


def shown(app: Flask) -> str:
    return app.jinja_env.get_template("page.html").render(name="Anna")


def refuse(*_: object, **__: object) -> str:
    raise AssertionError("was compiled again")


def test_compiled_templates_stay_valid_when_the_folder_is_moved(
    bytecode: TemplateBytecode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    compile_templates(app_with(bytecode, tmp_path / "here", "Hello {{ name }}"))
    monkeypatch.setattr(Environment, "compile", refuse)
    assert shown(app_with(bytecode, tmp_path / "there", "Hello {{ name }}")) == "Hello Anna"


def test_a_changed_template_is_shown(bytecode: TemplateBytecode, tmp_path: Path) -> None:
    for text in ("Hello {{ name }}", "Good evening {{ name }}"):
        assert shown(app_with(bytecode, tmp_path, text)) == text.replace("{{ name }}", "Anna")


@pytest.mark.parametrize("remaining", [0, 10, 100])
def test_damaged_bytecode_is_compiled_again(
    bytecode: TemplateBytecode, tmp_path: Path, remaining: int
) -> None:
    compile_templates(app_with(bytecode, tmp_path, "Hello {{ name }}"))
    (file,) = (tmp_path / "cache").iterdir()
    complete = file.read_bytes()
    file.write_bytes(complete[:remaining])
    assert shown(app_with(bytecode, tmp_path, "Hello {{ name }}")) == "Hello Anna"
    assert len(file.read_bytes()) == len(complete)


def test_another_account_can_read_the_bytecode(bytecode: TemplateBytecode, tmp_path: Path) -> None:
    compile_templates(app_with(bytecode, tmp_path, "Hello {{ name }}"))
    (file,) = (tmp_path / "cache").iterdir()
    assert file.stat().st_mode & 0o777 == 0o644


def test_pages_are_shown_without_a_writable_cache(tmp_path: Path) -> None:
    nowhere = TemplateBytecode(tmp_path / "nowhere")
    assert shown(app_with(nowhere, tmp_path, "Hello {{ name }}")) == "Hello Anna"


def test_python_that_is_to_leave_no_bytecode_leaves_none(
    bytecode: TemplateBytecode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    compile_templates(app_with(bytecode, tmp_path, "Hello {{ name }}"))
    assert list((tmp_path / "cache").iterdir()) == []
