"""A unique host name in the local network (multicast DNS, RFC 6762): probed first, then announced.

zeroconf makes the name of a service unique, not the host name that a browser uses; this module does.
"""

from __future__ import annotations

import ipaddress
import queue
import random
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import ifaddr
from zeroconf import (  # type: ignore[attr-defined, unused-ignore]  # it exports the DNS classes without listing them
    DNSAddress,
    DNSOutgoing,
    DNSQuestion,
    Error,
    IPVersion,
    NonUniqueNameException,
    RecordUpdate,
    RecordUpdateListener,
    ServiceInfo,
    Zeroconf,
)

SERVICE = "_http._tcp.local."
TYPE_A, TYPE_AAAA, TYPE_ANY, CLASS_IN = 1, 28, 255, 1
"""RFC 1035 (3.2), RFC 3596."""
PROBED_TYPES = TYPE_ANY, TYPE_A, TYPE_AAAA
"""Probes ask for any record (RFC 6762, 8.1); zeroconf, which other companions use, answers only the other two."""
QUERY = 0
"""Flags of a query (RFC 6762, 18)."""
PROBES, PROBING_S = 3, 0.25
"""Number of probes for a name, and how long to wait for an answer to each (RFC 6762, 8.1)."""
MAX_CONFLICTS = 3
"""After so many conflicts another machine gets the name, whatever the tie-break says."""


class OtherHosts(RecordUpdateListener):
    """Listens for other machines that answer to *name* (``table.local``); this machine's own addresses do not count."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = f"{name}."
        self._own = _own_addresses()
        self._received: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def async_update_records(self, zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:
        """Called by zeroconf, in its own thread, with the records it has received."""
        for record in (update.new for update in records):
            if (
                isinstance(record, DNSAddress)
                and record.name.lower() == self._name
                and record.ttl > 0  # 0 is a goodbye
                and record.address not in self._own
            ):
                self._received.put(record.address)

    def next_address(self, timeout_s: float = 0.0) -> bytes | None:
        """Returns the address of another machine that has answered since the last call; ``None`` if none does."""
        try:
            return self._received.get(timeout=timeout_s) if timeout_s else self._received.get_nowait()
        except queue.Empty:
            return None


class AnnouncedName:
    """Represents a name that this machine has announced, and the page's address with it."""

    def __init__(self, name: str, address: str, port: int, others: OtherHosts) -> None:
        self.url = f"http://{name}:{port}"
        self._own = socket.inet_aton(address)
        self._others = others
        self._conflicts = 0

    def is_lost(self) -> bool:
        """Whether another machine has the name now, so that this one needs another name.

        Of two machines that took it at the same time, the one with the greater address keeps it (RFC 6762, 8.2), so
        that not both give way; a machine that ignores this gets it after MAX_CONFLICTS.
        """
        addresses = list(iter(self._others.next_address, None))
        if not addresses:
            return False
        self._conflicts += 1
        return max(addresses) > self._own or self._conflicts >= MAX_CONFLICTS


@contextmanager
def announce_name(address: str, port: int, names: Iterable[str]) -> Iterator[AnnouncedName | None]:
    """Announces the first free one of *names* (``table.local``) within the block, for the page at *address* (IPv4, of
    this machine) and *port*.

    Yields ``None`` if all are taken, or the network does not allow it.
    """
    try:
        network = Zeroconf(interfaces=[address], ip_version=IPVersion.V4Only)
    except OSError:
        yield None
        return
    try:
        try:
            name, others = _free_name(network, names)
            network.register_service(
                ServiceInfo(
                    SERVICE,
                    f"Table companion.{SERVICE}",
                    addresses=[socket.inet_aton(address)],
                    port=port,
                    server=f"{name}.",
                ),
                allow_name_change=True,
            )
        except (Error, OSError):
            yield None
        else:
            yield AnnouncedName(name, address, port, others)
    finally:
        network.close()


def _free_name(network: Zeroconf, names: Iterable[str]) -> tuple[str, OtherHosts]:
    """Returns the first free one of *names*, and a listener for conflicts later on.

    :raises NonUniqueNameException: when all are taken.
    """
    time.sleep(
        random.uniform(0, PROBING_S)
    )  # machines that are switched on together should not probe together
    for name in names:
        others = OtherHosts(name)
        network.add_listener(others, None)
        if not _is_taken(network, name, others):
            return name, others
        network.remove_listener(others)
    raise NonUniqueNameException


def _is_taken(network: Zeroconf, name: str, others: OtherHosts) -> bool:
    """Probes for *name*; returns whether another machine has it.

    zeroconf sends no proposed records by which two machines that probe at once would decide who gets the name; they
    decide afterwards (:meth:`AnnouncedName.is_lost`).
    """
    for number in range(PROBES):
        probe = DNSOutgoing(QUERY)
        for record_type in PROBED_TYPES:
            question = DNSQuestion(f"{name}.", record_type, CLASS_IN)
            # A machine that has just answered replies only to unicast; one that shares the port only to multicast.
            question.unicast = number % 2 == 1
            probe.add_question(question)
        network.send(probe)
        if others.next_address(PROBING_S) is not None:
            return True
    return False


def _own_addresses() -> frozenset[bytes]:
    """Returns all addresses of this machine, packed."""
    found = (ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips)
    return frozenset(ipaddress.ip_address(one if isinstance(one, str) else one[0]).packed for one in found)
