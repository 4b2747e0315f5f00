"""Renders Scrapy requests in the browser, and turns the documents into Scrapy responses."""

from __future__ import annotations

import asyncio
import logging
from base64 import b64decode
from functools import partial
from html import escape

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse

from sitemapgen.browser.chromium import BrowserLost, NoBrowser
from sitemapgen.browser.hands import Task
from sitemapgen.browser.pool import TabPool
from sitemapgen.browser.tab import Failed, RenderedDocument, RenderJob
from sitemapgen.browser.within import CrawlEnding
from sitemapgen.checks.browser import BrowserConfig
from sitemapgen.context import context_of
from sitemapgen.core.rendering.fence import MAX_FRAMES, MAX_REQUESTS, Fence
from sitemapgen.core.rendering.hands import OFF, Experience
from sitemapgen.core.rendering.learn import GUESSES
from sitemapgen.core.url_forms import template
from sitemapgen.core.urls import parse, split
from sitemapgen.core.words import counted
from sitemapgen.download.downloader import RequestCancelled, polite_downloader
from sitemapgen.download.engine import is_ending
from sitemapgen.download.failures import BrowserMissing, Unrendered
from sitemapgen.download.terms import NOT_RENDERED, OUTCOME, PATIENT, RENDERED, RENDERING

logger = logging.getLogger(__name__)

LIMITS = f"{MAX_REQUESTS:,} requests or {MAX_FRAMES} frames"
BROWSERS_OWN = frozenset({"accept", "accept-language", "accept-encoding", "proxy-authorization"})
"""Names, in lower case, of request headers that are left to the browser."""


class Renderer:
    """Renders the pages of one crawl."""

    def __init__(self, crawler: Crawler, driver_lock: asyncio.Lock) -> None:
        """``driver_lock``: held while a driver of Playwright starts."""
        self.crawler = crawler
        self._logged: set[str] = set()
        self._experience = Experience()
        self._config = BrowserConfig.from_settings(crawler.settings)
        self._tabs = TabPool(
            self._config,
            crawler.settings,
            partial(is_ending, crawler),
            context_of(crawler).host.egress,
            self._note_private,
            driver_lock,
        )

    async def download(self, request: Request) -> HtmlResponse:
        """Return the rendered document. Raises Unrendered, BrowserMissing, RequestCancelled."""
        job, outcome, stats = self._make_job(request), NOT_RENDERED, self.crawler.stats
        try:
            rendered = await self._tabs.render(job)
            outcome = outcome._replace(
                waiting=rendered.waiting.value,
                hindrance=_find_hindrance(job, rendered),
                bound=rendered.reach.bound,
            )
        except Failed as error:
            raise Unrendered(str(error)) from error
        except NoBrowser as error:
            needs = "may need" if request.meta[RENDERING] in GUESSES else "needs"
            sentence = "%(url)s %(needs)s a browser, and so may others: %(error)s"
            self._log_once(logging.WARNING, sentence, url=request.url, needs=needs, error=error)
            if isinstance(error, BrowserLost):
                stats.set_value("sitemapgen/rendering/browser_lost", str(error))
            raise BrowserMissing("needs a browser, and there is none") from error
        except CrawlEnding as error:
            raise RequestCancelled("the crawl ends") from error
        finally:
            request.meta[OUTCOME] = outcome._replace(seconds=job.seconds)
            self._count_stopped(job)
            for number, (_, count) in enumerate(self._tabs.page_counts(), 1):
                stats.set_value(f"sitemapgen/rendering/endpoint_count/{number}", count)
        if rendered.reach.pressed:
            self._log_once(
                logging.INFO,
                "%(page)s: “%(button)s” was pressed for the links it may show, and nothing but GET "
                "and HEAD is sent; so may others be (interact=scroll presses none)",
                page=request.url,
                button=rendered.reach.pressed,
            )
        return _make_response(request, rendered)

    async def close(self) -> None:
        """End the browsers; log how many pages each endpoint rendered."""
        await self._tabs.close()
        if counts := self._tabs.page_counts():
            pages = ", ".join(f"{endpoint.name} {count:,}" for endpoint, count in counts)
            logger.info("Rendered pages by endpoint: %(pages)s", {"pages": pages})

    def _make_job(self, request: Request) -> RenderJob:
        headers = {
            name.decode("latin-1"): b",".join(values).decode("utf-8", "replace")
            for name, values in request.headers.items()
            if name.decode("latin-1").lower() not in BROWSERS_OWN
        }
        if headers.get("User-Agent") == self._config.user_agent:
            del headers["User-Agent"]  # the tab sends it to every host, with the browser's
        context, task = context_of(self.crawler), None
        if (mode := context.host.args.interact) != OFF:
            pause = polite_downloader(self.crawler).polite_slot(request).delay
            task = Task(mode, template(request.url), self._experience, pause)
        robots = context.rules.robots
        return RenderJob(
            fence=Fence(request.url, robots.refusal, self._tabs.egress.is_open),
            disallowed=robots.disallowed,
            headers=headers,
            proxy=proxy_of(request),
            max_size=self._config.max_size,
            is_patient=request.meta.get(PATIENT, True),
            task=task,
        )

    def _note_private(self, host: str) -> None:
        """Count requests refused for a private address, and log the first one."""
        self.crawler.stats.inc_value("sitemapgen/egress/refused_count/browser")
        sentence = "Pages load from %(host)s, a private address: out of reach, as are others"
        self._log_once(logging.INFO, sentence, host=host)

    def _count_stopped(self, job: RenderJob) -> None:
        """Count the requests of a page that robots.txt disallows, or above its limits.

        The first page of each kind is logged.
        """
        stats, page = self.crawler.stats, job.fence.url
        if job.refused:
            stats.inc_value("sitemapgen/rendering/disallowed_count", len(job.refused))
            url = parse(job.refused[0]) or ""
            self._log_once(
                logging.WARNING,
                "%(page)s loads %(url)s, which is disallowed (%(line)s): it is read without, as "
                "search engines read it; so may others be",
                page=page,
                url=url,
                line=job.fence.refusal(url),
            )
        if job.cut:
            stats.inc_value("sitemapgen/rendering/cut_count", job.cut)
            self._log_once(
                logging.WARNING,
                "%(page)s makes more than %(limits)s: %(cut)s stopped; so may others be",
                page=page,
                limits=LIMITS,
                cut=counted(job.cut, "was", "were"),
            )

    def _log_once(self, level: int, sentence: str, **values: object) -> None:
        if sentence not in self._logged:
            self._logged.add(sentence)
            logger.log(level, sentence, values)


def _find_hindrance(job: RenderJob, rendered: RenderedDocument) -> str:
    """Return why a page may lack its content, with the remedy; empty if unknown."""
    if job.refused:
        url = parse(job.refused[0]) or ""
        line = job.fence.refusal(url)
        return f"it loads {url}, which is disallowed ({line}): allow it there, or -a robots=ignore"
    if job.cut:
        return f"it makes more than {LIMITS}"
    if rendered.failed:
        status, url = rendered.failed
        return f"it loads {parse(url) or ''}, which answers {status}"
    return ""


def proxy_of(request: Request) -> dict[str, str] | None:
    """Return the proxy of a request as Playwright's ``proxy`` option."""
    url = request.meta.get("proxy")
    if not url:
        return None
    proxy = {"server": url}
    if credentials := request.headers.get("Proxy-Authorization"):
        decoded = b64decode(credentials.partition(b" ")[2]).decode("utf-8", "replace")
        proxy["username"], _, proxy["password"] = decoded.partition(":")
    return proxy


def _make_response(request: Request, rendered: RenderedDocument) -> HtmlResponse:
    """Turn a rendered document into a response."""
    charset, markup = rendered.charset.lower(), rendered.html
    if rendered.redirect:
        # For a visitor this is a refresh, so the rules of refreshes apply.
        target = escape(rendered.redirect)
        markup = f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={target}">'
    else:
        further = rendered.reach.links
        if split(rendered.address).path != split(request.url).path:
            # Scripts changed the address without leaving the document: it may be a page as well.
            further = ((rendered.address, ""), *further)
        links = "".join(f'<a href="{escape(link)}">{escape(label)}</a>' for link, label in further)
        markup = markup.replace("</body>", f"<nav>{links}</nav></body>", 1) if links else markup
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
