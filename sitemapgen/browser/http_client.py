"""Twisted's HTTP client as a crawler needs it: exact request targets, headers of a bounded size.

Twisted splits a URL into path, parameters and query and joins them again, which loses a ``;`` or
``?`` with nothing behind it: ``/a;`` would be listed and ``/a`` fetched (RFC 9112 section 3.2.1:
the target is what the URL has). All other rewriting has been done before: ``core/urls.py`` has a
form that browsers and Scrapy leave as it is. Of headers Twisted bounds each line, not their number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import (
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from twisted.web import client
from twisted.web._newclient import HEADER, STATUS

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress
    from twisted.web.client import HTTPConnectionPool
    from twisted.web.iweb import IResponse

MAX_HEADERS = 1_048_576
"""Bytes before the body of an answer; browsers take a quarter of it."""


def install(pool: HTTPConnectionPool) -> None:
    """Have the connections of a pool, and Twisted's agents, use what is below."""
    pool._factory = _Factory
    client.URI = ExactURI  # type: ignore[misc] # agents look it up in the module


class ExactURI(client.URI):
    """A URL that keeps its path and query as they are written."""

    target = b"/"

    @classmethod
    def fromBytes(cls, uri: bytes, defaultPort: int | None = None) -> Any:  # noqa: N802, N803 - Twisted's
        parsed = super().fromBytes(uri, defaultPort)  # type: ignore[no-untyped-call]
        rest = uri.strip().partition(b"#")[0].partition(b"://")[2]
        slash = rest.find(b"/")
        if slash >= 0 and b"?" not in rest[:slash]:
            parsed.target = rest[slash:]
        else:  # no path: "http://host?query"
            parsed.target = super(ExactURI, parsed).originForm
        return parsed

    @property
    def originForm(self) -> bytes:  # noqa: N802 - Twisted's
        return self.target


class _Protocol(_LenientHTTP11ClientProtocol):
    """A connection that is closed where headers do not end."""

    _received = 0

    def request(self, request: Any) -> Deferred[IResponse]:
        self._received = 0
        return super().request(request)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's
        if self._parser is not None and self._parser.state in (STATUS, HEADER):
            self._received += len(data)
            if self._received > MAX_HEADERS:
                assert self.transport is not None
                self.transport.abortConnection()
                return
        super().dataReceived(data)  # type: ignore[no-untyped-call]


class _Factory(_LenientHTTP11ClientFactory):
    def buildProtocol(self, addr: IAddress | None) -> _Protocol:  # noqa: N802 - Twisted's
        return _Protocol(self._quiescentCallback)  # type: ignore[no-untyped-call]
