"""The page's server: found, answering, closed without a trace."""

from __future__ import annotations

import gc
import http.client
import os
import socket
import stat
import threading
import urllib.request
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.runtime.server import AppServer, NotServedError, PageServer
from tests.support.pages import page_server
from tests.support.sightings import new_session

LOOPBACKS = ((socket.AF_INET6, "::1"), (socket.AF_INET, "127.0.0.1"))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PageServer]:
    server = page_server(new_session(tmp_path / "j"), host="127.0.0.1", port=0)
    yield server
    server.close()


def test_the_printed_address_answers(server: PageServer) -> None:
    with urllib.request.urlopen(server.address, timeout=5) as answer:
        assert answer.status == 200


def test_listed_host_names_are_answered_and_shown_for_joining(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.runtime.server.is_local_only", lambda host: False)
    name = "pi.tail1234.ts.net"
    server = page_server(new_session(tmp_path / "j"), host="127.0.0.1", port=0, hosts=(name,))
    with closing(server):
        asked = urllib.request.Request(f"{server.address}/join", headers={"Host": name})
        with urllib.request.urlopen(asked, timeout=5) as answer:
            assert f"http://{name}:{server.port}</a>" in answer.read().decode()


def test_a_port_that_is_taken_is_named_with_the_cure(server: PageServer, tmp_path: Path) -> None:
    port = int(server.address.rsplit(":", 1)[1])
    with pytest.raises(NotServedError, match=f"port {port} on .* is taken: .*--port {port + 1}"):
        page_server(new_session(tmp_path / "k"), host="127.0.0.1", port=port)


@pytest.mark.parametrize("host", ["no-such-machine.invalid", "192.0.2.77"])
def test_a_host_that_is_not_this_machine_is_named_with_the_cure(tmp_path: Path, host: str) -> None:
    with pytest.raises(NotServedError, match=f"port 8080 on {host} cannot be served .*leave it out"):
        page_server(new_session(tmp_path / "k"), host=host, port=8080)


@pytest.mark.parametrize("host", ["192.168..1", ".local", 70 * "a", "pi\udcff"])
def test_a_host_that_can_be_no_address_is_named_with_the_cure(tmp_path: Path, host: str) -> None:
    with pytest.raises(NotServedError, match=r"can be no address: .*leave it out"):
        page_server(new_session(tmp_path / "k"), host=host, port=8080)


def test_a_name_of_several_addresses_is_served_at_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As ``localhost`` is on most machines."""
    found = [(family, 1, 6, "", (address, 0)) for family, address in LOOPBACKS]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    server = page_server(new_session(tmp_path / "k"), host="localhost", port=0)
    monkeypatch.undo()
    with closing(server), urllib.request.urlopen(f"http://127.0.0.1:{server.port}", timeout=5) as answer:
        assert answer.status == 200 and server.address == f"http://localhost:{server.port}"


def has_ipv6() -> bool:
    """Whether this machine has a loopback of IPv6; the server is not asked, whose faults would be passed over."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_the_printed_address_of_ipv6_answers(tmp_path: Path) -> None:
    server = page_server(new_session(tmp_path / "k"), host="::1", port=0)
    with closing(server), urllib.request.urlopen(server.address, timeout=5) as answer:
        assert answer.status == 200


def test_a_request_larger_than_any_file_of_games_is_refused_before_it_is_taken(server: PageServer) -> None:
    """Else it would fill the disk while it waits to be read."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.putrequest("POST", "/do")
    connection.putheader("Content-Length", str(10**9))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()


def test_open_connections_are_not_answered_after_close(tmp_path: Path) -> None:
    """Another page may come to the same address."""
    server = page_server(new_session(tmp_path / "j"), host="127.0.0.1", port=0)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.request("GET", "/static/icon.svg")
    assert connection.getresponse().read()
    server.close()
    with pytest.raises((OSError, http.client.HTTPException)):
        connection.request("GET", "/static/icon.svg")
        connection.getresponse()
    connection.close()


def test_a_page_is_closed_without_waiting_for_its_open_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.live.POLL_S", 60.0)
    server = page_server(new_session(tmp_path / "j"), host="127.0.0.1", port=0)
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)) as connection:
        connection.request("GET", "/events")
        with connection.getresponse() as stream:
            assert any(line.startswith(b"data:") for line in stream)
            server.close()
            assert not server._thread.is_alive()


def test_nothing_of_a_closed_page_stays_in_memory(tmp_path: Path) -> None:
    """Each game of a run has a page of its own."""
    before, session = threading.active_count(), new_session(tmp_path / "j")
    page = page_server(session, host="127.0.0.1", port=0)
    gone = weakref.ref(session)
    page.close()
    assert threading.active_count() == before
    del page, session
    gc.collect()
    assert gone() is None


def test_closing_ends_the_thread_quietly(tmp_path: Path) -> None:
    raised = []
    threading.excepthook = lambda args: raised.append(args.exc_value)
    try:
        server = page_server(new_session(tmp_path / "j"), host="127.0.0.1", port=0)
        server.close()
    finally:
        threading.excepthook = threading.__excepthook__
    assert raised == []
    assert not server._thread.is_alive()


def answering(app: Callable[..., Iterable[bytes]]) -> AppServer:
    return AppServer(app, host="127.0.0.1", port=0)


def test_a_server_whose_loop_is_awake_closes_without_error() -> None:
    """The loop may have ended before the one who closes it has rung its bell."""
    server = answering(lambda environ, start: start("200 OK", []) or [b""])
    trigger = server._server.trigger
    ring = trigger._physical_pull

    def ring_late() -> None:
        ring()
        server._thread.join(timeout=5)
        ring()

    trigger._physical_pull = ring_late
    server.close()
    assert not server._thread.is_alive()


def test_a_late_answer_never_writes_into_another_file() -> None:
    asked, go_on = threading.Event(), threading.Event()

    def app(environ: Any, start: Any) -> list[bytes]:
        asked.set()
        go_on.wait(10)
        start("200 OK", [])
        return [b""]

    server = answering(app)
    with socket.create_connection(("127.0.0.1", server.port)) as asking:
        asking.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        asked.wait(10)
        server.close()
        assert stat.S_ISFIFO(os.fstat(server._server.trigger.trigger).st_mode)  # not open to others yet
    go_on.set()
