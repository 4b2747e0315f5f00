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
from contextlib import suppress
from hmac import compare_digest
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.core.proxying import (
    MAX_HEAD,
    Malformed,
    ProxyRequest,
    closing_response,
    parse_request,
    status_of,
)

if TYPE_CHECKING:
    from sitemapgen.download.egress import Egress

    Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

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
"""Maximum bytes that are passed on at a time."""

HTTP, HEAD_END = b"HTTP/", b"\r\n\r\n"
"""The first bytes of a response, and the last ones of a head."""

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


ENDS = (
    *(Malformed, Unreachable, OSError, EOFError),
    *(asyncio.LimitOverrunError, asyncio.TimeoutError, asyncio.CancelledError),
)
"""Exceptions that end a connection."""


class FilteringProxy:
    """The proxy of one browser, from ``start`` to ``close``."""

    def __init__(
        self, egress: Egress, upstream: Upstream | None, note_refusal: Callable[[str], None]
    ) -> None:
        """``note_refusal`` is called with each host that was refused."""
        self.egress = egress
        self.upstream = upstream
        self.note_refusal = note_refusal
        self.port = 0
        self.credentials = {"username": "sitemapgen", "password": secrets.token_urlsafe(24)}
        pair = "{username}:{password}".format(**self.credentials)
        self.authorization = f"Basic {b64encode(pair.encode()).decode()}"
        self._connections: set[asyncio.Task[Any]] = set()
        self._server: asyncio.Server | None = None
        self._addresses: dict[str, tuple[float, list[str]]] = {}

    @property
    def url(self) -> str:
        """The URL at which it listens."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Listen on a free port of 127.0.0.1."""
        self._server = await asyncio.start_server(
            self._serve_connection, "127.0.0.1", 0, limit=MAX_HEAD
        )
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        """Stop listening, and abort all connections."""
        if self._server is not None:
            self._server.close()
        for task in list(self._connections):
            task.cancel()

    async def _serve_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve one request of the browser; its end looks to a page like an unreachable host."""
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            await self._serve_request(reader, writer)
        except ENDS:
            pass
        finally:
            self._connections.discard(task)
            writer.close()

    async def _serve_request(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Read the head of a request, and pass on all that follows. Raises what ends it."""
        head = await asyncio.wait_for(reader.readuntil(HEAD_END), HEAD_TIMEOUT)
        request = parse_request(head)
        if not compare_digest(request.authorization.encode(), self.authorization.encode()):
            writer.write(LOGIN)
            return
        try:
            from_server, to_server = await self._connect(request)
        except Unreachable:
            writer.write(NO_TUNNEL if request.is_tunnel else b"")
            return
        try:
            if self.upstream is not None:
                to_server.write(request.for_proxy(self.upstream.authorization))
            elif request.is_tunnel:
                writer.write(TUNNEL)
            else:
                to_server.write(request.for_server())
            returning = self._relay_response(request, from_server, writer)
            await asyncio.gather(_relay(reader, to_server), returning)
        finally:
            to_server.close()

    async def _relay_response(
        self, request: ProxyRequest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Pass on a response, with a head by which the connection closes. Raises Unreachable.

        Of a tunnel, whether the user's proxy opened it, and then all bytes as they are.
        """
        is_raw = request.is_tunnel and self.upstream is None
        head = b"" if is_raw else await _read_head(reader)
        if head.endswith(HEAD_END):
            if request.is_tunnel:
                is_open = status_of(head) == 200
                writer.write(TUNNEL if is_open else NO_TUNNEL)
                if not is_open:
                    raise Unreachable(request.host)
                head = b""
            while 100 <= status_of(head) < 200:
                writer.write(head)
                head = await _read_head(reader)
        is_head = head.endswith(HEAD_END)
        writer.write(closing_response(head) if is_head else head)
        await _relay(reader, writer)

    async def _connect(self, request: ProxyRequest) -> Streams:
        """Connect to the server of a request, or to the user's proxy. Raises Unreachable."""
        if self.upstream is not None:
            self._check_refusal(request.host, self.egress.refusal_behind_proxy(request.origin))
            return await _open_connection(self.upstream.host, self.upstream.port, CONNECT_TIMEOUT)
        await self.egress.resolve_hosts()
        allowed = await self._allowed_addresses(request.host)
        for left, address in zip(range(len(allowed) - 1, -1, -1), allowed):
            seconds = NEXT_ADDRESS if left else CONNECT_TIMEOUT
            with suppress(Unreachable):
                return await _open_connection(address, request.port, seconds)
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


async def _open_connection(host: str, port: int, seconds: float) -> Streams:
    try:
        opening = asyncio.open_connection(host, port, limit=MAX_HEAD)
        return await asyncio.wait_for(opening, seconds)
    except (OSError, asyncio.TimeoutError) as error:
        raise Unreachable(str(error)) from error


async def _read_head(reader: asyncio.StreamReader) -> bytes:
    """Return the head of a response; of what is no HTTP, is cut short or has no end, its start."""
    read = b""
    with suppress(asyncio.LimitOverrunError):
        try:
            read = await reader.readexactly(len(HTTP))
            if read == HTTP:
                read += await reader.readuntil(HEAD_END)
        except asyncio.IncompleteReadError as error:
            read += error.partial
    return read


async def _relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass bytes on to their end; the other side may continue to send."""
    while data := await reader.read(BUFFER):
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()
