"""Downloader middleware that has pages rendered in the browser if necessary, and records the gain.

The decision: ``core/rendering/detect.py`` and ``core/rendering/learn.py``. The browser:
``browser/``.

The rendered document replaces the raw one; status and headers of the response stay.
"""

from __future__ import annotations

import logging
import re
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from scrapy.http.request import NO_CALLBACK

from sitemapgen.checks.browser import BrowserConfig
from sitemapgen.context import context_of
from sitemapgen.core.document import html
from sitemapgen.core.document.markup import read_source
from sitemapgen.core.document.pages import Sent
from sitemapgen.core.eligibility import HTML, robots_directives
from sitemapgen.core.rendering.detect import LARGEST_SHELL, policy, read, signature
from sitemapgen.core.rendering.learn import (
    Decision,
    Gain,
    Reading,
    Waiting,
    decide,
    decorated,
    gain,
    is_empty,
    is_patient,
)
from sitemapgen.core.urls import parse
from sitemapgen.download.downloader import RequestCancelled
from sitemapgen.download.failures import BrowserMissing, Unrendered
from sitemapgen.download.terms import (
    DECORATED,
    HINDRANCE,
    NO_BROWSER,
    PATIENT,
    RENDERED,
    RENDERING,
    SECONDS,
    SENT,
    UNRENDERABLE,
    WAITING,
)
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.store.rendering import Render

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from sitemapgen.core.document.markup import Source
    from sitemapgen.core.rendering.detect import Raw

logger = logging.getLogger(__name__)

GUESSES = frozenset({"always", "learned", "sampled"})
"""Reasons to render a page that may be complete without a browser."""

LONGER = "-s SITEMAPGEN_RENDERING_SELECTOR_WAIT=30 -s SITEMAPGEN_RENDERING_DEADLINE=60 waits longer"

COMPLETE = Decision(False, "no_script", is_counted=False)
_WORD = re.compile(r"[^\W_]+")


class RenderingMiddleware:
    """Replaces responses that are incomplete without a browser by rendered ones."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self.is_always = self.context.args.render == "always"
        self._shell: tuple[Response, Raw] | None = None
        if self.context.args.render == "never":
            raise NotConfigured
        try:
            self.policy = policy(crawler.settings)
            BrowserConfig.from_settings(
                crawler.settings
            )  # what is wrong with it ends the crawl now
        except ValueError as error:
            raise CrawlError(Exit.ARGUMENTS, str(error)) from error

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return the rendered page or the raw one, with a flag if that is incomplete."""
        if response.status != 200 or not _is_html(response):
            return response
        key = await self.context.page_key(request, response)
        if key is None:
            return response
        place, decision = await self._decide(key, response)
        if not decision.render:
            if decision.is_counted:
                self.context.store.rendering.skip(place, key)
            return response
        reason, stats = decision.reason, self.crawler.stats
        again = Request(
            request.url,
            callback=NO_CALLBACK,
            meta={
                RENDERING: reason,
                PATIENT: not place or is_patient(self.context.store.rendering.waits(place, key)),
                "dont_retry": True,
                "dont_cache": True,
            },
            dont_filter=True,
        )
        try:
            rendered = await self._fetch(again)
        except Unrendered as error:
            stats.inc_value(f"sitemapgen/rendering/failure_count/{reason}")
            self._note(key, again, Render(reason, "failed"))
            logger.debug("%(url)s %(why)s", {"url": request.url, "why": error})
            if reason in GUESSES:
                if decision.is_counted:
                    self.context.store.rendering.record(place, key, Gain())
                return response
            flag = NO_BROWSER if isinstance(error, BrowserMissing) else UNRENDERABLE
            return response.replace(flags=[*response.flags, f"{flag}: {error}"])
        stats.inc_value(f"sitemapgen/rendering/page_count/{reason}")
        rendered = _replaced(response, rendered)
        with self.context.store.readings.reading(key, response.url):
            before, after = self._reading(response), self._reading(rendered)
        request.meta[DECORATED] = decorated(before, after)
        if reason != "challenge":  # the metadata of a challenge is not that of the page behind it
            request.meta[SENT] = Sent(tuple(before.canonical.split()), before.noindex)
        brought = gain(before, after)
        render = Render(reason, "gained" if brought.is_any else "nothing", signature=place)
        if is_empty(after, response.url, self.policy.thresholds.minimal_content_length):
            render = render._replace(empty=_why_empty(again))
        self._note(key, again, render)
        if not brought.is_any:
            stats.inc_value("sitemapgen/rendering/fruitless_count")
        if decision.is_counted:
            self.context.store.rendering.record(place, key, brought)
        if reason == "sampled" and not brought.is_any:
            return response  # read raw like the others of its kind, so that a 304 can renew it
        return rendered

    async def _decide(self, key: int, response: Response) -> tuple[str, Decision]:
        """Return the signature of a document, and whether it is to be rendered."""
        if b"<script" not in response.body and not self.is_always:
            return "", COMPLETE
        robots = [value.decode("latin-1") for value in response.headers.getlist("X-Robots-Tag")]
        if robots and robots_directives((), robots, datetime.now(timezone.utc)).noindex:
            return "", COMPLETE
        with self.context.store.readings.reading(key, response.url):
            raw = self._read(response)
        place = signature(raw, response.url)
        record = self.context.store.rendering.of(place, key)
        decision = decide(raw, record, policy=self.policy)
        if decision.reason == "complete" and len(raw.text) < LARGEST_SHELL:
            decision = decide(raw, record, await self._read_shell(), self.policy)
        if self.is_always and not decision.render:
            decision = decision._replace(render=True, reason="always")
        return place, decision

    def _note(self, key: int, request: Request, render: Render) -> None:
        seconds, waiting = request.meta.get(SECONDS, 0.0), request.meta.get(WAITING, "")
        stats = self.crawler.stats
        stats.inc_value("sitemapgen/rendering/seconds", seconds)
        if waiting:
            stats.inc_value(f"sitemapgen/rendering/waiting_count/{waiting}")
        render = render._replace(seconds=seconds, waiting=waiting)
        self.context.store.rendering.note(key, render)

    async def _read_shell(self) -> Raw | None:
        """Return the raw document for a path that cannot exist; None if there is none."""
        response = await self.context.prober.shell()
        if response is None:
            return None
        if self._shell is None or self._shell[0] is not response:
            self._shell = response, self._read(response)
        return self._shell[1]

    def _read(self, response: Response) -> Raw:
        return read(response.body, thresholds=self.policy.thresholds, source=self._source(response))

    def _source(self, response: Response) -> Source:
        """Return the decoded document; it is kept for the component that reads it next."""
        source = self.context.sources.get(response)
        if source is None:
            source = read_source(response.body, _content_type(response))
            self.context.sources[response] = source
        return source

    def _reading(self, response: Response) -> Reading:
        """Read the parts of a document by which the raw and the rendered one are compared."""
        document = html.parse(response.body, source=self._source(response))
        site = self.context.reader.rules.site
        base = (parse(document.base, response.url) if document.base else None) or response.url
        urls = (site.resolve(anchor.href, base, document.encoding) for anchor in document.anchors)
        canonicals = {site.resolve(href, base) for href in document.canonicals}
        return Reading(
            links=frozenset(url for url in urls if url and site.owns(url)),
            words=frozenset(_WORD.findall(document.excerpt.casefold())),
            title=document.title,
            robots=",".join(content for _, content in document.robots),
            noindex=robots_directives(document.robots, (), datetime.now(timezone.utc)).noindex,
            canonical=" ".join(sorted(filter(None, canonicals))),
            length=document.text_length,
        )

    async def _fetch(self, request: Request) -> Response:
        """Request a page from the browser; robots.txt, delays and logins apply as usual."""
        try:
            response = await self.crawler.engine.download_async(request)
        except (Unrendered, RequestCancelled):
            raise
        except Exception as error:  # an error while rendering must affect only this page
            logger.exception("%(url)s", {"url": request.url})
            raise Unrendered(f"fails in the browser ({type(error).__name__})") from error
        if RENDERED not in response.flags:
            handler = "sitemapgen.browser.handler.BrowserHandler"
            raise BrowserMissing(f"DOWNLOAD_HANDLERS has no {handler}")
        return response


def _why_empty(request: Request) -> str:
    """Return why a page has no content in the browser, or what may help."""
    if hindrance := request.meta.get(HINDRANCE):
        return str(hindrance)
    if request.meta.get(WAITING) in (Waiting.VAIN.value, Waiting.DENIED.value):
        return f"it was still loading: {LONGER}"
    return (
        "-s SITEMAPGEN_RENDERING_SELECTOR='main a' waits for what it shows once it is ready, and "
        "-a headers=... or cookies=... are for what it shows only to visitors with a login"
    )


def _content_type(response: Response) -> str:
    return (response.headers.get("Content-Type") or b"").decode("latin-1")


def _is_html(response: Response) -> bool:
    media_type = _content_type(response).partition(";")[0].strip().lower()
    return media_type in HTML or (not media_type and isinstance(response, HtmlResponse))


def _replaced(static: Response, rendered: Response) -> Response:
    """Return the rendered document with status and headers of the raw response."""
    headers = static.headers.copy()
    headers["Content-Type"] = rendered.headers["Content-Type"]
    return HtmlResponse(
        static.url,
        status=static.status,
        headers=headers,
        body=rendered.body,
        flags=[*static.flags, *rendered.flags],
        request=static.request,
    )
