"""A name that another device has is left to it. All this is on the loopback: nothing is heard outside."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest
from zeroconf import DNSAddress, IPVersion, RecordUpdate, ServiceInfo, Zeroconf  # type: ignore[attr-defined, unused-ignore]  # it exports DNSAddress without listing it

from companion.network.mdns import CLASS_IN, MAX_CONFLICTS, TYPE_A, AnnouncedName, OtherHosts, announce_name
from companion.network.page_address import NAMES

HERE, OTHER, LOWER = "127.0.0.1", "192.0.2.77", "1.2.3.4"


@pytest.fixture(autouse=True, scope="module")
def _outside_any_loop() -> Iterator[None]:
    """Tests with a browser leave a loop running in this thread, which zeroconf would take for its own."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


@pytest.fixture(autouse=True, scope="module")
def _loopback_takes_multicast(_outside_any_loop: None) -> None:
    try:
        with closing(Zeroconf(interfaces=[HERE], ip_version=IPVersion.V4Only)):
            pass
    except OSError as error:
        pytest.skip(f"the loopback takes no multicast here ({error.strerror})")


@contextmanager
def device(address: str, *names: str) -> Iterator[None]:
    """Runs another device in the network that answers to *names* with its *address*."""
    with closing(Zeroconf(interfaces=[HERE], ip_version=IPVersion.V4Only)) as network:
        for name in names:
            network.register_service(
                ServiceInfo(
                    "_http._tcp.local.",
                    f"Other {name}._http._tcp.local.",
                    addresses=[socket.inet_aton(address)],
                    port=80,
                    server=f"{name}.",
                ),
                cooperating_responders=True,  # as one that does not ask first
            )
        yield


def addresses_of(name: str) -> set[str]:
    """Returns the addresses that a phone gets for *name*."""
    found: set[str] = set()
    with closing(Zeroconf(interfaces=[HERE], ip_version=IPVersion.V4Only)) as phone:
        info = ServiceInfo("_http._tcp.local.", "Table companion._http._tcp.local.", server=f"{name}.")
        info.request(phone, 2000)
        for record in phone.cache.entries_with_name(f"{name}."):
            if isinstance(record, DNSAddress):
                found.add(socket.inet_ntoa(record.address))
    return found


def test_a_free_name_is_announced_for_the_page() -> None:
    with announce_name(HERE, 8771, ["free-one.local", "free-two.local"]) as page:
        assert page is not None and page.url == "http://free-one.local:8771"
        assert addresses_of("free-one.local") == {HERE}
        assert not page.is_lost()


@pytest.fixture
def _longer_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allows for the late answers of a busy machine."""
    monkeypatch.setattr("companion.network.mdns.PROBING_S", 1.0)


@pytest.fixture(scope="module")
def _other_device() -> Iterator[None]:
    with device(OTHER, "taken-one.local", "Taken-Two.local"):
        yield


@pytest.mark.usefixtures("_other_device", "_longer_timeouts")
def test_names_that_another_device_has_are_not_announced_however_they_are_written() -> None:
    names = ["taken-one.local", "taken-two.local", "taken-three.local"]
    with announce_name(HERE, 8771, names) as page:
        assert page is not None and page.url == "http://taken-three.local:8771"


@pytest.mark.usefixtures("_other_device", "_longer_timeouts")
def test_no_name_is_announced_if_all_are_taken() -> None:
    with announce_name(HERE, 8771, ["taken-one.local"]) as page:
        assert page is None


def test_a_name_of_this_machine_does_not_count_as_taken() -> None:
    """As the companion's own page a moment ago, or another page of this machine."""
    with device(HERE, "mine.local"), announce_name(HERE, 8771, ["mine.local", "b.local"]) as page:
        assert page is not None and page.url == "http://mine.local:8771"


def test_a_device_that_comes_later_and_does_not_ask_gets_the_name() -> None:
    with announce_name(HERE, 8771, ["late.local"]) as page:
        assert page is not None
        with device(OTHER, "late.local"):
            assert soon(page.is_lost)


def heard(others: OtherHosts, address: str, name: str = "table.local", ttl: int = 120) -> None:
    record = DNSAddress(f"{name}.", TYPE_A, CLASS_IN, ttl, socket.inet_aton(address))
    others.async_update_records(None, 0.0, [RecordUpdate(record, None)])  # type: ignore[arg-type]


def test_the_greater_address_keeps_a_name_taken_by_two_at_once() -> None:
    lesser, greater = OtherHosts("table.local"), OtherHosts("table.local")
    heard(lesser, OTHER)
    heard(greater, LOWER)
    assert AnnouncedName("table.local", HERE, 8771, lesser).is_lost()
    assert not AnnouncedName("table.local", HERE, 8771, greater).is_lost()


def test_a_machine_that_ignores_conflicts_gets_the_name() -> None:
    others = OtherHosts("table.local")
    page = AnnouncedName("table.local", HERE, 8771, others)
    for dispute in range(1, MAX_CONFLICTS + 1):
        heard(others, LOWER)
        assert page.is_lost() == (dispute == MAX_CONFLICTS)


@pytest.mark.parametrize(
    ("address", "name", "ttl"),
    [(OTHER, "other.local", 120), (OTHER, "table.local", 0), (HERE, "table.local", 120)],
)
def test_other_names_farewells_and_this_machine_itself_dispute_nothing(
    address: str, name: str, ttl: int
) -> None:
    others = OtherHosts("table.local")
    heard(others, address, name, ttl)
    assert others.next_address() is None


def test_the_names_begin_with_the_usual_one() -> None:
    assert NAMES[:3] == ("table.local", "table-2.local", "table-3.local")


def soon(happens: Callable[[], bool]) -> bool:
    """Returns whether it *happens* within some seconds."""
    ends = time.monotonic() + 5
    while time.monotonic() < ends:
        if happens():
            return True
        time.sleep(0.05)
    return False
