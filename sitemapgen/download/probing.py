"""Asks for paths that cannot exist, to recognise soft 404s and empty shells by their answers.

Which paths: ``core/probes.py``. What their answers prove: ``core/soft404.py``, and of shells
``core/rendering/detect.py``.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, NamedTuple

from scrapy import Request
from scrapy.http.request import NO_CALLBACK

from sitemapgen.core.probes import Probes
from sitemapgen.core.soft404 import (
    as_soft_404,
    is_document,
    is_suspect,
    read_document,
    signature,
)
from sitemapgen.core.urls import key
from sitemapgen.download.failures import describe
from sitemapgen.download.terms import RENDERED, RENDERING
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from sitemapgen.core.links import LinkReader
    from sitemapgen.core.soft404 import Reading, Signature
    from sitemapgen.items import Link, Page
    from sitemapgen.store import Store

logger = logging.getLogger(__name__)

MAX_REDIRECTS = 2
"""One that adds a slash or a language, one to the site's error page."""


class ProbeResponse(NamedTuple):
    """The document that a probe led to."""

    url: str
    """Another one than the probe after a redirect."""
    response: Response


class Prober:
    """What missing pages answer: asked for once in each place, waited for by all its pages.

    It goes through the downloader: politeness and robots.txt hold, but no probe is a page.
    """

    def __init__(
        self,
        crawler: Crawler,
        store: Store,
        reader: LinkReader,
        start: str,
        read: Callable[[Link, Response], Page],
    ) -> None:
        """``start``: the start URL; ``read``: how an answer becomes a page."""
        self.crawler = crawler
        self.store = store
        self.reader = reader
        self.start = start
        self.read = read
        self.limit = crawler.settings.getint("SITEMAPGEN_MAX_PROBES")
        self._probes: Probes | None = None
        self._start: tuple[str, str, str] | None = None
        self._answers: dict[tuple[str, bool], asyncio.Task[ProbeResponse | None]] = {}
        self._signatures: dict[tuple[str, bool], Signature | None] = {}

    def is_needed(self, page: Page) -> bool:
        """Return whether a page has to wait for ``judge``; never the start page."""
        return self.limit > 0 and is_suspect(page) and page.url != self.start

    async def judge(self, page: Page, response: Response) -> Page:
        """The page, as a soft 404 if it says what missing pages say here."""
        is_rendered = RENDERED in response.flags
        reading = self._read(page, response) if is_rendered else None
        if reading and reading.has_scripts and not reading.says_missing:
            return page  # it is like no answer that proves anything
        signature = await self.signature(page.url, is_rendered=is_rendered)
        if signature and signature.fits(reading or self._read(page, response), page.url):
            return as_soft_404(page, signature.probe)
        return page

    def _read(self, page: Page, response: Response) -> Reading:
        with self.store.readings.reading(page.key, page.url):
            return _read(response)

    async def signature(self, url: str, *, is_rendered: bool = False) -> Signature | None:
        """How the site answers for a missing page beside this URL; None if that proves nothing.

        A page that a browser made is compared with what the browser makes of the answer.
        """
        probe = self._plan().of(url)
        answer = await self._answer(probe, is_rendered)
        if (probe, is_rendered) not in self._signatures:
            self._signatures[probe, is_rendered] = found = answer and signature(
                _read(answer.response), probe=probe, answered_by=answer.url, start=self._start
            )
            if found:
                logger.info("Missing pages answer 200 here: %(url)s", {"url": probe})
        return self._signatures[probe, is_rendered]

    async def shell(self) -> Response | None:
        """What the site's root answers for a missing page; None unless that is a document."""
        if not self.limit:
            return None
        probe = Probes(self.reader.rules, (), 1).of(self.reader.rules.site.origin + "/")
        answer = await self._answer(probe, is_rendered=False)
        return answer.response if answer and answer.url == probe else None

    def _plan(self) -> Probes:
        """Which probes there are: the start page decides, if it was read at all."""
        if self._probes is not None:
            return self._probes
        rules = self.reader.rules
        page = self.store.page(key(self.start))
        if page is None:
            return Probes(rules, [self.start], self.limit)
        self._start = (self.start, page.title, page.excerpt)
        self._probes = Probes(rules, [self.start, *page.links], self.limit)
        return self._probes

    async def _answer(self, probe: str, is_rendered: bool) -> ProbeResponse | None:
        if is_rendered and await self._answer(probe, is_rendered=False) is None:
            return None  # an honest status: the browser would show nothing that is a document
        if (probe, is_rendered) not in self._answers:
            asking = asyncio.ensure_future(self._ask(probe, is_rendered))
            self._answers[probe, is_rendered] = asking
        # Shielded: the page that happens to ask first must not take the answer from the others.
        return await asyncio.shield(self._answers[probe, is_rendered])

    async def _ask(self, probe: str, is_rendered: bool) -> ProbeResponse | None:
        """Ask for a probe. Whatever goes wrong, the crawl goes on without it."""
        try:
            return await self._fetch(probe, is_rendered)
        except Exception as error:  # noqa: BLE001 - whatever the network does
            logger.debug("%(url)s: %(error)s", {"url": probe, "error": describe(error)})
            return None

    async def _fetch(self, probe: str, is_rendered: bool) -> ProbeResponse | None:
        link = self.reader.link(probe)
        for _ in range(MAX_REDIRECTS + 1):
            if link.refusal:
                break
            self.crawler.stats.inc_value("sitemapgen/soft404/request_count")
            request = Request(link.url, callback=NO_CALLBACK, dont_filter=True)
            if is_rendered:
                request.meta.update({RENDERING: "probe", "dont_retry": True})
            response = await self.crawler.engine.download_async(request)
            page = self.read(link, response)
            if is_document(page):
                return ProbeResponse(link.url, response)
            if page.judgement.verdict is not Verdict.REDIRECT:
                break
            link = page.links[0]
        return None


def _read(response: Response) -> Reading:
    content_type = response.headers.get("Content-Type") or b""
    return read_document(response.body, content_type.decode("latin-1"))
