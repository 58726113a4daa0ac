"""The table: camera, reader, panel and session, driven from one loop.

Whatever the devices are, drawn or real, this is the only path from a frame or a pin to the session.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from companion.service.power import COUNTING, ON, PowerSwitch
from companion.session import ASKING, OVER, PROPOSAL, UNEXPLAINED, CommandRejectedError, TableSession
from hardware.cameras.camera import Camera, CameraError, CameraLost, Look
from hardware.cameras.supervised import SupervisedCamera, supervised
from vision.sighting import FrameSizeError, Sighting

from .allocator import give_back

if TYPE_CHECKING:
    import numpy as np

    from hardware.panel import Panel
    from vision.settle import SettleDetector

LIGHTS = {ASKING: "question", PROPOSAL: "proposal", UNEXPLAINED: "error", OVER: "idle"}
"""Status -> light of the panel; ``watching`` for all others, and ``error`` whenever the camera is lost."""
FLASH_S = 0.6
"""How long the light answers a press before it shows the session's state again."""
PERIOD_S = 0.1
"""Time between two frames while watching: a hand that reaches over the table is there for longer."""
REST_AFTER_S, REST_PERIOD_S = 3.0, 0.3
"""When nothing has moved for so long, so rare a look is enough: what has moved meanwhile lies elsewhere."""
BY_HAND_S = 5.0
"""Time after which people are asked for what a lost camera does not see; a hiccup is over by then."""
BACK_S = 8.0
"""How long it is said that a lost camera is back."""
REREAD_S = 5.0
"""Time after which a table at rest is read again whose picture could not be read, or what it showed not recorded."""

log = logging.getLogger(__name__)


class Reader(Protocol):
    """Turns settled frames into sightings (``vision.reader.TableReader``)."""

    def read(self, frame: np.ndarray, only: Collection[str] | None = None) -> Sighting: ...


class TableLoop:
    """Represents one table with everything that stands on it."""

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
        """*on_read* is told every frame that was read, with what was seen in it; *on_certain* the frame on which a
        turn was confirmed, and which tile certainly lies on each place where another was certain before; *on_loss* why
        the camera no longer sees, and None when it does again. *power* switches the machine off; None, the default,
        where that cannot be done from here."""
        self.session = session
        self.camera = supervised(camera)
        self.reader = reader
        self.settle = settle
        self.panel = panel
        self.power = power
        self.steps = 0
        """How often it has looked and followed presses: a loop that hangs takes no more."""
        self.settled = False
        self.seen_at: float | None = None
        """When a frame last came."""
        self.boards: dict[str, str] = {}
        """Player -> what has become of the board: ``nudged`` (and followed) or ``lost``."""
        self.unfound: tuple[str, ...] = ()
        """Groups of places that should be there and were not found: the spaces of a card."""
        self._on_read = on_read
        self._on_certain = on_certain
        self._on_loss = on_loss
        self._certain: dict[str, str] = {}
        self._units = 0
        self._frame: np.ndarray | None = None
        """Read last."""
        self._read_since_motion = False
        self._read_at = 0.0
        """When a reading was begun last."""
        self._unread_because: str | None = None
        """What went wrong in the last reading, if anything did, as the log says it."""
        self._unrecorded = False
        """Whether the journal could not take what was clear in it."""
        self._waited_for: Any = None
        """A press that ended the wait between two frames."""
        self._flash_until = 0.0
        self._unfit: CameraError | None = None
        """Why the pictures that come cannot be read."""
        self._moved_at = 0.0
        self._blind_since: float | None = None
        """When the camera was lost, while it is."""
        self._unwatched: frozenset[str] = frozenset()
        """What is asked for by hand only because the camera is lost."""
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
            "help": self._leave,
        }
        """What the buttons stand for that mean something else when they are held."""

    @property
    def error(self) -> CameraError | None:
        """Why the camera does not see the table, if so."""
        return self.camera.error or self._unfit

    def step(self, now: float) -> None:
        """Looks once and follows every press that has come since; *now* is in seconds, from any origin."""
        self.steps += 1
        self._look(now)
        while (press := self._next_press()) is not None:
            self._follow(press, now)
        self._tell_certain()
        if self.power is not None:
            self._look_at_the_switch(self.power, now)
        if now >= self._flash_until:
            self._show(self._light())

    def run(self, clock: Callable[[], float], stop: threading.Event) -> None:
        """Steps until *stop* is set. Without a camera that sees, or a picture that is read, play continues by taps."""
        while not stop.is_set():
            self.step(clock())
            with suppress(queue.Empty):
                self._waited_for = self.panel.presses.get(timeout=PERIOD_S)

    def status(self, now: float) -> dict[str, Any] | None:
        """What a page says about the camera; None when there is none."""
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
            "unfound": list(self.unfound),
        }

    def _look(self, now: float) -> None:
        look = self.camera.look(now)
        self._tell_loss(now)
        if self.camera.ended:
            self.settled = True  # nothing moves any more before it
        if look is None:
            return
        self.seen_at = now
        with self._going_on():
            self._take_in(look, now)

    @contextmanager
    def _going_on(self) -> Iterator[None]:
        """Play goes on by taps whatever is wrong with a picture, or with the program that reads it: people are told,
        and the log says where it was."""
        try:
            yield
        except CameraLost:
            pass  # this picture was garbled on its way: the next one is read
        except FrameSizeError as error:
            self._unfit = CameraLost(str(error), "size")
        except Exception as error:
            self._unfit = CameraLost(
                f"the picture could not be read ({error}); play continues by taps", "unread"
            )
            because = f"{type(error).__name__}: {error}"
            if because != self._unread_because:  # once, though each picture may be as bad as the one before
                self._unread_because = because
                log.exception("the camera's picture could not be read; play continues by taps")

    def _take_in(self, look: Look, now: float) -> None:
        """Watches what moves, and reads the picture when the table has come to rest."""
        self.settled = self.settle.feed(look.preview, now).settled
        if not self.settled:
            self._moved_at = now
        self.camera.period = REST_PERIOD_S if now - self._moved_at > REST_AFTER_S else PERIOD_S
        if not self.settled:
            self._read_since_motion = False
        elif not self._read_since_motion or self._is_to_be_read_again(now):
            frame = look.full()
            self._read_since_motion, self._read_at = True, now
            self._read(frame)
            self._unfit = self._unread_because = None

    def _is_to_be_read_again(self, now: float) -> bool:
        is_open = self._unread_because is not None or self._unrecorded
        return is_open and now - self._read_at >= REREAD_S

    def _read(self, frame: np.ndarray) -> None:
        """Tells the session what lies on the table, the roll before the rest."""
        if self.session.awaits_roll:
            self.session.observe_roll(self.reader.read(frame, only=()).dice)
        sighting = self.reader.read(frame)
        self._frame = frame
        self.boards = {
            **dict.fromkeys(sighting.nudged, "nudged"),
            **dict.fromkeys(sighting.lost, "lost"),
        }
        self.unfound = sighting.not_found
        self._unrecorded = not self.session.observe(sighting)
        if self._on_read is not None:
            self._on_read(frame, sighting)
        give_back()  # a reading takes much for a moment, and the next one may be long in coming

    def _tell_loss(self, now: float) -> None:
        """Sounds once when the camera no longer sees; when it does again, the table is read anew."""
        if self.error is not None and self._blind_since is not None:
            self._ask_by_hand(now - self._blind_since)
            return
        if self.error is not None:
            self._blind_since = now
            self.panel.beep("error")
            self.settled = self._read_since_motion = False
        elif self._blind_since is not None:
            self._blind_since = None
            self._back_until = now + BACK_S
            self.session.watch(**dict.fromkeys(self._unwatched, True))
            self._unwatched = frozenset()
        else:
            return
        if self._on_loss is not None:
            self._on_loss(self.error)

    def _ask_by_hand(self, blind_s: float) -> None:
        """Asks for all that a camera would have seen that is lost for long; what it made clear before is kept."""
        if blind_s >= BY_HAND_S and self.session.watched and self.session.status not in (PROPOSAL, ASKING):
            self._unwatched |= self.session.watched
            self.session.watch(dice=False, boards=False)

    def _next_press(self) -> Any:
        if self._waited_for is not None:
            press, self._waited_for = self._waited_for, None
            return press
        try:
            return self.panel.presses.get_nowait()
        except queue.Empty:
            return None

    def _follow(self, press: Any, now: float) -> None:
        """Does what a button stands for, and answers by light and sound."""
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

    def _leave(self, now: float) -> None:
        """Begins to switch the machine off, which any press stops for some seconds."""
        if self.power is None:
            self.session.reject("no_power_switch")
        else:
            self.session.check_saved(do="switch_off")
            self.power.count_down(now)

    def _look_at_the_switch(self, power: PowerSwitch, now: float) -> None:
        try:
            power.update(now)
        except OSError:
            with suppress(CommandRejectedError):
                self.session.reject("no_power_switch")
            self._answer("refused", now)

    def _light(self) -> str:
        """What the light shows while it answers no press."""
        if self.power is not None and self.power.state != ON:
            return "leaving"
        return "error" if self.error else LIGHTS.get(self.session.status, "watching")

    def _confirm(self, player: str | None = None) -> None:
        """Confirms, for *player* if the button is theirs; without a camera that sees, nothing is waited for."""
        self.session.confirm(settled=self.settled or self.error is not None, player=player)

    def _tell_certain(self) -> None:
        """What a person has confirmed is certain: the eye may learn from each tile once."""
        if self._on_certain is None or self._frame is None or not self.settled:
            return
        entries = len(self.session.entries())
        if entries != self._units:
            self._units = entries
            certain = self.session.certain_places()
            new = {place: label for place, label in certain.items() if self._certain.get(place) != label}
            self._certain = certain
            with self._going_on():
                self._on_certain(self._frame, new)

    def _answer(self, light: str, now: float) -> None:
        self._show(light)
        self.panel.beep(light)
        self._flash_until = now + FLASH_S

    def _show(self, light: str) -> None:
        if self.panel.light != light:
            self.panel.show(light)
