"""``companion panel``: tests the button panel without a game."""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from companion.text.translator import Translator

from .errors import fail
from .groups import Group
from .options import language_option

if TYPE_CHECKING:
    from hardware.panel import Light, Panel

TIMEOUT_S = 20.0
"""Time for a user to press a button."""
SIMULATED_TIMEOUT_S = 3.0
"""Time for a simulated panel, on a busy machine."""
POLL_S = 0.005
"""Interval at which a simulated light or beep is checked."""
TESTED_HELD = ("undo",)
"""Buttons that are also tested held; holding help takes too long."""
FAINT = 0.3
"""A weaker colour is described as faint."""


@click.group(cls=Group)
def panel() -> None:
    """Test the button panel without a game."""


@panel.command("test")
@click.option(
    "--panel",
    "panel_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File with the pins of your panel.",
)
@click.option("--simulate", is_flag=True, help="Simulate the panel and its presses.")
@language_option
def panel_test(panel_path: Path | None, simulate: bool, language: str) -> None:
    """Test every light, beep and button of the panel, and report which work.

    The exit code is 1 if a light was not seen, a beep was not heard, or a press did not arrive.
    """
    from hardware.panel import PanelUnavailableError, open_panel

    translator = Translator(language)
    try:
        with open_panel(panel_path, simulate=simulate) as opened:
            click.echo(opened.status)
            tester = _SimulatedTester(opened) if simulate else _Person()
            works = dict(_walk(opened, tester, translator))
    except PanelUnavailableError as error:
        fail(f"{error}; --simulate runs the test without a panel")
    click.echo()
    for part, good in works.items():
        click.echo(translator("panel_test.works" if good else "panel_test.fails", part=part))
    if not all(works.values()):
        click.echo(translator("panel_test.cure"))
        sys.exit(1)


class _Tester(Protocol):
    """Looks, listens and presses."""

    timeout_s: float
    """Seconds to wait for a press."""

    def sees(self, question: str, light: Light) -> bool: ...

    def hears(self, question: str) -> bool: ...

    def press(self, button: str, held: bool) -> None: ...


class _Person:
    """A user at the panel, who is asked on the terminal."""

    timeout_s = TIMEOUT_S

    def sees(self, question: str, light: Light) -> bool:
        return click.confirm(question, default=True)

    def hears(self, question: str) -> bool:
        return click.confirm(question, default=True)

    def press(self, button: str, held: bool) -> None:
        """Does nothing: the user has been asked to press."""


class _SimulatedTester:
    """Tests the pins of a simulated panel."""

    timeout_s = SIMULATED_TIMEOUT_S

    def __init__(self, panel: Panel) -> None:
        from hardware.panel import SimulatedFinger

        self._panel = panel
        self._finger = SimulatedFinger(panel)

    def sees(self, question: str, light: Light) -> bool:
        click.echo(question)
        return self._soon(lambda: self._panel.light_colour == light.colour)

    def hears(self, question: str) -> bool:
        click.echo(question)
        return self._soon(lambda: self._panel.buzzing)

    def press(self, button: str, held: bool) -> None:
        config = self._panel.config
        self._finger.press(button, config.holds[button] + config.debounce if held else None)

    def _soon(self, is_true: Callable[[], bool]) -> bool:
        end = time.monotonic() + self.timeout_s
        while not is_true() and time.monotonic() < end:
            time.sleep(POLL_S)
        return is_true()


def _walk(panel: Panel, tester: _Tester, translator: Translator) -> Iterator[tuple[str, bool]]:
    """Yields the name of each part of the panel, and whether it works."""
    yield from _lights(panel, tester, translator)
    yield from _beeps(panel, tester, translator)
    yield from _buttons(panel, tester, translator)


def _lights(panel: Panel, tester: _Tester, translator: Translator) -> Iterator[tuple[str, bool]]:
    for name, light in panel.config.lights.items():
        part = translator("panel_test.light", light=translator(f"light.{name}"))
        panel.show(name)
        yield (
            part,
            tester.sees(
                translator("panel_test.seen", part=part, look=_describe_light(light, translator)), light
            ),
        )
    panel.show("off")


def _beeps(panel: Panel, tester: _Tester, translator: Translator) -> Iterator[tuple[str, bool]]:
    if panel.muted:
        click.echo(translator("panel_test.muted"))
        return
    for name, beep in panel.config.beeps.items():
        part = translator("panel_test.beep", light=translator(f"light.{name}"))
        panel.beep(name)
        yield part, tester.hears(translator("panel_test.heard", part=part, times=beep.times))


def _buttons(panel: Panel, tester: _Tester, translator: Translator) -> Iterator[tuple[str, bool]]:
    for name, pin in panel.config.buttons.items():
        for held in (False, True) if name in TESTED_HELD else (False,):
            part = _describe_press(name, held, translator)
            ask = "panel_test.hold" if held else "panel_test.press"
            click.echo(
                translator(ask, button=translator.button(name), pin=pin, seconds=panel.config.holds.get(name))
            )
            yield part, _arrives(panel, tester, name, held, translator)


def _arrives(panel: Panel, tester: _Tester, button: str, held: bool, translator: Translator) -> bool:
    """Returns whether the press arrives; prints other presses meanwhile."""
    while not panel.presses.empty():  # presses from before the question
        panel.presses.get()
    tester.press(button, held)
    end = time.monotonic() + tester.timeout_s
    while (remaining := end - time.monotonic()) > 0:
        try:
            press = panel.presses.get(timeout=remaining)
        except queue.Empty:
            break
        right = (press.button, press.held) == (button, held)
        panel.show("accepted" if right else "refused")
        description = _describe_press(press.button, press.held, translator)
        click.echo(
            "  " + translator("panel_test.arrived" if right else "panel_test.other", press=description)
        )
        if right:
            return True
    click.echo("  " + translator("panel_test.nothing", seconds=f"{tester.timeout_s:g}"))
    return False


def _describe_press(button: str, held: bool, translator: Translator) -> str:
    """Returns the name of a press: ``Undo``, ``Undo, held``."""
    return translator("panel_test.held" if held else "panel_test.button", button=translator.button(button))


def _describe_light(light: Light, translator: Translator) -> str:
    """Returns the description of a light: ``green, 0.8 s on and 0.8 s off``."""
    from hardware.panel import COLOURS

    strongest = max(light.colour)
    lit = [colour for colour, part in zip(COLOURS, light.colour, strict=True) if part > strongest / 2]
    hue = translator(f"panel_test.hue.{'_'.join(lit) or 'none'}")
    if 0 < strongest < FAINT:
        hue = translator("panel_test.faint", hue=hue)
    if light.blink is None:
        return hue
    on, off = light.blink
    return translator("panel_test.blinking", hue=hue, on=f"{on:g}", off=f"{off:g}")
