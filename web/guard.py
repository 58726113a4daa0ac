"""Who may ask for what: known names of this machine only, not too often, and with the table's PIN where there is one.

Whoever is on the same Wi-Fi can reach the page. The guard keeps off pages from elsewhere that make a visitor's browser
ask for it (a foreign name in the Host header; the token of every command is :mod:`.commands`' part), programs that ask
without end, and guests who are to look and not to touch.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Container
from dataclasses import dataclass, field

from flask import Flask, abort, current_app, request, session
from werkzeug.exceptions import TooManyRequests

from calibration.errors import CompanionError
from companion.storage.secrets import LONGEST_PIN

EXTENSION = "guard"
MEMBER = "member"
"""In the signed session of a browser that has told the PIN."""
MOST_CLIENTS = 256
"""Addresses whose requests are counted; those that were silent longest are forgotten first."""


class PinNeededError(CompanionError, PermissionError):
    """A guest may look, but not touch."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something may be done: so many at once, and so many a second from then on."""

    burst: float
    per_second: float


READS, COMMANDS = Rate(200, 40), Rate(40, 10)
"""Ten open pages that all follow a quick game stay far below."""
PIN_TRIES, ALL_PIN_TRIES = Rate(5, 1 / 12), Rate(20, 1 / 12)
"""Of one address, and of all together: whoever takes many addresses still needs a day and a half for four digits."""
EVERYBODY = ""


class Limiter:
    """Counts what each client does: a bucket of tokens for each, filled at a *rate*. Safe from several threads."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Client -> tokens left, and when that was."""

    def allows(self, client: str) -> bool:
        """Whether *client* may do it once more now; counts it if so."""
        now = self._clock()
        with self._lock:
            left, before = self._left.pop(client, (self._rate.burst, now))
            left = min(self._rate.burst, left + (now - before) * self._rate.per_second)
            allowed = left >= 1
            self._left[client] = (left - allowed, now)
            while len(self._left) > MOST_CLIENTS:
                self._left.popitem(last=False)
        return allowed


@dataclass
class Guard:
    """What one app allows."""

    names: Container[str] = ()
    """By which browsers may call this machine, besides its addresses and ``localhost``, in small letters."""
    pin: str | None = None
    """Without it guests may only look; None when everybody may do everything."""
    reads: Limiter | None = None
    commands: Limiter | None = None
    """How often a client may ask and command; None for as often as it likes."""
    pin_tries: Limiter = field(default_factory=lambda: Limiter(PIN_TRIES))
    all_pin_tries: Limiter = field(default_factory=lambda: Limiter(ALL_PIN_TRIES))

    def knows(self, host: str) -> bool:
        """Whether *host*, as a browser sends it, is a name of this machine.

        An address is always one: only names can be made to point here from elsewhere. A final dot says that the name is
        whole (RFC 1034, section 3.1).
        """
        name = (host[1:].partition("]") if host.startswith("[") else host.partition(":"))[0].lower()
        name = name.removesuffix(".")
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name == "localhost" or name in self.names
        return True

    def is_guest(self) -> bool:
        """Whether the browser that asks may only look."""
        return self.pin is not None and not session.get(MEMBER)

    def admit(self, told: object) -> bool:
        """Makes the browser that asks a member if it has *told* the table's PIN (``{"pin": "2468"}``).

        :raises TooManyRequests: when it has been tried too often.
        """
        pin = told.get("pin") if isinstance(told, dict) else None
        if not isinstance(pin, str) or len(pin) > LONGEST_PIN:
            return False
        if not self.pin_tries.allows(client()) or not self.all_pin_tries.allows(EVERYBODY):
            raise TooManyRequests
        if self.pin is None or not secrets.compare_digest(pin.encode(), self.pin.encode()):
            return False
        session.permanent = True
        session[MEMBER] = True
        return True


def guard(app: Flask, guarding: Guard, key: bytes | None = None) -> None:
    """Has every request to *app* pass the guard. *key* signs who is a member; None is a new one, that knows nobody."""
    app.extensions[EXTENSION] = guarding
    app.config["SESSION_COOKIE_SAMESITE"] = "Strict"
    app.secret_key = _signing(key or secrets.token_bytes(), guarding.pin)

    @app.before_request
    def check() -> None:
        if not guarding.knows(request.host):
            abort(421)
        limiter = guarding.reads if request.method in ("GET", "HEAD") else guarding.commands
        if limiter is not None and not limiter.allows(client()):
            raise TooManyRequests


def _signing(key: bytes, pin: str | None) -> bytes:
    """What signs who is a member: with another PIN, everybody has to tell it anew."""
    return hmac.digest(key, (pin or "").encode(), "sha256")


def guarding() -> Guard:
    """The guard of the current app."""
    found: Guard = current_app.extensions[EXTENSION]
    return found


def client() -> str:
    """Whose request it is."""
    return request.remote_addr or ""
