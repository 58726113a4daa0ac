"""The page's name in the local network. What announces it there is a stand-in: nothing of a test is heard outside."""

from __future__ import annotations

import errno
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from flask import Flask

from companion.network import page_address as page_address
from companion.network.page_address import NetworkName, announce_page, reachable_host
from companion.runtime.server import AppServer

HERE = "192.168.1.20"


class Network:
    """Represents a network; who asks for a name is answered when it *answers*."""

    def __init__(self) -> None:
        self.address = HERE
        self.is_willing = True
        self.answers = threading.Event()
        self.answers.set()
        self.names: list[str] = []
        """What names lead to now."""
        self.announcements = 0
        """How often a name was announced."""
        self.name = "table.local"
        self.lost: set[str] = set()
        """Names that other machines have come by meanwhile."""

    @contextmanager
    def named(self, host: str, port: int) -> Iterator[SimpleNamespace | None]:
        self.answers.wait(10)
        if not self.is_willing or self.address.startswith("127."):
            yield None
            return
        self.announcements += 1
        self.names.append(f"{self.address}:{port}")
        name = self.name
        yield SimpleNamespace(url=f"http://{name}:{port}", is_lost=lambda: name in self.lost)
        self.names.pop()


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    network = Network()
    monkeypatch.setattr(page_address, "announce_page", network.named)
    monkeypatch.setattr(page_address, "reachable_host", lambda host: network.address)
    for pause in ("CHECK_S", "RETRY_S"):
        monkeypatch.setattr(page_address, pause, 0.01)
    return network


@pytest.fixture
def name() -> Iterator[NetworkName]:
    name = NetworkName()
    yield name
    name.close()


def soon(happens: Callable[[], bool]) -> bool:
    """Returns whether it *happens* within some seconds."""
    ends = time.monotonic() + 5
    while not happens() and time.monotonic() < ends:
        time.sleep(0.01)
    return happens()


def test_a_loopback_address_is_not_announced() -> None:
    with announce_page("127.0.0.1", 8080) as name:
        assert name is None
    assert reachable_host("127.0.0.1") == "127.0.0.1"


@pytest.mark.parametrize(
    ("addresses", "expected"),
    [(["127.0.0.1", "10.42.0.1"], "10.42.0.1"), (["127.0.0.1"], "127.0.0.1")],
)
def test_the_page_is_found_in_a_network_without_internet(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str], expected: str
) -> None:
    """As in the Raspberry Pi's own hotspot, where there is no internet."""

    class NoWayOut(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr(socket, "socket", NoWayOut)
    adapters = [SimpleNamespace(ips=[SimpleNamespace(ip=one, is_IPv4=True)]) for one in addresses]
    monkeypatch.setattr("ifaddr.get_adapters", lambda: adapters)
    assert reachable_host("0.0.0.0") == expected


def test_a_page_for_this_machine_alone_asks_for_no_name(network: Network, name: NetworkName) -> None:
    name.point_to("127.0.0.1", 8080)
    assert name.address(1) is None and network.announcements == 0


def test_the_start_does_not_wait_for_the_network(network: Network, name: NetworkName) -> None:
    network.answers.clear()
    name.point_to("0.0.0.0", 8080)
    assert name.address() is None
    network.answers.set()
    assert name.address(5) == "http://table.local:8080"


def test_one_name_leads_to_page_after_page(network: Network, name: NetworkName) -> None:
    """Withdrawn between them, tablets would forget it."""
    name.point_to("0.0.0.0", 8080)
    assert name.address(5) is not None
    name.point_to("0.0.0.0", 8080)
    assert network.announcements == 1 and network.names == [f"{HERE}:8080"]


def test_it_points_to_another_port_on_request(network: Network, name: NetworkName) -> None:
    name.point_to("0.0.0.0", 8080)
    name.point_to("0.0.0.0", 8081)
    assert name.address(5) == "http://table.local:8081" and network.names == [f"{HERE}:8081"]


def test_after_the_last_page_the_name_is_withdrawn(network: Network, name: NetworkName) -> None:
    name.point_to("0.0.0.0", 8080)
    assert name.address(5) is not None
    name.close()
    assert network.names == [] and name.address() is None


def test_it_follows_the_machine_to_another_address(network: Network, name: NetworkName) -> None:
    name.point_to("0.0.0.0", 8080)
    assert name.address(5) is not None
    network.address = "192.168.1.77"
    assert soon(lambda: network.names == ["192.168.1.77:8080"])


@pytest.mark.parametrize(("address", "is_willing"), [("127.0.0.1", True), (HERE, False)])
def test_a_network_that_comes_later_than_the_page_gets_the_name_then(
    network: Network, name: NetworkName, address: str, is_willing: bool
) -> None:
    network.address, network.is_willing = address, is_willing
    name.point_to("0.0.0.0", 8080)
    assert name.address(1) is None
    network.address, network.is_willing = HERE, True
    assert soon(lambda: name.address() == "http://table.local:8080")


def test_it_takes_another_name_when_another_machine_comes_by_the_same(
    network: Network, name: NetworkName
) -> None:
    name.point_to("0.0.0.0", 8080)
    assert name.address(5) == "http://table.local:8080"
    network.name = "table-2.local"
    network.lost.add("table.local")
    assert soon(lambda: name.address() == "http://table-2.local:8080")


def test_each_name_is_passed_on(network: Network) -> None:
    addresses: list[str] = []
    name = NetworkName(addresses.append)
    name.point_to("0.0.0.0", 8080)
    assert soon(lambda: addresses == ["http://table.local:8080"])
    name.close()


class Noting(NetworkName):
    """Writes down what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, int] | str] = []

    def point_to(self, host: str, port: int) -> None:
        self.asked.append((host, port))

    def close(self) -> None:
        self.asked.append("close")


def test_a_name_that_a_page_was_given_outlives_it() -> None:
    given = Noting()
    server = AppServer(Flask("page"), host="127.0.0.1", port=0, name=given)
    server.close()
    assert given.asked == [("127.0.0.1", server.port)]


def test_a_page_without_a_name_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Noting()
    monkeypatch.setattr("companion.runtime.server.NetworkName", lambda: own)
    server = AppServer(Flask("page"), host="127.0.0.1", port=0)
    server.close()
    assert own.asked == [("127.0.0.1", server.port), "close"]
