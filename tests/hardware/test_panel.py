"""The button panel, pressed at gpiozero's mock pins, never above them."""

from __future__ import annotations

import importlib.util
import queue
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gpiozero import Device, PinInvalidPin
from gpiozero.pins.mock import MockFactory

import hardware.panel
from hardware.panel import (
    BUTTONS,
    HOLDABLE,
    LIGHTS,
    Debouncer,
    Panel,
    PanelConfigError,
    PanelUnavailableError,
    Press,
    PressDetector,
    SimulatedFinger,
    load_config,
    mock_factory,
    open_panel,
)
from tests.support.paths import DOCS

TIMEOUT_S = 5.0
"""Timeout of expected events on a busy machine."""


@pytest.fixture
def panel() -> Iterator[Panel]:
    with open_panel(simulate=True) as opened:
        yield opened


@pytest.fixture
def patient_panel(tmp_path: Path) -> Iterator[Panel]:
    """Returns a panel whose debounce is long beside any pause that a busy machine makes between two lines."""
    path = tmp_path / "patient.toml"
    path.write_text("debounce_ms = 200")
    with open_panel(path, simulate=True) as opened:
        yield opened


@pytest.fixture
def hasty_panel(tmp_path: Path) -> Iterator[Panel]:
    """Returns a panel whose buttons need not be held for long, one player's own among them."""
    path = tmp_path / "hasty.toml"
    path.write_text("hold_ms = 300\n[buttons.players]\nred = 23\n")
    with open_panel(path, simulate=True) as opened:
        yield opened


@pytest.fixture
def finger(panel: Panel) -> SimulatedFinger:
    return SimulatedFinger(panel)


def next_press(panel: Panel) -> Press:
    return panel.presses.get(timeout=TIMEOUT_S)


def assert_quiet(panel: Panel) -> None:
    """Watches for two debounce times that no press comes."""
    with pytest.raises(queue.Empty):
        panel.presses.get(timeout=2 * panel.config.debounce)


def eventually(is_true: Callable[[], bool], timeout_s: float = TIMEOUT_S) -> bool:
    end = time.monotonic() + timeout_s
    while not is_true() and time.monotonic() < end:
        time.sleep(0.002)
    return is_true()


def led(panel: Panel) -> tuple[float, ...]:
    """Returns the levels of the pins of the light: red, green, blue."""
    return tuple(panel.pin_factory.pin(f"GPIO{pin}").state for pin in panel.config.led)


# Buttons


@pytest.mark.parametrize("button", BUTTONS)
def test_a_press_at_the_pin_arrives_with_the_buttons_name(
    panel: Panel, finger: SimulatedFinger, button: str
) -> None:
    finger.press(button)
    assert next_press(panel).button == button


def test_a_press_is_dated_when_the_button_went_down(panel: Panel) -> None:
    before = time.monotonic()
    panel.buttons["confirm"].pin.drive_low()
    after = time.monotonic()
    assert before <= next_press(panel).at <= after


@pytest.mark.parametrize("button", [button for button in BUTTONS if button not in HOLDABLE])
def test_a_press_is_seen_while_the_button_is_still_down(panel: Panel, button: str) -> None:
    panel.buttons[button].pin.drive_low()
    assert next_press(panel).button == button


def test_a_held_button_presses_once(panel: Panel, finger: SimulatedFinger) -> None:
    finger.press("confirm", seconds=10 * panel.config.debounce)
    assert next_press(panel).button == "confirm"
    assert_quiet(panel)


def test_a_held_button_is_reported_once_while_it_is_still_down(hasty_panel: Panel) -> None:
    pin = hasty_panel.buttons["undo"].pin
    pin.drive_low()
    press = next_press(hasty_panel)
    assert (press.button, press.held) == ("undo", True)
    assert time.monotonic() - press.at >= hasty_panel.config.holds["undo"]
    pin.drive_high()
    assert_quiet(hasty_panel)


def test_a_button_that_could_be_held_counts_as_pressed_when_it_is_let_go(panel: Panel) -> None:
    pin = panel.buttons["undo"].pin
    pin.drive_low()
    assert_quiet(panel)
    pin.drive_high()
    press = next_press(panel)
    assert (press.button, press.held) == ("undo", False)


def test_a_button_without_a_meaning_for_it_is_never_held(hasty_panel: Panel) -> None:
    SimulatedFinger(hasty_panel).press("confirm", seconds=1.5 * hasty_panel.config.holds["undo"])
    assert not next_press(hasty_panel).held
    assert_quiet(hasty_panel)


def test_a_players_own_button_is_named_after_the_player(hasty_panel: Panel) -> None:
    assert hasty_panel.config.players == ("red",)
    SimulatedFinger(hasty_panel).press("confirm:red")
    assert next_press(hasty_panel).button == "confirm:red"


def test_a_contact_that_bounces_presses_once(patient_panel: Panel) -> None:
    pin = patient_panel.buttons["confirm"].pin
    for _ in range(10):
        pin.drive_low()
        pin.drive_high()
    pin.drive_low()
    assert next_press(patient_panel).button == "confirm"
    for _ in range(10):
        pin.drive_high()
        pin.drive_low()
    pin.drive_high()
    assert_quiet(patient_panel)


def test_a_spike_shorter_than_the_debounce_is_ignored(patient_panel: Panel) -> None:
    pin = patient_panel.buttons["confirm"].pin
    pin.drive_low()
    pin.drive_high()
    assert_quiet(patient_panel)


def test_presses_of_one_button_one_after_another_all_count(panel: Panel, finger: SimulatedFinger) -> None:
    for _ in range(5):
        finger.press("confirm")
    assert [next_press(panel).button for _ in range(5)] == ["confirm"] * 5
    assert_quiet(panel)


def test_two_buttons_at_once_both_count(panel: Panel) -> None:
    panel.buttons["undo"].pin.drive_low()
    panel.buttons["help"].pin.drive_low()
    assert {next_press(panel).button, next_press(panel).button} == {"undo", "help"}


def test_a_press_whose_edge_was_lost_is_still_seen(panel: Panel) -> None:
    panel.buttons["confirm"].when_activated = None
    panel.buttons["confirm"].pin.drive_low()
    assert next_press(panel).button == "confirm"


def test_the_debounce_can_be_set(patient_panel: Panel) -> None:
    SimulatedFinger(patient_panel).press("confirm", seconds=0.05)
    assert_quiet(patient_panel)


def test_an_unknown_button_names_those_there_are(finger: SimulatedFinger) -> None:
    with pytest.raises(ValueError, match="no button 'ok'; there are confirm, undo, next_alternative, help"):
        finger.press("ok")


# The debouncer alone, on a made-up clock in seconds


def test_a_level_counts_once_it_is_stable() -> None:
    contact = Debouncer(0.02)
    assert [contact.feed(True, now) for now in (1.0, 1.01, 1.02, 1.5)] == [None, None, 1.0, None]


def test_a_bounce_starts_the_time_again() -> None:
    contact = Debouncer(0.02)
    contact.feed(True, 1.0)
    contact.feed(False, 1.015)
    contact.feed(True, 1.016)
    assert contact.feed(True, 1.03) is None
    assert contact.feed(True, 1.036) == 1.016


def test_a_press_between_two_polls_counts_by_its_edges() -> None:
    contact = Debouncer(0.02)
    contact.feed(True, 1.0)
    assert contact.feed(False, 1.5) == 1.0


def test_an_edge_that_arrives_after_a_later_reading_still_begins_the_press() -> None:
    contact = Debouncer(0.02)
    contact.feed(True, 1.004)  # the level was polled before the edge arrived
    contact.feed(True, 1.0)
    assert contact.feed(False, 1.022) == 1.0


def test_a_bounce_on_release_is_no_second_press() -> None:
    contact = Debouncer(0.02)
    edges = [(True, 1.0), (False, 2.0), (True, 2.001), (False, 2.002), (False, 2.03)]
    assert [began for began in (contact.feed(*edge) for edge in edges) if began is not None] == [1.0]
    assert not contact.pressed


# A button that can be held, on a made-up clock in seconds


def presses(*edges: tuple[bool, float]) -> list[tuple[float, bool]]:
    """Returns the presses for these levels and times: when each began, and whether it was held."""
    detector = PressDetector("undo", 0.02, 0.8)
    return [(press.at, press.held) for press in (detector.feed(*edge) for edge in edges) if press is not None]


def test_a_press_counts_as_held_at_the_moment_when_it_has_lasted_long_enough() -> None:
    assert presses((True, 1.0), (True, 1.02), (True, 1.79)) == []
    assert presses((True, 1.0), (True, 1.02), (True, 1.8)) == [(1.0, True)]


def test_holding_on_after_a_held_press_does_not_count() -> None:
    assert presses((True, 1.0), (True, 1.9), (True, 5.0), (False, 9.0), (False, 9.1)) == [(1.0, True)]


def test_after_it_was_let_go_it_can_be_held_again() -> None:
    first, second = ((True, 1.0), (True, 1.9), (False, 2.0)), ((False, 2.1), (True, 3.0), (True, 3.9))
    assert presses(*first, *second) == [(1.0, True), (3.0, True)]


def test_a_short_press_counts_once_its_end_is_stable() -> None:
    assert presses((True, 1.0), (False, 1.1)) == []
    assert presses((True, 1.0), (False, 1.1), (False, 1.12)) == [(1.0, False)]


def test_a_bounce_does_not_end_a_long_press() -> None:
    bounce = ((False, 1.5), (True, 1.51))
    assert presses((True, 1.0), *bounce, (True, 1.8)) == [(1.0, True)]


def test_a_press_released_just_before_the_hold_time_is_short() -> None:
    assert presses((True, 1.0), (True, 1.02), (False, 1.79), (False, 1.81)) == [(1.0, False)]


def test_presses_missed_between_readings_are_detected_by_their_edges() -> None:
    assert presses((True, 1.0), (False, 1.1), (False, 3.0)) == [(1.0, False)]
    assert presses((True, 1.0), (False, 2.5), (False, 3.0)) == [(1.0, True)]
    assert presses((True, 1.0), (False, 1.1), (True, 1.3), (False, 1.4), (False, 2.0)) == [
        (1.0, False),
        (1.3, False),
    ]


def test_a_spike_is_never_a_press() -> None:
    assert presses((True, 1.0), (False, 1.01), (False, 3.0)) == []


def test_due_is_the_time_of_the_next_check() -> None:
    detector = PressDetector("undo", 0.02, 0.8)
    assert detector.due is None
    detector.feed(True, 1.0)
    assert detector.due == pytest.approx(1.02)
    detector.feed(True, 1.02)
    assert detector.due == pytest.approx(1.8)
    detector.feed(False, 1.5)
    assert detector.due == pytest.approx(1.52)
    detector.feed(False, 1.52)
    assert detector.due is None


# Light and sound


def test_a_steady_light_shows_its_colour(panel: Panel) -> None:
    panel.show("watching")
    assert led(panel) == (0, 0, 1)
    panel.show("off")
    assert led(panel) == (0, 0, 0)


def test_a_blinking_light_goes_on_and_off(panel: Panel) -> None:
    panel.show("refused")
    assert eventually(lambda: led(panel) == (1, 0, 0))
    assert eventually(lambda: led(panel) == (0, 0, 0))
    assert eventually(lambda: led(panel) == (1, 0, 0))


def test_another_light_ends_the_blinking(panel: Panel) -> None:
    panel.show("refused")
    panel.show("accepted")
    shown = set()
    for _ in range(20):
        shown.add(led(panel))
        time.sleep(0.01)
    assert shown == {(0, 1, 0)}


def test_lights_of_one_colour_differ_in_their_rhythm() -> None:
    looks = [(light.colour, light.blink) for light in load_config().lights.values()]
    assert len(set(looks)) == len(LIGHTS)
    rhythms = [light.blink for light in load_config().lights.values() if light.blink]
    assert len(set(rhythms)) == len(rhythms)


def test_an_unknown_light_names_those_there_are(panel: Panel) -> None:
    with pytest.raises(ValueError, match="no light 'disco'; there are off, idle"):
        panel.show("disco")


def test_a_beep_sounds_and_ends_without_waiting(panel: Panel) -> None:
    buzzer = panel.pin_factory.pin(f"GPIO{panel.config.buzzer}")
    before = time.monotonic()
    panel.beep("refused")
    assert time.monotonic() - before < load_config().beeps["refused"].on
    assert eventually(lambda: buzzer.state == 1)
    assert eventually(lambda: buzzer.state == 0)


@pytest.mark.parametrize("where", ["file", "run time"])
def test_a_muted_buzzer_is_silent(tmp_path: Path, where: str) -> None:
    path = tmp_path / "quiet.toml"
    path.write_text(f"[buzzer]\nmute = {str(where == 'file').lower()}\n")
    with open_panel(path, simulate=True) as panel:
        if where == "run time":
            panel.mute(True)
        panel.beep("error")
        assert not eventually(lambda: panel.buzzing, timeout_s=0.1)


def test_muting_ends_a_beep_and_can_be_taken_back(panel: Panel) -> None:
    panel.beep("error")
    assert eventually(lambda: panel.buzzing)
    panel.mute(True)
    assert not panel.buzzing
    panel.mute(False)
    panel.beep("error")
    assert eventually(lambda: panel.buzzing)


def test_a_muted_buzzer_still_knows_its_patterns(panel: Panel) -> None:
    panel.mute(True)
    with pytest.raises(ValueError, match="no beep 'tune'; there are accepted"):
        panel.beep("tune")


def test_the_lights_colour_can_be_queried(panel: Panel) -> None:
    panel.show("watching")
    assert panel.light_colour == load_config().lights["watching"].colour


def test_many_threads_may_show_and_beep_at_once(panel: Panel) -> None:
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for light in LIGHTS:
                panel.show(light)
                panel.beep("accepted")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT_S)
    panel.show("off")
    assert not failures and led(panel) == (0, 0, 0)


# Opening and closing


def test_without_pins_the_status_gives_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardware.panel, "DEVICE_MODEL", tmp_path / "nothing")
    with open_panel() as panel:
        assert panel.status == "buttons: off, because this machine is not a Raspberry Pi"


def test_insisting_on_real_pins_fails_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardware.panel, "DEVICE_MODEL", tmp_path / "nothing")
    with pytest.raises(PanelUnavailableError, match="this machine is not a Raspberry Pi"):
        open_panel(simulate=False)


@pytest.mark.skipif(importlib.util.find_spec("lgpio") is not None, reason="lgpio is installed here")
def test_on_a_pi_without_lgpio_the_error_contains_the_command_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hardware.panel, "DEVICE_MODEL", tmp_path / "model")
    (tmp_path / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    with open_panel() as panel:
        assert panel.status.endswith("because lgpio is not installed; type 'sudo apt install python3-lgpio'")


def test_with_pins_the_status_lists_them() -> None:
    with Panel(load_config(), pin_factory=mock_factory()) as panel:
        assert panel.status == "buttons: OK on pins confirm 5, undo 6, next_alternative 13, help 19"


def test_closing_releases_the_pins_and_may_be_repeated() -> None:
    factory = mock_factory()
    panel = Panel(load_config(), pin_factory=factory)
    panel.close()
    panel.close()
    with Panel(load_config(), pin_factory=factory):
        pass


def test_a_panel_that_cannot_be_opened_gives_its_pins_back(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = mock_factory()
    broken = MockFactory.pin

    def no_buzzer(self: MockFactory, name: object, **options: object) -> object:
        if name == load_config().buzzer:
            raise PinInvalidPin("the buzzer's pin is broken")
        return broken(self, name, **options)

    with monkeypatch.context() as patch:
        patch.setattr(MockFactory, "pin", no_buzzer)
        with pytest.raises(PinInvalidPin):
            Panel(load_config(), pin_factory=factory)
    with Panel(load_config(), pin_factory=factory):
        pass


def test_a_panel_does_not_change_gpiozeros_pin_factory(panel: Panel) -> None:
    assert Device.pin_factory is None


# The documentation of the panel


GPIO_OF_HEADER = {11: 17, 12: 18, 13: 27, 15: 22, 29: 5, 31: 6, 33: 13, 35: 19}
"""Pins as counted on the Raspberry Pi's header -> as counted on the chip, where the panel is wired."""


def test_the_wiring_that_is_documented_is_the_one_that_is_shipped() -> None:
    config = load_config()
    pins = [*config.buttons.values(), *config.led, config.buzzer]
    rows = re.findall(
        r"^\| [^|]+ \| (\d+) \| (\d+) \| ", (DOCS / "panel.md").read_text("utf-8"), re.MULTILINE
    )
    assert [int(gpio) for gpio, _ in rows] == pins
    assert all(GPIO_OF_HEADER[int(pin)] == int(gpio) for gpio, pin in rows)
    drawn = (DOCS / "panel-wiring.svg").read_text("utf-8")
    assert {f">GPIO{pin}<" for pin in pins if f">GPIO{pin}<" not in drawn} == set()


# The panel file


def test_a_panel_file_may_contain_only_differences(tmp_path: Path) -> None:
    path = tmp_path / "panel.toml"
    path.write_text("[buttons]\nconfirm = 12\n")
    buttons = load_config(path).buttons
    assert buttons["confirm"] == 12 and buttons["undo"] == load_config().buttons["undo"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("debounce_ms = 0", "debounce_ms: 0 is not a whole number from 1 to 200"),
        ("[buttons]\nconfirm = 'GPIO5'", "buttons.confirm: 'GPIO5' is not a whole number from 0 to 27"),
        ("[buttons]\nconfrim = 5", "buttons.confrim: unknown field; did you mean 'confirm'?"),
        ("hold_ms = 250", "hold_ms: 250 is not a whole number from 300 to 5000"),
        ("[buttons.players]\nred = 5", "buttons.players.red: pin 5 is used by buttons.confirm already; give"),
        ("[buttons.players]\nred = 28", "buttons.players.red: 28 is not a whole number from 0 to 27"),
        ("[buttons]\nplayers = 23", "buttons.players: should be a table of named fields, not 23"),
        ("[buzzer]\nmute = 1", "buzzer.mute: should be true or false, not 1"),
        ("[buttons]\nundo = 17", "led.red: pin 17 is used by buttons.undo already; give each part a pin"),
        ("[lights.idle]\ncolour = [0, 0, 256]", "lights.idle.colour[2]: should be from 0 to 1, not 256"),
        ("[lights.disco]\ncolour = [0, 0, 1]", "lights.disco: unknown field; the known ones are"),
        ("[beeps.error]\non = 0\noff = 1\ntimes = 1", "beeps.error.on: should be more than 0, not 0"),
        (
            "[beeps.acepted]\non = 1\noff = 1\ntimes = 1",
            "beeps.acepted: unknown field; did you mean 'accepted'?",
        ),
        ("buzzer = 18", "buzzer: should be a table of named fields, not 18"),
        ("[buttons", "is not valid TOML: "),
    ],
)
def test_a_wrong_field_is_named_with_its_file(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "my_panel.toml"
    path.write_text(text)
    with pytest.raises(PanelConfigError) as caught:
        load_config(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_a_missing_panel_file_is_named_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(
        PanelConfigError,
        match=r"my_panel\.toml: the panel file cannot be read: No such file.*; name another one",
    ):
        load_config(tmp_path / "my_panel.toml")


@pytest.mark.parametrize("content", [b"[buttons", b"\xff", b"a = " + 100_000 * b"["])
def test_a_panel_file_that_is_no_document_is_named_with_the_cure(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "my_panel.toml"
    path.write_bytes(content)
    with pytest.raises(
        PanelConfigError, match=r"my_panel\.toml: is .*; repair it, or name another file with --panel$"
    ):
        load_config(path)
