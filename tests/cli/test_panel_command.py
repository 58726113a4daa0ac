"""``panel test``: every light, beep and button is tried, by a simulated finger or by a person."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import companion.cli.panel
import hardware.panel
from companion.cli.main import main
from companion.cli.panel import TESTED_HELD
from hardware.panel import Panel, SimulatedFinger, load_config, open_panel

ANSWERS = len(load_config().lights) + len(load_config().beeps)
"""Questions that a person is asked."""


def run(*words: Any, answers: str = "") -> Any:
    return CliRunner().invoke(main, ["panel", "test", *map(str, words)], input=answers)


@contextmanager
def pressing(panel: Panel, *buttons: str) -> Iterator[None]:
    """Returns a person who presses *buttons* again and again."""
    finger, stop = SimulatedFinger(panel), threading.Event()

    def press() -> None:
        while not stop.is_set():
            for button in buttons:
                finger.press(button)
                if button in TESTED_HELD:
                    finger.press(button, panel.config.holds[button] + 0.1)

    thread = threading.Thread(target=press)
    thread.start()
    yield
    stop.set()
    thread.join()


@pytest.fixture
def at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Panel]:
    """Returns a panel as if it were wired to this machine's pins."""
    path = tmp_path / "hasty.toml"
    path.write_text("hold_ms = 300\n")
    with open_panel(path, simulate=True) as panel:
        monkeypatch.setattr(hardware.panel, "_real", lambda config: panel)
        yield panel


def test_a_simulated_finger_finds_that_all_works() -> None:
    result = run("--simulate")
    assert result.exit_code == 0
    assert result.stdout.count(": works\n") == ANSWERS + 5
    assert "Undo, held: works\n" in result.stdout


def test_players_own_buttons_are_tried_too(tmp_path: Path) -> None:
    path = tmp_path / "panel.toml"
    path.write_text("hold_ms = 300\n[buttons.players]\nred = 23\n")
    shown = run("--simulate", "--panel", path).stdout
    assert "Press Confirm, Red (GPIO23).\n" in shown and "Confirm, Red: works\n" in shown


def test_each_light_is_described_in_the_readers_language() -> None:
    assert 'Light for "idle": white, faint. Is that what you see?' in run("--simulate").stdout
    output = run("--simulate", "--language", "fr").stdout
    assert "orangée, clignotante, 0.3 s allumée et 0.3 s éteinte. Est-ce ce que vous voyez\N{NBSP}?" in output
    assert "Annuler, appui long\N{NBSP}: fonctionne\n" in output


def test_a_press_that_does_not_arrive_ends_with_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    press = SimulatedFinger.press

    def broken(self: SimulatedFinger, button: str, seconds: float | None = None) -> None:
        press(self, "undo" if button == "help" else button, seconds)

    monkeypatch.setattr(SimulatedFinger, "press", broken)
    monkeypatch.setattr(companion.cli.panel._SimulatedTester, "timeout_s", 0.5)
    result = run("--simulate")
    assert result.exit_code == 1
    assert "Received: Undo. That is not what was asked for.\n" in result.stdout
    assert "Help: DOES NOT WORK\ndocs/panel.md shows how each part is wired.\n" in result.stdout
    assert "Next: works\n" in result.stdout


def test_a_person_answers_with_enter_and_presses(at_hand: Panel) -> None:
    with pressing(at_hand, *at_hand.buttons):
        result = run(answers="\n" * ANSWERS)
    assert result.exit_code == 0, result.output
    assert result.stdout.count(": works\n") == ANSWERS + 5


def test_a_light_that_is_not_seen_is_reported(at_hand: Panel) -> None:
    with pressing(at_hand, *at_hand.buttons):
        result = run(answers="\nn" + "\n" * ANSWERS)
    assert result.exit_code == 1
    assert 'Light for "idle": DOES NOT WORK\n' in result.stdout


def test_the_wait_for_a_press_is_limited(at_hand: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(companion.cli.panel._Person, "timeout_s", 0.05)
    result = run(answers="\n" * ANSWERS)
    assert result.exit_code == 1
    assert result.stdout.count("Nothing suitable was received within 0.05 s.\n") == 5


def test_a_muted_buzzer_is_not_tested(tmp_path: Path) -> None:
    path = tmp_path / "panel.toml"
    path.write_text("hold_ms = 300\n[buzzer]\nmute = true\n")
    result = run("--simulate", "--panel", path)
    assert result.exit_code == 0
    assert "Muted in the panel file: beeps are not tested.\n" in result.stdout and "Beep" not in result.stdout


def test_missing_pins_are_reported_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardware.panel, "DEVICE_MODEL", tmp_path / "nothing")
    result = run()
    assert result.exit_code == 1
    assert result.stderr == (
        "companion: this machine is not a Raspberry Pi; --simulate runs the test without a panel\n"
    )


def test_an_invalid_panel_file_is_reported_in_one_sentence(tmp_path: Path) -> None:
    result = run("--simulate", "--panel", tmp_path / "none.toml")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert "none.toml: the panel file cannot be read: No such file or directory; name another one" in line
