"""Who keeps the book on a site? The spider itself, or whoever looks over another spider's shoulder.

Components that judge pages, render or publish ask here; of ``middlewares/visits.py`` they know
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from sitemapgen.browser.egress import Egress
    from sitemapgen.core.links import LinkReader
    from sitemapgen.exits import CrawlError
    from sitemapgen.items import Judgement
    from sitemapgen.params import Params
    from sitemapgen.publish.result import Result
    from sitemapgen.spiders.probing import Prober
    from sitemapgen.store import Store


class Survey(Protocol):
    """What is known about the site of a crawl."""

    args: Params
    start_url: str
    """Where it begins; empty as long as that is not settled."""
    store: Store
    reader: LinkReader
    prober: Prober
    egress: Egress
    result: Result
    is_open: bool
    """Whether there is anything of the site yet: store, reader, prober and result."""
    error: CrawlError | None
    """Why it cannot be kept any longer."""
    left: Judgement | None
    """The verdict of URLs that are never asked for; None where all are to be."""

    async def page_key(self, request: Request, response: Response) -> int | None:
        """The key of the page that a response is; None when it is none of the site's."""

    def abort(self, error: CrawlError) -> None:
        """Keep it no longer."""


_others: WeakKeyDictionary[Crawler, Survey] = WeakKeyDictionary()


def keep_for(crawler: Crawler, survey: Survey) -> None:
    """Let the survey of a crawl be kept by another than its spider."""
    _others[crawler] = survey


def survey_of(crawler: Crawler) -> Survey:
    """The survey of a crawl's site."""
    return _others.get(crawler) or cast("Survey", crawler.spider)
