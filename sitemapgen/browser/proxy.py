"""HTTP proxy on loopback that keeps the browser of a public site from private addresses.

It resolves each host itself, checks every address against the egress policy of the crawl
(``download/egress.py``), and connects to the checked address. If the user has set a proxy, it
forwards requests to that one.
Requests are ``http://`` URLs, one per connection, and CONNECT for TLS and web sockets (RFC 9110
section 9.3.6). They need a password, which ``tab.py`` gives to the browser.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
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
    from sitemapgen.core.proxying import ProxyRequest
    from sitemapgen.download.egress import Egress

CONNECT_TIMEOUT = 20.0
"""Seconds in which a connection to the last address of a host has to be made."""
NEXT_ADDRESS = 3.0
"""Seconds after which the next address of a host is tried."""
REMEMBERED = 60.0
"""Seconds that the addresses of a host are cached, as in Chromium."""
MAX_HOSTS = 1_000
"""Maximum number of hosts whose addresses are cached."""
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


class FilteringProxy:
    """The proxy of one browser, from ``start`` to ``close``."""

    def __init__(
        self,
        egress: Egress,
        upstream: Upstream | None,
        note_refusal: Callable[[str], None],
    ) -> None:
        """``note_refusal`` is called with each host that was refused."""
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
        """The URL at which it listens."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Listen on a free port of 127.0.0.1."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Client(self), "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        """Stop listening, and abort all connections."""
        if self._server is not None:
            self._server.close()
        for transport in list(self.transports):
            if isinstance(transport, asyncio.WriteTransport):
                transport.abort()

    async def connect(self, request: ProxyRequest, protocol: asyncio.Protocol) -> None:
        """Connect ``protocol`` for a request. Raises Unreachable."""
        loop = asyncio.get_running_loop()
        if self.upstream is not None:
            self._check_refusal(request.host, self.egress.refusal_behind_proxy(request.origin))
            host, port = self.upstream.host, self.upstream.port
            connecting = loop.create_connection(lambda: protocol, host, port)
            await _in_time(CONNECT_TIMEOUT, connecting)
            return
        await self.egress.resolve_hosts()
        allowed = await self._allowed_addresses(request.host)
        for left, address in zip(range(len(allowed) - 1, -1, -1), allowed):
            try:
                connecting = loop.create_connection(lambda: protocol, address, request.port)
                await _in_time(NEXT_ADDRESS if left else CONNECT_TIMEOUT, connecting)
            except Unreachable:
                continue
            return
        raise Unreachable(request.host)

    async def _allowed_addresses(self, host: str) -> list[str]:
        """Return the addresses of a host that the policy allows. Raises Unreachable."""
        found = await self._resolve_host(host)
        refusals = {address: self.egress.address_refusal(host, address) for address in found}
        allowed = [address for address in found if not refusals[address]]
        if found and not allowed:
            self._check_refusal(host, refusals[found[0]])
        return allowed

    async def _resolve_host(self, host: str) -> list[str]:
        """Return the addresses of a host in the resolver's order. Raises Unreachable."""
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

    def _check_refusal(self, host: str, refusal: str) -> None:
        if refusal:
            self.note_refusal(host)
            raise Unreachable(refusal)


async def _in_time(seconds: float, connecting: Any) -> None:
    try:
        await asyncio.wait_for(connecting, seconds)
    except (OSError, asyncio.TimeoutError) as error:
        raise Unreachable(str(error)) from error


def upstream_of(proxy: Mapping[str, str] | None) -> Upstream | None:
    """Return the user's proxy, from Playwright's ``proxy`` option."""
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


class Side(asyncio.Protocol):
    """One side of a connection, with flow control for the other."""

    def __init__(self, proxy: FilteringProxy) -> None:
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
            return  # ``_serve_request`` passes it on once the server is connected
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            if len(self._received) > MAX_HEAD:
                self.close()
            return
        head = bytes(self._received[: end + 4])
        del self._received[: end + 4]
        assert self._deadline is not None
        self._deadline.cancel()
        self._task = asyncio.ensure_future(self._serve_request(head))

    def connection_lost(self, error: Exception | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        if self._task is not None:
            self._task.cancel()
        super().connection_lost(error)

    async def _serve_request(self, head: bytes) -> None:
        try:
            request = parse_request(head)
        except Malformed:
            self.close()
            return
        given, wanted = request.authorization, self.proxy.authorization
        if not compare_digest(given.encode(), wanted.encode()):
            self._end_connection(LOGIN)
            return
        upstream = self.proxy.upstream
        greeting = TUNNEL if request.is_tunnel and upstream is None else b""
        server = ServerSide(self.proxy, self, greeting, is_tunnel=request.is_tunnel)
        assert self.transport is not None
        self.transport.pause_reading()
        try:
            await self.proxy.connect(request, server)
        except Unreachable:
            self._end_connection(NO_TUNNEL if request.is_tunnel else b"")
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

    def _end_connection(self, answer: bytes) -> None:
        """Close the connection; an empty answer looks to a page like an unreachable host."""
        self.write(answer)
        self.close()


class ServerSide(Side):
    """The server's side: rewrites the head of its response so that the connection closes."""

    def __init__(
        self, proxy: FilteringProxy, client: Client, greeting: bytes, *, is_tunnel: bool
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
            self._take_head(head)
        if self._is_open or len(self._received) > MAX_HEAD or not _may_be_http(self._received):
            self._is_open = True
            super().data_received(bytes(self._received))
            self._received.clear()

    def _take_head(self, head: bytes) -> None:
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
