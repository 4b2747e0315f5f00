"""Figures of the running crawl, which ``progress.py`` and ``dashboard/`` show.

It only reads, and only when it is asked: what the store, the stats and the downloader count anyway.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING

from scrapy import signals

from sitemapgen.analysis.progress import Sample, rate, time_left
from sitemapgen.context import context_of, step_begins
from sitemapgen.core.urls import hostname
from sitemapgen.download.downloader import polite_downloader
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrapy.crawler import Crawler

    from sitemapgen.analysis.progress import TimeLeft
    from sitemapgen.download.downloader import Wait
    from sitemapgen.store.readings import Slow

RENDERED = "sitemapgen/rendering/page_count/"
_ATTRIBUTE = "sitemapgen_figures"
SAMPLES = 300
"""One a second at the most: the last five minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A crawl at one moment."""

    state: str
    """``starting``, ``crawling``, ``finishing`` (it was interrupted) or ``publishing``."""
    url: str
    """The start URL, once it has answered where it led."""
    seconds: float
    """Since this process began to crawl."""
    fetched: int = 0
    """URLs fetched in this run, also by earlier processes."""
    listed: int = 0
    """Pages that would be listed by their answer alone."""
    queued: int = 0
    """URLs that wait or are under way."""
    later: int = 0
    """URLs whose phase has not come; not all of them have to be fetched."""
    rate: float | None = None
    """Pages a second; None as long as it is too early to say."""
    rendered: int = 0
    """Pages that the browser made."""
    max_pages: int = 0
    step: str = ""
    """Of publishing, in words; empty before it begins."""
    wait: Wait | None = None
    left: TimeLeft | None = None
    verdicts: Mapping[str, int]
    """URLs that have a verdict so far, by its word."""
    frontier: Mapping[int, int]
    """URLs that wait, by depth."""
    slow: Sequence[Slow] = ()
    """The last pages at which the crawl stood still: ``store/readings.py``."""


class Figures:
    """Puts the figures of a crawl together; ``status`` is for once or twice a second."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self.max_pages = crawler.settings.getint("SITEMAPGEN_MAX_PAGES")
        self.samples: deque[Sample] = deque(maxlen=SAMPLES)
        self._first = Sample(monotonic(), 0, 0)
        self._idle_since = -1
        self._last: Status | None = None

        crawler.signals.connect(self.spider_opened, signals.spider_opened)
        crawler.signals.connect(self.spider_idle, signals.spider_idle)
        crawler.signals.connect(self.spider_closed, signals.spider_closed)
        crawler.signals.connect(self.step_begins, step_begins)

    def spider_opened(self) -> None:
        """Remember where this process begins: earlier ones may have fetched pages."""
        self._first = Sample(monotonic(), self.context.store.frontier.fetched(), 0)

    def spider_idle(self) -> None:
        """Nothing is left to fetch: unless further URLs are found, the files are written next."""
        self._idle_since = self.context.store.recorded()

    def spider_closed(self) -> None:
        """Look for the last time, if it was looked at at all: the store will be closed."""
        if self.samples:
            self._last = replace(self._look(last=True), wait=None, left=None)

    def step_begins(self, step: str) -> None:
        if self._last:
            self._last = replace(self._last, step=step, seconds=monotonic() - self._first.at)

    def status(self) -> Status:
        """How the crawl looks now; once it is closed, how it looked then."""
        return self._last or self._look()

    def _look(self, *, last: bool = False) -> Status:
        now = monotonic()
        store, stats = self.context.store, self.crawler.stats.get_stats()
        standing = store.frontier.standing(last=last)
        queued = sum(standing.waiting.values()) + store.frontier.in_flight()
        sample = Sample(now, store.frontier.fetched(), queued)
        if not self.samples or now - self.samples[-1].at >= 1:
            self.samples.append(sample)
        state = self._state()
        url = self.context.start_url or self.context.args.url
        return Status(
            state=state,
            url=url,
            seconds=now - self._first.at,
            fetched=sample.fetched,
            listed=standing.verdicts.get(Verdict.LISTED.value, 0),
            queued=queued,
            later=standing.later,
            rate=rate([self._first, *self.samples, sample]),
            rendered=sum(count for name, count in stats.items() if name.startswith(RENDERED)),
            max_pages=self.max_pages,
            wait=polite_downloader(self.crawler).wait(hostname(url)),
            left=time_left(self.samples, self.max_pages) if state == "crawling" else None,
            verdicts=standing.verdicts,
            frontier=dict(sorted(standing.waiting.items())),
            slow=tuple(store.readings.slow),
        )

    def _state(self) -> str:
        if self._idle_since == self.context.store.recorded():
            return "publishing"
        engine_slot = self.crawler.engine._slot
        if engine_slot is not None and engine_slot.closing is not None:
            return "finishing"
        return "crawling" if self.context.start_url else "starting"


def figures_of(crawler: Crawler) -> Figures:
    """Return the figures of a crawl, which all that show them share."""
    figures: Figures | None = getattr(crawler, _ATTRIBUTE, None)
    if figures is None:
        figures = Figures(crawler)
        setattr(crawler, _ATTRIBUTE, figures)
    return figures
