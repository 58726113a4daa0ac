"""The HTTP server: waitress, within limits by which nobody takes the page from others.

Waitress alone takes a whole request before anybody has looked who sends it, keeps what is idle for two minutes, and
accepts nobody more while a hundred connections are open, whoever holds them. Here an address has so many connections
and no more, a request has to come within seconds, and only who may bring in a file sends a large one.
"""

from __future__ import annotations

import io
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
"""Of one address at once; a browser opens six. Another one takes the place of the one that was silent longest."""
ALL_CONNECTIONS = 256
"""Of all addresses at once."""
REQUEST_S = 10.0
"""From a connection's opening to its first byte, and from the first byte of a request to its last."""
UPLOAD_S = 120.0
"""The same of a file."""
IDLE_S = 60.0
"""Between two requests."""
STALLED_S = 30.0
"""For which a reader may take nothing of what waits to be sent."""
LOOK_S = 1
"""Between two looks for connections whose time is over."""
LARGEST_HEAD = 16 * 1024
"""Bytes of a request before its body, and of what stands between and after the chunks of one. Waitress reads that again
from its beginning as more of it comes, in the loop that serves everybody: a head of 256 KiB, its own limit, takes the
better part of a second. Pages send less than one KiB."""
SMALL_BODY = 64 * 1024
"""Bytes of a request that brings no file; they stay in memory."""
MOST_UPLOADS = 2
"""Files that are taken at once: each lies in the temporary folder until it is read."""
MOST_UNSENT = 1_000_000
"""Bytes that wait to be sent until who makes more of them waits, too; below what waitress would write to a file."""
WATCHDOG = ("watchdog", 0)
"""The address of who asks through a private connection."""

MayUpload = Callable[[Mapping[str, Any]], bool]
"""Says whether a request may bring a file, by its WSGI environment without the body."""


class Server(TcpWSGIServer):
    """Represents waitress, listening at *sock*, with so many *threads* for an *app*.

    *may_upload* is asked, in the server's loop, about each request whose body is larger than SMALL_BODY; nobody may
    send more than *largest_upload* bytes.
    """

    def __init__(
        self, app: Any, sock: socket.socket, *, threads: int, may_upload: MayUpload, largest_upload: int
    ) -> None:
        self.may_upload = may_upload
        self.uploads: set[Parser] = set()
        """Requests that are bringing a file."""
        adjustments = Adjustments(
            threads=threads,
            channel_request_lookahead=1,  # a page that has gone away is noticed at once, and its thread is free
            max_request_header_size=LARGEST_HEAD,
            max_request_body_size=largest_upload + 1,  # the first that is refused
            connection_limit=2 * ALL_CONNECTIONS,  # never reached: there is always room for one more
            asyncore_use_poll=True,  # select() ends the loop at the first file with a number above 1023
            cleanup_interval=LOOK_S,
            outbuf_high_watermark=MOST_UNSENT,
        )
        dispatcher = ThreadedTaskDispatcher()
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
        """A new connection, for which one that has been silent for long may have to go."""
        channel = Channel(server, sock, addr, adj, map=map)
        self._make_room(channel)
        return channel

    def private_connection(self) -> socket.socket:
        """A connection that needs no place among the others, and whose requests are answered before all that wait.

        What is asked through it takes the way of every request: the server's loop, one of its threads, and the app.
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
        for channel in self._channels():
            if channel.is_overdue(now):
                channel.end()

    def _channels(self) -> list[Channel]:
        """All connections, copied at once: threads that answer take out what is closed meanwhile."""
        return list(self.active_channels.values())

    def _make_room(self, newest: Channel) -> None:
        """Ends the connection that was silent longest where *newest* is one too many, of its address or of all; that is
        itself where all others wait for an answer."""
        everybody = [channel for channel in self._channels() if not channel.will_close]
        neighbours = [channel for channel in everybody if channel.addr[0] == newest.addr[0]]
        for those, most in ((neighbours, ADDRESS_CONNECTIONS), (everybody, ALL_CONNECTIONS)):
            if len(those) > most:
                min(those, key=lambda channel: (bool(channel.requests), channel.last_activity)).end()
                return


class Channel(HTTPChannel):
    """Represents one connection."""

    def __init__(self, server: Server, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        super().__init__(server, sock, addr, adj, map=map)
        self._began = self._sent_all = self.creation_time
        """When the request that is being read began, and when nothing was left to be sent."""

    def parser_class(self, adj: Any) -> Parser:
        return Parser(adj, self)

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self._began = time.time()
        return bool(super().received(data))

    def is_overdue(self, now: float) -> bool:
        """Whether its time is over at *now*, in seconds since 1970; to be asked every LOOK_S."""
        if not self.total_outbufs_len:
            self._sent_all = now
        elif now - max(self._sent_all, self.last_activity) > STALLED_S:
            return True
        if self.requests:
            return False
        if self.request is not None:
            return now - self._began > (UPLOAD_S if self.request in self.server.uploads else REQUEST_S)
        is_new = self.last_activity == self.creation_time
        return bool(now - self.last_activity > (REQUEST_S if is_new else IDLE_S))

    def end(self) -> None:
        """Lets the loop close it, also where its reader takes nothing."""
        self.will_close = True
        with suppress(OSError):  # the other end is gone already
            self.socket.shutdown(socket.SHUT_RDWR)

    def handle_close(self) -> None:
        super().handle_close()
        if self.request is not None:
            self.request.close()


class Parser(HTTPRequestParser):
    """Reads one request. What its sender may not send is counted, not kept, and the app says what is wrong with it."""

    path = ""
    """Of a request that cannot be read, too: waitress names it when its sender has gone."""

    def __init__(self, adj: Any, channel: Channel) -> None:
        super().__init__(adj)
        self._channel = channel

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # a length of more digits than Python reads, an address that is none
            raise ParsingError(str(error)) from error
        if self.body_rcv is not None and not self._is_upload():
            self.body_rcv.buf = SmallBody()

    def received(self, data: bytes) -> int:
        consumed = int(super().received(data))
        if self.error is not None and self.body_rcv is not None and self.error.code == 413:
            # More than anybody may send: the app tells so by the length, and nothing more is read.
            self.error = None
            self.headers["CONNECTION"] = "close"
            self.headers["CONTENT_LENGTH"] = str(max(self.content_length, len(self.body_rcv)))
        if isinstance(self.body_rcv, ChunkedReceiver) and _beside_chunks(self.body_rcv) > LARGEST_HEAD:
            self.error = BadRequest("what stands beside the chunks is too long")
            self.completed = True
        return consumed

    def get_body_stream(self) -> Any:
        buffer = None if self.body_rcv is None else self.body_rcv.buf
        is_lost = isinstance(buffer, SmallBody) and len(buffer) > SMALL_BODY
        return Refusing() if is_lost else super().get_body_stream()

    def close(self) -> None:
        self._channel.server.uploads.discard(self)
        super().close()

    def _is_upload(self) -> bool:
        """Whether it may bring a file, of which there is room for one more."""
        server = self._channel.server
        is_small = not self.chunked and self.content_length <= SMALL_BODY
        if is_small or len(server.uploads) >= MOST_UPLOADS:
            return False
        if not server.may_upload(WSGITask(self._channel, self).get_environment()):
            return False
        server.uploads.add(self)
        return True


def _beside_chunks(body: ChunkedReceiver) -> int:
    """Bytes of the line that says how long a chunk is, and of what follows the last one, as far as they have come."""
    return len(body.control_line) + len(body.trailer)


class SmallBody:
    """Represents a body of up to SMALL_BODY bytes; of a larger one only the length is kept."""

    def __init__(self) -> None:
        self._length = 0
        self._kept = io.BytesIO()

    def __len__(self) -> int:
        return self._length

    def append(self, data: bytes) -> None:
        self._length += len(data)
        if self._length <= SMALL_BODY:
            self._kept.write(data)
        else:
            self._kept = io.BytesIO()

    def getfile(self) -> io.BytesIO:
        self._kept.seek(0)
        return self._kept

    def close(self) -> None:
        self._kept.close()


class Refusing(io.RawIOBase):
    """Stands for a body that was not kept. An app that would take one so large learns by reading that it is too much
    at once; others see that from its length."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raise TooManyRequests
