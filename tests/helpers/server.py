"""A real web server on loopback that keeps a record of what it was asked, and when."""

import asyncio
import json
import mimetypes
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from aiohttp import web


class Answer(NamedTuple):
    """What a path answers."""

    body: str | bytes = ""
    status: int = 200
    headers: Mapping[str, str] = {"Content-Type": "text/html; charset=utf-8"}
    delay: float = 0.0
    """Seconds before the answer begins."""
    trickle: float = 0.0
    """Seconds between two bytes of the body; 0: all at once."""


@dataclass
class Visit:
    """One request, as the server saw it."""

    path: str
    """With its query, exactly as it was asked for."""
    headers: Mapping[str, str]
    began: float
    """Seconds on the monotonic clock."""
    ended: float = field(default=float("inf"))
    status: int = 0
    method: str = "GET"
    body: bytes = b""
    """What was sent."""
    size: int = 0
    """Bytes of the body that was sent; of a ``LARGE`` one, also where the client hung up."""


SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
LARGE = 1_000_000
"""Bytes; bodies from here on are sent in pieces, as fast as the client reads them."""

Site = Mapping[str, Answer] | Path | Callable[[str], Answer | None]


def page(*hrefs: str, head: str = "", title: str = "", text: str = "") -> Answer:
    """An HTML page with some links."""
    links = "".join(f'<a href="{href}">{href}</a> ' for href in hrefs)
    return Answer(
        f"<!doctype html><html><head><title>{title}</title>{head}</head>"
        f"<body><p>{text}</p>{links}</body></html>"
    )


def redirect(target: str, status: int = 301) -> Answer:
    """A redirect."""
    return Answer(status=status, headers={"Location": target})


def text(body: str) -> Answer:
    """A plain text file, such as robots.txt."""
    return Answer(body, headers={"Content-Type": "text/plain"})


def xml(body: str) -> Answer:
    """An XML file, such as a sitemap."""
    return Answer(body, headers={"Content-Type": "application/xml"})


def urlset(*names: str, base: str = "", dates: Mapping[str, str] = {}) -> Answer:
    """A sitemap of these URLs, each below ``base``; ``dates``: their lastmod by name."""
    lastmods = {name: f"<lastmod>{date}</lastmod>" for name, date in dates.items() if date}
    entries = (
        f"<url><loc>{escape(base + name)}</loc>{lastmods.get(name, '')}</url>" for name in names
    )
    return xml(f'<urlset xmlns="{SITEMAP}">{"".join(entries)}</urlset>')


def index(*names: str, base: str = "") -> Answer:
    """An index of these sitemaps, each below ``base``."""
    entries = (f"<sitemap><loc>{escape(base + name)}</loc></sitemap>" for name in names)
    return xml(f'<sitemapindex xmlns="{SITEMAP}">{"".join(entries)}</sitemapindex>')


HOST = "here.example"
HERE = f"http://{HOST}/"
"""In bodies and headers of answers: the URL of the server that sends them."""

Kind = TypeVar("Kind", bound="Server")


class Server:
    """Serves a site until ``stop``, or as a context, from a thread of its own."""

    def __init__(
        self,
        site: Site,
        *,
        port: int = 0,
        tls: ssl.SSLContext | None = None,
        name: str = "",
        address: str = "127.0.0.1",
    ) -> None:
        """Begin to serve; with a ``name`` as a proxy for the host of that name, and no other."""
        self.site = site
        self.holds: Callable[[str], bool] = lambda path: False
        """Whether the answer to a path has to wait until this no longer holds."""
        self._address = address
        self._name = name
        self.visits: list[Visit] = []
        self._tls = tls
        self._port = port
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        if not self._ready.wait(60):
            raise RuntimeError("the server did not start")

    @property
    def url(self) -> str:
        if self._name:
            return f"http://{self._name}/"
        return self.proxy

    @property
    def proxy(self) -> str:
        """Where it listens."""
        return f"{'https' if self._tls else 'http'}://{self._address}:{self.port}/"

    @property
    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [visit.path for visit in self.visits]

    @property
    def most_at_once(self) -> int:
        """How many requests were being answered at the same time, at the most."""
        moments = [(visit.began, 1) for visit in self.visits]
        moments += [(visit.ended, -1) for visit in self.visits]
        now = most = 0
        for _, change in sorted(moments):
            now += change
            most = max(most, now)
        return most

    def __enter__(self: Kind) -> Kind:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._start())
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._runner.cleanup())
        self._loop.run_until_complete(_end(asyncio.all_tasks(self._loop)))
        self._loop.close()

    async def _start(self) -> None:
        server = web.Server(self._handle)
        self._runner = web.ServerRunner(server, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._address, self._port, ssl_context=self._tls)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.raw_path
        if self._name:
            path = f"/{path.removeprefix(self.url)}"
        visit = Visit(path, dict(request.headers), time.monotonic(), method=request.method)
        visit.body = await request.read()
        self.visits.append(visit)
        try:
            answer = self._answer(visit.path)
            if answer is None:
                answer = Answer("<h1>not here</h1>", 404)
            if answer.delay:
                await asyncio.sleep(answer.delay)
            while self.holds(path):
                await asyncio.sleep(0.02)
            if answer.status == 0:  # hang up
                if request.transport is not None:
                    request.transport.abort()
                return web.Response()
            answer = self._located(answer)
            body = answer.body.encode() if isinstance(answer.body, str) else answer.body
            if answer.trickle:
                return await _trickle(request, answer, body)
            if len(body) >= LARGE:
                return await _pour(request, answer, body, visit)
            status = 304 if _is_unchanged(request, answer) else answer.status
            visit.status, visit.size = status, 0 if status == 304 else len(body)
            response = web.Response(body=body if visit.size else b"", status=status)
            response.headers.clear()
            response.headers.update(answer.headers)
            return response
        finally:
            visit.ended = time.monotonic()

    def _answer(self, path: str) -> Answer | None:
        if isinstance(self.site, Path):
            return _file(self.site, path.partition("?")[0])
        if callable(self.site):
            return self.site(path)
        return self.site.get(path)

    def _located(self, answer: Answer) -> Answer:
        host, here = f"//{HOST}/", f"//{self.url.split('/')[2]}/"
        headers = {name: value.replace(host, here) for name, value in answer.headers.items()}
        body = answer.body.replace(host, here) if isinstance(answer.body, str) else answer.body
        return answer._replace(body=body, headers=headers)


Serve = Callable[..., Server]
"""The fixture ``serve`` of ``crawls.py``."""


async def _end(tasks: set[asyncio.Task[Any]]) -> None:
    """End answers without a client: aiohttp forgets those whose client went away."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _is_unchanged(request: web.BaseRequest, answer: Answer) -> bool:
    """What RFC 9110 section 13.2.2 has servers do: an ETag comes before a date."""
    if wanted := request.headers.get("If-None-Match"):
        return wanted == answer.headers.get("ETag")
    since = request.headers.get("If-Modified-Since")
    return since is not None and since == answer.headers.get("Last-Modified")


async def _trickle(request: web.BaseRequest, answer: Answer, body: bytes) -> web.StreamResponse:
    response = web.StreamResponse(status=answer.status, headers=answer.headers)
    await response.prepare(request)
    with suppress(ConnectionError):  # the crawler need not listen to the end
        for number in range(len(body)):
            await response.write(body[number : number + 1])
            await asyncio.sleep(answer.trickle)
        await response.write_eof()
    return response


async def _pour(
    request: web.BaseRequest, answer: Answer, body: bytes, visit: Visit
) -> web.StreamResponse:
    """Send a body in pieces; what was sent is counted."""
    visit.status = answer.status
    response = web.StreamResponse(status=answer.status, headers=answer.headers)
    response.content_length = len(body)
    await response.prepare(request)
    with suppress(ConnectionError):
        for start in range(0, len(body), 1 << 16):
            await response.write(body[start : start + (1 << 16)])
            visit.size = min(start + (1 << 16), len(body))
        await response.write_eof()
    return response


def _file(root: Path, path: str) -> Answer | None:
    file = root / (path.lstrip("/") or "index.html")
    with suppress(OSError):
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        return Answer(file.read_bytes(), headers={"Content-Type": kind})
    return None


def site(name: str) -> dict[str, Answer]:
    """A fake site out of ``tests/sites``: ``answers.json``, where ``HERE`` is its own URL."""
    path = Path(__file__).parents[1] / "sites" / name / "answers.json"
    described = json.loads(path.read_text("utf-8"))
    return {url: Answer(**answer) for url, answer in described.items()}


def marked(answer: Answer, tag: str) -> Answer:
    """An answer that can be asked for conditionally."""
    return answer._replace(headers={**answer.headers, "ETag": f'"{tag}"'})
