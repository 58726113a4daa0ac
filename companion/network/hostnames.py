"""By which names browsers may call this machine, besides its addresses.

A page from elsewhere can let a name of its own lead to an address of this network (DNS rebinding), and a browser then
takes the companion for a part of that page. So only names are answered that nobody elsewhere can own: what this machine
calls itself, alone or with an ending that is used in homes and that no registry on the internet gives out; and names
that the owner has listed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from calibration.errors import CompanionError

from .page_address import local_names

HOME_ENDINGS = (
    "local",  # RFC 6762
    "home.arpa",  # RFC 8375
    *("intranet", "internal", "private", "corp", "home", "lan"),  # RFC 6762, appendix G
    *("localdomain", "fritz.box"),  # what routers use besides; fritz.box belongs to their maker
)
"""What routers put behind the name that a machine tells them."""
_NAME = re.compile(
    r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*"
)
"""RFC 1123, section 2.1, with the underscore that some networks allow."""


class HostNameError(CompanionError, ValueError):
    """What cannot be a machine's name; the message says what is one."""


def host_name(text: str) -> str:
    """*text* as browsers send it: in small letters, without a final dot, and international letters encoded.

    :raises HostNameError: when it is no name.
    """
    try:
        name = text.strip().lower().removesuffix(".").encode("idna").decode()
    except UnicodeError:
        name = ""
    if not _NAME.fullmatch(name):
        raise HostNameError(
            f"{text!r} is no machine's name: give what stands between http:// and the port, as in pi.tail1234.ts.net"
        )
    return name


class OwnNames(Container[str]):
    """Represents this machine's names in the local network, with any of HOME_ENDINGS or none, and *others*."""

    def __init__(self, others: Iterable[str] = ()) -> None:
        known = local_names()
        self._names = known | set(others)
        self._labels = {name.partition(".")[0] for name in known}

    def __contains__(self, name: object) -> bool:
        """Whether *name*, in small letters and without a final dot, is one of them."""
        label, _, ending = str(name).partition(".")
        return name in self._names or (label in self._labels and ending in ("", *HOME_ENDINGS))
