"""Admission of connections to a server: a limited number, with priority for the token.

Any program on the machine may connect. A connection without the token is closed after a while, or
as soon as another client needs its place. Handling of requests: ``server.py``.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiohttp import web
    from aiohttp.web_protocol import RequestHandler

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
