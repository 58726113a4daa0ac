"""What people report of the print of the owner's copy during a game, stored for later games."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from calibration.errors import CompanionError
from companion.service.file_errors import describe
from companion.session import TableSession
from hardware.closeable import Closeable

from .owner_print import owner_print_of

LOOK_S = 5.0
"""Seconds after which a change is looked for again at the latest."""


class LearntPrint(Closeable):
    """Stores in the file *path*, in the background, what is reported in the game of *session* once it is recorded.

    If the file cannot be used, *remark* is called with the reason, and the next record tries again.
    """

    def __init__(self, session: TableSession, path: Path, remark: Callable[[str], None]) -> None:
        self._owner_print = owner_print_of(session.rules.name)
        self._session = session
        self._path = path
        self._remark = remark
        self._learnt_from: object = None
        self._trouble = ""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="learnt print", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._session.wake_waiting()
        self._thread.join()
        self._learn()

    def _run(self) -> None:
        version = -1
        while not self._stop.is_set():
            version = self._session.wait_for_change(version, LOOK_S, self._stop.is_set)
            self._learn()

    def _learn(self) -> None:
        """Learns from the recorded position, unless it is the one from which it was learnt last."""
        state = self._session.state
        if self._owner_print is None or state is self._learnt_from:
            return
        self._learnt_from = state
        try:
            self._owner_print.learn(state, self._path)
        except OSError as error:
            self._report(f"print: {describe(error)}")
        except CompanionError as error:
            self._report(f"print: {error}")

    def _report(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._remark(trouble)
