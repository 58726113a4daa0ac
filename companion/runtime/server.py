"""The page's server beside the table's loop: one process, a few threads."""

from __future__ import annotations

import errno
import gc
import socket
import threading
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any

from calibration.errors import CompanionError
from companion.network.hostnames import OwnNames
from companion.network.page_address import NetworkName, is_local_only, reachable_host
from companion.service.watchdog import Watchdog
from companion.text.catalogue import DEFAULT_LANGUAGE
from web.limits import LARGEST_UPLOAD

from .allocator import keep_heaps_small

if TYPE_CHECKING:
    from web.context import PageContext
    from web.server import MayUpload

THREADS = 16
"""Requests at once; every open page holds one for its live stream."""
ANSWER_S = 10.0
"""How long a page may take to answer, on a small computer that reads a picture just then."""


class NotServedError(CompanionError, OSError):
    """Nothing can be served there, as another program listens on the port, say; the message names the cure."""


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens there: one, though a name may stand for several addresses, as ``localhost`` does.

    :raises NotServedError: when that cannot be.
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
            why = "is for root alone", "choose one above 1023 with --port 8080"
        else:
            said = str(error.strerror).partition(" (while ")[
                0
            ]  # what Python adds of the address is said already
            why = f"cannot be served ({said})", "--host names an address of this machine; leave it out"
        raise NotServedError(f"port {port} on {host} {why[0]}: {why[1]}") from error


def check_served(host: str, port: int) -> None:
    """Looks whether the page can be served there now.

    :raises NotServedError: when it cannot.
    """
    _listening(host, port).close()


class AppServer:
    """Represents a web application on the network, from construction until ``close``.

    *name* leads to it from now on; without it, the application has a name for so long as it is there.

    :raises NotServedError: when the port is taken, or the host is not this machine.
    """

    def __init__(
        self,
        app: Any,
        *,
        host: str,
        port: int,
        name: NetworkName | None = None,
        may_upload: MayUpload = lambda environ: False,
    ) -> None:
        """*may_upload* says whether a request may bring a file, by its WSGI environment; none may without it."""
        from web.server import Server

        keep_heaps_small()
        self._server = Server(
            app,
            _listening(host, port),
            threads=THREADS,
            may_upload=may_upload,
            largest_upload=LARGEST_UPLOAD,
        )
        self.port = int(self._server.effective_port)
        self._host = host
        self._own_name = name is None
        self._name = name or NetworkName()
        self._name.point_to(host, self.port)
        self._closing = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Where browsers find it."""
        host = reachable_host(self._host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def answers(self) -> bool:
        """Whether the page is answered now; takes ANSWER_S at most.

        It is asked through a connection of its own, so that nobody who holds the public ones makes it look dead.
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
        # The threads that answer would wait for ever, and keep the game and its eye in memory.
        self._server.task_dispatcher.shutdown()

    def close(self) -> None:
        """Stops listening, and answering on what browsers keep open: whoever comes next at this address is asked anew.

        Closed from its own loop, which otherwise would wait on sockets that are gone.
        """
        if self._own_name:
            self._name.close()
        with self._closing:
            self._is_closed = True
        self._server.trigger.pull_trigger(self._close)
        self._thread.join(timeout=2)
        # Who answers last writes to the trigger's pipe once more. Closed before, its number could be another file's.
        if not self._thread.is_alive() and not self._server.task_dispatcher.threads:
            self._server.trigger.close()

    def _close(self) -> None:
        from waitress.wasyncore import dispatcher

        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        dispatcher.close(self._server)
        self._server.trigger.del_channel()  # the loop ends, for nothing is left that it waits for


@dataclass(frozen=True, slots=True)
class PageSettings:
    """Where a page is served, for whom, and in which language."""

    host: str = "127.0.0.1"
    port: int = 0
    """0 for any that is free."""
    hosts: tuple[str, ...] = ()
    """Further names by which browsers may call this machine."""
    pin: str | None = None
    """Who does not know it may only look, where there is one."""
    key: bytes | None = None
    """Signs what browsers keep; None for a new one, by which no browser is remembered."""
    language: str = DEFAULT_LANGUAGE
    """For readers whose browser asks for no language that there is."""
    name: NetworkName | None = None
    """Leads to the page from other machines; None for a name that ends with the page."""
    watchdog: Watchdog = field(default_factory=Watchdog)
    """Notices when the page hangs."""

    def close(self) -> None:
        """Gives up the name, and tells the service manager that the companion ends."""
        self.watchdog.close()
        if self.name is not None:
            self.name.close()


class PageServer(AppServer):
    """The page about a session and the table."""

    def __init__(self, served: PageContext, page: PageSettings) -> None:
        """Serves what is *served* where *page* says.

        :raises NotServedError: when the port is taken, say.
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
            app, host=page.host, port=page.port, name=page.name, may_upload=partial(may_upload, app)
        )
        _clear_up()

    def close(self) -> None:
        super().close()
        gc.unfreeze()  # what was taken to stay may go with the game

    def _addresses(self) -> list[str]:
        """Where other machines find the page: nowhere while it is open for this one alone."""
        named = self._name.address()
        others = [f"http://{host}:{self.port}" for host in self._hosts]
        return [] if is_local_only(self._host) else [self.address, *([named] if named else []), *others]


def _clear_up() -> None:
    """Collects garbage, and takes it that what is left now stays.

    To look through all of it again takes some ten milliseconds, which would fall into a press now and then.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
