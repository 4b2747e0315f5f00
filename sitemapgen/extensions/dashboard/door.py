"""Admission of connections to the dashboard: so many, and those that have its address first.

Any program of the machine may connect. One that does not present the token is closed after a
while, sooner where another client needs its place. What is answered: ``server.py``.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiohttp import web
    from aiohttp.web_protocol import RequestHandler

PATIENCE = 0.5
"""Seconds that a newcomer waits for a place, and all others have to present the token."""
DEADLINE = 10.0
"""Seconds after which a connection without the token is closed in any case."""
MAX_WAITING = 200
"""Connections that may wait for a place at a time; file descriptors are the crawl's."""
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 5\r\n"
    b"Connection: close\r\n\r\nThis dashboard has as many clients as it may have "
    b"(SITEMAPGEN_DASHBOARD_MAX_CLIENTS).\n"
)


class Guests:
    """The connections of one dashboard."""

    def __init__(self, server: web.Server, most: int) -> None:
        self.server = server
        self.most = most
        self.waiting = 0
        """Connections that wait for a place."""
        self._strangers: dict[RequestHandler, asyncio.Transport] = {}
        """Connections that have not presented the token, the oldest first."""

    @property
    def has_place(self) -> bool:
        return len(self.server.connections) < self.most

    def admit(self, transport: asyncio.Transport) -> None:
        """Let a connection in."""
        handler = self.server()
        transport.set_protocol(handler)
        handler.connection_made(transport)
        self._strangers[handler] = transport
        asyncio.get_running_loop().call_later(DEADLINE, self._close, handler)

    def welcome(self, handler: RequestHandler) -> None:
        """Note that a connection has presented the token."""
        self._strangers.pop(handler, None)

    def make_place(self) -> bool:
        """Close the oldest connection that has not presented the token; report if there was one."""
        return any(self._close(handler) for handler in list(self._strangers))

    def _close(self, handler: RequestHandler) -> bool:
        transport = self._strangers.pop(handler, None)
        if transport is None or transport.is_closing():
            return False
        transport.abort()
        return True


class Door(asyncio.Protocol):
    """Lets a connection in, or says in one sentence that there is no room."""

    def __init__(self, guests: Guests) -> None:
        self.guests = guests
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if self.guests.has_place:
            self.guests.admit(transport)
        elif self.guests.waiting >= MAX_WAITING:
            self._refuse()
        else:
            self.guests.waiting += 1
            transport.pause_reading()
            # Twice: what the others have sent is read after the first wait, however late that ends.
            self._wait(self._wait, self._decide)

    def _wait(self, then: object, *arguments: object) -> None:
        assert callable(then)
        asyncio.get_running_loop().call_later(PATIENCE / 2, then, *arguments)

    def _decide(self) -> None:
        self.guests.waiting -= 1
        if self.transport.is_closing():
            return
        if self.guests.has_place or self.guests.make_place():
            self.guests.admit(self.transport)
            self.transport.resume_reading()
        else:
            self._refuse()

    def _refuse(self) -> None:
        self.transport.write(FULL)
        self.transport.close()
