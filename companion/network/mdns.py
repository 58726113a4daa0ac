"""A name in the local network that is this machine's alone (multicast DNS, RFC 6762): asked for first, then announced.

zeroconf makes the name of a service unique, not that of the machine that a browser calls: this does.
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
ASKED_FOR = TYPE_ANY, TYPE_A, TYPE_AAAA
"""Any record is asked for, as RFC 6762 has it (8.1); zeroconf, as in another companion, answers the others alone."""
QUERY = 0
"""Flags of a question (RFC 6762, 18)."""
PROBES, PROBING_S = 3, 0.25
"""How often is asked who has a name, and how long an answer is waited for (RFC 6762, 8.1)."""
MOST_DISPUTES = 3
"""Times that another machine may be heard by a name before it is left to it, whoever should have it."""


class OtherHosts(RecordUpdateListener):
    """Hears of other machines that answer to *name* (``table.local``); this one may, by any of its addresses."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = f"{name}."
        self._own = _own_addresses()
        self._heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def async_update_records(self, zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:
        """Called by zeroconf, from its own thread, with what has been heard."""
        for record in (update.new for update in records):
            if (
                isinstance(record, DNSAddress)
                and record.name.lower() == self._name
                and record.ttl > 0  # with none it says that it goes
                and record.address not in self._own
            ):
                self._heard.put(record.address)

    def next_address(self, timeout_s: float = 0.0) -> bytes | None:
        """The address of one that was heard since the last time, waited for so many seconds; None for none."""
        try:
            return self._heard.get(timeout=timeout_s) if timeout_s else self._heard.get_nowait()
        except queue.Empty:
            return None


class AnnouncedName:
    """Represents a name that this machine has announced, and the page at it."""

    def __init__(self, name: str, address: str, port: int, others: OtherHosts) -> None:
        self.url = f"http://{name}:{port}"
        self._own = socket.inet_aton(address)
        self._others = others
        self._disputes = 0

    def is_lost(self) -> bool:
        """Whether another machine answers to the name and should have it: another is to be looked for.

        Of two that took it at the same time, the one whose address is greater keeps it (RFC 6762, 8.2), so that not
        both give way; who does not give way to that gets it in the end.
        """
        heard = list(iter(self._others.next_address, None))
        if not heard:
            return False
        self._disputes += 1
        return max(heard) > self._own or self._disputes >= MOST_DISPUTES


@contextmanager
def announce_name(address: str, port: int, names: Iterable[str]) -> Iterator[AnnouncedName | None]:
    """Answers to the first of *names* (``table.local``) that is free, while the block runs, with the page at *address*
    (IPv4, of this machine) and *port*.

    None when all are taken, or the network does not let names be announced.
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
    """The first of *names* to which nobody else answers, and who hears if somebody does later.

    :raises NonUniqueNameException: when all are taken.
    """
    time.sleep(random.uniform(0, PROBING_S))  # machines that are switched on together should not ask together
    for name in names:
        others = OtherHosts(name)
        network.add_listener(others, None)
        if not _is_taken(network, name, others):
            return name, others
        network.remove_listener(others)
    raise NonUniqueNameException


def _is_taken(network: Zeroconf, name: str, others: OtherHosts) -> bool:
    """Asks who has *name*.

    zeroconf lets nothing be said of who wants it, by which two that ask at once would settle it: they do so afterwards
    (:meth:`AnnouncedName.is_lost`).
    """
    for number in range(PROBES):
        probe = DNSOutgoing(QUERY)
        for wanted in ASKED_FOR:
            question = DNSQuestion(f"{name}.", wanted, CLASS_IN)
            # To this machine alone, who has just told everybody answers, too; to everybody, who shares its port.
            question.unicast = number % 2 == 1
            probe.add_question(question)
        network.send(probe)
        if others.next_address(PROBING_S) is not None:
            return True
    return False


def _own_addresses() -> frozenset[bytes]:
    """All addresses of this machine, packed."""
    found = (ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips)
    return frozenset(ipaddress.ip_address(one if isinstance(one, str) else one[0]).packed for one in found)
