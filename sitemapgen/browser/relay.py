"""Protocols for the two sides of a connection through ``proxy.py``: browser and server."""

from __future__ import annotations

import asyncio
from hmac import compare_digest
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sitemapgen.core.proxying import (
    MAX_HEAD,
    Malformed,
    closing_response,
    parse_request,
    status_of,
)

if TYPE_CHECKING:
    from sitemapgen.core.proxying import ProxyRequest

HEAD_TIMEOUT = 30.0
"""Seconds in which the head of a request has to arrive."""
BUFFER = 1 << 16
"""Bytes waiting to be written to one side at which reading from the other side pauses."""

LOGIN = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\n"
    b'Proxy-Authenticate: Basic realm="sitemapgen"\r\n'
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)
NO_TUNNEL = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
TUNNEL = b"HTTP/1.1 200 OK\r\n\r\n"


class Unreachable(Exception):
    """A connection to a host failed or is not allowed."""


class Upstream(NamedTuple):
    """A proxy that the user has set."""

    host: str
    port: int
    authorization: str
    """The value of the Proxy-Authorization header to send to it; empty for none."""


class Connector(Protocol):
    """The proxy, as far as its connections use it: ``FilteringProxy``."""

    authorization: str
    """The Proxy-Authorization header that the browser has to send."""
    upstream: Upstream | None
    transports: set[asyncio.BaseTransport]
    """All open connections."""

    async def connect(self, request: ProxyRequest, protocol: asyncio.Protocol) -> None:
        """Connect ``protocol`` for a request. Raises Unreachable."""


class Side(asyncio.Protocol):
    """One side of a connection, with flow control for the other."""

    def __init__(self, proxy: Connector) -> None:
        self.proxy = proxy
        self.transport: asyncio.Transport | None = None
        self.other: Side | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.set_write_buffer_limits(BUFFER)
        self.proxy.transports.add(transport)

    def data_received(self, data: bytes) -> None:
        """Pass data on to the other side."""
        if self.other is not None:
            self.other.write(data)

    def write(self, data: bytes) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def pause_writing(self) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.resume_reading()

    def eof_received(self) -> bool:
        """Pass on that one side has finished sending; the other side may continue."""
        if self.other is None or self.other.transport is None:
            return False
        if self.other.transport.can_write_eof():
            self.other.transport.write_eof()
        return True

    def connection_lost(self, error: Exception | None) -> None:
        if self.transport is not None:
            self.proxy.transports.discard(self.transport)
        if self.other is not None:
            self.other.close()

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()


class Client(Side):
    """The browser's side: reads the head of one request, and passes on all that follows."""

    def __init__(self, proxy: Connector) -> None:
        super().__init__(proxy)
        self._received = bytearray()
        self._task: asyncio.Task[None] | None = None
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._deadline = asyncio.get_running_loop().call_later(HEAD_TIMEOUT, self.close)

    def data_received(self, data: bytes) -> None:
        if self.other is not None:
            super().data_received(data)
            return
        self._received += data
        if self._task is not None:
            return  # ``_serve`` passes it on once the server is connected
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            if len(self._received) > MAX_HEAD:
                self.close()
            return
        head = bytes(self._received[: end + 4])
        del self._received[: end + 4]
        assert self._deadline is not None
        self._deadline.cancel()
        self._task = asyncio.ensure_future(self._serve(head))

    def connection_lost(self, error: Exception | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        if self._task is not None:
            self._task.cancel()
        super().connection_lost(error)

    async def _serve(self, head: bytes) -> None:
        try:
            request = parse_request(head)
        except Malformed:
            self.close()
            return
        given, wanted = request.authorization, self.proxy.authorization
        if not compare_digest(given.encode(), wanted.encode()):
            self._end(LOGIN)
            return
        upstream = self.proxy.upstream
        greeting = TUNNEL if request.is_tunnel and upstream is None else b""
        server = ServerSide(self.proxy, self, greeting, is_tunnel=request.is_tunnel)
        assert self.transport is not None
        self.transport.pause_reading()
        try:
            await self.proxy.connect(request, server)
        except Unreachable:
            self._end(NO_TUNNEL if request.is_tunnel else b"")
            return
        if upstream is not None:
            server.write(request.for_proxy(upstream.authorization))
        elif not request.is_tunnel:
            server.write(request.for_server())
        server.write(bytes(self._received))
        self._received.clear()
        self.other = server
        if self.transport.is_closing():
            server.close()
        else:
            self.transport.resume_reading()

    def _end(self, answer: bytes) -> None:
        """Close the connection; an empty answer looks to a page like an unreachable host."""
        self.write(answer)
        self.close()


class ServerSide(Side):
    """The server's side: rewrites the head of its response so that the connection closes."""

    def __init__(
        self, proxy: Connector, client: Client, greeting: bytes, *, is_tunnel: bool
    ) -> None:
        """``greeting``: bytes sent to the client as soon as the server is connected, if any."""
        super().__init__(proxy)
        self.other: Client = client
        self._greeting = greeting
        self._is_tunnel = is_tunnel
        self._is_open = bool(greeting)  # bytes are passed on as they are
        self._received = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.other.write(self._greeting)

    def data_received(self, data: bytes) -> None:
        if self._is_open:
            super().data_received(data)
            return
        self._received += data
        while not self._is_open and (end := self._received.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._received[: end + 4])
            del self._received[: end + 4]
            self._take(head)
        if self._is_open or len(self._received) > MAX_HEAD or not _may_be_http(self._received):
            self._is_open = True
            super().data_received(bytes(self._received))
            self._received.clear()

    def _take(self, head: bytes) -> None:
        """Pass on the head of a response; of a tunnel, whether the user's proxy opened it."""
        status = status_of(head)
        if self._is_tunnel:
            self._is_open = True
            self.other.write(TUNNEL if status == 200 else NO_TUNNEL)
            if status != 200:
                self._received.clear()
                self.close()
        elif 100 <= status < 200:
            self.other.write(head)
        else:
            self._is_open = True
            self.other.write(closing_response(head))

    def eof_received(self) -> bool:
        if not self._is_open:
            super().data_received(bytes(self._received))
        return super().eof_received()


def _may_be_http(data: bytearray) -> bool:
    return data.startswith(b"HTTP/"[: len(data)])
