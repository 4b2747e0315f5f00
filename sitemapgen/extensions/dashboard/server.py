"""Web server of the dashboard, in the event loop of the crawl, with its access control.

It listens on this machine only, requires the token in the URL, and is read only. The events:
``events.py``.
"""

from __future__ import annotations

import asyncio
import base64
import errno
import hashlib
import hmac
import logging
import re
import secrets
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from aiohttp import web
from aiohttp.http import HttpProcessingError

from sitemapgen.extensions.dashboard.door import Door, Guests
from sitemapgen.extensions.dashboard.events import HEARTBEAT, RETRY, SNAPSHOT, encode

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

    from sitemapgen.extensions.dashboard.events import Journal

logger = logging.getLogger(__name__)

PORTS = 20
"""Number of ports that are tried if the first one is busy, before any free port."""
HEARTBEAT_SECONDS = 15.0
WRITE_DEADLINE = 30.0
"""Seconds in which a client has to read the data sent to it."""
STOP_TIMEOUT = 1.0
"""Seconds in which clients can receive the last event, ``finished``."""
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",  # the address holds the token
    "Server": "sitemapgen",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
POLICIES = {
    # The sandbox gives a report an origin of its own, so that it cannot read the dashboard.
    "report.html": "sandbox allow-scripts allow-popups; frame-ancestors 'none'",
    "sitemap.xml": f"{NOTHING}; script-src 'self'; style-src 'unsafe-inline'",  # XSL is a script
    "sitemap.xsl": NOTHING,
}
"""The files that are served, each with its Content-Security-Policy."""
TYPES = {"html": "text/html", "xml": "application/xml", "xsl": "text/xsl"}


class Dashboard:
    """Serves one crawl, from ``start`` to ``stop``."""

    def __init__(
        self,
        journal: Journal,
        snapshot: Callable[[], Mapping[str, Any]],
        directory: Path,
        max_clients: int,
    ) -> None:
        self.journal = journal
        self.snapshot = snapshot
        self.directory = directory
        self.max_clients = max_clients
        self.streams = 0
        """Number of clients that receive events."""
        self._token = secrets.token_urlsafe(24)
        self._page = (files(__package__) / "page" / "dashboard.html").read_bytes()
        self._policy = f"{NOTHING}; connect-src 'self'; img-src data:; {_hashes(self._page)}"
        self._changed = asyncio.get_running_loop().create_future()
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> str:
        """Listen on this port or the next free one; return the URL for a browser.

        Raises OSError if the host is not an address of this machine, or if no port is free.
        """
        self._hosts = {*LOOPBACK, host if ":" not in host else f"[{host}]"}
        logger.addFilter(_is_ours)
        app = web.Application(middlewares=[self._guard])
        app.router.add_get("/{token}/", self._index, allow_head=False)
        app.router.add_get("/{token}/events", self._events, allow_head=False)
        app.router.add_get("/{token}/status", self._status, allow_head=False)
        for name in POLICIES:
            app.router.add_get(f"/{{token}}/{name}", self._file, allow_head=False)
        app.on_response_prepare.append(_add_headers)
        self._runner = web.AppRunner(
            app,
            access_log=None,
            handler_cancellation=True,
            shutdown_timeout=STOP_TIMEOUT,
            logger=logger,
        )
        await self._runner.setup()
        self._server = await self._listen(host, port)
        port = self._server.sockets[0].getsockname()[1]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/{self._token}/"

    async def _listen(self, host: str, port: int) -> asyncio.Server:
        assert self._runner.server is not None
        self._guests = Guests(self._runner.server, self.max_clients)
        door = partial(Door, self._guests)
        loop = asyncio.get_running_loop()
        for candidate in (*range(port, min(port + PORTS, 65_536)), 0) if port else (0,):
            try:
                return await loop.create_server(door, host, candidate)
            except OSError as error:
                if error.errno != errno.EADDRINUSE or not candidate:
                    raise
        raise AssertionError("unreachable")

    def wake(self) -> None:
        """Have the new events of the journal sent."""
        self._changed.set_result(None)
        self._changed = asyncio.get_running_loop().create_future()

    async def stop(self) -> None:
        """Give clients ``STOP_TIMEOUT`` to read the last events; then close all connections."""
        if self._server is None:
            return
        self._server.close()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + STOP_TIMEOUT
        while self.streams and loop.time() < deadline:
            await asyncio.sleep(0.01)
        for connection in list(self._runner.server.connections if self._runner.server else ()):
            if connection.transport is not None:
                connection.transport.abort()
        await self._runner.cleanup()
        self._server = None

    # Access

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Refuse requests with another Host (DNS rebinding), and those without the token."""
        if not request.path.startswith("/"):  # CONNECT, OPTIONS *
            return _refusal(400, "This is no proxy.")
        name = re.sub(r":\d+$", "", request.headers.get("Host", ""))
        if name.lower() not in self._hosts:
            return _refusal(403, "This dashboard does not answer to this Host name.")
        token = request.path.split("/")[1]
        if not hmac.compare_digest(token.encode(errors="replace"), self._token.encode()):
            return _refusal(403, "The address of this dashboard is in the log of its crawl.")
        self._guests.welcome(request.protocol)
        try:
            return await handler(request)
        except web.HTTPException as error:
            return _refusal(error.status, f"{error.reason}.")

    # Responses

    async def _index(self, _: web.Request) -> web.Response:
        return web.Response(
            body=self._page,
            content_type="text/html",
            charset="utf-8",
            headers={"Content-Security-Policy": self._policy},
        )

    async def _status(self, _: web.Request) -> web.Response:
        return web.json_response(self.snapshot())

    async def _file(self, request: web.Request) -> web.StreamResponse:
        name = request.path.rpartition("/")[2]
        path = self.directory / name
        if not path.is_file():
            return _refusal(404, f"There is no {name} yet.")
        headers = {
            "Content-Security-Policy": POLICIES[name],
            "Content-Type": f"{TYPES[path.suffix[1:]]}; charset=utf-8",
        }
        return web.FileResponse(path, headers=headers)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        """Send all events after the last one that the client has, or else a snapshot first."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        self.streams += 1
        try:
            await response.prepare(request)
            await self._send_events(response, _last_event_id(request))
        except (asyncio.TimeoutError, ConnectionError):  # the client does not read, or left
            if request.transport is not None:
                request.transport.abort()
        finally:
            self.streams -= 1
        return response

    async def _send_events(self, response: web.StreamResponse, last_id: int | None) -> None:
        waiting = RETRY
        while True:
            changed = self._changed
            events = self.journal.since(last_id)
            if events is None:  # a new or slow client: a snapshot replaces the missing events
                snapshot = self.snapshot()
                last_id = self.journal.before_the_end()
                waiting += encode(SNAPSHOT, snapshot, last_id)
                events = self.journal.since(last_id) or []
            waiting += b"".join(event.encode() for event in events)
            if waiting:
                await asyncio.wait_for(response.write(waiting), WRITE_DEADLINE)
            last_id = last_id if not events else events[-1].id
            if self.journal.is_closed and last_id == self.journal.last_id:
                return
            await asyncio.wait({changed}, timeout=HEARTBEAT_SECONDS)
            waiting = b"" if changed.done() else HEARTBEAT


def _is_ours(record: logging.LogRecord) -> bool:
    """Return whether an error is one of this program, and not invalid HTTP of a client."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    for name, value in HEADERS.items():
        response.headers[name] = value
    response.headers.setdefault("Content-Security-Policy", NOTHING)


def _refusal(status: int, sentence: str) -> web.Response:
    return web.Response(status=status, text=f"{sentence}\n")


def _last_event_id(request: web.Request) -> int | None:
    value = request.headers.get("Last-Event-ID", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


def _hashes(page: bytes) -> str:
    """Return the policy that allows exactly the styles and scripts of the page, by hash."""

    def hashed(element: bytes) -> str:
        blocks = re.findall(rb"<%b>(.*?)</%b>" % (element, element), page, re.DOTALL)
        digests = (base64.b64encode(hashlib.sha256(block).digest()).decode() for block in blocks)
        return " ".join(f"'sha256-{digest}'" for digest in digests)

    return f"style-src {hashed(b'style')}; script-src {hashed(b'script')}"
