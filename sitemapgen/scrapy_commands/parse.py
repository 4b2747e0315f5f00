"""``scrapy parse URL``: prints the page that the sitemap spider reads at a URL."""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import ValidationError
from scrapy import Request
from scrapy.commands.parse import Command as ParseCommand
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.python.failure import Failure

from sitemapgen.core.urls import key
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.items import Link
from sitemapgen.params import Params, sentences
from sitemapgen.spiders.sitemap import SitemapSpider
from sitemapgen.store.frontier import Lease
from sitemapgen.tools.scrapy_command import SPIDER

logger = logging.getLogger(__name__)


class Command(ParseCommand):
    """Scrapy's command; the sitemap spider gets a temporary store, no crawl is touched."""

    def set_spidercls(self, url: str, opts: argparse.Namespace) -> None:
        opts.spider = opts.spider or SPIDER
        super().set_spidercls(url, opts)
        if not (self.spidercls and issubclass(self.spidercls, SitemapSpider)):
            return

        async def start(spider: SitemapSpider) -> AsyncIterator[Any]:
            spider.publishes = False
            try:
                await spider.enter_start(spider.args.start_url())
            except CrawlError as error:
                spider.context.abort(error)
            else:
                yield self._request(spider, url, opts)

        self.spidercls.start = start  # type: ignore[assignment,method-assign]  # of this one process

    def start_parsing(self, url: str, opts: argparse.Namespace) -> None:
        if not (self.spidercls and issubclass(self.spidercls, SitemapSpider)):
            super().start_parsing(url, opts)
            return
        with TemporaryDirectory(prefix="sitemapgen-") as directory:
            opts.spargs = {"url": url, **opts.spargs, "output": directory}
            try:
                Params(**opts.spargs)
            except ValidationError as error:
                self._end(Exit.ARGUMENTS, "; ".join(sentences(error)))
                return
            super().start_parsing(url, opts)
            spider = self.pcrawler.spider
            if isinstance(spider, SitemapSpider):
                spider.context.crawl.store.close()
                if spider.context.error:
                    self._end(spider.context.error.exit_code, spider.context.error.sentence)

    def add_items(self, lvl: int, new_items: list[Any]) -> None:
        super().add_items(lvl, [plain(item) for item in new_items])

    def _request(self, spider: SitemapSpider, url: str, opts: argparse.Namespace) -> Request:
        url = spider.context.rules.site.resolve(url) or url
        link = Link(url=url, key=key(url))
        if opts.pipelines:
            spider.context.crawl.store.frontier.mark_in_flight(link, time.time())

        def failed(failure: Failure) -> None:
            self.add_items(1, list(spider.parse_failure(failure)))

        request = self.prepare_request(spider, spider.page_request(Lease(link.key, url, 0)), opts)
        assert request.callback
        request.callback = _awaited(request.callback)
        request.errback = failed
        return request

    def _end(self, code: Exit, sentence: str) -> None:
        self.exitcode = int(code)
        logger.error("%(sentence)s", {"sentence": sentence})


def _awaited(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Turn a callback of Scrapy's command, which returns a Deferred, into a coroutine function."""

    async def parsed(response: Response, **named: Any) -> Any:
        return await maybe_deferred_to_future(callback(response, **named))

    return parsed


def plain(value: Any) -> Any:
    """Return an item as dicts, lists and strings; of binary fields only the size.

    >>> plain((Exit.REFUSED, b"12", None))
    ['refused', '2 bytes', None]
    """
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    if isinstance(value, Enum):
        return value.value if isinstance(value, str) else value.name.lower()
    return f"{len(value)} bytes" if isinstance(value, bytes) else value
