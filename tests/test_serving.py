"""The page's server: found, answering, closed without a trace."""

from __future__ import annotations

import gc
import http.client
import threading
import urllib.request
import weakref

import pytest
from sightings import new_session

from companion.serving import PageServer, PortBusyError


@pytest.fixture
def server(tmp_path):
    server = PageServer(new_session(tmp_path / "j"), None, None, host="127.0.0.1", port=0)
    yield server
    server.close()


def test_the_printed_address_answers(server):
    with urllib.request.urlopen(server.address, timeout=5) as answer:
        assert answer.status == 200


def test_a_port_that_is_taken_is_named_with_the_cure(server, tmp_path):
    port = int(server.address.rsplit(":", 1)[1])
    with pytest.raises(PortBusyError, match=f"port {port} .* is taken .*--port {port + 1}"):
        PageServer(new_session(tmp_path / "k"), None, None, host="127.0.0.1", port=port)


def test_a_request_larger_than_any_file_of_games_is_refused_before_it_is_taken(server):
    """Else it would fill the disk while it waits to be read."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.putrequest("POST", "/do")
    connection.putheader("Content-Length", str(10**9))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()


def test_what_a_browser_keeps_open_is_not_answered_by_a_page_that_is_closed(tmp_path):
    """Another page may come to the same address."""
    server = PageServer(new_session(tmp_path / "j"), None, None, host="127.0.0.1", port=0)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.request("GET", "/static/icon.svg")
    assert connection.getresponse().read()
    server.close()
    with pytest.raises((OSError, http.client.HTTPException)):
        connection.request("GET", "/static/icon.svg")
        connection.getresponse()
    connection.close()


def test_nothing_of_a_closed_page_stays_in_memory(tmp_path):
    """Game follows game in one evening, each with a page of its own."""
    before, session = threading.active_count(), new_session(tmp_path / "j")
    page = PageServer(session, None, None, host="127.0.0.1", port=0)
    gone = weakref.ref(session)
    page.close()
    assert threading.active_count() == before
    del page, session
    gc.collect()
    assert gone() is None


def test_closing_ends_the_thread_quietly(tmp_path):
    raised = []
    threading.excepthook = lambda args: raised.append(args.exc_value)
    try:
        server = PageServer(new_session(tmp_path / "j"), None, None, host="127.0.0.1", port=0)
        server.close()
    finally:
        threading.excepthook = threading.__excepthook__
    assert raised == []
    assert not server._thread.is_alive()
