"""The import rules of the folders (see docs/architecture.md): what must not depend on what."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.paths import CHECKOUT

RULES_PACKAGE = "companion.games.burgundy.rules"
MODULES_PACKAGE = "companion.games.burgundy.modules"
OUTSIDE_WORLD = ("random", "secrets", "time", "datetime", "os", "io", "pathlib", "sqlite3", "subprocess")
"""The standard library's modules for chance, clocks and the world outside."""


def within(module: str, packages: Iterable[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@dataclass(frozen=True)
class Rule:
    """What the modules of a folder, or one file, must not import."""

    folder: str
    forbidden: tuple[str, ...]
    anywhere: bool = True
    """False where only imports at module level count: inside a function they are made when needed."""
    besides_standard_library: tuple[str, ...] | None = None
    """When given, all that may be imported besides the standard library."""

    def forbids(self, module: str) -> bool:
        if within(module, self.forbidden):
            return True
        if self.besides_standard_library is None:
            return False
        return not within(module, (*sys.stdlib_module_names, *self.besides_standard_library))


ERRORS = "calibration.errors"
"""The common base of our own errors, which every room may import; it imports nothing itself."""

SHAPES = "calibration.board_shape"
"""The shapes of printed boards, which rules, vision and page share; it imports nothing either."""

FIELDS = "calibration.fields"
"""The check of answers from outside, which modules use for those of the owner; it imports nothing else of ours."""

STAGE = "companion.games.stage"
"""Where a game stands, which the rules of each game say; it imports nothing either."""

RULES = (
    Rule("companion/games/stage.py", (), besides_standard_library=()),
    Rule("calibration/board_shape.py", (), besides_standard_library=()),
    Rule("calibration/errors.py", (), besides_standard_library=()),
    Rule("calibration/fields.py", (), besides_standard_library=()),
    Rule(
        "companion/games/burgundy/rules",
        OUTSIDE_WORLD,
        besides_standard_library=(RULES_PACKAGE, ERRORS, FIELDS, SHAPES, STAGE),
    ),
    Rule(
        "companion/games/burgundy/modules",
        OUTSIDE_WORLD,
        besides_standard_library=(
            RULES_PACKAGE,
            MODULES_PACKAGE,
            ERRORS,
            FIELDS,
            "calibration.games.burgundy.facts",
        ),
    ),
    Rule("companion/service", (), besides_standard_library=("companion.service",)),
    Rule("companion", ("cv2", "flask", "gpiozero"), anywhere=False),
    Rule("vision", ("flask", "gpiozero", "sqlite3")),
    Rule("hardware", ("flask", "companion.games")),
    Rule("web", ("cv2", "gpiozero")),
    Rule("calibration", ("flask", "gpiozero")),
)


FLOORS = (
    "calibration",
    "vision",
    "hardware",
    "companion.service",
    "companion.games.stage",
    "companion.games.burgundy.rules",
    "companion.games.burgundy.modules",
    "companion.games",
    "companion.games.burgundy",
    "companion.players",
    "companion.journal",
    "companion.referee",
    "companion.storage",
    "companion.session",
    "companion.text",
    "companion.archive",
    "companion.network",
    "companion.calibrate",
    "companion.privacy",
    "companion.doctor",
    "web",
    "companion.runtime",
    "companion.virtual",
    "companion.devtools",
    "companion.cli",
    "companion",
)
"""The folders from the lowest layer up: each imports only what is below it, so that there is no circle."""


def room_of(module: str) -> str:
    """Returns the room of a module: the longest of :data:`FLOORS` that its name begins with."""
    return max((room for room in FLOORS if within(module, [room])), key=len, default="")


def climbs(root: Path) -> list[str]:
    """Returns ``file:line imports module`` for each import in *root* that runs up a floor."""
    found = []
    for path in sorted(
        path
        for top in ("companion", "vision", "hardware", "web", "calibration")
        for path in (root / top).rglob("*.py")
    ):
        module = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        package = ".".join(path.parent.relative_to(root).parts)
        floor = FLOORS.index(room_of(module))
        for node in nodes(ast.parse(path.read_text(encoding="utf-8")), anywhere=True):
            line = getattr(node, "lineno", 0)
            for name in imported(node, package):
                if (room := room_of(name)) and name != "companion" and FLOORS.index(room) > floor:
                    found.append(f"{path.relative_to(root)}:{line} imports {name}")
    return found


def imported(node: ast.AST, package: str) -> list[str]:
    """Returns the full names of what an import statement in *package* imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*parents, base] if base else parents)
        return [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return []


def nodes(tree: ast.AST, anywhere: bool) -> Iterator[ast.AST]:
    """Yields a module's nodes; without *anywhere*, only those that run when it is imported."""
    for child in ast.iter_child_nodes(tree):
        yield child
        if anywhere or not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from nodes(child, anywhere)


def violations(root: Path, rule: Rule) -> list[str]:
    """Returns ``file:line imports module`` for each import in *root* that *rule* forbids."""
    found = []
    place = root / rule.folder
    for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
        package = ".".join(path.parent.relative_to(root).parts)
        for node in nodes(ast.parse(path.read_text(encoding="utf-8")), rule.anywhere):
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            bad = filter(rule.forbids, imported(node, package))
            found += [f"{path.relative_to(root)}:{node.lineno} imports {module}" for module in bad]
    return found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.folder)
def test_a_room_imports_only_what_it_may(rule: Rule) -> None:
    assert violations(CHECKOUT, rule) == []


def test_no_import_runs_up_a_floor() -> None:
    assert climbs(CHECKOUT) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("companion/session/undo.py", "from companion.runtime.server import PageServer"),
        ("companion/journal/file.py", "def f():\n    from companion.session import TableSession"),
        ("web/page.py", "from companion.runtime import wiring"),
        ("vision/reader.py", "from companion.games.api import Rules"),
        ("companion/games/api.py", "from .burgundy import plugin"),
    ],
)
def test_an_import_that_runs_up_a_floor_is_found(tmp_path: Path, file: str, line: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(f"{line}\n")
    assert climbs(tmp_path)


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("companion/games/burgundy/rules/state.py", "import random"),
        ("companion/games/burgundy/rules/state.py", "from vision.sighting import Sighting"),
        ("companion/games/burgundy/rules/state.py", "from companion import journal"),
        ("companion/games/burgundy/rules/state.py", "from .... import journal"),
        ("companion/games/burgundy/rules/state.py", "def f():\n    from os import path"),
        ("companion/games/burgundy/rules/state.py", "import numpy as np"),
        ("companion/games/burgundy/modules/inns/stack.py", "import random"),
        ("companion/games/burgundy/modules/inns/stack.py", "from ...plugin import burgundy"),
        ("companion/games/burgundy/modules/inns/stack.py", "from companion import journal"),
        ("companion/service/units.py", "import click"),
        ("companion/service/units.py", "from ..text.translator import Words"),
        ("companion/runtime/table_loop.py", "if True:\n    import cv2"),
        ("vision/dice.py", "import sqlite3"),
        ("hardware/panel.py", "from companion.games.burgundy.rules import state"),
        ("hardware/panel.py", "from companion.games.burgundy import rules"),
        ("web/app.py", "def f():\n    import cv2.aruco"),
        ("calibration/lens.py", "from flask import Flask"),
        ("calibration/errors.py", "from .fields import Field"),
    ],
)
def test_a_forbidden_import_is_found(tmp_path: Path, file: str, line: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(f'"""A room."""\n\n{line}\n')
    found = [violation for rule in RULES for violation in violations(tmp_path, rule)]
    assert found and all(violation.startswith(f"{file}:") for violation in found)


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("companion/games/burgundy/rules/state.py", "from companion.games.burgundy.rules import moves"),
        ("companion/games/burgundy/rules/state.py", "from . import moves"),
        ("companion/games/burgundy/rules/state.py", "from dataclasses import dataclass"),
        ("companion/runtime/table_loop.py", "def f():\n    import cv2"),
        ("hardware/panel.py", "import gpiozero"),
        ("vision/dice.py", "import cv2"),
    ],
)
def test_an_allowed_import_is_not_reported(tmp_path: Path, file: str, line: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(f"{line}\n")
    assert [violation for rule in RULES for violation in violations(tmp_path, rule)] == []


@pytest.mark.parametrize("module", ["cv2", "flask", "gpiozero"])
def test_the_command_line_starts_without_loading(module: str) -> None:
    code = f"import sys, companion.cli.main; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, check=False).returncode == 0
