"""HTTP proxy on loopback through which the browser of a public site connects, to nothing private.

It resolves each host itself, holds every address against the crawl's policy (``egress.py``), and
connects to the address that it has checked. Behind a proxy of the user's it hands over to that.
Requests are ``http://`` URLs, one a connection, and CONNECT for TLS and web sockets (RFC 9110
section 9.3.6). It answers only who has its password: the browser, which ``tab.py`` gives it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from base64 import b64encode
from hmac import compare_digest
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.core.proxying import (
    MAX_HEAD,
    Malformed,
    closing_response,
    parse_request,
    status_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sitemapgen.core.proxying import ProxyRequest
    from sitemapgen.egress import Egress

logger = logging.getLogger(__name__)

CONNECT_TIMEOUT = 20.0
"""Seconds for the last address of a host; ``NEXT_ADDRESS`` for those before it."""
NEXT_ADDRESS = 3.0
HEAD_TIMEOUT = 30.0
"""Seconds in which the head of a request has to arrive."""
REMEMBERED = 60.0
"""Seconds that the addresses of a host are kept: as long as in Chromium itself."""
MAX_HOSTS = 1_000
"""Hosts whose addresses are kept."""
BUFFER = 1 << 16
"""Bytes that wait for one side before the other is not read any further."""

LOGIN = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\n"
    b'Proxy-Authenticate: Basic realm="sitemapgen"\r\n'
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)
NO_TUNNEL = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
TUNNEL = b"HTTP/1.1 200 OK\r\n\r\n"


class Unreachable(Exception):
    """A host could not, or must not, be connected to."""


class Upstream(NamedTuple):
    """A proxy that the user gave."""

    host: str
    port: int
    authorization: str
    """The value of its Proxy-Authorization header; empty for none."""


class FilteringProxy:
    """The proxy of one browser; ``start`` it, and ``close`` it."""

    def __init__(
        self,
        egress: Egress,
        upstream: Upstream | None,
        note_refusal: Callable[[str], None],
    ) -> None:
        """``note_refusal`` gets each host that was refused."""
        self.egress = egress
        self.upstream = upstream
        self.note_refusal = note_refusal
        self.port = 0
        self.credentials = {"username": "sitemapgen", "password": secrets.token_urlsafe(24)}
        pair = "{username}:{password}".format(**self.credentials)
        self.authorization = f"Basic {b64encode(pair.encode()).decode()}"
        self.transports: set[asyncio.BaseTransport] = set()
        self._server: asyncio.Server | None = None
        self._addresses: dict[str, tuple[float, list[str]]] = {}

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Listen on a free port of 127.0.0.1."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Client(self), "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        """Listen no longer, and drop all connections."""
        if self._server is not None:
            self._server.close()
        for transport in list(self.transports):
            if isinstance(transport, asyncio.WriteTransport):
                transport.abort()

    async def connect(self, request: ProxyRequest, protocol: asyncio.Protocol) -> None:
        """Connect ``protocol`` for a request. Raises Unreachable."""
        loop = asyncio.get_running_loop()
        if self.upstream is not None:
            self._check(request.host, self.egress.refusal_behind_proxy(request.origin))
            host, port = self.upstream.host, self.upstream.port
            connecting = loop.create_connection(lambda: protocol, host, port)
            await _in_time(CONNECT_TIMEOUT, connecting)
            return
        await self.egress.settle()
        allowed = await self._allowed(request.host)
        for left, address in zip(range(len(allowed) - 1, -1, -1), allowed):
            try:
                connecting = loop.create_connection(lambda: protocol, address, request.port)
                await _in_time(NEXT_ADDRESS if left else CONNECT_TIMEOUT, connecting)
            except Unreachable:
                continue
            return
        raise Unreachable(request.host)

    async def _allowed(self, host: str) -> list[str]:
        """The addresses of a host that may be connected to. Raises Unreachable."""
        found = await self._resolve(host)
        refusals = {address: self.egress.refusal(host, address) for address in found}
        allowed = [address for address in found if not refusals[address]]
        if found and not allowed:
            self._check(host, refusals[found[0]])
        return allowed

    async def _resolve(self, host: str) -> list[str]:
        """The addresses of a host, the best first. Raises Unreachable."""
        now = time.monotonic()
        expires, addresses = self._addresses.get(host, (0.0, []))
        if now < expires:
            return addresses
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, None, type=1)
        except (OSError, UnicodeError) as error:
            raise Unreachable(host) from error
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
        if len(self._addresses) >= MAX_HOSTS:
            self._addresses.clear()
        self._addresses[host] = (now + REMEMBERED, addresses)
        return addresses

    def _check(self, host: str, refusal: str) -> None:
        if refusal:
            self.note_refusal(host)
            raise Unreachable(refusal)


async def _in_time(seconds: float, connecting: Any) -> None:
    try:
        await asyncio.wait_for(connecting, seconds)
    except (OSError, asyncio.TimeoutError) as error:
        raise Unreachable(str(error)) from error


class _Side(asyncio.Protocol):
    """One side of a connection, with flow control for the other."""

    def __init__(self, proxy: FilteringProxy) -> None:
        self.proxy = proxy
        self.transport: asyncio.Transport | None = None
        self.other: _Side | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.set_write_buffer_limits(BUFFER)
        self.proxy.transports.add(transport)

    def data_received(self, data: bytes) -> None:
        """Pass on what comes."""
        if self.other is not None:
            self.other.write(data)

    def write(self, data: bytes) -> None:
        if self.transport is not None:
            self.transport.write(data)

    def pause_writing(self) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.resume_reading()

    def eof_received(self) -> bool:
        """Pass on that one side has said all; the other may go on."""
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


class _Client(_Side):
    """The browser's side: the head of one request, and then whatever follows."""

    def __init__(self, proxy: FilteringProxy) -> None:
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
            return  # it waits for the server, and ``_serve`` passes it on
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
        if not compare_digest(request.authorization, self.proxy.authorization):
            self._end(LOGIN)
            return
        upstream = self.proxy.upstream
        greeting = TUNNEL if request.is_tunnel and upstream is None else b""
        server = _Server(self.proxy, self, greeting, is_tunnel=request.is_tunnel)
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
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def _end(self, answer: bytes) -> None:
        """Hang up: without an answer a page sees what it sees of a host that is not there."""
        self.write(answer)
        self.close()


class _Server(_Side):
    """The server's side: the head of its answer is rewritten, so that nothing follows it."""

    def __init__(
        self, proxy: FilteringProxy, client: _Client, greeting: bytes, *, is_tunnel: bool
    ) -> None:
        """``greeting``: what the client gets as soon as the server is there, if anything."""
        super().__init__(proxy)
        self.other: _Client = client
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
        """Pass the head of an answer on: of a tunnel, whether the user's proxy opened it."""
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


def upstream_of(proxy: Mapping[str, str] | None) -> Upstream | None:
    """The user's proxy, from Playwright's terms for it."""
    if not proxy:
        return None
    authority = proxy["server"].partition("://")[2].rstrip("/")
    host, colon, port = authority.rpartition(":")
    if not (colon and port.isdigit()):
        host, port = authority, "80"
    authorization = ""
    if "username" in proxy:
        pair = f"{proxy['username']}:{proxy.get('password', '')}"
        authorization = f"Basic {b64encode(pair.encode()).decode()}"
    return Upstream(host.strip("[]"), int(port), authorization)
