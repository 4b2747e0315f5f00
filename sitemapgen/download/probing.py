"""Probes: requests for paths that cannot exist, to recognise soft 404s and empty shells.

Choice of the paths: ``core/probes.py``. Evaluation of the responses: ``core/soft404.py``, for
shells ``core/rendering/detect.py``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import NamedTuple

from scrapy.crawler import Crawler
from scrapy.http import Response

from sitemapgen.analysis.kinds.titles import key_of
from sitemapgen.core.links import LinkReader
from sitemapgen.core.probes import Probes
from sitemapgen.core.soft404 import (
    Reading,
    Soft404Signature,
    as_soft_404,
    is_document,
    needs_probe,
    probe_signature,
)
from sitemapgen.core.urls import key
from sitemapgen.download.engine import fetch_url
from sitemapgen.download.examining import read_words
from sitemapgen.download.failures import describe_failure
from sitemapgen.download.terms import RENDERED, RENDERING
from sitemapgen.items import Link, Page
from sitemapgen.store import Store
from sitemapgen.verdicts import Verdict

logger = logging.getLogger(__name__)

MAX_REDIRECTS = 2
"""Redirects that a probe follows: one that adds a slash or a language, one to an error page."""

FORMS_SHARE = 5
"""Divisor of the maximum number of probes: the share of forms (``analysis/kinds/titles.py``)."""


class ProbeResponse(NamedTuple):
    """The document that a probe returned."""

    url: str
    """The URL of the document, after redirects."""
    response: Response


class Prober:
    """Requests each probe once, and compares all pages near it with its response.

    Probes go through the downloader, so politeness and robots.txt apply; they are never recorded.
    """

    def __init__(
        self,
        crawler: Crawler,
        store: Store,
        reader: LinkReader,
        start: str,
        read: Callable[[Link, Response], Page],
    ) -> None:
        """``start``: the start URL; ``read``: turns a response into a page."""
        self.crawler = crawler
        self.store = store
        self.link_reader, self.rules = reader, reader.rules
        self.start = start
        self.read = read
        self.limit = crawler.settings.getint("SITEMAPGEN_MAX_PROBES")
        store.forms.limit = self.limit // FORMS_SHARE
        self._probes: Probes | None = None
        self._start_page: tuple[str, str, str] | None = None
        self._answers: dict[tuple[str, bool], asyncio.Task[ProbeResponse | None]] = {}
        self._signatures: dict[tuple[str, bool], Soft404Signature | None] = {}

    def is_needed(self, page: Page) -> bool:
        """Return whether a page has to wait for ``judge_page``; never the start page."""
        return self.limit > 0 and needs_probe(page) and page.url != self.start

    async def judge_page(self, page: Page, response: Response) -> Page:
        """Return the page, as a soft 404 if it matches the response for missing pages here."""
        is_rendered = RENDERED in response.flags
        reading = self._read_words(page, response) if is_rendered else None
        if reading and reading.has_scripts and not reading.is_error_message:
            return page  # it cannot match any signature
        signature = await self.soft404_signature(page, is_rendered=is_rendered)
        if signature and signature.fits(reading or self._read_words(page, response), page.url):
            return as_soft_404(page, signature.probe)
        return page

    def _read_words(self, page: Page, response: Response) -> Reading:
        with self.store.readings.reading(page.key, page.url):
            return read_words(response)

    async def soft404_signature(self, page: Page, *, is_rendered: bool) -> Soft404Signature | None:
        """Return the signature of missing pages next to this one; None if they have none.

        With ``is_rendered`` the response for the missing page is rendered as well.
        """
        probes = self.store.forms.probes
        form = key_of(page.url, page.title) if probes else None
        probe = (form and probes.get(form)) or self._plan_probes().of(page.url)
        answer = await self._probe_answer(probe, is_rendered)
        if (probe, is_rendered) not in self._signatures:
            self._signatures[probe, is_rendered] = found = answer and probe_signature(
                read_words(answer.response),
                probe=probe,
                answered_by=answer.url,
                start=self._start_page,
            )
            if found:
                logger.info(
                    "Pages that do not exist answer 200 instead of 404 (tested with %(url)s): have "
                    "the server answer 404",
                    {"url": probe},
                )
        return self._signatures[probe, is_rendered]

    async def shell(self) -> Response | None:
        """Return the response for a missing page in the site's root, if it is a document."""
        if not self.limit:
            return None
        probe = Probes(self.rules, (), 1).of(self.rules.site.origin + "/")
        answer = await self._probe_answer(probe, is_rendered=False)
        return answer.response if answer and answer.url == probe else None

    def _plan_probes(self) -> Probes:
        """Return the probes of the crawl; they depend on the start page, if it was read."""
        if self._probes is not None:
            return self._probes
        rules, limit = self.rules, self.limit - self.store.forms.limit
        page = self.store.results.page(key(self.start))
        if page is None:
            return Probes(rules, [self.start], limit)
        self._start_page = (self.start, page.title, page.excerpt)
        self._probes = Probes(rules, [self.start, *page.followed], limit)
        self.store.forms.planned = self._probes.urls()
        return self._probes

    async def _probe_answer(self, probe: str, is_rendered: bool) -> ProbeResponse | None:
        if is_rendered and await self._probe_answer(probe, is_rendered=False) is None:
            return None  # an error status: in the browser there is no document either
        if (probe, is_rendered) not in self._answers:
            asking = asyncio.ensure_future(self._try_probe(probe, is_rendered))
            self._answers[probe, is_rendered] = asking
        # Shielded: cancelling the first page that waits must not cancel the probe for the others.
        return await asyncio.shield(self._answers[probe, is_rendered])

    async def _try_probe(self, probe: str, is_rendered: bool) -> ProbeResponse | None:
        """Fetch a probe; return None if that fails, as the crawl continues without it."""
        try:
            return await self._fetch_probe(probe, is_rendered)
        except Exception as error:  # noqa: BLE001 - any error of the network
            logger.debug("%(url)s: %(error)s", {"url": probe, "error": describe_failure(error)})
            return None

    async def _fetch_probe(self, probe: str, is_rendered: bool) -> ProbeResponse | None:
        link = self.link_reader.link(probe)
        for _ in range(MAX_REDIRECTS + 1):
            if link.refusal:
                break
            self.crawler.stats.inc_value("sitemapgen/soft404/request_count")
            meta = {RENDERING: "probe", "dont_retry": True} if is_rendered else {}
            response = await fetch_url(self.crawler, link.url, meta)
            page = self.read(link, response)
            if is_document(page):
                return ProbeResponse(link.url, response)
            if page.judgement.verdict is not Verdict.REDIRECT:
                break
            link = page.links[0]
        return None
