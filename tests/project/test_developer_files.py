"""The files that editors, pre-commit and reporters of faults read."""

from __future__ import annotations

import re
import tomllib
from configparser import ConfigParser

from click.testing import CliRunner

from companion.cli.main import main
from tests.support.paths import CHECKOUT

HOOKS = (CHECKOUT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
TEMPLATE = (CHECKOUT / ".github/ISSUE_TEMPLATE/bug_report.md").read_text(encoding="utf-8")


def test_the_hooks_are_local_and_download_nothing() -> None:
    assert re.findall(r"repo: (.+)", HOOKS) == ["local"]
    assert "://" not in HOOKS


def test_the_hooks_run_the_checks_that_the_whole_suite_begins_with() -> None:
    run = (CHECKOUT / "run").read_text(encoding="utf-8")
    tools = set(re.findall(r"bin/(\w+)\"", HOOKS))
    assert tools == {"ruff", "mypy"}
    assert all(f"-m {tool}" in run for tool in tools)


def test_editors_wrap_python_where_ruff_does() -> None:
    config = ConfigParser()
    config.read_string("[top]\n" + (CHECKOUT / ".editorconfig").read_text(encoding="utf-8"))
    ruff = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]
    assert config.getint("*.py", "max_line_length") == ruff["line-length"]


def test_every_command_that_the_issue_template_asks_for_exists() -> None:
    commands = re.findall(r"\./run ([a-z ]*[a-z])((?: --[a-z]+)*)", TEMPLATE)
    assert len(commands) >= 5
    for words, options in commands:
        known = CliRunner().invoke(main, [*words.split(), "--help"]).stdout
        assert known.startswith("Usage"), words
        assert [option for option in options.split() if option not in known] == []
