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
from typing import TYPE_CHECKING, Any

from sitemapgen.browser.relay import Client, Unreachable, Upstream

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
        """Return the addresses of a host that the policy allows. Raises Unreachable."""
        found = await self._resolve(host)
        refusals = {address: self.egress.refusal(host, address) for address in found}
        allowed = [address for address in found if not refusals[address]]
        if found and not allowed:
            self._check(host, refusals[found[0]])
        return allowed

    async def _resolve(self, host: str) -> list[str]:
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

    def _check(self, host: str, refusal: str) -> None:
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
