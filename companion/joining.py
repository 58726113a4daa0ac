"""How tablets and phones find the companion: its address, and a name that the local network knows."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

NAME = "table"
"""``table.local`` in the address line of a browser."""
SERVICE = "_http._tcp.local."
EVERYWHERE = ("0.0.0.0", "::")
LOOKING_S, RETRYING_S = 10.0, 20.0
"""How often is looked whether this machine has another address, and whether a name can be announced after all."""
LEAVING_S = 3.0
"""How long the network is told that the name is gone."""


def reachable(host: str) -> str:
    """The name by which a browser reaches *host*; for all interfaces, this machine's address in the local network."""
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent
        except OSError:
            return _address_without_a_way_out()
        return str(probe.getsockname()[0])


def _address_without_a_way_out() -> str:
    """This machine's address in a network that leads nowhere else, as its own hotspot; the loopback's without any."""
    import ifaddr

    addresses = [str(one.ip) for adapter in ifaddr.get_adapters() for one in adapter.ips if one.is_IPv4]
    return next((one for one in addresses if not one.startswith("127.")), "127.0.0.1")


def is_private(host: str) -> bool:
    """Whether *host* is reached from this machine alone."""
    address = reachable(host)
    return address in ("localhost", "::1") or address.startswith("127.")


def local_names() -> frozenset[str]:
    """Names of this machine in the local network."""
    hostname = socket.gethostname().lower()
    return frozenset({f"{NAME}.local", hostname, f"{hostname}.local"})


@contextmanager
def named_in_network(host: str, port: int) -> Iterator[str | None]:
    """Answers to ``table.local`` in the local network while the block runs; tells the page's address by that name.

    None when *host* is reached from this machine alone, or the network does not let names be announced.
    """
    from zeroconf import Error, IPVersion, ServiceInfo, Zeroconf

    if is_private(host) or host not in EVERYWHERE:
        yield None
        return
    address = reachable(host)
    info = ServiceInfo(
        SERVICE,
        f"Table companion.{SERVICE}",
        addresses=[socket.inet_aton(address)],
        port=port,
        server=f"{NAME}.local.",
    )
    try:
        network = Zeroconf(interfaces=[address], ip_version=IPVersion.V4Only)
    except OSError:
        yield None
        return
    try:
        try:
            network.register_service(info, allow_name_change=True)
        except (Error, OSError):
            yield None
        else:
            yield f"http://{NAME}.local:{port}"
    finally:
        network.close()


class NetworkName:
    """Represents ``table.local`` as the name of a page, whatever the page is about, until ``close``.

    A thread sees to it: to ask the network whether the name is free takes two seconds, for which nobody waits. It
    follows this machine to another address, and to a network that comes later than the page.
    """

    def __init__(self) -> None:
        self._page: tuple[str, int] | None = None
        self._thread: threading.Thread | None = None
        self._ends = threading.Event()
        self._decided = threading.Event()
        self._address: str | None = None

    def lead_to(self, host: str, port: int) -> None:
        """Lets the name lead to the page that is served at *host* and *port*; it may do so already."""
        if (host, port) == self._page:
            return
        self.close()
        self._page = (host, port)
        if host not in EVERYWHERE:
            return
        self._ends, self._decided = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._announce, args=self._page, name="name", daemon=True)
        self._thread.start()

    def address(self, patience: float = 0.0) -> str | None:
        """The page's address by the name, None where the network knows none; *patience*, in seconds, is for one that is
        being announced."""
        if self._thread is not None:
            self._decided.wait(patience)
        return self._address

    def close(self) -> None:
        """Tells the network that the name leads nowhere any more."""
        self._page = None
        if self._thread is not None:
            self._ends.set()
            self._thread.join(LEAVING_S)
            self._thread = None

    def _announce(self, host: str, port: int) -> None:
        ends, decided = self._ends, self._decided
        while not ends.is_set():
            here = reachable(host)
            with named_in_network(host, port) as self._address:
                decided.set()
                while not ends.wait(RETRYING_S if self._address is None else LOOKING_S):
                    if self._address is None or reachable(host) != here:
                        break
            self._address = None
