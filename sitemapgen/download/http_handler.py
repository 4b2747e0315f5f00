"""Download handler for HTTP whose connections comply with the egress policy of their crawl.

The policy: ``egress.py``. The client: ``http_client.py``.

Each address is checked in the call that connects to it, with no DNS look-up in between. This covers
every kind of request: robots.txt, sitemaps, redirects, probes and pages.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadFailedError, ResponseDataLossError
from scrapy.http import Response
from scrapy.utils._download_handlers import wrap_twisted_exceptions
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.interfaces import IReactorPluggableNameResolver
from zope.interface import implementer

from sitemapgen.core.urls import parse
from sitemapgen.download.egress import Egress, PrivateAddress
from sitemapgen.download.failures import InvalidStatus, MalformedResponse
from sitemapgen.download.http_client import (
    ConnectionFactory,
    HttpExchange,
    NamedHostsPolicy,
    is_malformed,
)
from sitemapgen.download.terms import TRANSFER

FAIL_ON_DATALOSS = "download_fail_on_dataloss"
"""Scrapy's ``request.meta`` key: False if a truncated response is accepted."""


class HttpHandler(HTTP11DownloadHandler):
    """Scrapy's handler with our client, for addresses that an egress policy allows."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool._factory = ConnectionFactory
        if crawler.settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES"):
            policy: Any = NamedHostsPolicy(self._contextFactory)
            self._contextFactory = policy

    async def download_request(self, request: Request, egress: Egress | None = None) -> Response:
        """Download the response for a request; without ``egress`` from any address.

        Raises PrivateAddress, InvalidStatus for a status outside of 100 to 999, MalformedResponse
        for what is no HTTP.
        """
        wanted = request.meta.get(FAIL_ON_DATALOSS)
        request.meta[FAIL_ON_DATALOSS] = False  # decided below: redirects may be truncated
        try:
            response = await self._exchange_guarded(request, egress)
        except DownloadFailedError as error:
            if is_malformed(error.__cause__):
                raise MalformedResponse(str(error)) from error
            raise
        finally:
            request.meta[FAIL_ON_DATALOSS] = wanted
            if wanted is None:
                del request.meta[FAIL_ON_DATALOSS]
        if not 100 <= response.status <= 999:
            raise InvalidStatus
        if 300 <= response.status < 400 and "Location" in response.headers:
            if "Content-Encoding" in response.headers:  # its body is not used, nor decoded
                headers = response.headers.copy()
                del headers["Content-Encoding"]
                return response.replace(body=b"", headers=headers)
            return response
        is_fatal = self._fail_on_dataloss if wanted is None else wanted
        if "dataloss" in response.flags and is_fatal:
            raise ResponseDataLossError
        return response

    async def _exchange_guarded(self, request: Request, egress: Egress | None) -> Response:
        from twisted.internet import reactor  # noqa: PLC0415 - it is Scrapy's by now

        if egress is None or egress.is_unrestricted:
            return await self._exchange(request, reactor)
        try:
            if request.meta.get("proxy"):
                _check_refusal(egress.refusal_behind_proxy(parse(request.url) or ""))
            else:
                await egress.resolve_hosts()
            host = urlparse_cached(request).hostname or ""
            return await self._exchange(
                request, _GuardedReactor(reactor, partial(egress.address_refusal, host))
            )
        except PrivateAddress:
            self._crawler.stats.inc_value("sitemapgen/egress/refused_count/downloader")
            raise

    async def _exchange(self, request: Request, reactor: Any) -> Response:
        spider = self._crawler.spider
        exchange = HttpExchange(
            reactor,
            contextFactory=self._contextFactory,
            bindAddress=self._bind_address,
            pool=self._pool,
            maxsize=getattr(spider, "download_maxsize", self._default_maxsize),
            warnsize=getattr(spider, "download_warnsize", self._default_warnsize),
            fail_on_dataloss=self._fail_on_dataloss,
            crawler=self._crawler,
            tls_verbose_logging=self._tls_verbose_logging,
        )
        began = monotonic()
        with wrap_twisted_exceptions():
            response = await maybe_deferred_to_future(exchange.download_request(request))
        request.meta[TRANSFER] = (monotonic() - began, len(response.body))
        return response


@implementer(IReactorPluggableNameResolver)
class _GuardedReactor:
    """The part of a reactor that Twisted's HostnameEndpoint uses.

    The endpoint resolves a host by ``nameResolver`` and passes each address to ``connectTCP``.
    """

    def __init__(self, reactor: Any, refusal: Callable[[str], str]) -> None:
        """``refusal``: returns why a connection to an address is refused; empty if allowed."""
        self.nameResolver = reactor.nameResolver
        self.callLater = reactor.callLater
        self.seconds = reactor.seconds
        self._connect = reactor.connectTCP
        self._refusal = refusal

    def connectTCP(self, host: str, *args: Any, **options: Any) -> Any:  # noqa: N802 - Twisted's
        """Connect to an address. Raises PrivateAddress; ValueError for a name."""
        _check_refusal(self._refusal(host))
        return self._connect(host, *args, **options)


def _check_refusal(refusal: str) -> None:
    if refusal:
        raise PrivateAddress(refusal)
