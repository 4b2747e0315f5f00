"""Download handler whose connections comply with the egress policy of their crawl.

The policy: ``download/egress.py``.

Each address is checked in the call that connects to it, with no DNS look-up in between. This covers
every kind of request: robots.txt, sitemaps, redirects, probes and pages.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _BindAddressAgent,
    _ScrapyAgent,
)
from scrapy.utils._download_handlers import normalize_bind_address, wrap_twisted_exceptions
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.interfaces import IReactorPluggableNameResolver
from zope.interface import implementer

from sitemapgen.context import context_of
from sitemapgen.core.urls import parse
from sitemapgen.download.egress import Egress, PrivateAddress

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request
    from scrapy.http import Response
    from twisted.web.client import Agent


class GuardedHandler(HTTP11DownloadHandler):
    """Scrapy's handler, limited to addresses that the egress policy of its crawl allows."""

    async def download_request(self, request: Request) -> Response:
        """Download the response for a request. Raises PrivateAddress."""
        context = context_of(self._crawler)
        egress = context.egress
        if egress.is_unrestricted or not context.guards_downloader:
            return await super().download_request(request)
        try:
            if request.meta.get("proxy"):
                _check(egress.refusal_behind_proxy(parse(request.url) or ""))
                return await super().download_request(request)
            await egress.settle()
            return await self._download(request, egress)
        except PrivateAddress:
            self._crawler.stats.inc_value("sitemapgen/egress/refused_count/downloader")
            raise

    async def _download(self, request: Request, egress: Egress) -> Response:
        agent = _GuardedAgent(
            egress,
            contextFactory=self._contextFactory,
            bindAddress=self._bind_address,
            pool=self._pool,
            maxsize=self._default_maxsize,
            warnsize=self._default_warnsize,
            fail_on_dataloss=self._fail_on_dataloss,
            crawler=self._crawler,
            tls_verbose_logging=self._tls_verbose_logging,
        )
        with wrap_twisted_exceptions():
            return await maybe_deferred_to_future(agent.download_request(request))


class _GuardedAgent(_ScrapyAgent):
    """Scrapy's agent with a reactor that checks addresses before it connects."""

    def __init__(self, egress: Egress, **options: Any) -> None:
        super().__init__(**options)
        self._egress = egress

    def _get_agent(self, request: Request, timeout: float) -> Agent:
        from twisted.internet import reactor  # noqa: PLC0415 - it is Scrapy's by now

        host = urlparse_cached(request).hostname or ""
        bind_address = request.meta.get("bindaddress") or self._bindAddress
        return _BindAddressAgent(
            reactor=_GuardedReactor(reactor, partial(self._egress.refusal, host)),  # type: ignore[arg-type]  # has what the agent uses of a reactor
            contextFactory=self._contextFactory,
            connectTimeout=timeout,
            bindAddress=normalize_bind_address(bind_address),
            pool=self._pool,
        )


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
        _check(self._refusal(host))
        return self._connect(host, *args, **options)


def _check(refusal: str) -> None:
    if refusal:
        raise PrivateAddress(refusal)
