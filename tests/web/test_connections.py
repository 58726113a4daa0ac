"""Clients that hold connections, send slowly or send much do not block the page for others."""

from __future__ import annotations

import http.client
import io
import json
import os
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.archive import Archive
from companion.runtime import server as serving
from companion.runtime.server import AppServer, PageServer
from tests.support.pages import page_server
from tests.support.sightings import new_session
from web import server as limits
from web.limits import MAX_UPLOAD_BYTES
from web.streams import MAX_PER_CLIENT, StreamLimit

GUEST, NEIGHBOUR = "127.0.0.1", "127.0.0.2"
"""Two addresses of this machine, which are limited separately."""
SOON_S = 10.0
FILE_BYTES = limits.SMALL_BODY_BYTES + 1


def hello(environ: Any, start: Callable[..., Any]) -> list[bytes]:
    start("200 OK", [("Content-Length", "5")])
    return [b"hello"]


def has_waiting(server: AppServer, count: int) -> bool:
    """Returns whether *count* requests wait for a thread."""
    return len(server._server.task_dispatcher.queue) == count


def until(condition: Callable[[], bool]) -> bool:
    """Returns whether *condition* becomes true soon."""
    deadline = time.monotonic() + SOON_S
    while not (holds := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds


@pytest.fixture
def open_() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def server(open_: ExitStack) -> AppServer:
    return open_.enter_context(closing(AppServer(hello, host=GUEST, port=0)))


def connect(open_: ExitStack, server: AppServer, whose: str) -> socket.socket:
    line = socket.create_connection((GUEST, server.port), timeout=SOON_S, source_address=(whose, 0))
    return open_.enter_context(line)


def status(server: AppServer, whose: str, path: str = "/") -> int:
    connection = http.client.HTTPConnection(GUEST, server.port, timeout=SOON_S, source_address=(whose, 0))
    with closing(connection):
        connection.request("GET", path)
        return connection.getresponse().status


def is_open(line: socket.socket) -> bool:
    """Returns whether the server has not closed the connection; reads what has arrived."""
    line.setblocking(False)
    try:
        return line.recv(65536) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def connections(server: AppServer) -> int:
    return len(server._server.channels())


# --- connections --------------------------------------------------------------------------------------------


def test_others_get_the_page_while_one_holds_a_hundred_and_fifty_silent_connections(
    open_: ExitStack, server: AppServer
) -> None:
    held = [connect(open_, server, GUEST) for _ in range(150)]
    assert status(server, NEIGHBOUR) == 200
    assert until(lambda: sum(map(is_open, held)) == limits.ADDRESS_CONNECTIONS)
    assert is_open(held[-1]) and not is_open(held[0])


def test_the_holder_of_silent_connections_gets_the_page_too(open_: ExitStack, server: AppServer) -> None:
    """It may be a browser on the same machine."""
    for _ in range(150):
        connect(open_, server, GUEST)
    assert status(server, GUEST) == 200


def test_silent_connections_of_many_addresses_leave_room_for_one_more(
    open_: ExitStack, server: AppServer
) -> None:
    crowd = [f"127.0.1.{number}" for number in range(1, 12)]
    for whose in crowd * limits.ADDRESS_CONNECTIONS:
        connect(open_, server, whose)
    assert status(server, NEIGHBOUR) == 200
    assert until(lambda: connections(server) <= limits.ALL_CONNECTIONS)


def test_a_connection_that_is_being_answered_is_not_closed_for_another(open_: ExitStack) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def app(environ: Any, start: Any) -> list[bytes]:
        if environ["PATH_INFO"] == "/slow":
            asked.set()
            go_on.wait(SOON_S)
        return hello(environ, start)

    server = open_.enter_context(closing(AppServer(app, host=GUEST, port=0)))
    open_.callback(go_on.set)
    busy = connect(open_, server, GUEST)
    busy.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
    assert asked.wait(SOON_S)
    for _ in range(2 * limits.ADDRESS_CONNECTIONS):
        connect(open_, server, GUEST)
    assert status(server, GUEST) == 200
    go_on.set()
    assert busy.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: x", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nx"]
)
def test_a_connection_with_an_incomplete_request_is_closed(
    open_: ExitStack, server: AppServer, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(limits, "REQUEST_S", 0.1)
    line = connect(open_, server, GUEST)
    line.sendall(sent)
    assert until(lambda: not is_open(line))


def test_a_request_that_drips_steadily_is_closed(
    open_: ExitStack, server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REQUEST_S", 1.0)
    line = connect(open_, server, GUEST)

    def drips() -> bool:
        try:
            line.sendall(b"x")
        except OSError:
            return False
        return is_open(line)

    line.sendall(b"GET / HTTP/1.1\r\nHost: ")
    assert until(lambda: not drips())


def test_a_connection_that_was_used_waits_longer_for_the_next_request(
    open_: ExitStack, server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REQUEST_S", 0.1)
    used, silent = connect(open_, server, GUEST), connect(open_, server, GUEST)
    used.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    received = b""
    while not received.endswith(b"hello"):
        received += used.recv(1000) or pytest.fail("closed before all was sent")
    assert until(lambda: not is_open(silent))
    assert is_open(used)
    monkeypatch.setattr(limits, "IDLE_S", 0.1)
    assert until(lambda: not is_open(used))


def test_a_stalled_client_is_closed_and_its_thread_is_free(
    open_: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STALLED_S", 0.1)
    ended = threading.Event()

    def app(environ: Any, start: Any) -> Iterator[bytes]:
        start("200 OK", [])
        try:
            while True:
                yield b"x" * 100_000
        finally:
            ended.set()

    server = open_.enter_context(closing(AppServer(app, host=GUEST, port=0)))
    line = connect(open_, server, GUEST)
    line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert ended.wait(SOON_S)


def test_one_address_leaves_streams_to_others() -> None:
    streams = StreamLimit(MAX_PER_CLIENT + 1)
    assert [streams.acquire(GUEST) for _ in range(MAX_PER_CLIENT + 1)] == [True] * MAX_PER_CLIENT + [False]
    assert streams.acquire(NEIGHBOUR) and not streams.acquire(NEIGHBOUR)
    streams.release(GUEST)
    assert streams.acquire(GUEST) and streams.open == MAX_PER_CLIENT + 1


@pytest.mark.parametrize(
    "sent",
    [
        b"GET http://[ HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
    ],
    ids=["an address that is none", "a length of 5000 digits", "a negative length", "TLS"],
)
def test_anything_but_http_is_rejected(open_: ExitStack, server: AppServer, sent: bytes) -> None:
    line = connect(open_, server, GUEST)
    line.sendall(sent)
    assert line.recv(1000).partition(b" ")[2].startswith(b"400 Bad Request")


@pytest.mark.parametrize(
    ("begins", "goes_on"),
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n", b"X:\r\n", id="many lines"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nCookie: ", b"x", id="one long line"),
        pytest.param(b"GET /", b"x", id="a long address"),
    ],
)
def test_a_request_with_a_long_head_is_not_read(
    open_: ExitStack, server: AppServer, begins: bytes, goes_on: bytes
) -> None:
    """Many of them, each parsed for half a second in the server's loop, would block the page for everybody."""
    line = connect(open_, server, GUEST)
    line.sendall((begins + goes_on * limits.MAX_HEAD_BYTES)[: limits.MAX_HEAD_BYTES])
    assert line.recv(100).startswith(b"HTTP/1.0 431")


def test_a_head_of_the_maximum_size_is_read(open_: ExitStack, server: AppServer) -> None:
    line = connect(open_, server, GUEST)
    before, after = b"GET / HTTP/1.1\r\nHost: x\r\nCookie: ", b"\r\n\r\n"
    room = limits.MAX_HEAD_BYTES - 1 - len(before + after)
    line.sendall(before + b"x" * room + after)
    assert line.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("before", [b"5;", b"", b"0\r\nX: "], ids=["extension", "length", "trailer"])
def test_the_text_beside_chunks_is_limited(open_: ExitStack, server: AppServer, before: bytes) -> None:
    line = connect(open_, server, GUEST)
    line.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + before)
    line.sendall(b"1" * (limits.MAX_HEAD_BYTES + 1))
    assert line.recv(100).startswith(b"HTTP/1.1 400")


def test_an_invalid_request_that_disconnects_leaves_nothing_behind(
    open_: ExitStack, server: AppServer, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(20):
        with connect(open_, server, GUEST) as line:
            line.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
            )  # disconnects at once
            line.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 300_000 + b"\r\n\r\n")
    assert until(lambda: connections(server) == 0)
    assert status(server, GUEST) == 200
    assert "has no attribute" not in caplog.text


# --- the watchdog -------------------------------------------------------------------------------------------


def test_the_watchdog_is_answered_while_all_public_connections_are_held(
    open_: ExitStack, server: AppServer
) -> None:
    for number in range(1, 10):
        for _ in range(limits.ADDRESS_CONNECTIONS):
            connect(open_, server, f"127.0.1.{number}")
    assert server.answers()
    assert until(lambda: all(one.addr is not limits.WATCHDOG for one in server._server.channels()))


def test_the_watchdog_is_answered_when_all_connections_are_taken(server: AppServer) -> None:
    server._server.accepting = False
    assert server.answers()


def test_the_watchdog_is_answered_before_waiting_requests(
    open_: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered: list[str] = []
    first, go_on = threading.Event(), threading.Event()
    monkeypatch.setattr(serving, "THREADS", 1)

    def app(environ: Any, start: Any) -> list[bytes]:
        answered.append(environ["REMOTE_ADDR"])
        if not first.is_set():
            first.set()
            go_on.wait(SOON_S)
        return hello(environ, start)

    server = open_.enter_context(closing(AppServer(app, host=GUEST, port=0)))
    open_.callback(go_on.set)
    for waiting in range(3):
        connect(open_, server, GUEST).sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert first.wait(SOON_S)
        assert until(partial(has_waiting, server, waiting))
    asking = threading.Thread(target=server.answers)
    asking.start()
    assert until(partial(has_waiting, server, 3))
    go_on.set()
    asking.join(SOON_S)
    assert until(lambda: len(answered) == 4)
    assert answered[1] == limits.WATCHDOG[0]


# --- what is sent -------------------------------------------------------------------------------------------


@pytest.fixture
def page(open_: ExitStack, tmp_path: Path) -> PageServer:
    (tmp_path / "games").mkdir()
    games = Archive(tmp_path / "games")
    open_.callback(games.close)
    server = page_server(new_session(tmp_path / "j"), host=GUEST, port=0, archive=games, pin="2468")
    return open_.enter_context(closing(server))


class Browser:
    """Represents a browser with the page's cookie and token."""

    def __init__(self, page: PageServer, open_: ExitStack) -> None:
        self._connection = http.client.HTTPConnection(GUEST, page.port, timeout=SOON_S)
        open_.callback(self._connection.close)
        self._headers: dict[str, str] = {}
        found = re.search(r'data-token="([^"]+)"', self.ask("GET", "/")[1].decode())
        assert found is not None
        self._headers["X-Companion-Token"] = found[1]

    def join(self) -> Browser:
        assert self.ask("POST", "/pin", json.dumps({"pin": "2468"}).encode(), "application/json")[0] == 200
        return self

    def ask(
        self, method: str, path: str, body: Any = None, kind: str = "application/jsonl"
    ) -> tuple[int, bytes]:
        """Returns the status and body of the answer."""
        self._connection.request(method, path, body, {**self._headers, "Content-Type": kind})
        answer = self._connection.getresponse()
        if cookie := answer.getheader("Set-Cookie"):
            self._headers["Cookie"] = cookie.partition(";")[0]
        return answer.status, answer.read()


def in_temporary_files() -> int:
    """Returns the size of this process's unlinked files, such as those of waitress."""
    sizes = []
    for file in Path("/proc/self/fd").iterdir():
        try:
            if os.readlink(file).endswith("(deleted)"):
                sizes.append(file.stat().st_size)
        except OSError:  # closed meanwhile
            continue
    return sum(sizes)


@pytest.mark.parametrize("path", ["/nowhere", "/do", "/pin", "/games.jsonl", "/"])
def test_a_guest_writes_nothing_to_the_temporary_folder(
    page: PageServer, open_: ExitStack, path: str
) -> None:
    before = in_temporary_files()
    for _ in range(5):
        line = connect(open_, page, GUEST)
        line.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n".encode())
        line.sendall(b"x" * 1_900_000)
    assert until(lambda: sum(map(received, page._server.channels())) == 5 * 1_900_000)
    assert in_temporary_files() == before


def received(channel: Any) -> int:
    """Yields the bytes of a body that is being sent."""
    return 0 if channel.request is None else int(channel.request.body_bytes_received)


@pytest.mark.parametrize(
    ("path", "kind", "answer", "message"),
    [
        ("/games.jsonl", "application/jsonl", 403, b"pin_needed"),
        ("/do", "application/json", 413, b"too large"),
        ("/pin", "application/json", 413, b"too large"),
        ("/nowhere", "application/json", 404, b"no such page"),
    ],
)
def test_a_rejected_body_is_answered_with_a_sentence(
    page: PageServer, open_: ExitStack, path: str, kind: str, answer: int, message: bytes
) -> None:
    browser = Browser(page, open_)
    status, body = browser.ask("POST", path, b"x" * 1_000_000, kind)
    assert status == answer and message in body
    assert browser.ask("GET", "/snapshot")[0] == 200  # by the same connection


@pytest.mark.parametrize("has_length", [True, False])
def test_a_member_imports_a_large_file(page: PageServer, open_: ExitStack, has_length: bool) -> None:
    line = b"x" * FILE_BYTES + b"\n"
    body: Any = line if has_length else iter([line])
    answer, report = Browser(page, open_).join().ask("POST", "/games.jsonl", body)
    assert answer == 200 and "Line 1" in json.loads(report)["messages"][1]


def test_endless_chunks_are_rejected_early(page: PageServer, open_: ExitStack) -> None:
    before = in_temporary_files()
    line = connect(open_, page, GUEST)
    line.sendall(b"POST /do HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
    line.sendall(b"Transfer-Encoding: chunked\r\n\r\n")
    chunk = b"%x\r\n" % 1_000_000 + b"x" * 1_000_000 + b"\r\n"
    taken = 0
    try:
        while taken < 2 * MAX_UPLOAD_BYTES:
            line.sendall(chunk)
            taken += 1_000_000
            assert in_temporary_files() == before
    except OSError:  # closed in the middle
        pass
    assert taken < 2 * MAX_UPLOAD_BYTES
    assert until(lambda: not is_open(line))


def test_the_number_of_simultaneous_uploads_is_limited(page: PageServer, open_: ExitStack) -> None:
    member = Browser(page, open_).join()
    headers = "".join(f"{name}: {value}\r\n" for name, value in member._headers.items())
    begun = [connect(open_, page, GUEST) for _ in range(limits.MAX_UPLOADS)]
    for line in begun:
        line.sendall(f"POST /games.jsonl HTTP/1.1\r\nHost: localhost\r\n{headers}".encode())
        line.sendall(f"Content-Length: {FILE_BYTES}\r\n\r\n".encode())
    assert until(lambda: len(page._server.uploads) == limits.MAX_UPLOADS)
    answer, body = member.ask("POST", "/games.jsonl", b"x" * FILE_BYTES)
    assert answer == 429 and b"wait a moment" in body
    for line in begun:
        line.close()
    assert until(lambda: not page._server.uploads)
    assert member.ask("POST", "/games.jsonl", b"x" * FILE_BYTES)[0] == 200


def test_a_body_that_was_not_stored_cannot_be_read() -> None:
    with pytest.raises(Exception, match="429"):
        io.BufferedReader(limits.Refusing()).read(1)


def test_requests_that_wait_for_a_thread_are_not_logged(
    open_: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    gate = threading.Event()

    def waiting(environ: Any, start_response: Any) -> list[bytes]:
        gate.wait(SOON_S)
        start_response("200 OK", [])
        return [b""]

    server = open_.enter_context(closing(AppServer(waiting, host=GUEST, port=0)))
    lines = [connect(open_, server, GUEST) for _ in range(serving.THREADS + 2)]
    for line in lines:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert until(lambda: len(server._server.task_dispatcher.queue) > 0)
    gate.set()
    assert "queue" not in caplog.text
