"""Access control: known host names, rate limits, and the table's PIN if there is one.

Everybody on the same Wi-Fi can reach the page. The guard rejects requests that other sites make through a visitor's
browser (DNS rebinding shows as a foreign name in the Host header; :mod:`.commands` checks the token of every command),
programs that send requests without end, and commands of guests, who may only look.
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

from companion.storage.secrets import LONGEST_PIN

EXTENSION = "guard"
MEMBER = "member"
"""Key in the signed session of a browser that has entered the PIN."""
MAX_CLIENTS = 256
"""Addresses whose requests are counted; the longest idle ones are dropped first."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate limit: *burst* requests at once, then *per_second*."""

    burst: float
    per_second: float


READS, COMMANDS = Rate(200, 40), Rate(40, 10)
"""Ten open pages that all follow a quick game stay far below these limits."""
GUESSES, ALL_GUESSES = Rate(5, 1 / 12), Rate(20, 1 / 12)
"""For one address and for all together: even with many addresses, trying all four digits takes a day and a half."""
EVERYBODY = ""


class Limiter:
    """Limits each client to *rate* with a token bucket. Thread-safe."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Client -> remaining tokens, and at what time."""

    def allows(self, client: str) -> bool:
        """Whether *client* may send another request now; counts it if so."""
        now = self._clock()
        with self._lock:
            tokens, before = self._buckets.pop(client, (self._rate.burst, now))
            tokens = min(self._rate.burst, tokens + (now - before) * self._rate.per_second)
            allowed = tokens >= 1
            self._buckets[client] = (tokens - allowed, now)
            while len(self._buckets) > MAX_CLIENTS:
                self._buckets.popitem(last=False)
        return allowed


@dataclass
class Guard:
    """The access rules of one app."""

    names: Container[str] = ()
    """Host names of this machine in lower case, besides its IP addresses and ``localhost``."""
    pin: str | None = None
    """Needed to do more than look; None if everybody may do everything."""
    reads: Limiter | None = None
    commands: Limiter | None = None
    """Limits of each client's requests and commands; None for no limit."""
    guesses: Limiter = field(default_factory=lambda: Limiter(GUESSES))
    all_guesses: Limiter = field(default_factory=lambda: Limiter(ALL_GUESSES))

    def knows(self, host: str) -> bool:
        """Whether *host*, as a browser sends it, is a name of this machine.

        IP addresses always are: only names can be made to point here by another site. A final dot marks a fully
        qualified name (RFC 1034, section 3.1).
        """
        name = (host[1:].partition("]") if host.startswith("[") else host.partition(":"))[0].lower()
        name = name.removesuffix(".")
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name == "localhost" or name in self.names
        return True

    def is_guest(self) -> bool:
        """Whether the requesting browser may only look."""
        return self.pin is not None and not session.get(MEMBER)

    def admit(self, credentials: object) -> bool:
        """Makes the requesting browser a member if its *credentials* hold the table's PIN (``{"pin": "2468"}``).

        :raises TooManyRequests: after too many attempts.
        """
        pin = credentials.get("pin") if isinstance(credentials, dict) else None
        if not isinstance(pin, str) or len(pin) > LONGEST_PIN:
            return False
        self.count_guess()
        if self.pin is None or not secrets.compare_digest(pin.encode(), self.pin.encode()):
            return False
        session.permanent = True
        session[MEMBER] = True
        return True

    def count_guess(self) -> None:
        """Counts a guess of the PIN, or of the code for a page of a player's own.

        :raises TooManyRequests: after too many.
        """
        if not self.guesses.allows(client()) or not self.all_guesses.allows(EVERYBODY):
            raise TooManyRequests


def init_guard(app: Flask, guard: Guard, key: bytes | None = None) -> None:
    """Makes *guard* check every request to *app*. *key* signs the session cookies; None is a new key."""
    app.extensions[EXTENSION] = guard
    app.config["SESSION_COOKIE_SAMESITE"] = "Strict"
    app.secret_key = _signing_key(key or secrets.token_bytes(), guard.pin)

    @app.before_request
    def check() -> None:
        if not guard.knows(request.host):
            abort(421)
        limiter = guard.reads if request.method in ("GET", "HEAD") else guard.commands
        if limiter is not None and not limiter.allows(client()):
            raise TooManyRequests


def _signing_key(key: bytes, pin: str | None) -> bytes:
    """Returns the key that signs session cookies; it depends on the PIN, so that a new PIN must be entered again."""
    return hmac.digest(key, (pin or "").encode(), "sha256")


def current_guard() -> Guard:
    """Returns the guard of the current app."""
    guard: Guard = current_app.extensions[EXTENSION]
    return guard


def client() -> str:
    """Returns the address that the current request comes from."""
    return request.remote_addr or ""
