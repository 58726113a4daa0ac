"""What the service manager hears: nothing while a vital part hangs."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from calibration.table_file import TableFile
from companion.runtime import server as serving
from companion.runtime.server import AppServer
from companion.runtime.wiring import open_table
from companion.service.notify import notifier, watchdog_interval
from companion.service.watchdog import Watchdog, is_progressing
from hardware.cameras.absent import NoCamera
from hardware.panel import Press, open_panel
from tests.support.sightings import new_session
from vision.reader import TableReader

SOON_S = 5.0


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """Returns a socket that listens as the service manager does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(SOON_S)
        yield listening


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def watchdog(messages: list[str]) -> Watchdog:
    """Returns a watchdog that checks only on request."""
    dog = Watchdog()
    dog._notify = messages.append
    return dog


def test_the_manager_hears_that_the_companion_is_ready_and_then_that_it_lives(manager: socket.socket) -> None:
    dog = Watchdog(notifier({"NOTIFY_SOCKET": manager.getsockname()}), interval_s=0.01)
    with dog.watching("page", lambda: True):
        messages = [manager.recv(100).decode() for _ in range(3)]
    dog.close()
    assert messages == ["READY=1", "WATCHDOG=1", "WATCHDOG=1"]


def test_an_abstract_address_is_reached() -> None:
    name = f"table-companion-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name)
        listening.settimeout(SOON_S)
        notify = notifier({"NOTIFY_SOCKET": "@" + name})
        assert notify is not None
        notify("STATUS=here")
        assert listening.recv(100) == b"STATUS=here"


def test_without_a_service_manager_nothing_is_sent() -> None:
    assert notifier({}) is None


def test_a_missing_service_manager_is_ignored(tmp_path: Path) -> None:
    dog = Watchdog(notifier({"NOTIFY_SOCKET": str(tmp_path / "nobody")}))
    with dog.watching("page", lambda: True):
        dog.set_status("all is well")
    dog.close()


@pytest.mark.parametrize(
    ("environment", "pause"),
    [
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": str(os.getpid())}, 20),
        ({"WATCHDOG_USEC": "60000000"}, 20),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"}, None),
        ({}, None),
    ],
    ids=["ours", "whose is not said", "another process's", "none"],
)
def test_signs_of_life_come_three_times_in_the_managers_limit(
    environment: dict[str, str], pause: int | None
) -> None:
    assert watchdog_interval(environment) == pause


def test_while_nothing_is_watched_nothing_is_sent(watchdog: Watchdog, messages: list[str]) -> None:
    assert not watchdog.check()
    with watchdog.watching("page", lambda: True):
        pass
    assert not watchdog.check() and messages == []


def test_one_part_that_hangs_is_enough_to_be_silent(watchdog: Watchdog, messages: list[str]) -> None:
    with watchdog.watching("page", lambda: True), watchdog.watching("table", lambda: False):
        assert not watchdog.check()
    assert messages == []


def test_a_part_that_cannot_be_asked_hangs(watchdog: Watchdog, messages: list[str]) -> None:
    def unreachable() -> bool:
        raise ConnectionRefusedError

    with watchdog.watching("page", unreachable):
        assert not watchdog.check()
    assert messages == []


def test_a_table_loop_that_hangs_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reached, free, stop = threading.Event(), threading.Event(), threading.Event()

    def hang() -> None:
        reached.set()
        free.wait(SOON_S)

    session = new_session(tmp_path / "j")
    monkeypatch.setattr(session, "ask_help", hang)
    reader = TableReader(TableFile((1, 1)))
    with open_panel(simulate=True) as panel, open_table(session, NoCamera(), reader, panel) as table:
        loop = threading.Thread(target=table.loop.run, args=(time.monotonic, stop), daemon=True)
        loop.start()
        try:
            well = is_progressing(lambda: table.loop.steps)
            assert well()
            deadline = time.monotonic() + SOON_S
            while not (goes_on := well()) and time.monotonic() < deadline:
                time.sleep(0.01)
            assert goes_on
            panel.presses.put(Press("help", time.monotonic()))
            assert reached.wait(SOON_S)
            well()
            assert not well()
        finally:
            stop.set()
            free.set()
            loop.join(SOON_S)


def test_a_page_that_answers_is_well_and_one_that_hangs_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "ANSWER_S", 0.2)
    hangs, free = threading.Event(), threading.Event()

    def app(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        if hangs.is_set():
            free.wait(SOON_S)
        start_response("200 OK", [])
        return [b"the page"]

    server = AppServer(app, host="127.0.0.1", port=0)
    try:
        assert server.answers()
        hangs.set()
        assert not server.answers()
    finally:
        free.set()
        server.close()
    assert not server.answers()
