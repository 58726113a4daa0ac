"""The button panel: four or more buttons, an RGB light and a buzzer, on gpiozero (wiring: docs/panel.md).

    with open_panel() as panel:
        print(panel.status)              # buttons: OK on pins confirm 5, undo 6, ...
        panel.show("watching")
        press = panel.presses.get()      # Press(button="confirm", at=..., held=False)
        panel.show("accepted")
        panel.beep("accepted")

Without GPIO pins, gpiozero's mock pins are used, and a :class:`SimulatedFinger` presses them: everything above the pins
is the same code.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from gpiozero import RGBLED, Buzzer, DigitalInputDevice, Factory, GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from calibration.documents import read_toml
from calibration.errors import CompanionError
from calibration.fields import Field

from .closeable import Closeable

BUTTONS = ("confirm", "undo", "next_alternative", "help")
HOLDABLE = ("undo", "help")
"""Buttons with a second meaning when held."""
CONFIRM_OF = "confirm:"
"""Prefix of the name of a player's own confirm button: ``confirm:red``."""
LIGHTS = ("off", "idle", "watching", "proposal", "question", "accepted", "refused", "error", "leaving")
COLOURS = ("red", "green", "blue")

SHIPPED_CONFIG = Path(__file__).with_name("panel.toml")
DEVICE_MODEL = Path("/proc/device-tree/model")
"""File in which Linux names the board."""

MAX_PIN = 27
"""The Raspberry Pi's 40-pin header has GPIO0 to GPIO27."""
MAX_DEBOUNCE_MS = 200
"""A quick tap lasts about 100 ms; a longer debounce would lose presses."""
MIN_HOLD_MS = 300
"""A normal press lasts up to about 250 ms and must not count as held."""
MAX_HOLD_MS = 5000
MIN_OFF_HOLD_MS = 1000
MAX_OFF_HOLD_MS = 10_000
MAX_BLINK_S = 10.0
MAX_BEEPS = 20
IDLE_CHECK_S = 0.25
"""Interval at which the levels of idle buttons are read, in case an edge was lost."""
FINGER_MARGIN_S = 0.002
"""Time that a simulated finger holds beyond the debounce."""
NO_PI, NO_LGPIO, PINS_BUSY, SIMULATED = "no_pi", "no_lgpio", "busy", "simulated"
"""Reasons for having no real pins."""


T = TypeVar("T")
Device = TypeVar("Device", DigitalInputDevice, Buzzer, RGBLED)


class PanelConfigError(CompanionError, ValueError):
    """An unusable panel file; the message names the file, the field and the cure."""


class _NoDocumentError(CompanionError, ValueError):
    """The file is not a TOML document."""


class PanelUnavailableError(CompanionError, RuntimeError):
    """No GPIO pins are available; the message gives the reason, ``code`` its short form."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Light:
    """The light in one state."""

    colour: tuple[float, float, float]
    """Red, green and blue, each 0 to 1."""
    blink: tuple[float, float] | None = None
    """Seconds on and off; None for a steady light."""


@dataclass(frozen=True, slots=True)
class Beep:
    """A buzzer pattern: seconds on and off, and repetitions."""

    on: float
    off: float
    times: int


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """The wiring of a panel, and its light and sound patterns."""

    debounce: float
    """Seconds for which a level must be stable."""
    holds: Mapping[str, float]
    """Seconds after which each button of :data:`HOLDABLE` counts as held."""
    buttons: Mapping[str, int]
    """Button -> pin: all of :data:`BUTTONS`, then the players' own buttons."""
    led: tuple[int, int, int]
    """Pins of red, green and blue."""
    buzzer: int
    """Pin."""
    mute: bool
    """Whether the buzzer is muted until :meth:`Panel.mute` enables it."""
    lights: Mapping[str, Light]
    """Pattern of the light by name, for all of :data:`LIGHTS`."""
    beeps: Mapping[str, Beep]
    """Pattern of the buzzer for some of these names."""

    @property
    def players(self) -> tuple[str, ...]:
        """Players with their own confirm button."""
        return tuple(name.removeprefix(CONFIRM_OF) for name in self.buttons if name.startswith(CONFIRM_OF))


@dataclass(frozen=True, slots=True)
class Press:
    """One press of a button."""

    button: str
    at: float
    """Time when the button went down, on the clock of :func:`time.monotonic`."""
    held: bool = False
    """Whether it was held; always False for buttons outside :data:`HOLDABLE`."""


class Debouncer:
    """Debounces a contact: a level counts once it has been stable for some time.

    It has no clock: :meth:`feed` receives every edge and, now and then, the current level.
    """

    def __init__(self, stable: float) -> None:
        self.pressed = False
        """The debounced level."""
        self.since: float | None = None
        """Time when the contact changed to the other level; None if it has not."""
        self._stable = stable

    @property
    def due(self) -> float | None:
        """Returns the time when the other level counts if it stays; None if the level is unchanged."""
        return None if self.since is None else self.since + self._stable

    def feed(self, level: bool, now: float) -> float | None:
        """Records that the contact is at *level* from *now* on.

        Returns the time when the button went down, once the press counts; None otherwise.
        """
        began = None
        if self.since is not None and now - self.since >= self._stable:
            self.pressed = not self.pressed
            began, self.since = (self.since if self.pressed else None), None
        if level == self.pressed:
            self.since = None
        else:  # an edge may arrive after a later reading of the level
            self.since = now if self.since is None else min(self.since, now)
        return began


class PressDetector:
    """Detects short and long presses of one button.

    Without *hold*, a press counts as soon as its level is stable. With *hold* seconds, it counts as held once it has
    lasted that long, otherwise as short when it ends. Each press counts once, and the button must be released before
    the next one. Like :class:`Debouncer`, it has no clock.
    """

    def __init__(self, name: str, stable: float, hold: float | None = None) -> None:
        self._name = name
        self._hold = hold
        self._contact = Debouncer(stable)
        self._down_since: float | None = None
        """Start of a press that is not yet known to be short or long."""

    @property
    def due(self) -> float | None:
        """Returns the time of the next event if the contact stays as it is; None if there is none."""
        if self._hold is None or self._down_since is None or self._contact.since is not None:
            return self._contact.due
        return self._down_since + self._hold

    def feed(self, level: bool, now: float) -> Press | None:
        """Records that the contact is at *level* from *now* on; returns a press once it counts, else None."""
        left_at = self._contact.since
        began = self._contact.feed(level, now)
        if self._hold is None:
            return None if began is None else Press(self._name, began)
        self._down_since = self._down_since if began is None else began
        if self._down_since is None:
            return None
        released = not self._contact.pressed
        up_since = left_at if released else self._contact.since
        # A contact that has just opened may only bounce, but it does not count as held until it is closed again.
        held = (now if up_since is None else up_since) - self._down_since >= self._hold
        if not held and not released:
            return None
        press, self._down_since = Press(self._name, self._down_since, held), None
        return press


class Panel(Closeable):
    """Represents a button panel wired as described by *config*.

    Each press appears once in :attr:`presses`, however long the button is held. All methods are thread-safe and do not
    block.

    :param pin_factory: gpiozero's pin factory; None, the default, creates mock pins.
    """

    def __init__(self, config: PanelConfig, *, pin_factory: Factory | None = None, status: str = "") -> None:
        self.config = config
        self.presses: queue.SimpleQueue[Press] = queue.SimpleQueue()
        self.status = status or f"buttons: OK on pins {_wiring(config)}"
        """One line for people: whether the buttons work, or why not."""
        self.unavailable: PanelUnavailableError | None = None
        """Why mock pins are used although real ones were expected."""
        self.light = "off"
        """Name of the current light pattern."""
        self.muted = config.mute
        self._lock = threading.Lock()
        self._edges: queue.SimpleQueue[tuple[str, bool, float] | None] = queue.SimpleQueue()
        self.pin_factory = pin_factory or mock_factory()
        self._devices: list[DigitalInputDevice | Buzzer | RGBLED] = []
        self._watch = threading.Thread(target=self._watch_buttons, name="panel", daemon=True)
        try:
            self.buttons = {name: self._button(name, pin) for name, pin in config.buttons.items()}
            self._led = self._own(RGBLED(*config.led, pin_factory=self.pin_factory))
            self._buzzer = self._own(Buzzer(config.buzzer, pin_factory=self.pin_factory))
        except BaseException:
            self.close()
            raise
        self._watch.start()

    def _own(self, device: Device) -> Device:
        """Registers *device*, so that :meth:`close` releases its pins even if opening fails later."""
        self._devices.append(device)
        return device

    def _button(self, name: str, pin: int) -> DigitalInputDevice:
        """Returns a button whose callbacks only enqueue: a slow callback would lose the next edge."""
        # NOTE: not gpiozero's Button: its thread for held buttons is not needed here and slows down closing.
        button = self._own(DigitalInputDevice(pin, pull_up=True, pin_factory=self.pin_factory))
        button.when_activated = partial(self._note_edge, name, True)
        button.when_deactivated = partial(self._note_edge, name, False)
        return button

    def _note_edge(self, name: str, level: bool) -> None:
        self._edges.put((name, level, time.monotonic()))

    def _watch_buttons(self) -> None:
        """Converts edges to presses until the panel is closed."""
        detectors = {name: self._detector(name) for name in self.buttons}
        while True:
            due = min((d.due for d in detectors.values() if d.due is not None), default=None)
            wait = IDLE_CHECK_S if due is None else max(0.0, due - time.monotonic())
            try:
                edge = self._edges.get(timeout=wait)
            except queue.Empty:
                levels = [(name, self.buttons[name].is_active, time.monotonic()) for name in detectors]
            else:
                if edge is None:
                    return
                levels = [edge]
            for name, level, at in levels:
                press = detectors[name].feed(level, at)
                if press is not None:
                    self.presses.put(press)

    def _detector(self, name: str) -> PressDetector:
        return PressDetector(name, self.config.debounce, self.config.holds.get(name))

    def show(self, light: str) -> None:
        """Shows the pattern *light*, one of :data:`LIGHTS`, until another one is shown."""
        look = _named(self.config.lights, light, "light")
        with self._lock:
            self.light = light
            if look.blink is None:
                self._led.color = look.colour
            else:
                on, off = look.blink
                self._led.blink(on, off, on_color=look.colour)

    def beep(self, pattern: str) -> None:
        """Starts *pattern*, a name in the panel file's ``beeps``, unless the buzzer is muted."""
        beep = _named(self.config.beeps, pattern, "beep")
        with self._lock:
            if not self.muted:
                self._buzzer.beep(beep.on, beep.off, beep.times)

    def mute(self, muted: bool) -> None:
        """Mutes the buzzer at once, or enables it again."""
        with self._lock:
            self.muted = muted
            if muted:
                self._buzzer.off()

    @property
    def light_colour(self) -> tuple[float, float, float]:
        """Returns the current colour of the light: red, green and blue, each 0 to 1."""
        red, green, blue = self._led.value
        return red, green, blue

    @property
    def buzzing(self) -> bool:
        """Whether the buzzer sounds now."""
        return bool(self._buzzer.is_active)

    def close(self) -> None:
        """Turns off the light and releases the pins; may be called more than once."""
        if self._watch.is_alive():
            self._edges.put(None)
            self._watch.join()
        for device in self._devices:
            device.close()
        self.pin_factory.close()


class SimulatedFinger:
    """Represents a finger that presses the buttons of a simulated panel at their pins."""

    def __init__(self, panel: Panel) -> None:
        pins = {name: button.pin for name, button in panel.buttons.items()}
        if not all(isinstance(pin, MockPin) for pin in pins.values()):
            raise PanelUnavailableError(
                "a simulated finger cannot press real buttons; open the panel with simulate=True", SIMULATED
            )
        self._pins = pins
        self._hold = panel.config.debounce + FINGER_MARGIN_S
        self._free_at = dict.fromkeys(pins, 0.0)

    def press(self, button: str, seconds: float | None = None) -> None:
        """Presses *button* for *seconds*; None, the default, is the shortest press that counts.

        First waits until the previous press of this button has been released for long enough.
        """
        pin = _named(self._pins, button, "button")
        time.sleep(max(0.0, self._free_at[button] - time.monotonic()))
        pin.drive_low()
        time.sleep(self._hold if seconds is None else seconds)
        pin.drive_high()
        self._free_at[button] = time.monotonic() + self._hold


def open_panel(config_path: str | Path | None = None, simulate: bool | None = None) -> Panel:
    """Opens the panel with the configuration at *config_path*, by default the one shipped with the companion.

    :param simulate: True uses mock pins; False requires real ones and raises :class:`PanelUnavailableError` without
    them; None, the default, uses real pins on a Raspberry Pi and mock pins elsewhere.
    """
    config = load_config(config_path)
    if simulate:
        return _simulated(config, "simulated, as asked")
    try:
        return _real(config)
    except PanelUnavailableError as error:
        if simulate is False:
            raise
        panel = _simulated(config, f"off, because {error}")
        panel.unavailable = error
        return panel


def load_config(path: str | Path | None = None) -> PanelConfig:
    """Loads the panel file at *path*; fields that it omits have the values of the shipped configuration.

    Raises :class:`PanelConfigError` naming the file and the field that is wrong.
    """
    data = _read_toml(SHIPPED_CONFIG)
    if path is not None:
        for name, value in _read_toml(Path(path)).items():
            shipped = data.get(name)
            data[name] = shipped | value if isinstance(shipped, dict) and isinstance(value, dict) else value
    return _config(Field.document(data, str(path or SHIPPED_CONFIG.name), PanelConfigError))


def mock_factory() -> MockFactory:
    """Returns gpiozero's mock pins with PWM, which a dimmable light needs."""
    return MockFactory(pin_class=MockPWMPin)


def _real(config: PanelConfig) -> Panel:
    """Opens the panel on this machine's pins; raises :class:`PanelUnavailableError` if there are none."""
    if not _on_a_pi():
        raise PanelUnavailableError("this machine is not a Raspberry Pi", NO_PI)
    try:
        # NOTE: chosen explicitly: the warnings of gpiozero's own search read like failures.
        import lgpio
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise PanelUnavailableError(
            "lgpio is not installed; type 'sudo apt install python3-lgpio'", NO_LGPIO
        ) from error
    try:
        return Panel(config, pin_factory=LGPIOFactory())
    except (OSError, GPIOZeroError, lgpio.error) as error:
        raise PanelUnavailableError(
            f"the pins cannot be used ({error}); is another program using them?", PINS_BUSY
        ) from error


def _simulated(config: PanelConfig, reason: str) -> Panel:
    return Panel(config, status=f"buttons: {reason}")


def _on_a_pi() -> bool:
    try:
        return b"Raspberry Pi" in DEVICE_MODEL.read_bytes()
    except OSError:
        return False


def _wiring(config: PanelConfig) -> str:
    return ", ".join(f"{name} {pin}" for name, pin in config.buttons.items())


def _named(things: Mapping[str, T], name: str, kind: str) -> T:
    if name not in things:
        raise ValueError(f"no {kind} {name!r}; there are {', '.join(things)}")
    return things[name]


# Reading the panel file


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path, _NoDocumentError)
    except _NoDocumentError as error:
        raise PanelConfigError(f"{error}; repair it, or name another file with --panel") from error
    except OSError as error:
        raise PanelConfigError(
            f"{path}: the panel file cannot be read: {error.strerror}; name another one with --panel, or leave it out"
        ) from error


def _config(top: Field) -> PanelConfig:
    top.only(("debounce_ms", "hold_ms", "off_hold_ms", "buttons", "led", "buzzer", "lights", "beeps"))
    led, buzzer = top["led"], top["buzzer"]
    tables = ((led, COLOURS), (buzzer, ("pin", "mute")), (top["lights"], LIGHTS), (top["beeps"], LIGHTS))
    for table, known in tables:
        table.only(known)
    buttons = _buttons(top["buttons"])
    _check_pins([*buttons.values(), *(led[colour] for colour in COLOURS), buzzer["pin"]])
    return PanelConfig(
        debounce=top["debounce_ms"].integer(1, MAX_DEBOUNCE_MS) / 1000,
        holds={
            "undo": top["hold_ms"].integer(MIN_HOLD_MS, MAX_HOLD_MS) / 1000,
            "help": top["off_hold_ms"].integer(MIN_OFF_HOLD_MS, MAX_OFF_HOLD_MS) / 1000,
        },
        buttons={name: field.value for name, field in buttons.items()},
        led=(led["red"].value, led["green"].value, led["blue"].value),
        buzzer=buzzer["pin"].value,
        mute=buzzer["mute"].flag(),
        lights={name: _light(top["lights"][name]) for name in LIGHTS},
        beeps={name: _beep(beep) for name, beep in top["beeps"].entries()},
    )


def _buttons(table: Field) -> dict[str, Field]:
    """Returns the field of each pin by the name of its button."""
    table.only((*BUTTONS, "players"))
    players = table.get("players")
    of_players = [] if players is None else players.entries()
    return {name: table[name] for name in BUTTONS} | {CONFIRM_OF + name: pin for name, pin in of_players}


def _check_pins(fields: list[Field]) -> None:
    used: dict[int, str] = {}
    for field in fields:
        pin = field.integer(0, MAX_PIN)
        if pin in used:
            field.fail(f"pin {pin} is used by {used[pin]} already; give each part a pin of its own")
        used[pin] = field.path


def _light(field: Field) -> Light:
    field.only(("colour", "blink"))
    red, green, blue = (part.number(low=0, high=1) for part in field["colour"].items(len(COLOURS)))
    blink = field.get("blink")
    if blink is None:
        return Light((red, green, blue))
    on, off = (_seconds(part) for part in blink.items(2))
    return Light((red, green, blue), (on, off))


def _beep(field: Field) -> Beep:
    field.only(("on", "off", "times"))
    return Beep(_seconds(field["on"]), _seconds(field["off"]), field["times"].integer(1, MAX_BEEPS))


def _seconds(field: Field) -> float:
    return field.number(above=0, high=MAX_BLINK_S)
