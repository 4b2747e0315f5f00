"""HTTP client of a crawl: Scrapy's, with exact request targets and a limit on the size of headers.

Twisted splits a URL into path, parameters and query and joins them again, which loses a ``;`` or
``?`` with nothing after it: ``/a;`` would be listed and ``/a`` fetched (RFC 9112 section 3.2.1).
URLs come normalized by ``core/urls.py`` into a form that browsers and Scrapy do not change.
Twisted limits the length of a header line, but not the number of lines. It accepts a certificate
without names of hosts, and logs a traceback.

libcurl instead of Twisted takes 0.84 of the CPU of a crawl of small pages, and over 0.9 of one of
large pages. It was not taken, as it refuses responses that Twisted accepts, such as a header line
without a colon: both clients would be needed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from OpenSSL.SSL import VERIFY_FAIL_IF_NO_PEER_CERT, VERIFY_PEER, Connection
from scrapy.core.downloader.handlers.http11 import (
    _BindAddressAgent,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
    _ScrapyAgent,
    _ScrapyProxyAgent,
    _TunnelingAgent,
)
from service_identity import CertificateError, VerificationError
from service_identity.hazmat import DNS_ID, IPAddress_ID, ServiceID, verify_service_identity
from service_identity.pyopenssl import extract_patterns
from twisted.internet.abstract import isIPAddress, isIPv6Address
from twisted.internet.interfaces import IAddress, IOpenSSLClientConnectionCreator
from twisted.web import client
from twisted.web._newclient import HEADER, STATUS, BadHeaders, ParseError
from twisted.web.iweb import IPolicyForHTTPS, IResponse
from zope.interface import implementer

if TYPE_CHECKING:
    from OpenSSL.crypto import X509
    from scrapy import Request
    from twisted.internet.defer import Deferred
    from twisted.protocols.tls import TLSMemoryBIOProtocol

MAX_HEADERS = 1_048_576
"""Maximum size of status line and headers of a response in bytes, four times that of browsers."""

MALFORMED = (BadHeaders, ParseError, ValueError)
"""Twisted's exceptions for responses that it cannot parse."""
_URI: Any = client.URI  # Twisted has no types


def is_malformed(error: BaseException | None) -> bool:
    """Return whether an exchange failed because the response is no HTTP."""
    reasons = error.reasons if isinstance(error, client.ResponseFailed) else ()
    return any(isinstance(each.value, MALFORMED) for each in reasons)


def request_target(url: bytes) -> bytes:
    """Return path and query exactly as written.

    >>> request_target(b"http://example.com/a;?")
    b'/a;?'
    """
    rest = url.partition(b"#")[0].partition(b"://")[2]
    slash = rest.find(b"/")
    if slash >= 0 and b"?" not in rest[:slash]:
        return rest[slash:]
    target: bytes = _URI.fromBytes(url).originForm  # no path: "http://host?query"
    return target


class HttpExchange(_ScrapyAgent):
    """One request and its response."""

    def __init__(self, reactor: Any, **options: Any) -> None:
        """``reactor``: connects to sites, unless there is a proxy."""
        super().__init__(**options)
        self._reactor = reactor

    def _get_agent(self, request: Request, timeout: float) -> client.Agent:
        agent: Any = super()._get_agent(request, timeout)
        if isinstance(agent, _ScrapyProxyAgent):
            return agent  # a proxy gets the whole URL, as written
        options: dict[str, Any] = {
            "contextFactory": self._contextFactory,
            "connectTimeout": timeout,
            "bindAddress": agent._endpointFactory._bindAddress,
            "pool": self._pool,
        }
        if isinstance(agent, _TunnelingAgent):
            options.update(reactor=agent._reactor, proxyConf=agent._proxyConf)
            return _ExactTunnelingAgent(**options)
        return _ExactAgent(reactor=self._reactor, **options)


class _ExactAgent(_BindAddressAgent):
    """An agent that sends path and query exactly as written."""

    def request(
        self,
        method: bytes,
        uri: bytes,
        headers: Any = None,
        bodyProducer: Any = None,  # noqa: N803 - Twisted's
    ) -> Deferred[IResponse]:
        parsed = _URI.fromBytes(uri)
        endpoint: Any = _LateEndpoint(partial(self._getEndpoint, parsed))
        return self._requestWithEndpoint(
            (parsed.scheme, parsed.host, parsed.port),
            endpoint,
            method,
            parsed,
            headers,
            bodyProducer,
            request_target(uri),
        )


class _ExactTunnelingAgent(_ExactAgent, _TunnelingAgent):
    """Such an agent for https behind a proxy."""


class _LateEndpoint:
    """An endpoint made for new connections only: it encodes the host, and reads the trust store."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def connect(self, factory: Any) -> Any:
        return self._make().connect(factory)


@implementer(IPolicyForHTTPS)
class NamedHostsPolicy:
    """A policy for TLS that also refuses certificates without names of hosts."""

    def __init__(self, policy: Any) -> None:
        self._policy = policy

    def creatorForNetloc(self, hostname: bytes, port: int) -> _NamedHostsCreator:  # noqa: N802 - Twisted's
        """Return what creates the connections to a host."""
        creator, host = self._policy.creatorForNetloc(hostname, port), hostname.decode("ascii")
        is_address = isIPAddress(host) or isIPv6Address(host)
        return _NamedHostsCreator(creator, IPAddress_ID(host) if is_address else DNS_ID(host))


@implementer(IOpenSSLClientConnectionCreator)
class _NamedHostsCreator:
    def __init__(self, creator: Any, host: ServiceID) -> None:
        self._creator = creator
        self._host = host

    def clientConnectionForTLS(self, protocol: TLSMemoryBIOProtocol) -> Connection:  # noqa: N802 - Twisted's
        connection: Connection = self._creator.clientConnectionForTLS(protocol)
        connection.set_verify(VERIFY_PEER | VERIFY_FAIL_IF_NO_PEER_CERT, self._verify)
        return connection

    def _verify(self, _: Connection, certificate: X509, error: int, depth: int, ok: int) -> bool:
        """Return whether a certificate is trusted, and that of the site itself names the host."""
        if depth or not ok:
            return bool(ok)
        with suppress(CertificateError, VerificationError):
            return bool(verify_service_identity(extract_patterns(certificate), [self._host], []))
        return False


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


class ConnectionFactory(_LenientHTTP11ClientFactory):
    """Makes the connections of a pool."""

    def buildProtocol(self, addr: IAddress | None) -> _Protocol:  # noqa: N802 - Twisted's
        return _Protocol(self._quiescentCallback)  # type: ignore[no-untyped-call]  # Twisted has no types
