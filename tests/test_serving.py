"""The page's server: found, answering, closed without a trace."""

from __future__ import annotations

import threading
import urllib.request

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
