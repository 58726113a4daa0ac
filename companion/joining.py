"""How tablets and phones find the companion: its address, and a name that the local network knows."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

NAME = "table"
"""``table.local`` in the address line of a browser."""
SERVICE = "_http._tcp.local."
EVERYWHERE = ("0.0.0.0", "::")


def reachable(host: str) -> str:
    """The name by which a browser reaches *host*; for all interfaces, this machine's address in the local network."""
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


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
