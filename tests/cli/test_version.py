"""``./run --version``: one number, wherever it is asked."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli.main import main
from companion.service.version import NAME, version
from tests.support.paths import CHECKOUT

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_command_line_prints_the_version_of_pyproject() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"table-companion {PROJECT['version']}\n")


def test_the_version_is_asked_for_by_the_projects_own_name() -> None:
    assert PROJECT["name"] == NAME


def test_an_installed_package_without_its_checkout_has_the_version_of_its_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.metadata, "version", {NAME: "1.2.3"}.__getitem__)
    assert version(tmp_path) == "1.2.3"


def test_the_changelog_begins_with_the_version_of_pyproject() -> None:
    versions = re.findall(
        r"^## \[(.+)\] - \d{4}-\d\d-\d\d$", (CHECKOUT / "CHANGELOG.md").read_text("utf-8"), re.M
    )
    assert versions[0] == PROJECT["version"]
    assert versions == sorted(versions, key=lambda one: tuple(map(int, one.split("."))), reverse=True)
