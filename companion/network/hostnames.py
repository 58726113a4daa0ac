"""The host names by which browsers may address this machine.

A foreign site can point its own name at an address of this network (DNS rebinding), and a browser then takes the
companion for a part of that site. So only names are accepted that nobody elsewhere can own: this machine's host name,
alone or with a suffix that is used in homes and not registered on the internet; and names that the owner has listed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from calibration.errors import CompanionError

from .page_address import local_names

HOME_SUFFIXES = (
    "local",  # RFC 6762
    "home.arpa",  # RFC 8375
    *("intranet", "internal", "private", "corp", "home", "lan"),  # RFC 6762, appendix G
    *("localdomain", "fritz.box"),  # what routers use besides; fritz.box belongs to their maker
)
"""Suffixes that routers add to a machine's host name."""
_NAME = re.compile(
    r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*"
)
"""RFC 1123, section 2.1, with the underscore that some networks allow."""


class HostNameError(CompanionError, ValueError):
    """A text that is not a host name; the message gives an example."""


def host_name(text: str) -> str:
    """Returns *text* as browsers send it: in lower case, without a final dot, international letters encoded.

    :raises HostNameError: when it is not a host name.
    """
    try:
        name = text.strip().lower().removesuffix(".").encode("idna").decode()
    except UnicodeError:
        name = ""
    if not _NAME.fullmatch(name):
        raise HostNameError(
            f"{text!r} is not a host name: give what comes between http:// and the port, such as pi.tail1234.ts.net"
        )
    return name


class OwnNames(Container[str]):
    """Represents this machine's host names, with any of HOME_SUFFIXES or none, and *others*."""

    def __init__(self, others: Iterable[str] = ()) -> None:
        known = local_names()
        self._names = known | set(others)
        self._labels = {name.partition(".")[0] for name in known}

    def __contains__(self, name: object) -> bool:
        """Whether *name*, in lower case and without a final dot, is one of them."""
        label, _, suffix = str(name).partition(".")
        return name in self._names or (label in self._labels and suffix in ("", *HOME_SUFFIXES))
