"""Our own errors have one base class, which distinguishes them from programming errors."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

from calibration.errors import CompanionError
from companion.cli.main import main
from tests.support.paths import CHECKOUT

PACKAGES = ("calibration", "companion", "hardware", "vision", "web")
NOT_DERIVED = {
    "companion.service.errors.ServiceError": "the service keeps to the standard library; its own main prints it",
    "companion.text.catalogue.MissingTextError": "a text that is missing is a fault of the program",
}


OPTIONAL = ("bpy", "onnx", "picamera2", "torch")
"""Libraries that only a Raspberry Pi has, or people who train networks."""


def modules() -> Iterator[ModuleType]:
    """Yields all modules, without the programs and what needs an optional library that is not here."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages([str(CHECKOUT / package)], f"{package}."):
            if module.name.endswith("__main__"):
                continue
            try:
                yield importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                if error.name not in OPTIONAL:
                    raise


@pytest.fixture(scope="module")
def errors() -> dict[str, type[BaseException]]:
    """Returns the exceptions that our modules define, by their full name."""
    return {
        f"{found.__module__}.{found.__name__}": found
        for module in modules()
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, BaseException) and found.__module__ == module.__name__
    }


def test_every_error_of_ours_has_the_common_base(errors: dict[str, type[BaseException]]) -> None:
    apart = tuple(errors[name] for name in NOT_DERIVED)
    assert [name for name, error in errors.items() if not issubclass(error, (CompanionError, *apart))] == []


def test_every_error_of_ours_is_also_a_fitting_builtin(errors: dict[str, type[BaseException]]) -> None:
    bare = [
        name
        for name, error in errors.items()
        if next(base for base in error.__mro__ if base.__module__ == "builtins") is Exception
    ]
    assert sorted(bare) == ["calibration.errors.CompanionError", "hardware.cameras.camera.CameraError"]


@pytest.mark.parametrize(
    "fault", [ValueError("a bug"), TypeError("a bug"), KeyError("a bug"), OSError("a bug")]
)
def test_a_fault_of_the_program_is_no_sentence(fault: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise fault

    monkeypatch.setitem(main.commands, "broken", click.Command("broken", callback=fail))
    result = CliRunner().invoke(main, ["broken"])
    assert result.exit_code == 1 and result.exception is fault


def test_an_error_of_ours_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise CompanionError("the lamp is out: switch it on")

    monkeypatch.setitem(main.commands, "dark", click.Command("dark", callback=fail))
    result = CliRunner().invoke(main, ["dark"])
    assert (result.exit_code, result.stderr) == (1, "companion: the lamp is out: switch it on\n")


def test_a_fault_of_the_program_is_a_traceback_in_the_terminal() -> None:
    code = (
        "import companion.cli.rules as rules, companion.cli.main as cli\n"
        "def game_part(command, game): raise ValueError('a bug')\n"
        "rules.game_part = game_part\n"
        "cli.main(['rules'])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("Traceback") and ended.stderr.endswith("ValueError: a bug\n")
