"""The loop of a table: it passes frames and presses to the session.

This is the only path from a frame or a pin to the session, whether the devices are real or virtual.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from companion.journal import SEEN
from companion.service.power import COUNTING, ON, PowerSwitch
from companion.session import ASKING, LOOKS, OVER, PROPOSAL, UNEXPLAINED, CommandRejectedError, TableSession
from hardware.cameras.camera import Camera, CameraError, CameraLost, Look
from hardware.cameras.supervised import SupervisedCamera, supervised
from vision.several_looks import combined, combined_dice
from vision.sighting import DieReading, FrameSizeError, Sighting

from .allocator import give_back

if TYPE_CHECKING:
    import numpy as np

    from hardware.panel import Panel
    from vision.settle import SettleDetector

LIGHTS = {ASKING: "question", PROPOSAL: "proposal", UNEXPLAINED: "error", OVER: "idle"}
"""Status -> light of the panel; ``watching`` for all others, and ``error`` whenever the camera is lost."""
FLASH_S = 0.6
"""Seconds for which the light answers a press before it shows the session's state again."""
PERIOD_S = 0.1
"""Seconds between two frames: a hand that reaches over the table is there for longer."""
REST_AFTER_S, REST_PERIOD_S = 3.0, 0.3
"""When nothing has moved for REST_AFTER_S, a frame every REST_PERIOD_S is enough to notice that something has."""
BY_HAND_S = 5.0
"""Seconds after which people are asked for what a lost camera does not see; a short interruption is over by then."""
BACK_S = 8.0
"""Seconds for which the page announces that a lost camera is back."""
REREAD_S = 5.0
"""Seconds after which a table at rest is read again if that failed, or if what it showed could not be recorded."""
LOOK_AGAIN_S = 1.0
"""Seconds between the looks at a table at rest: people roll one after the other."""

log = logging.getLogger(__name__)


class Reader(Protocol):
    """Reads sightings from frames in which nothing moves (``vision.reader.TableReader``)."""

    def read(
        self,
        frame: np.ndarray,
        only: Collection[str] | None = None,
        dice: Sequence[DieReading] | None = None,
    ) -> Sighting: ...


class TableLoop:
    """Represents a table with its devices."""

    def __init__(
        self,
        session: TableSession,
        camera: Camera | SupervisedCamera,
        reader: Reader,
        settle: SettleDetector,
        panel: Panel,
        *,
        on_read: Callable[[np.ndarray, Sighting], None] | None = None,
        on_certain: Callable[[np.ndarray, Mapping[str, str]], None] | None = None,
        on_loss: Callable[[CameraError | None], None] | None = None,
        power: PowerSwitch | None = None,
    ) -> None:
        """Connects *session* with the devices.

        :param on_read: called with every frame that was read, and its sighting.
        :param on_certain: called with the frame on which people confirmed something, and the places whose confirmed
            label has changed.
        :param on_loss: called with the reason when the camera is lost, and with None when it is back.
        :param power: switches the machine off; None if that is not possible here.
        """
        self.session = session
        self.camera = supervised(camera)
        self.reader = reader
        self.settle = settle
        self.panel = panel
        self.power = power
        self.steps = 0
        """Number of steps taken; it does not grow while the loop hangs."""
        self.settled = False
        self.seen_at: float | None = None
        """Time of the latest frame."""
        self.boards: dict[str, str] = {}
        """Player -> ``nudged`` (the board was moved and found again) or ``lost``."""
        self.not_found: tuple[str, ...] = ()
        """Groups of places that are expected and were not found: the spaces of a card."""
        self._on_read = on_read
        self._on_certain = on_certain
        self._on_loss = on_loss
        self._certain: dict[str, str] = {}
        self._entries = 0
        self._frame: np.ndarray | None = None
        """The frame that was read last."""
        self._looks = deque[Sighting](maxlen=LOOKS)
        """What was read since the table came to rest."""
        self._read_since_motion = False
        self._read_at = 0.0
        """Time at which the last reading began."""
        self._read_error: str | None = None
        """The error of the last reading, as in the log; None if it succeeded."""
        self._unrecorded = False
        """Whether the journal could not record what the last reading showed."""
        self._early_press: Any = None
        """A press that ended the wait between two frames."""
        self._flash_until = 0.0
        self._unusable: CameraError | None = None
        """Why the camera's pictures cannot be read."""
        self._moved_at = 0.0
        self._blind_since: float | None = None
        """Time at which the camera was lost; None while it is not."""
        self._asked_by_hand: frozenset[str] = frozenset()
        """What is entered by hand only because the camera is lost."""
        self._back_until = 0.0
        self._buttons: dict[str, Callable[[], None]] = {
            "confirm": self._confirm,
            "undo": session.undo,
            "next_alternative": session.next_alternative,
            "help": session.ask_help,
            **{f"confirm:{player}": partial(self._confirm, player) for player in panel.config.players},
        }
        self._held: dict[str, Callable[[float], None]] = {
            "undo": lambda now: session.undo(everything=True),
            "help": self._start_switching_off,
        }
        """Actions of the buttons that do something else when they are held."""

    @property
    def error(self) -> CameraError | None:
        """Returns why the camera does not see the table; None if it does."""
        return self.camera.error or self._unusable

    def step(self, now: float) -> None:
        """Looks once and handles all presses since the last step; *now* is in seconds, from any origin."""
        self.steps += 1
        self._look(now)
        while (press := self._next_press()) is not None:
            self._handle(press, now)
        self._report_certain()
        if self.power is not None:
            self._update_power_switch(self.power, now)
        if now >= self._flash_until:
            self._show(self._light())

    def run(self, clock: Callable[[], float], stop: threading.Event) -> None:
        """Steps until *stop* is set. Without a camera that sees, or a picture that is read, play continues by taps."""
        while not stop.is_set():
            self.step(clock())
            with suppress(queue.Empty):
                self._early_press = self.panel.presses.get(timeout=PERIOD_S)

    def status(self, now: float) -> dict[str, Any] | None:
        """Returns the camera's status for the page; None if there is no camera."""
        if self.camera.absent:
            return None
        error = self.error
        return {
            "name": self.camera.name,
            "settled": self.settled,
            "age": None if self.seen_at is None else round(now - self.seen_at, 1),
            "error": None if error is None else {"code": error.code, **error.data},
            "back": error is None and now < self._back_until,
            "unkept": list(self.camera.drifted_settings),
            "boards": dict(self.boards),
            "unfound": list(self.not_found),
        }

    def _look(self, now: float) -> None:
        look = self.camera.look(now)
        self._report_loss(now)
        if self.camera.ended:
            self.settled = True  # no frame comes in which something could move
        if look is None:
            return
        self.seen_at = now
        with self._continuing_on_errors():
            self._process(look, now)

    @contextmanager
    def _continuing_on_errors(self) -> Iterator[None]:
        """Catches the errors of reading a picture: play continues by taps, and the page shows what is wrong."""
        try:
            yield
        except CameraLost:
            pass  # this picture was garbled in transmission; the next one is read
        except FrameSizeError as error:
            self._unusable = CameraLost(str(error), "size")
        except Exception as error:
            self._unusable = CameraLost(
                f"the picture could not be read ({error}); play continues by taps", "unread"
            )
            reason = f"{type(error).__name__}: {error}"
            if reason != self._read_error:  # log it once, not for every picture
                self._read_error = reason
                log.exception("the camera's picture could not be read; play continues by taps")

    def _process(self, look: Look, now: float) -> None:
        """Detects motion, and reads the picture once the table is at rest."""
        self.settled = self.settle.feed(look.preview, now).settled
        if not self.settled:
            self._moved_at = now
        self.camera.period = REST_PERIOD_S if now - self._moved_at > REST_AFTER_S else PERIOD_S
        if not self.settled:
            self._read_since_motion = False
            self._looks.clear()
        elif not self._read_since_motion or self._should_retry(now):
            frame = look.full()
            self._read_since_motion, self._read_at = True, now
            self._read(frame)
            self._unusable = self._read_error = None

    def _should_retry(self, now: float) -> bool:
        is_open = self._read_error is not None or self._unrecorded
        waits = REREAD_S if is_open else LOOK_AGAIN_S
        return (is_open or self.session.looks_again) and now - self._read_at >= waits

    def _read(self, frame: np.ndarray) -> None:
        """Passes what was seen since the table came to rest, up to *frame*, to the session, the roll first."""
        dice = None
        if self.session.awaits_roll:
            dice = self.reader.read(frame, only=()).dice
            seen = [*(look.dice for look in self._looks), dice][-LOOKS:]
            self.session.observe_roll(combined_dice(seen), len(seen))
        self._looks.append(self.reader.read(frame, dice=dice))
        sighting = combined(self._looks)
        self._frame = frame
        self.boards = {
            **dict.fromkeys(sighting.nudged, "nudged"),
            **dict.fromkeys(sighting.lost, "lost"),
        }
        self.not_found = sighting.not_found
        self._unrecorded = not self.session.observe(sighting, len(self._looks))
        if self._on_read is not None:
            self._on_read(frame, sighting)
        give_back()  # a reading needs much memory for a moment, and the next one may be minutes away

    def _report_loss(self, now: float) -> None:
        """Reports, once each, that the camera is lost and that it is back; the table is then read again."""
        if self.error is not None and self._blind_since is not None:
            self._ask_by_hand(now - self._blind_since)
            return
        if self.error is not None:
            self._blind_since = now
            self.panel.beep("error")
            self.settled = self._read_since_motion = False
            self._looks.clear()
        elif self._blind_since is not None:
            self._blind_since = None
            self._back_until = now + BACK_S
            if self._asked_by_hand:  # what was read since is without them
                self._read_since_motion = False
                self._looks.clear()
            self.session.watch(**dict.fromkeys(self._asked_by_hand, True))
            self._asked_by_hand = frozenset()
        else:
            return
        if self._on_loss is not None:
            self._on_loss(self.error)

    def _ask_by_hand(self, blind_s: float) -> None:
        """Has people enter what the camera would have seen, once it has been lost for BY_HAND_S."""
        if blind_s >= BY_HAND_S and self.session.watched and self.session.status not in (PROPOSAL, ASKING):
            self._asked_by_hand |= self.session.watched
            self.session.watch_nothing()

    def _next_press(self) -> Any:
        if self._early_press is not None:
            press, self._early_press = self._early_press, None
            return press
        try:
            return self.panel.presses.get_nowait()
        except queue.Empty:
            return None

    def _handle(self, press: Any, now: float) -> None:
        """Runs the action of a button, and answers by light and sound."""
        try:
            if self.power is not None and self.power.state == COUNTING:
                self.power.cancel()
            elif press.held:
                self._held[press.button](now)
            else:
                self._buttons[press.button]()
        except CommandRejectedError:
            self._answer("refused", now)
        else:
            self._answer("question" if self.session.status == ASKING else "accepted", now)

    def _start_switching_off(self, now: float) -> None:
        """Starts the countdown to switching the machine off; any press cancels it."""
        if self.power is None:
            self.session.reject("no_power_switch")
        else:
            self.session.check_saved(do="switch_off")
            self.power.count_down(now)

    def _update_power_switch(self, power: PowerSwitch, now: float) -> None:
        try:
            power.update(now)
        except OSError:
            with suppress(CommandRejectedError):
                self.session.reject("no_power_switch")
            self._answer("refused", now)

    def _light(self) -> str:
        """Returns what the light shows while it answers no press."""
        if self.power is not None and self.power.state != ON:
            return "leaving"
        return "error" if self.error else LIGHTS.get(self.session.status, "watching")

    def _confirm(self, player: str | None = None) -> None:
        """Confirms, for *player* if it is their own button; a table that no camera sees counts as settled."""
        self.session.confirm(settled=self.settled or self.error is not None, player=player)

    def _report_certain(self) -> None:
        """Reports places that a confirmation has made certain, once each, so that the reader can learn them.

        What was only seen waits for the next confirmation: the reader does not learn from itself.
        """
        if self._on_certain is None or self._frame is None or not self.settled:
            return
        entries = self.session.entries()
        if len(entries) != self._entries and not (entries and entries[-1].by == SEEN):
            self._entries = len(entries)
            certain = self.session.certain_places()
            new = {place: label for place, label in certain.items() if self._certain.get(place) != label}
            self._certain = certain
            with self._continuing_on_errors():
                self._on_certain(self._frame, new)

    def _answer(self, light: str, now: float) -> None:
        self._show(light)
        self.panel.beep(light)
        self._flash_until = now + FLASH_S

    def _show(self, light: str) -> None:
        if self.panel.light != light:
            self.panel.show(light)
