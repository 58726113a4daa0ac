"""Checks of how tablets reach the page."""

from __future__ import annotations

from companion.network.page_address import ALL_INTERFACES, NAMES

from .finding import Finding, fault, ok, skipped, warning
from .machine import COMPANION, FREE, Machine


def network(machine: Machine) -> Finding:
    """Checks whether other machines can reach this one, where the page is to be served."""
    if machine.host not in ALL_INTERFACES and not machine.is_own_address(machine.host):
        return fault("other_machine", host=machine.host)
    if machine.is_local_only:
        return ok("network_private")
    address = machine.address()
    if address.startswith("127."):
        return warning("no_network", host=machine.host_name())
    return ok("network", host=machine.host_name(), address=f"http://{address}:{machine.port}")


def name(machine: Machine) -> Finding:
    """Checks whether the network allows this machine to be called ``table.local``, or another of its names."""
    if machine.is_local_only or machine.address().startswith("127."):
        return skipped("no_network_for_name")
    if (
        not machine.playing and machine.is_served
    ):  # announcing and withdrawing the name would make clients forget it
        return skipped("name_of_companion")
    address = machine.announce(machine.port)
    if address is None:
        return warning("no_name", address=f"http://{machine.address()}:{machine.port}")
    usual = f"http://{NAMES[0]}:{machine.port}"
    return (
        ok("name", address=address) if address == usual else ok("other_name", address=address, name=NAMES[0])
    )


def port(machine: Machine) -> Finding:
    """Checks whether the page can be served on its port."""
    if machine.playing:
        return ok("port_companion", port=machine.port)
    found = machine.listener(machine.port)
    if found == FREE:
        return ok("port_free", port=machine.port)
    if found == COMPANION:
        return ok("port_companion", port=machine.port)
    return fault("port_taken", port=machine.port, other=machine.port + 1)
