"""The page's server, which runs beside the table's loop in a few threads of the same process."""

from __future__ import annotations

import errno
import gc
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any

from calibration.errors import CompanionError
from companion.network.hostnames import OwnNames
from companion.network.page_address import NetworkName, is_local_only, reachable_host
from companion.service.watchdog import Watchdog
from companion.text.catalogue import DEFAULT_LANGUAGE
from web.limits import MAX_UPLOAD_BYTES

from .allocator import limit_heaps

if TYPE_CHECKING:
    from web.context import PageContext
    from web.server import MayUpload

THREADS = 16
"""Number of requests at once; every open page occupies one for its live stream."""
ANSWER_S = 10.0
"""Seconds that a page may take to answer on a small computer that is reading a picture."""


class NotServedError(CompanionError, OSError):
    """The page cannot be served at that address, for example because the port is taken; the message names the cure."""


def _listening(host: str, port: int) -> socket.socket:
    """Returns a socket that listens there; only one, even if *host* has several addresses, as ``localhost`` does.

    :raises NotServedError: if that is impossible.
    """
    try:
        if host == "::":
            return socket.create_server((host, port), family=socket.AF_INET6, dualstack_ipv6=True)
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, _, _, _, address = min(found, key=lambda one: one[0] != socket.AF_INET)
        return socket.create_server(address[:2], family=family)
    except UnicodeError as error:  # such as 192.168..1
        raise NotServedError(
            f"{host!r} can be no address: --host names an address of this machine; leave it out"
        ) from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            why = "is taken", f"stop the program that uses it, or choose another with --port {port + 1}"
        elif error.errno == errno.EACCES:
            why = "may be used only by root", "choose one above 1023 with --port 8080"
        else:
            # Python appends the address, which the message contains already.
            reason = str(error.strerror).partition(" (while ")[0]
            why = f"cannot be served ({reason})", "--host names an address of this machine; leave it out"
        raise NotServedError(f"port {port} on {host} {why[0]}: {why[1]}") from error


def check_served(host: str, port: int) -> None:
    """Checks that the page can be served there now.

    :raises NotServedError: if it cannot.
    """
    _listening(host, port).close()


class AppServer:
    """Represents a web application on the network, from construction until ``close``.

    *name* points to it from now on; without one, the application announces a name of its own until it is closed.

    :raises NotServedError: if the port is taken, or the host is not this machine.
    """

    def __init__(
        self,
        app: Any,
        *,
        host: str,
        port: int,
        name: NetworkName | None = None,
        may_upload: MayUpload = lambda environ: False,
        wake_waiting: Callable[[], None] = lambda: None,
    ) -> None:
        """*may_upload* says whether a request may bring a file, by its WSGI environment; none may without it.

        *wake_waiting* ends what requests wait for, so that ``close`` does not wait for it, too.
        """
        from web.server import Server

        limit_heaps()
        self._server = Server(
            app,
            _listening(host, port),
            threads=THREADS,
            may_upload=may_upload,
            largest_upload=MAX_UPLOAD_BYTES,
        )
        self.port = int(self._server.effective_port)
        self._host = host
        self._wake_waiting = wake_waiting
        self._own_name = name is None
        self._name = name or NetworkName()
        self._name.point_to(host, self.port)
        self._closing = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Returns the address for browsers."""
        host = reachable_host(self._host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def answers(self) -> bool:
        """Returns whether the page answers now; takes ANSWER_S at most.

        It uses a private connection, so that clients who occupy the public ones cannot make the page look dead.
        """
        with self._closing:
            if self._is_closed:
                return False
            line = self._server.private_connection()
        connection = HTTPConnection("localhost", self.port)
        connection.sock = line
        try:
            line.settimeout(ANSWER_S)
            connection.request("GET", "/")
            return connection.getresponse().status < 500
        except (HTTPException, OSError):
            return False
        finally:
            connection.close()

    def _run(self) -> None:
        self._server.run()
        self._wake_waiting()
        # The threads that answer would wait for ever, and keep the game and its eye in memory.
        self._server.task_dispatcher.shutdown()

    def close(self) -> None:
        """Stops listening, and closes the connections that browsers keep open: the next server gets their requests.

        The server's own loop closes them, as it would otherwise wait on closed sockets.
        """
        if self._own_name:
            self._name.close()
        with self._closing:
            self._is_closed = True
        self._server.trigger.pull_trigger(self._close)
        self._thread.join(timeout=2)
        # The last worker still writes to the trigger's pipe, whose descriptor could belong to another file by then.
        if not self._thread.is_alive() and not self._server.task_dispatcher.threads:
            self._server.trigger.close()

    def _close(self) -> None:
        from waitress.wasyncore import dispatcher

        for channel in self._server.channels():
            channel.handle_close()
        dispatcher.close(self._server)
        self._server.trigger.del_channel()  # the loop ends because it has nothing left to wait for


@dataclass(frozen=True, slots=True)
class PageSettings:
    """Represents where a page is served, for whom, and in which language."""

    host: str = "127.0.0.1"
    port: int = 0
    """0 for any free port."""
    hosts: tuple[str, ...] = ()
    """Further names by which browsers may call this machine."""
    pin: str | None = None
    """Without it guests may only look; None if everybody may play."""
    key: bytes | None = None
    """Signs the cookies; None for a new key, which invalidates earlier cookies."""
    language: str = DEFAULT_LANGUAGE
    """Used if a browser asks for no available language."""
    name: NetworkName | None = None
    """The name of the page for other machines; None for one that ends with the page."""
    watchdog: Watchdog = field(default_factory=Watchdog)
    """Notices if the page hangs."""

    def close(self) -> None:
        """Gives up the name, and reports to the service manager that the companion ends."""
        self.watchdog.close()
        if self.name is not None:
            self.name.close()


class PageServer(AppServer):
    """Represents the server of a game's page."""

    def __init__(self, served: PageContext, page: PageSettings) -> None:
        """Serves *served* with the settings *page*.

        :raises NotServedError: if that is impossible, for example because the port is taken.
        """
        from web.app import create_app
        from web.guard import COMMANDS, READS, Guard, Limiter
        from web.privacy import may_upload
        from web.templating import compile_templates

        served.addresses = self._addresses
        served.page_language = page.language
        guarding = Guard(OwnNames(page.hosts), page.pin, Limiter(READS), Limiter(COMMANDS))
        app = create_app(served, guarding=guarding, key=page.key)
        compile_templates(app)
        self._hosts = page.hosts
        super().__init__(
            app,
            host=page.host,
            port=page.port,
            name=page.name,
            may_upload=partial(may_upload, app),
            wake_waiting=served.session.wake_waiting,
        )
        _freeze_garbage()

    def close(self) -> None:
        super().close()
        gc.unfreeze()  # the frozen objects may be collected with the game

    def _addresses(self) -> list[str]:
        """Returns the page's addresses for other machines; none if it is served to this machine only."""
        named = self._name.address()
        others = [f"http://{host}:{self.port}" for host in self._hosts]
        return [] if is_local_only(self._host) else [self.address, *([named] if named else []), *others]


def _freeze_garbage() -> None:
    """Collects garbage, and exempts the remaining objects from further collections.

    Each would take some ten milliseconds to examine them, and delay a press now and then.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
