"""Renders a Scrapy request in the browser, and turns the document into a Scrapy response."""

from __future__ import annotations

import logging
from base64 import b64decode
from html import escape
from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse

from sitemapgen.browser.chromium import BrowserLost, NoBrowser
from sitemapgen.browser.pool import TabPool
from sitemapgen.browser.tab import Failed, RenderJob, Waits
from sitemapgen.browser.within import Ending
from sitemapgen.context import context_of
from sitemapgen.core.rendering.detect import policy
from sitemapgen.core.rendering.fence import MAX_FRAMES, MAX_REQUESTS, Fence
from sitemapgen.core.urls import parse, split
from sitemapgen.download.downloader import RequestCancelled
from sitemapgen.download.failures import BrowserMissing, Unrendered
from sitemapgen.download.terms import (
    HINDRANCE,
    PATIENT,
    RENDERED,
    SECONDS,
    WAITING,
)

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from sitemapgen.browser.tab import Rendered

logger = logging.getLogger(__name__)

LIMITS = f"{MAX_REQUESTS:,} requests or {MAX_FRAMES} frames"
BROWSERS_OWN = frozenset({"accept", "accept-language", "accept-encoding", "proxy-authorization"})
"""Headers that are not passed on to the browser, lower case."""


class Renderer:
    """Renders the pages of one crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._is_told = self._is_told_of_refusals = self._is_told_of_private = False
        self._is_told_of_storms = False
        settings = crawler.settings
        thresholds = policy(settings).thresholds
        deadline = settings.getfloat("SITEMAPGEN_RENDERING_DEADLINE")
        settle = settings.getfloat("SITEMAPGEN_RENDERING_SETTLE")
        waits = Waits(
            deadline=deadline,
            until=settings["SITEMAPGEN_RENDERING_WAIT_UNTIL"],
            navigation=max(deadline - settle - 1.0, deadline / 2),
            quiet=settings.getfloat("SITEMAPGEN_RENDERING_QUIET"),
            settle=settle,
            selector=settings["SITEMAPGEN_RENDERING_SELECTOR"],
            selector_wait=settings.getfloat("SITEMAPGEN_RENDERING_SELECTOR_WAIT"),
            roots=thresholds.root_selectors,
            indicators=tuple(word.lower() for word in thresholds.loading_indicators),
            minimum=thresholds.minimal_content_length,
        )
        egress = context_of(crawler).egress
        self._tabs = TabPool(settings, waits, self._is_ending, egress, self._note_private)

    async def download(self, request: Request) -> HtmlResponse:
        """Return the document that a browser makes of it. Raises Unrendered, RequestCancelled."""
        job = self._job(request)
        try:
            rendered = await self._tabs.render(job)
        except Failed as error:
            raise Unrendered(str(error)) from error
        except NoBrowser as error:
            self._tell(error, request.url)
            if isinstance(error, BrowserLost):
                self.crawler.stats.set_value("sitemapgen/rendering/browser_lost", str(error))
            raise BrowserMissing("needs a browser, and there is none") from error
        except Ending as error:
            raise RequestCancelled("the crawl ends") from error
        finally:
            request.meta[SECONDS] = job.seconds
            self._count_refused(job)
            self._count_cut(job)
        request.meta[WAITING] = rendered.waiting.value
        if hindrance := _hindrance(job, rendered):
            request.meta[HINDRANCE] = hindrance
        return _response(request, rendered)

    async def close(self) -> None:
        """End the browser."""
        await self._tabs.close()

    def _job(self, request: Request) -> RenderJob:
        settings = self.crawler.settings
        headers = {
            name.decode("latin-1"): b",".join(values).decode("utf-8", "replace")
            for name, values in request.headers.items()
            if name.decode("latin-1").lower() not in BROWSERS_OWN
        }
        if headers.get("User-Agent") == settings["USER_AGENT"]:
            del headers["User-Agent"]  # every host is told, in the browser's words
        robots = context_of(self.crawler).reader.rules.robots
        return RenderJob(
            fence=Fence(request.url, robots.refusal, self._tabs.egress.is_open),
            disallowed=robots.disallowed,
            headers=headers,
            proxy=_proxy(request),
            max_size=settings.getint("DOWNLOAD_MAXSIZE"),
            is_patient=request.meta.get(PATIENT, True),
        )

    def _is_ending(self) -> bool:
        slot = self.crawler.engine._slot
        return slot is None or slot.closing is not None

    def _note_private(self, host: str) -> None:
        """Count what pages were kept from because it is at a private address, and log it once."""
        self.crawler.stats.inc_value("sitemapgen/egress/refused_count/browser")
        if not self._is_told_of_private:
            self._is_told_of_private = True
            logger.info(
                "Pages load from %(host)s, a private address: out of reach, as are others",
                {"host": host},
            )

    def _count_refused(self, job: RenderJob) -> None:
        """Count what robots.txt kept a page from loading, and say so once."""
        if not job.refused:
            return
        stats = self.crawler.stats
        stats.inc_value("sitemapgen/rendering/disallowed_count", len(job.refused))
        if not self._is_told_of_refusals:
            self._is_told_of_refusals = True
            url = parse(job.refused[0]) or ""
            logger.warning(
                "%(page)s loads %(url)s, which is disallowed (%(line)s): it is read without, as "
                "search engines read it; so may others be",
                {"page": job.fence.url, "url": url, "line": job.fence.refusal(url)},
            )

    def _count_cut(self, job: RenderJob) -> None:
        """Count the requests that a page made beyond its limits, and log the first page."""
        if not job.cut:
            return
        self.crawler.stats.inc_value("sitemapgen/rendering/cut_count", job.cut)
        if not self._is_told_of_storms:
            self._is_told_of_storms = True
            logger.warning(
                "%(page)s makes more than %(limits)s: %(count)d were stopped; so may others be",
                {"page": job.fence.url, "limits": LIMITS, "count": job.cut},
            )

    def _tell(self, error: NoBrowser, url: str) -> None:
        """Log once what to install."""
        if not self._is_told:
            self._is_told = True
            logger.warning(
                "%(url)s needs a browser, and so may others: %(error)s",
                {"url": url, "error": error},
            )


def _hindrance(job: RenderJob, rendered: Rendered) -> str:
    """What may have kept a page from getting its content, with the remedy; empty if unknown."""
    if job.refused:
        url = parse(job.refused[0]) or ""
        line = job.fence.refusal(url)
        return f"it loads {url}, which is disallowed ({line}): allow it there, or -a robots=ignore"
    if job.cut:
        return f"it makes more than {LIMITS}"
    if rendered.failed:
        status, _, url = rendered.failed.partition(" ")
        return f"it loads {parse(url) or ''}, which answers {status}"
    return ""


def _proxy(request: Request) -> dict[str, str] | None:
    """The proxy of a request, in Playwright's terms."""
    url = request.meta.get("proxy")
    if not url:
        return None
    proxy = {"server": url}
    if credentials := request.headers.get("Proxy-Authorization"):
        decoded = b64decode(credentials.partition(b" ")[2]).decode("utf-8", "replace")
        proxy["username"], _, proxy["password"] = decoded.partition(":")
    return proxy


def _response(request: Request, rendered: Rendered) -> HtmlResponse:
    """A rendered document as a response."""
    charset, markup = rendered.charset.lower(), rendered.html
    if rendered.redirect:
        # What a visitor experiences is a refresh, and those have their rules.
        target = escape(rendered.redirect)
        markup = f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={target}">'
    else:
        further = rendered.links
        if split(rendered.address).path != split(request.url).path:
            # Scripts moved the address without leaving: that one may be a page as well.
            further = (rendered.address, *further)
        links = "".join(f'<a href="{escape(link)}"></a>' for link in further)
        markup = markup.replace("</body>", f"{links}</body>", 1) if links else markup
    try:
        body = markup.encode(charset, "xmlcharrefreplace")
    except (LookupError, UnicodeError):
        charset, body = "utf-8", markup.encode("utf-8", "replace")
    return HtmlResponse(
        request.url,
        headers={"Content-Type": f"text/html; charset={charset}"},
        body=body,
        flags=[RENDERED],
        request=request,
    )
