"""The HTTP server: waitress with limits, so that no client can block the page for others.

Waitress alone receives a whole request before the app can check its sender, keeps idle connections for two minutes, and
accepts nobody while a hundred connections are open, even if one address holds them all. Here the number of connections
per address is limited, a request must arrive within seconds, and only clients that may upload a file can send a large
one.
"""

from __future__ import annotations

import io
import logging
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import ChunkedReceiver
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask
from waitress.utilities import BadRequest
from werkzeug.exceptions import TooManyRequests

ADDRESS_CONNECTIONS = 32
"""Connections of one address at once; a browser opens six. One more replaces the longest idle one."""
ALL_CONNECTIONS = 256
"""Connections of all addresses at once."""
REQUEST_S = 10.0
"""Time from opening a connection to its first byte, and from the first byte of a request to its last."""
UPLOAD_S = 120.0
"""The same for an upload."""
IDLE_S = 60.0
"""Time between two requests."""
STALLED_S = 30.0
"""Time for which a client may receive nothing although data is waiting for it."""
CLEANUP_S = 1
"""Interval of the checks for overdue connections."""
MAX_HEAD_BYTES = 16 * 1024
"""Limit for the part of a request before its body, and for the text between and after the chunks of a body. Waitress
parses that again from the beginning whenever more of it arrives, in the loop that serves everybody: a head of 256 KiB,
its own limit, takes almost a second. Pages send less than one KiB."""
SMALL_BODY_BYTES = 64 * 1024
"""Limit for the body of a request that is no upload; it stays in memory."""
MAX_UPLOADS = 2
"""Uploads at once: each is stored in the temporary folder until it is read."""
MAX_UNSENT_BYTES = 1_000_000
"""Unsent output from which on the app waits before it produces more; less than waitress would write to a file."""
WATCHDOG = ("watchdog", 0)
"""The address of a private connection."""

MayUpload = Callable[[Mapping[str, Any]], bool]
"""Returns whether a request may upload a file, given its WSGI environment without the body."""

_QUIET = logging.getLogger(f"{__name__}.queue")
_QUIET.setLevel(logging.ERROR)  # a request that waits for a thread is no news: under load there are thousands


class Server(TcpWSGIServer):  # type: ignore[misc]  # waitress has no type hints
    """Represents waitress, listening at *sock*, with a number of *threads* for *app*.

    *may_upload* is called, in the server's loop, for each request whose body is larger than SMALL_BODY_BYTES; no body
    may be larger than *largest_upload* bytes.
    """

    def __init__(
        self, app: Any, sock: socket.socket, *, threads: int, may_upload: MayUpload, largest_upload: int
    ) -> None:
        self.may_upload = may_upload
        self.uploads: set[Parser] = set()
        """Requests that are uploading a file."""
        adjustments = Adjustments(
            threads=threads,
            channel_request_lookahead=1,  # a closed page is noticed at once, which frees its thread
            max_request_header_size=MAX_HEAD_BYTES,
            max_request_body_size=largest_upload + 1,  # the first rejected size
            connection_limit=2 * ALL_CONNECTIONS,  # never reached: _make_room closes others first
            asyncore_use_poll=True,  # select() ends the loop at the first file with a number above 1023
            cleanup_interval=CLEANUP_S,
            outbuf_high_watermark=MAX_UNSENT_BYTES,
        )
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.queue_logger = _QUIET
        dispatcher.set_thread_count(threads)
        super().__init__(
            app,
            _sock=sock,
            dispatcher=dispatcher,
            adj=adjustments,
            sockinfo=(sock.family, sock.type, sock.proto, sock.getsockname()),
            bind_socket=False,
        )

    def channel_class(self, server: Server, sock: Any, addr: Any, adj: Any, map: Any) -> Channel:
        """Opens a connection, for which an idle one may have to be closed."""
        channel = Channel(server, sock, addr, adj, map=map)
        self._make_room(channel)
        return channel

    def private_connection(self) -> socket.socket:
        """Returns a connection that does not count towards the limits; its requests are answered before all others.

        They take the path of every request: the server's loop, one of its threads, and the app.
        """
        ours, its = socket.socketpair()
        self.trigger.pull_trigger(lambda: Channel(self, its, WATCHDOG, self.adj, map=self._map))
        return ours

    def add_task(self, task: Channel) -> None:
        if task.addr is not WATCHDOG:
            super().add_task(task)
            return
        with self.task_dispatcher.lock:
            self.task_dispatcher.queue.appendleft(task)
            self.task_dispatcher.queue_cv.notify()

    def maintenance(self, now: float) -> None:
        for channel in self.channels():
            if channel.is_overdue(now):
                channel.end()

    def channels(self) -> list[Channel]:
        """Returns a copy of all connections, because other threads remove closed ones."""
        return list(self.active_channels.values())

    def _make_room(self, newest: Channel) -> None:
        """Closes the longest idle connection if *newest* exceeds a limit of its address or of all.

        That is *newest* itself if all others wait for an answer.
        """
        everybody = [channel for channel in self.channels() if not channel.will_close]
        neighbours = [channel for channel in everybody if channel.addr[0] == newest.addr[0]]
        for connections, limit in ((neighbours, ADDRESS_CONNECTIONS), (everybody, ALL_CONNECTIONS)):
            if len(connections) > limit:
                min(connections, key=lambda channel: (bool(channel.requests), channel.last_activity)).end()
                return


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no type hints
    """Represents one connection."""

    def __init__(self, server: Server, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        super().__init__(server, sock, addr, adj, map=map)
        self._began = self._sent_all = self.creation_time
        """When the current request began, and when all output was sent."""

    def parser_class(self, adj: Any) -> Parser:
        return Parser(adj, self)

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self._began = time.time()
        return bool(super().received(data))

    def is_overdue(self, now: float) -> bool:
        """Whether a time limit is over at *now*, in seconds since 1970; to be called every CLEANUP_S."""
        if not self.total_outbufs_len:
            self._sent_all = now
        elif now - max(self._sent_all, self.last_activity) > STALLED_S:
            return True
        if self.requests:
            return False
        if self.request is not None:
            return bool(now - self._began > (UPLOAD_S if self.request in self.server.uploads else REQUEST_S))
        is_new = self.last_activity == self.creation_time
        return bool(now - self.last_activity > (REQUEST_S if is_new else IDLE_S))

    def end(self) -> None:
        """Makes the loop close it, even if its client receives nothing."""
        self.will_close = True
        with suppress(OSError):  # the client has already disconnected
            self.socket.shutdown(socket.SHUT_RDWR)

    def handle_close(self) -> None:
        super().handle_close()
        if self.request is not None:
            self.request.close()


class Parser(HTTPRequestParser):  # type: ignore[misc]  # waitress has no type hints
    """Parses one request. A body that is too large is counted but not stored, and the app answers with the error."""

    error: Any
    path = ""
    """Also set for an invalid request, because waitress logs it when the client disconnects."""

    def __init__(self, adj: Any, channel: Channel) -> None:
        super().__init__(adj)
        self._channel = channel

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # a length with too many digits for Python, an invalid address
            raise ParsingError(str(error)) from error
        if self.body_rcv is not None and not self._is_upload():
            self.body_rcv.buf = SmallBody()

    def received(self, data: bytes) -> int:
        consumed = int(super().received(data))
        if self.error is not None and self.body_rcv is not None and self.error.code == 413:
            # More than any client may send: the app rejects it by its length, and nothing more is read.
            self.error = None
            self.headers["CONNECTION"] = "close"
            self.headers["CONTENT_LENGTH"] = str(max(self.content_length, len(self.body_rcv)))
        if (
            isinstance(self.body_rcv, ChunkedReceiver)
            and _bytes_beside_chunks(self.body_rcv) > MAX_HEAD_BYTES
        ):
            self.error = BadRequest("the text between the chunks is too long")
            self.completed = True
        return consumed

    def get_body_stream(self) -> Any:
        buffer = None if self.body_rcv is None else self.body_rcv.buf
        is_lost = isinstance(buffer, SmallBody) and len(buffer) > SMALL_BODY_BYTES
        return Refusing() if is_lost else super().get_body_stream()

    def close(self) -> None:
        self._channel.server.uploads.discard(self)
        super().close()

    def _is_upload(self) -> bool:
        """Whether the request may upload a file and the number of uploads allows it."""
        server = self._channel.server
        is_small = not self.chunked and self.content_length <= SMALL_BODY_BYTES
        if is_small or len(server.uploads) >= MAX_UPLOADS:
            return False
        if not server.may_upload(WSGITask(self._channel, self).get_environment()):
            return False
        server.uploads.add(self)
        return True


def _bytes_beside_chunks(body: ChunkedReceiver) -> int:
    """Returns the bytes received so far of the line with a chunk's length and of the trailer."""
    return len(body.control_line) + len(body.trailer)


class SmallBody:
    """Represents a body of up to SMALL_BODY_BYTES; of a larger one only the length is stored."""

    def __init__(self) -> None:
        self._length = 0
        self._content = io.BytesIO()

    def __len__(self) -> int:
        return self._length

    def append(self, data: bytes) -> None:
        self._length += len(data)
        if self._length <= SMALL_BODY_BYTES:
            self._content.write(data)
        else:
            self._content = io.BytesIO()

    def getfile(self) -> io.BytesIO:
        self._content.seek(0)
        return self._content

    def close(self) -> None:
        self._content.close()


class Refusing(io.RawIOBase):
    """Represents a body that was not stored. Reading it raises TooManyRequests; apps that check the length first reject
    it by that."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raise TooManyRequests
