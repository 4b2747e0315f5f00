"""Changes to Twisted's HTTP client: exact request targets, a limit on the size of headers, speed.

Twisted splits a URL into path, parameters and query and joins them again, which loses a ``;`` or
``?`` with nothing after it: ``/a;`` would be listed and ``/a`` fetched (RFC 9112 section 3.2.1).
URLs come normalized by ``core/urls.py`` into a form that browsers and Scrapy do not change.
Twisted limits the length of a header line, but not the number of lines.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import (
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from service_identity import CertificateError, VerificationError
from service_identity.hazmat import verify_service_identity
from twisted.internet import _sslverify, endpoints
from twisted.web import client
from twisted.web._newclient import HEADER, STATUS, BadHeaders, ParseError

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress
    from twisted.web.client import HTTPConnectionPool
    from twisted.web.iweb import IResponse

MAX_HEADERS = 1_048_576
"""Maximum size of status line and headers of a response in bytes, four times that of browsers."""

MALFORMED = (BadHeaders, ParseError, ValueError)
"""Twisted's exceptions for responses that it cannot parse."""


def install(pool: HTTPConnectionPool) -> None:
    """Make a connection pool and Twisted's agents use the classes of this module."""
    pool._factory = _Factory
    client.URI = ExactURI  # type: ignore[misc]  # agents look it up in the module
    if not hasattr(endpoints._idnaBytes, "cache_info"):  # each request encodes its host again
        endpoints._idnaBytes = lru_cache(maxsize=1_024)(endpoints._idnaBytes)
    _sslverify.verify_service_identity = _verify_host  # type: ignore[assignment]  # the same arguments


def is_malformed(error: BaseException | None) -> bool:
    """Return whether an exchange failed because the response is no HTTP."""
    reasons = error.reasons if isinstance(error, client.ResponseFailed) else ()
    return any(isinstance(each.value, MALFORMED) for each in reasons)


def _verify_host(*arguments: Any) -> Any:
    """Refuse a certificate without names of hosts, which Twisted only logs, with a traceback."""
    try:
        return verify_service_identity(*arguments)
    except CertificateError as error:
        raise VerificationError(errors=[error]) from error  # type: ignore[list-item]  # as a mismatch


class ExactURI(client.URI):
    """A URL whose path and query are sent exactly as written."""

    target = b"/"

    @classmethod
    def fromBytes(cls, uri: bytes, defaultPort: int | None = None) -> Any:  # noqa: N802, N803 - Twisted's
        parsed = super().fromBytes(uri, defaultPort)  # type: ignore[no-untyped-call]  # Twisted has no types
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
    """A connection that is aborted when headers exceed MAX_HEADERS."""

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
        super().dataReceived(data)  # type: ignore[no-untyped-call]  # Twisted has no types


class _Factory(_LenientHTTP11ClientFactory):
    def buildProtocol(self, addr: IAddress | None) -> _Protocol:  # noqa: N802 - Twisted's
        return _Protocol(self._quiescentCallback)  # type: ignore[no-untyped-call]  # Twisted has no types
