"""Web server of the dashboard, in the event loop of the crawl.

It listens on this machine only, requires the token in the URL, and is read only. Access:
``gate.py``; the events: ``events.py``.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from aiohttp import web

from sitemapgen.extensions.dashboard import gate
from sitemapgen.extensions.dashboard.events import (
    HEARTBEAT,
    RETRY,
    SNAPSHOT,
    EventLog,
    encode_event,
)
from sitemapgen.publish.replacing import REFUSED_FILES
from sitemapgen.verdicts import Verdict, verdicts_where

logger = logging.getLogger(__name__)

PORTS = 20
"""Number of ports that are tried if the first one is busy, before any free port."""
HEARTBEAT_SECONDS = 15.0
STOP_TIMEOUT = 1.0
"""Seconds in which clients can receive the last event, ``finished``."""
FETCH_PAUSE = 0.5
"""Seconds that a page which has received it may take until it asks for the next file."""
FETCH_TIMEOUT = 10.0
"""Seconds in which pages can fetch the files."""
WHERE = "The address of this dashboard is in the log of its crawl."
MAX_CLIENTS = 20
"""Maximum number of connections; the crawl needs file descriptors itself."""
FULL = f"This dashboard has as many clients as it may have ({MAX_CLIENTS})."

POLICIES = {
    "report.html": gate.SANDBOX,
    # XSL is a script
    "sitemap.xml": f"{gate.NOTHING}; script-src 'self'; style-src 'unsafe-inline'",
    "sitemap.xsl": gate.NOTHING,
    "urls.csv": gate.NOTHING,
}
"""The files that are served, each with its Content-Security-Policy."""
TYPES = {"html": "text/html", "xml": "application/xml", "xsl": "text/xsl", "csv": "text/csv"}


class Dashboard:
    """Serves one crawl, from ``start`` to ``stop``."""

    def __init__(
        self, journal: EventLog, snapshot: Callable[[], Mapping[str, Any]], directory: Path
    ) -> None:
        self.journal = journal
        self.snapshot = snapshot
        self.directory = directory
        self.streams = 0
        """Number of clients that receive events."""
        self._fetches = 0
        """Number of files that are being sent."""
        self._fetched_at = 0.0
        """Time of the loop when the last file, or the last event, was sent."""
        self._gate = gate.Gate("This dashboard", WHERE, MAX_CLIENTS, FULL)
        self._page = crawl_page()
        self._changed = asyncio.get_running_loop().create_future()

    async def start(self, host: str, port: int) -> str:
        """Listen on this port or the next free one; return the URL for a browser.

        Raises OSError if the host is not an address of this machine, or if no port is free.
        """
        routes = [
            web.get("/{token}/", self._send_index, allow_head=False),
            web.get("/{token}/events", self._stream_events, allow_head=False),
            web.get("/{token}/status", self._send_status, allow_head=False),
            *(
                web.get(f"/{{token}}/{below}{name}", self._send_file, allow_head=False)
                for below in ("", f"{REFUSED_FILES}/")
                for name in POLICIES
            ),
        ]
        ports = (*range(port, min(port + PORTS, 65_536)), 0) if port else (0,)
        return await self._gate.open(routes, host, ports)

    def wake_streams(self) -> None:
        """Have the new events of the journal sent."""
        self._changed.set_result(None)
        self._changed = asyncio.get_running_loop().create_future()

    async def stop(self) -> None:
        """Close all connections, once clients have read the last events and fetched the files."""
        loop = asyncio.get_running_loop()
        has_clients = bool(self.streams)
        await _wait_until(lambda: not self.streams, STOP_TIMEOUT)
        if has_clients:
            self._fetched_at = loop.time()
            await _wait_until(
                lambda: not self._fetches and loop.time() - self._fetched_at > FETCH_PAUSE,
                FETCH_TIMEOUT,
            )
        await self._gate.close()

    # Responses

    async def _send_index(self, _: web.Request) -> web.Response:
        return html_response(self._page)

    async def _send_status(self, _: web.Request) -> web.Response:
        return web.json_response(self.snapshot())

    async def _send_file(self, request: web.Request) -> web.StreamResponse:
        """Send a file; its path is that of a route."""
        path = self.directory / request.path.split("/", 2)[2]
        self._fetches += 1
        try:
            missing = f"There is no {path.name} yet."
            return await gate.send_file(request, path, _file_headers(path.name), missing)
        finally:
            self._fetches -= 1
            self._fetched_at = asyncio.get_running_loop().time()

    async def _stream_events(self, request: web.Request) -> web.StreamResponse:
        """Send all events after the last one that the client has, or else a snapshot first."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        self.streams += 1
        try:
            await response.prepare(request)
            await self._send_events(request, response, _last_event_id(request))
        except ConnectionError:  # the client does not read, or left
            logger.debug("a client of the dashboard is gone", exc_info=True)
        finally:
            self.streams -= 1
        return response

    async def _send_events(
        self, request: web.Request, response: web.StreamResponse, last_id: int | None
    ) -> None:
        waiting = RETRY
        while True:
            changed = self._changed
            events = self.journal.events_since(last_id)
            if last_id is None or events is None:
                # A new or slow client: a snapshot replaces the missing events.
                snapshot = self.snapshot()
                last_id = self.journal.before_the_end()
                waiting += encode_event(SNAPSHOT, snapshot, last_id)
                events = self.journal.events_since(last_id) or []
            waiting += b"".join(events)
            if waiting:
                await gate.send_data(request, response, waiting)
            last_id += len(events)
            if self.journal.is_closed and last_id == self.journal.last_id:
                return
            await asyncio.wait({changed}, timeout=HEARTBEAT_SECONDS)
            waiting = b"" if changed.done() else HEARTBEAT


def _file_headers(name: str) -> dict[str, str]:
    kind = TYPES[name.rpartition(".")[2]]
    return {
        "Content-Security-Policy": POLICIES[name],
        "Content-Type": f"{kind}; charset=utf-8",
    }


async def _wait_until(condition: Callable[[], bool], timeout: float) -> None:
    """Wait until a condition holds, no longer than a number of seconds."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout
    while not condition() and loop.time() < deadline:
        await asyncio.sleep(0.01)


def crawl_page() -> bytes:
    """Return the page of a crawl; its addresses are relative: ``events``, ``report.html``."""
    values = {
        "trouble": verdicts_where(lambda row: row.tone == "bad"),
        "labels": {verdict.value: verdict.row.label for verdict in Verdict},
    }
    text = (resources.files(__package__) / "page" / "dashboard.html").read_bytes()
    for name, value in values.items():
        text = text.replace(f"@@{name}@@".encode(), json.dumps(value).encode())
    return text


def html_response(body: bytes) -> web.Response:
    """Return a page that may run its own scripts, and read from its own server alone."""
    policy = f"{gate.NOTHING}; connect-src 'self'; img-src data:; {gate.policy_hashes(body)}"
    headers = {"Content-Security-Policy": policy}
    return web.Response(body=body, content_type="text/html", charset="utf-8", headers=headers)


def _last_event_id(request: web.Request) -> int | None:
    value = request.headers.get("Last-Event-ID", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None
