"""The page's server beside the table's loop: one process, a few threads."""

from __future__ import annotations

import errno
import gc
import socket
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any

from companion.archive import Archive
from companion.doctor.health import Health
from companion.network.hostnames import OwnNames
from companion.network.page_address import NetworkName, is_local_only, reachable_host
from companion.privacy.picture_retention import PictureRetention
from companion.session import TableSession
from companion.session.evidence_pictures import EvidencePictures
from companion.storage.notices import StorageNotices
from companion.text.catalogue import DEFAULT_LANGUAGE

from .allocator import keep_heaps_small
from .table_loop import TableLoop

if TYPE_CHECKING:
    import numpy as np

    from vision.sighting import Sighting
    from web.server import MayUpload

    from .game_runner import NextGame

THREADS = 16
"""Requests at once; every open page holds one for its live stream."""
LARGEST_REQUEST = 16_000_000
"""Bytes: a file of some four hundred games, which only who may bring one in may send."""
ANSWER_S = 10.0
"""How long a page may take to answer, on a small computer that reads a picture just then."""


class NotServedError(OSError):
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


class LastFrame:
    """Keeps the frame that was read last, as the small JPEG that the page shows."""

    def __init__(self) -> None:
        self._latest: tuple[np.ndarray, Sighting] | None = None
        self._drawn: bytes | None = None
        self._lock = threading.Lock()
        """For the two together: what was drawn is of the latest frame."""
        # OpenCV 5 unpacks its fonts anew, 6 MB, in every thread that writes a word (cv::FontFace): so one writes.
        self._draughtsman = ThreadPoolExecutor(1, thread_name_prefix="pictures")

    def note(self, frame: np.ndarray, sighting: Sighting) -> None:
        """Remembers a frame; it is only encoded when somebody looks."""
        with self._lock:
            self._latest, self._drawn = (frame, sighting), None

    def forget(self) -> None:
        """Lets go of the frame."""
        with self._lock:
            self._latest = self._drawn = None

    @property
    def frame(self) -> np.ndarray | None:
        """The frame, (H, W, 3) uint8 BGR; None before the first one."""
        return None if (latest := self._latest) is None else latest[0]

    def jpeg(self) -> bytes | None:
        """The frame with the dice that were read marked, None before the first one."""
        return self._draughtsman.submit(self._draw).result()

    def _draw(self) -> bytes | None:
        from vision.marks import marked_jpeg

        with self._lock:
            latest, drawn = self._latest, self._drawn
        if latest is None or drawn is not None:
            return drawn
        drawn = marked_jpeg(*latest)
        with self._lock:
            if self._latest is latest:  # no other one was read meanwhile, and it was not forgotten
                self._drawn = drawn
        return drawn

    def crop(self, box: tuple[int, int, int, int]) -> bytes | None:
        """A die in the frame, large and framed: *box* is x, y, width, height in px; None before the first frame."""
        from vision.marks import crop_jpeg

        return None if (latest := self._latest) is None else crop_jpeg(latest[0], box, framed=True)


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
            largest_upload=LARGEST_REQUEST,
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


class PageServer(AppServer):
    """The page about a session and the table."""

    def __init__(
        self,
        session: TableSession,
        table: TableLoop | None,
        last_frame: LastFrame | None,
        *,
        host: str,
        port: int,
        press: Callable[[str, float | None], None] | None = None,
        evidence_pictures: EvidencePictures | None = None,
        games: Archive | None = None,
        next_game: Callable[[NextGame], None] | None = None,
        pin: str | None = None,
        key: bytes | None = None,
        language: str = DEFAULT_LANGUAGE,
        storage_notices: StorageNotices | None = None,
        pictures: PictureRetention | None = None,
        health: Health | None = None,
        name: NetworkName | None = None,
        hosts: Collection[str] = (),
    ) -> None:
        """*press* presses the buttons of a simulated panel; without it the page shows no panel. Without the *pin*,
        where there is one, guests may only look; *key* signs what their browsers keep. *language* is for readers whose
        browser asks for none that there is. *storage_notices* tells how the game is kept, *pictures* are those that
        are, *health* whether all is well. *hosts* are further names by which browsers may call this machine."""
        from web.app import create_app
        from web.guard import COMMANDS, READS, Guard, Limiter
        from web.privacy import may_upload
        from web.templating import compile_templates

        app = create_app(
            session,
            camera=lambda: None if table is None else table.status(time.monotonic()),
            frame=None if last_frame is None else last_frame.jpeg,
            crop=None if last_frame is None else last_frame.crop,
            panel=press,
            buttons=() if table is None else tuple(table.panel.buttons),
            buzzer=None if table is None else table.panel,
            evidence_pictures=evidence_pictures,
            games=games,
            addresses=self._addresses,
            next_game=next_game,
            guarding=Guard(OwnNames(hosts), pin, Limiter(READS), Limiter(COMMANDS)),
            key=key,
            light=None if table is None else lambda: table.panel.light,
            page_language=language,
            storage_notices=storage_notices,
            pictures=pictures,
            power=None if table is None else table.power,
            health=health,
        )
        compile_templates(app)
        self._hosts = hosts
        super().__init__(app, host=host, port=port, name=name, may_upload=partial(may_upload, app))
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
