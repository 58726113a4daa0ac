"""How tablets and phones find the page: its address, and a name in the local network."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .mdns import AnnouncedName

NAMES = ("table.local", *(f"table-{number}.local" for number in range(2, 10)))
"""Names for the page, of which the first that no other device has is used."""
ALL_INTERFACES = ("0.0.0.0", "::")
CHECK_S, RETRY_S = 10.0, 20.0
"""How often the machine's address is checked, and how soon an announcement that failed is tried again."""
GOODBYE_S = 3.0
"""How long to wait until the name has been withdrawn."""


def reachable_host(host: str) -> str:
    """Returns the name by which a browser reaches *host*: for all interfaces, the address in the local network."""
    if host not in ALL_INTERFACES:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent
        except OSError:
            return _address_without_route()
        return str(probe.getsockname()[0])


def _address_without_route() -> str:
    """Returns the address in a network without a route to others, like a hotspot; loopback without any network."""
    import ifaddr

    addresses = [str(one.ip) for adapter in ifaddr.get_adapters() for one in adapter.ips if one.is_IPv4]
    return next((one for one in addresses if not one.startswith("127.")), "127.0.0.1")


def is_local_only(host: str) -> bool:
    """Whether *host* can be reached from this machine only."""
    address = reachable_host(host)
    return address in ("localhost", "::1") or address.startswith("127.")


def is_own_address(host: str) -> bool:
    """Whether *host* names an address of this machine, at which it can serve a page."""
    try:
        found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)
        family, _, _, _, address = min(found, key=lambda one: one[0] != socket.AF_INET)
        socket.create_server(address[:2], family=family).close()
    except (OSError, UnicodeError):
        return False
    return True


def local_names() -> frozenset[str]:
    """Returns the names that this machine has in the local network, or may get while it runs."""
    hostname = socket.gethostname().lower()
    return frozenset({*NAMES, hostname, f"{hostname}.local"})


@contextmanager
def announce_page(host: str, port: int) -> Iterator[AnnouncedName | None]:
    """Announces the first of NAMES that no other machine in the local network has, within the block.

    Yields ``None`` if *host* can be reached from this machine only, or the network does not allow it.
    """
    if is_local_only(host) or host not in ALL_INTERFACES:
        yield None
        return
    from .mdns import announce_name

    with announce_name(reachable_host(host), port, NAMES) as page:
        yield page


class NetworkName:
    """Represents the name of the page, ``table.local`` or another one of NAMES, until ``close``.

    A thread announces it, since probing takes two seconds. It announces again when the machine's address changes or the
    network comes up later than the page, and takes another name when another machine has the same.
    """

    def __init__(self, on_address: Callable[[str], None] = lambda address: None) -> None:
        """*on_address* is called with each new address of the page."""
        self.on_address = on_address
        self._page: tuple[str, int] | None = None
        self._thread: threading.Thread | None = None
        self._ends = threading.Event()
        self._decided = threading.Event()
        self._address: str | None = None

    def point_to(self, host: str, port: int) -> None:
        """Points the name at the page served at *host* and *port*, if it does not point there already."""
        if (host, port) == self._page:
            return
        self.close()
        self._page = (host, port)
        if host not in ALL_INTERFACES:
            return
        self._ends, self._decided = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._announce, args=self._page, name="name", daemon=True)
        self._thread.start()

    def address(self, timeout_s: float = 0.0) -> str | None:
        """Returns the page's address by the name; ``None`` if the network does not know the name.

        *timeout_s* is how long to wait for a name that is just being announced.
        """
        if self._thread is not None:
            self._decided.wait(timeout_s)
        return self._address

    def close(self) -> None:
        """Withdraws the name."""
        self._page = None
        if self._thread is not None:
            self._ends.set()
            self._thread.join(GOODBYE_S)
            self._thread = None

    def _announce(self, host: str, port: int) -> None:
        ends, decided = self._ends, self._decided
        while not ends.is_set():
            here = reachable_host(host)
            with announce_page(host, port) as page:
                self._address = None if page is None else page.url
                decided.set()
                if page is not None:
                    self.on_address(page.url)
                while not ends.wait(RETRY_S if page is None else CHECK_S):
                    if page is None or reachable_host(host) != here or page.is_lost():
                        break
            self._address = None
