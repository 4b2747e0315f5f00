"""Access control of the dashboard and of ``sitemapgen serve``, and how both send files.

Host, token and Origin of each request are checked. Each route below the token is one of the server
that opens the gate. Any program on the machine may connect, to a limited number of places: a
connection without the token is closed after a while, or as soon as another client needs its place.
"""

from __future__ import annotations

import asyncio
import errno
import hmac
import logging
import os
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from aiohttp import web
from aiohttp.http import HttpProcessingError
from aiohttp.web_protocol import RequestHandler

from sitemapgen.report.templates import source_hash

logger = logging.getLogger(__name__)

STOP_TIMEOUT = 1.0
"""Seconds in which requests can end when the gate closes."""
MAX_BODY = 1 << 16
"""Maximum bytes of the body of a request."""
CHUNK = 1 << 18
"""Bytes of a file that are read at once."""
WRITE_DEADLINE = 30.0
"""Seconds in which a client has to read the data sent to it."""
PATIENCE = 0.5
"""Seconds for which a new connection waits for a place, while others may present the token."""
DEADLINE = 10.0
"""Seconds after which a connection without the token is closed in any case."""
MAX_WAITING = 200
"""Maximum number of connections that wait for a place, to save file descriptors for the crawl."""
FULL = (
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 5\r\n"
    "Connection: close\r\n\r\n{}\n"
)
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
SANDBOX = (
    "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads; "
    "connect-src 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The policy of pages made from a site: an origin of their own, so that they cannot read ours."""
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Server": "sitemapgen",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
DEFAULTS = {
    "Content-Security-Policy": NOTHING,
    "Referrer-Policy": "no-referrer",  # the address holds the token
}
"""Headers of responses that have no other value for them."""


class Gate:
    """Serves routes below ``/{token}/`` to those who have the token, at this machine's name."""

    def __init__(self, name: str, where: str, max_clients: int, full: str) -> None:
        """``name``: of the server, for refusals; ``where`` has its address; ``full``: the 503."""
        self.name = name
        self.where = where
        self.max_clients = max_clients
        self.full = full
        self._token = secrets.token_urlsafe(24)
        self._hosts: set[str] = set()
        self._runner: web.AppRunner | None = None
        self._server: asyncio.Server | None = None

    async def open(self, routes: Sequence[web.RouteDef], host: str, ports: Iterable[int]) -> str:
        """Listen on the first of the ports that is free; return the URL for a browser.

        Raises OSError if the host is not an address of this machine, or if no port is free.
        """
        self._hosts = {*LOOPBACK, f"[{host}]" if ":" in host else host.lower()}
        logger.addFilter(_is_ours)
        app = web.Application(middlewares=[self._guard_request], client_max_size=MAX_BODY)
        app.add_routes(routes)
        app.on_response_prepare.append(_add_headers)
        self._runner = web.AppRunner(
            app,
            access_log=None,
            auto_decompress=False,
            handler_cancellation=True,
            shutdown_timeout=STOP_TIMEOUT,
            logger=logger,
        )
        await self._runner.setup()
        self._server = await self._listen_on(self._runner, host, ports)
        port = self._server.sockets[0].getsockname()[1]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/{self._token}/"

    async def _listen_on(
        self, runner: web.AppRunner, host: str, ports: Iterable[int]
    ) -> asyncio.Server:
        assert runner.server is not None
        self._guests = Guests(runner.server, self.max_clients, self.full)
        door = partial(Door, self._guests)
        busy = OSError(errno.EADDRINUSE, "no port is free")
        for port in ports:
            try:
                return await asyncio.get_running_loop().create_server(door, host, port)
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
                busy = error
        raise busy

    async def close(self) -> None:
        """Close all connections, and accept no further ones."""
        if self._server is not None:
            self._server.close()
        if self._runner is None:
            return
        for connection in list(self._runner.server.connections if self._runner.server else ()):
            if connection.transport is not None:
                connection.transport.abort()
        await self._runner.cleanup()

    @web.middleware
    async def _guard_request(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Refuse requests with another Host (DNS rebinding) or origin, or without the token."""
        if not request.path.startswith("/"):  # CONNECT, OPTIONS *
            return refusal_response(400, "This is no proxy.")
        host = request.headers.get("Host", "")
        if re.sub(r":\d+$", "", host).lower() not in self._hosts:
            return refusal_response(403, f"{self.name} does not answer to this Host name.")
        token = request.path.split("/")[1]
        if not hmac.compare_digest(token.encode(errors="replace"), self._token.encode()):
            return refusal_response(403, self.where)
        if request.method == "POST" and not _is_own(request, host):
            return refusal_response(403, f"{self.name} takes no forms of other pages.")
        self._guests.welcome(request.protocol)
        try:
            return await handler(request)
        except web.HTTPException as error:
            return refusal_response(error.status, f"{error.reason}.")


class Guests:
    """The connections of one server."""

    def __init__(self, server: web.Server, most: int, full: str) -> None:
        """``most``: the number of places; ``full``: the sentence for those without one."""
        self.server = server
        self.most = most
        self.refusal = FULL.format(full).encode()
        self.waiting = 0
        """Number of connections that wait for a place."""
        self._strangers: dict[RequestHandler, asyncio.Transport] = {}
        """Connections that have not presented the token, the oldest first."""

    @property
    def has_place(self) -> bool:
        return len(self.server.connections) < self.most

    def admit_connection(self, transport: asyncio.Transport) -> None:
        """Accept a connection, and close it after the deadline without the token."""
        handler = self.server()
        transport.set_protocol(handler)
        handler.connection_made(transport)
        self._strangers[handler] = transport
        asyncio.get_running_loop().call_later(DEADLINE, self._close_stranger, handler)

    def welcome(self, handler: RequestHandler) -> None:
        """Note that a connection has presented the token."""
        self._strangers.pop(handler, None)

    def make_place(self) -> bool:
        """Close the oldest connection without the token; return whether there was one."""
        return any(self._close_stranger(handler) for handler in list(self._strangers))

    def _close_stranger(self, handler: RequestHandler) -> bool:
        transport = self._strangers.pop(handler, None)
        if transport is None or transport.is_closing():
            return False
        transport.abort()
        return True


class Door(asyncio.Protocol):
    """Admits a connection, or answers 503 if there is no place."""

    def __init__(self, guests: Guests) -> None:
        self.guests = guests
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if self.guests.has_place:
            self.guests.admit_connection(transport)
        elif self.guests.waiting >= MAX_WAITING:
            self._refuse_connection()
        else:
            self.guests.waiting += 1
            transport.pause_reading()
            # Two waits: tokens sent by others are read after the first one, however late that ends.
            call_later = asyncio.get_running_loop().call_later
            call_later(PATIENCE / 2, call_later, PATIENCE / 2, self._decide_admission)

    def _decide_admission(self) -> None:
        self.guests.waiting -= 1
        if self.transport.is_closing():
            return
        if self.guests.has_place or self.guests.make_place():
            self.guests.admit_connection(self.transport)
            self.transport.resume_reading()
        else:
            self._refuse_connection()

    def _refuse_connection(self) -> None:
        self.transport.write(self.guests.refusal)
        self.transport.close()


def _is_own(request: web.Request, host: str) -> bool:
    """Return whether a form was sent by a page of this server, or by no page at all."""
    origin = request.headers.get("Origin")
    if origin is not None:
        return origin == f"{request.scheme}://{host}"
    return request.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")


def _is_ours(record: logging.LogRecord) -> bool:
    """Return whether an error is one of this program, and not invalid HTTP of a client."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
    for name, value in DEFAULTS.items():
        response.headers.setdefault(name, value)


def refusal_response(status: int, sentence: str) -> web.Response:
    """Return a response of one sentence."""
    return web.Response(status=status, text=f"{sentence}\n")


async def send_file(
    request: web.Request, path: Path | None, headers: Mapping[str, str], missing: str
) -> web.StreamResponse:
    """Send a file as it is at the first moment, even if it is replaced meanwhile.

    ``missing``: the sentence where there is no file, or where its name is a symbolic link.
    """
    try:
        if path is None:
            raise FileNotFoundError
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return refusal_response(404, missing)
    with os.fdopen(descriptor, "rb") as file:
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        while data := await asyncio.to_thread(file.read, CHUNK):
            await send_data(request, response, data)
    return response


async def send_data(request: web.Request, response: web.StreamResponse, data: bytes) -> None:
    """Send data; drop a client that does not read it in time, or has left. Raises OSError."""
    try:
        await asyncio.wait_for(response.write(data), WRITE_DEADLINE)
    except (asyncio.TimeoutError, ConnectionError) as error:
        if request.transport is not None:
            request.transport.abort()
        raise ConnectionResetError from error


def policy_hashes(page: bytes) -> str:
    """Return the policy that allows exactly the styles and scripts of a page, by hash."""

    def hashed(element: bytes) -> str:
        blocks = re.findall(rb"<%b>(.*?)</%b>" % (element, element), page, re.DOTALL)
        return " ".join(source_hash(block.decode()) for block in blocks)

    return f"style-src {hashed(b'style')}; script-src {hashed(b'script')}"
