"""Downloader middleware that has pages rendered in the browser if necessary, and records the gain.

The decision: ``core/rendering/detect.py`` and ``core/rendering/learn.py``. The browser:
``browser/``.

The rendered document replaces the raw one; status and headers of the response stay.
"""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from sitemapgen.checks.browser import SPIDERS_OWN, BrowserConfig
from sitemapgen.context import Component, context_of
from sitemapgen.core.rendering.detect import CLASSIC, Outline, RenderSignature, read_policy
from sitemapgen.core.rendering.learn import (
    GUESSES,
    WHOLE,
    Gain,
    RenderDecision,
    Waiting,
    decide_rendering,
    is_patient,
)
from sitemapgen.core.urls import key as url_key
from sitemapgen.download.downloader import RequestCancelled
from sitemapgen.download.examining import Comparison, Examiner, ReadResponse, is_html, with_body_of
from sitemapgen.download.failures import BrowserMissing, OverLimit, Unrendered
from sitemapgen.download.terms import (
    NOT_RENDERED,
    OUTCOME,
    PATIENT,
    PLAYWRIGHT,
    RAW,
    RENDERED,
    RENDERING,
    SENT,
    UNRENDERED,
    RenderOutcome,
)
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.items import Judgement
from sitemapgen.store.rendering import Render
from sitemapgen.verdicts import Reason, Verdict

logger = logging.getLogger(__name__)

LONGER = "-s SITEMAPGEN_RENDERING_SELECTOR_WAIT=30 -s SITEMAPGEN_RENDERING_DEADLINE=60 waits longer"

COMPLETE = RenderDecision(False, "no_script", is_counted=False)


class RenderingMiddleware(Component):
    """Replaces responses that are incomplete without a browser by rendered ones."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self._last_shell: tuple[Response, Outline] | None = None
        render = self.context.host.args.render
        if render == "never":
            raise NotConfigured
        try:
            sources, is_always = self.context.sources, render == "always"
            self.examiner = Examiner(read_policy(crawler.settings), sources, is_always=is_always)
            BrowserConfig.from_settings(crawler.settings)  # a fault in it ends the crawl now
        except ValueError as error:
            raise CrawlError(Exit.ARGUMENTS, str(error)) from error
        if names := [name for name in SPIDERS_OWN if name in crawler.settings]:
            logger.info(
                '%(names)s: for requests with meta["playwright"] only; what holds for pages that '
                "the crawl renders is SITEMAPGEN_RENDERING_...",
                {"names": ", ".join(names)},
            )

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return the rendered page or the raw one, with ``UNRENDERED`` if that is incomplete."""
        request.meta.pop(UNRENDERED, None)  # of a response before this one
        if request.meta.get(PLAYWRIGHT):  # in a browser already
            return response
        if response.status != 200 or not (isinstance(response, ReadResponse) or is_html(response)):
            return response
        key = await self.context.host.page_key(request, response)
        if key is None:
            return response
        store = self.context.crawl.store.rendering
        signature, decision = await self._decide_rendering(key, response)
        if not decision.render:
            if decision.is_counted:
                store.count_skipped(signature, key)
            return response
        reason, stats = decision.reason, self.crawler.stats
        again = _rendering_request(request.url, reason, response)
        again.meta[PATIENT] = is_patient(store.wait_record(signature, key))
        try:
            rendered = await self._fetch_rendered(again)
        except OverLimit:
            if reason in GUESSES:
                return response
            raise
        except Unrendered as error:
            stats.inc_value(f"sitemapgen/rendering/failure_count/{reason}")
            self._note_rendering(key, again, Render(reason, "failed"))
            logger.debug("%(url)s %(why)s", {"url": request.url, "why": error})
            if reason in GUESSES:
                if decision.is_counted:
                    store.count_rendered(signature, key, Gain())
                return response
            lasts = Reason.PERMANENT if isinstance(error, BrowserMissing) else Reason.NONE
            request.meta[UNRENDERED] = Judgement(Verdict.UNRENDERABLE, str(error), reason=lasts)
            return response
        stats.inc_value(f"sitemapgen/rendering/page_count/{reason}")
        again = rendered.request or again  # another one if it had to be repeated
        rendered, comparison = self._compare_readings(key, response, rendered, reason)
        request.meta[SENT] = comparison.sent
        request.meta[OUTCOME] = again.meta.get(OUTCOME, NOT_RENDERED)
        brought = self._gain_of_new_urls(comparison) if reason in WHOLE else comparison.gain
        outcome = "gained" if brought.is_any else "nothing"
        added = tuple(sorted(map(url_key, comparison.added)))
        render = Render(reason, outcome, signature=signature, gained=brought.bits, added=added)
        if comparison.is_empty:
            render = render._replace(empty=_why_empty(again))
        self._note_rendering(key, again, render)
        if not brought.is_any:
            stats.inc_value("sitemapgen/rendering/fruitless_count")
        if decision.is_counted:
            repeats = bool(comparison.added)
            store.count_rendered(signature, key, brought, repeats=repeats)
        if reason == "always" or brought.is_any or comparison.is_empty:
            return rendered
        return response  # read raw like the others of its kind, so that a 304 can renew it

    async def _decide_rendering(
        self, key: int, response: Response
    ) -> tuple[RenderSignature, RenderDecision]:
        """Return the signature of a document, and whether it is to be rendered."""
        if isinstance(response, ReadResponse):
            outline = response.findings.outline
        else:
            outline = self.examiner.outline(response, self._journal_reading(key, response))
        if outline is None:
            return RenderSignature(), COMPLETE
        is_classic = self.examiner.policy.rule == CLASSIC
        record = self.context.crawl.store.rendering.record_of(outline.signature, key)
        decision = decide_rendering(outline.verdict, record, is_classic=is_classic)
        if (
            decision.reason == "complete"
            and outline.likeness
            and (shell := await self._outline_of_shell())
        ):
            decision = decide_rendering(outline.against(shell), record, is_classic=is_classic)
        if self.examiner.is_always and not decision.render:
            decision = decision._replace(render=True, reason="always")
        return outline.signature, decision

    def _compare_readings(
        self, key: int, static: Response, rendered: Response, reason: str
    ) -> tuple[Response, Comparison]:
        """Return the rendered page with status and headers of the raw one, and the gain."""
        if isinstance(rendered, ReadResponse):
            comparison = rendered.findings.comparison
            assert comparison is not None
            flags = [*static.flags, *rendered.flags]
            return rendered.replace(flags=flags, request=static.request), comparison
        rendered = with_body_of(static, rendered)
        site = self.context.rules.site
        with self._journal_reading(key, static):
            before, after = (self.examiner.read_parts(each, site) for each in (static, rendered))
        return rendered, self.examiner.compare_readings(before, after, static.url, reason)

    def _gain_of_new_urls(self, comparison: Comparison) -> Gain:
        """Return the gain without links to URLs that the site is known to have."""
        known = self.context.crawl.store.frontier.known_of(map(url_key, comparison.added))
        return comparison.gain._replace(links=len(comparison.added) - known)

    def _journal_reading(self, key: int, response: Response) -> AbstractContextManager[None]:
        return self.context.crawl.store.readings.reading(key, response.url)

    def _note_rendering(self, key: int, request: Request, render: Render) -> None:
        seconds, waiting, *_ = request.meta.get(OUTCOME, NOT_RENDERED)
        stats = self.crawler.stats
        stats.inc_value("sitemapgen/rendering/seconds", seconds)
        if waiting:
            stats.inc_value(f"sitemapgen/rendering/waiting_count/{waiting}")
        render = render._replace(seconds=seconds, waiting=waiting)
        self.context.crawl.store.rendering.record_render(key, render)

    async def _outline_of_shell(self) -> Outline | None:
        """Return the outline of a path that cannot exist; None if it has no document."""
        response = await self.context.host.prober.shell()
        if response is None:
            return None
        if self._last_shell is None or self._last_shell[0] is not response:
            self._last_shell = response, self.examiner.shell(response)
        return self._last_shell[1]

    async def _fetch_rendered(self, request: Request) -> Response:
        """Request a page from the browser; robots.txt, delays and logins apply as usual."""
        try:
            response = await self.crawler.engine.download_async(request)
        except (OverLimit, Unrendered, RequestCancelled):
            raise
        except Exception as error:  # an error while rendering must affect only this page
            logger.exception("%(url)s", {"url": request.url})
            raise Unrendered(f"fails in the browser ({type(error).__name__})") from error
        if RENDERED not in response.flags:
            handler = "sitemapgen.browser.handler.BrowserHandler"
            raise BrowserMissing(f"DOWNLOAD_HANDLERS has no {handler}")
        return response


def _rendering_request(url: str, reason: str, raw: Response) -> Request:
    meta = {
        RENDERING: reason,
        PLAYWRIGHT: True,  # for middlewares of users of scrapy-playwright
        "dont_retry": True,
        "dont_cache": True,
    }
    if isinstance(raw, ReadResponse):
        meta[RAW] = raw
    return Request(url, callback=NO_CALLBACK, meta=meta, dont_filter=True)


def _why_empty(request: Request) -> str:
    """Return why a page has no content in the browser, or what may help."""
    outcome: RenderOutcome = request.meta.get(OUTCOME, NOT_RENDERED)
    if outcome.hindrance:
        return outcome.hindrance
    if outcome.waiting in (Waiting.VAIN.value, Waiting.DENIED.value):
        return f"it was still loading: {LONGER}"
    return (
        "-s SITEMAPGEN_RENDERING_SELECTOR='main a' waits for what it shows once it is ready, and "
        "-a headers= and -a cookies= are for what it shows only to visitors with a login"
    )
